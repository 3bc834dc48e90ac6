"""When a crawler that learns from its own pages does so again."""

from typing import NamedTuple


class Rounds(NamedTuple):
    """The numbers of pages at which is learnt: ever fewer, as a round looks at all pages.

    Attributes:
        every: so many pages lie between two rounds, later such a ``part`` of all.
        each: below this number each page is a round.

    >>> rounds = Rounds(200)
    >>> rounds.after(0), rounds.after(200), rounds.after(5000)
    (200, 400, 5500)
    >>> rounds.last(199), rounds.last(455)
    (0, 400)
    """

    every: int
    each: int = 0
    part: int = 10

    def after(self, pages: int) -> int:
        """Return the number of pages of the round after one at ``pages``."""
        return pages + (1 if pages < self.each else max(self.every, pages // self.part))

    def last(self, pages: int) -> int:
        """Return the number of pages of the last round up to ``pages``, 0 for none."""
        done = 0
        while (due := self.after(done)) <= pages:
            done = due
        return done
