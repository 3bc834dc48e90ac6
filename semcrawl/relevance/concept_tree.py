"""What lies around a concept: broader, narrower and related ones, with their weights."""

from msgspec import Struct

from semcrawl.relevance.measures import Measure, measure_named, spread_from_topic
from semcrawl.topics.concepts import ConceptGraph


class Branch(Struct, frozen=True):
    """A concept in the neighbourhood of another, with its own neighbours, the nearest first."""

    id: str
    label: str
    relation: str  # topic, broader, narrower or a relation's name
    similarity: float  # to the concept at the root, which has 1
    branches: "tuple[Branch, ...]" = ()
    left_out: int = 0  # neighbours that are not shown


def neighbourhood(
    graph: ConceptGraph,
    concept: str,
    measure: str | Measure = "li",
    *,
    up: int = 2,
    down: int = 2,
    width: int = 12,
    least: float = 0.0,
) -> Branch:
    """Return the neighbourhood of a concept as a tree with the concept at its root.

    ``up`` and ``down`` are levels of broader and narrower concepts, ``width`` how many
    neighbours of one kind are shown, ``least`` how similar they must be. Similarities are
    shares of that of the concept with itself, which some measures make less than 1.
    """
    near = spread_from_topic(measure_named(measure), graph, concept)
    own = graph.position(concept)
    near = near / (near[own] or 1.0)
    near[own] = 1.0
    seen = {concept}

    def is_near(node: str) -> bool:
        return bool(near[graph.position(node)] >= least)

    def grow(node: str, relation: str, levels: int) -> tuple[tuple[Branch, ...], int]:
        if levels <= 0:
            return (), 0
        found = graph.broader(node) if relation == "broader" else graph.narrower(node)
        fresh = [one for one in dict.fromkeys(found) if one not in seen and is_near(one)]
        fresh.sort(key=lambda one: (-near[graph.position(one)], graph.label(one)))
        seen.update(fresh[:width])
        return (
            tuple(branch(one, relation, *grow(one, relation, levels - 1)) for one in fresh[:width]),
            max(len(fresh) - width, 0),
        )

    def branch(node: str, relation: str, below: tuple[Branch, ...], left_out: int) -> Branch:
        similarity = float(near[graph.position(node)])
        return Branch(node, graph.label(node), relation, similarity, below, left_out)

    above, more_above = grow(concept, "broader", up)
    below, more_below = grow(concept, "narrower", down)
    related = dict.fromkeys(graph.relations(concept))
    others = [(name, one) for name, one in related if one not in seen and is_near(one)]
    others.sort(key=lambda other: -near[graph.position(other[1])])
    beside = tuple(branch(one, name, (), 0) for name, one in others[:width])
    more = more_above + more_below + max(len(others) - width, 0)
    return branch(concept, "topic", (*above, *below, *beside), more)


def relation_of(graph: ConceptGraph, concept: str, other: str) -> str:
    """Return how another concept is related to one: as a :class:`Branch` says it; "" if neither.

    >>> from semcrawl.topics import wordnet
    >>> relation_of(wordnet().graph, "wordnet:asthma.n.01", "wordnet:disease.n.01")
    'broader'
    """
    if other == concept:
        return "topic"
    if other in graph.ancestors(concept):
        return "broader"
    if concept in graph.ancestors(other):
        return "narrower"
    return next((name for name, target in graph.relations(concept) if target == other), "")


def tree_text(root: Branch) -> str:
    """Return the tree in lines, each with its similarity, relation and label.

    >>> leaf = Branch("x:b", "bee", "narrower", 0.5)
    >>> print(tree_text(Branch("x:a", "animal", "topic", 1.0, (leaf,))))
    1.00  animal  x:a
    0.50  └─ narrower: bee  x:b
    """
    lines = [f"{root.similarity:.2f}  {root.label}  {root.id}"]
    _write(root, "", lines)
    return "\n".join(lines)


def _write(node: Branch, indent: str, lines: list[str]) -> None:
    for number, child in enumerate(node.branches, start=1):
        is_last = number == len(node.branches) and not node.left_out
        stem = "└─ " if is_last else "├─ "
        lines.append(f"{child.similarity:.2f}  {indent}{stem}{child.relation}: {child.label}  {child.id}")
        _write(child, indent + ("   " if is_last else "│  "), lines)
    if node.left_out:
        lines.append(f"      {indent}└─ … {node.left_out} more")
