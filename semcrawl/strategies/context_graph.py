"""The context-graph crawler: links of the pages that seem to be nearest to a target come first."""

from collections.abc import Sequence

from semcrawl.errors import ConfigError
from semcrawl.models.context_graph import LayerGuess, load_context_graph
from semcrawl.models.training_pages import require_topic
from semcrawl.strategies.strategy import BaseStrategy, JudgedPage
from semcrawl.text.background import Background
from semcrawl.topics import Topic


def layer_priority(guess: LayerGuess, layers: int) -> float:
    """A queue for each layer, the nearest first, by probability within (Diligenti 2000).

    As one number: (layers - 1 - layer + probability) / layers, 0 for a page of no layer.

    >>> from semcrawl.models.context_graph import LayerGuess
    >>> layer_priority(LayerGuess(0, 1.0), 4), layer_priority(LayerGuess(2, 0.6), 4)
    (1.0, 0.4)
    >>> layer_priority(LayerGuess(None, 0.9), 4)
    0.0
    """
    if guess.layer is None:
        return 0.0
    return (layers - 1 - guess.layer + guess.probability) / layers


class ContextGraphStrategy(BaseStrategy):
    """All links by their page's distance from a target, as its words tell (Diligenti et al. 2000).

    ``model`` is a file made for the same topic, or any with ``any_topic``. Raises ConfigError: no
    model, one that cannot be read, or one of another topic.
    """

    def __init__(self, topic: Topic, background: Background, model: str = "", any_topic: bool = False) -> None:
        if not model:
            raise ConfigError(
                "context-graph needs a model: make one with 'semcrawl train context-graph', and "
                "give it as context-graph:model=FILE"
            )
        self._graph = load_context_graph(model)
        self._background = background
        if not any_topic:
            require_topic(f"the model {model}", self._graph.topic, self._graph.topic_digest, topic)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return the priority of the page's layer, for every link."""
        guess = self._graph.guess(judged.page.terms, self._background)
        return [layer_priority(guess, len(self._graph.layers))] * len(judged.page.links)
