"""A strategy of your own: one class with ``batch`` and ``rank``."""

from semcrawl.strategies import JudgedPage


class Shallow:
    """Relevant pages near the seeds first.

    Args:
        decay: what a link away from the seeds costs.
    """

    batch = 1

    def __init__(self, decay: float = 0.5) -> None:
        self.decay = decay

    def rank(self, judged: JudgedPage) -> list[float]:
        """The page's relevance, less for every link that lies between it and a seed."""
        return [judged.relevance * self.decay**judged.depth] * len(judged.page.links)
