"""Concepts and edges in RDF: concepts of SKOS, classes, individuals and axioms of OWL and RDFS.

Restrictions (all but max) become relations, named by the label of the property.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from semcrawl.topics import class_expressions
from semcrawl.topics.concepts import ConceptGraphBuilder
from semcrawl.topics.labels import last_part, words_of_name
from semcrawl.topics.rdf_statements import RdfStatements, grouped, is_iri, labels_of, reachable
from semcrawl.topics.vocabularies import BUILT_IN, NOT_RELATIONS, OBO, OWL, RDF, RDFS, SCHEMA, SKOS

SAME_AS = "same-as"  # the relation between two concepts of a file that are declared to be equal

_TYPE = f"{RDF}type"
_PROPERTIES = frozenset(
    {f"{RDF}Property"} | {OWL + kind + "Property" for kind in ("Object", "Datatype", "Annotation", "Ontology")}
)
_ISO = "http://purl.org/iso25964/skos-thes#"
_NOT_CONCEPTS = tuple(SKOS + name for name in ("ConceptScheme", "Collection", "OrderedCollection"))


def skos_concepts(statements: RdfStatements) -> dict[str, None]:
    """Return the concepts of the thesauri in the statements, in the order of the file."""
    narrower = ((broader, kind) for kind, broader in statements.resources(f"{RDFS}subClassOf"))
    kinds = reachable(f"{SKOS}Concept", grouped(narrower))
    types = [pair for pair in statements.resources(f"{RDF}type") if is_iri(pair[0])]
    found = {node: None for node, kind in types if kind in kinds}
    for name in ("broader", "narrower", "broaderTransitive", "narrowerTransitive", "related"):
        for pair in _pairs(statements, name):
            found.update(dict.fromkeys(filter(is_iri, pair)))
    found.update({node: None for node, _ in _tops(statements) if is_iri(node)})
    for node, kind in types:
        if kind in _NOT_CONCEPTS:
            found.pop(node, None)
    return found


def add_hierarchy(statements: RdfStatements, concepts: dict[str, None], builder: ConceptGraphBuilder) -> None:
    """Add the broader concepts and the related ones of each concept."""
    steps = _between(concepts, _both_ways(statements, "broader", "narrower"))
    has_broader = {narrower for narrower, _ in steps}
    # The transitive forms say all ancestors at once: of use only where the steps are not said.
    transitive = _both_ways(statements, "broaderTransitive", "narrowerTransitive")
    steps += [pair for pair in _between(concepts, transitive) if pair[0] not in has_broader]
    for narrower, broader in steps:
        builder.add(narrower, broader=[broader])
    for one, other in _between(concepts, _pairs(statements, "related")):
        builder.relate(one, "related", other, inverse="related")


def _between(concepts: dict[str, None], pairs: Iterator[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(a, b) for a, b in pairs if a in concepts and b in concepts and a != b]


def top_concepts(statements: RdfStatements, concepts: dict[str, None]) -> list[str]:
    """Return the concepts that a scheme names as its top ones."""
    return [node for node in dict.fromkeys(n for n, _ in _tops(statements)) if node in concepts]


def _tops(statements: RdfStatements) -> Iterator[tuple[str, str]]:
    yield from statements.resources(f"{SKOS}topConceptOf")
    yield from ((c, scheme) for scheme, c in statements.resources(f"{SKOS}hasTopConcept"))


def _both_ways(statements: RdfStatements, up: str, down: str) -> Iterator[tuple[str, str]]:
    yield from _pairs(statements, up)
    yield from ((narrower, broader) for broader, narrower in _pairs(statements, down))


def _pairs(statements: RdfStatements, name: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a SKOS property and of those declared or known to be kinds of it."""
    yield from statements.resources(SKOS + name)
    declared = {sub for sub, sup in statements.resources(f"{RDFS}subPropertyOf") if sup == SKOS + name}
    for iri in sorted(declared | {f"{_ISO}{name}{kind}" for kind in ("Generic", "Instantial", "Partitive")}):
        if not iri.startswith(SKOS):
            yield from statements.resources(iri)


def owl_classes(statements: RdfStatements, thesaurus: Container[str]) -> dict[str, None]:
    """Return the named classes, without those that sort the concepts of a thesaurus."""
    found: dict[str, None] = {}
    about_file: set[str] = set()  # properties too: real files say equivalentClass of some
    for node, kind in statements.resources(_TYPE):
        if kind in (f"{OWL}Class", f"{RDFS}Class"):
            found[node] = None
        if kind in _PROPERTIES:
            about_file.add(node)
        if node in thesaurus:
            about_file.add(kind)
    for name in ("equivalentClass", "intersectionOf", "unionOf", "disjointUnionOf"):
        found.update({node: None for node, _ in statements.resources(OWL + name)})
    for narrower, broader in statements.resources(f"{RDFS}subClassOf"):
        found[narrower] = found[broader] = None
        if broader.startswith(SKOS):
            about_file.add(narrower)
    return {node: None for node in found if node not in about_file and _is_ours(node)}


def owl_individuals(statements: RdfStatements, classes: Container[str], thesaurus: Container[str]) -> dict[str, None]:
    """Return the individuals: instances of the classes, or declared as individuals."""
    properties: set[str] = set()
    found: dict[str, None] = {}
    for node, kind in statements.resources(_TYPE):
        if kind in _PROPERTIES:
            properties.add(node)
        elif kind in classes or kind in (f"{OWL}NamedIndividual", f"{OWL}Thing"):
            found[node] = None
    left = [node for node in found if node not in properties and _is_ours(node)]
    return {node: None for node in left if node not in classes and node not in thesaurus}


def deprecated(statements: RdfStatements) -> set[str]:
    """Return what the file declares to be out of use."""
    flagged = statements.texts(f"{OWL}deprecated")
    found = {node for node, text in flagged if text.value.strip().lower() in ("true", "1")}
    found |= {n for n, kind in statements.resources(_TYPE) if kind == f"{OWL}DeprecatedClass"}
    obsolete = f"{OBO}ObsoleteClass"
    found |= {n for n, kind in statements.resources(f"{RDFS}subClassOf") if kind == obsolete}
    found.add(obsolete)
    for place in SCHEMA:
        found |= {node for node, _ in statements.resources(f"{place}supersededBy")}
    return found


class OwlEdges:
    """Adds is-a edges and relations to a builder; ``names`` has the label of every property."""

    def __init__(self, statements: RdfStatements, language: str, builder: ConceptGraphBuilder) -> None:
        self._statements = statements
        self._builder = builder
        properties = {n for n, kind in statements.resources(_TYPE) if kind in _PROPERTIES}
        labels = labels_of(statements, sorted(properties), language)
        self.names = {name: found[0].text for name, found in labels.items() if found}
        self._inverses: dict[str, str] = {}
        for one, other in statements.resources(f"{OWL}inverseOf"):
            if is_iri(one) and is_iri(other):
                self._inverses[one], self._inverses[other] = other, one

    def add_axioms(self, axioms: "ClassAxioms") -> None:
        """Add what the class axioms tell."""
        for concept, expressions in axioms.told.items():
            known = concept in self._builder
            for part in expressions:
                if isinstance(part, class_expressions.Named):
                    self._builder.link(concept, part.iri)
                elif isinstance(part, class_expressions.Restriction) and part.kind != "max" and known:
                    self._relate(concept, part.property, class_expressions.names_in(part.filler))
        for member, concept in axioms.members:
            self._builder.link(member, concept)
        for one, other in axioms.same:
            self._builder.relate_known(one, SAME_AS, other, inverse=SAME_AS)

    def add_types(self, individuals: Container[str]) -> None:
        """Make every individual a kind of its classes."""
        for node, kind in self._statements.resources(_TYPE):
            if node in individuals:
                self._builder.link(node, kind)

    def add_relations(self, without: Container[str] = ()) -> None:
        """Add the statements that relate two concepts, other than is-a and annotations."""
        statements = self._statements
        notes = {node for node, kind in statements.resources(_TYPE) if kind == f"{OWL}AnnotationProperty"}
        for name in statements.properties():
            if name in notes or name in without or name.startswith(NOT_RELATIONS):
                continue
            for source, target in statements.resources(name):
                if source in self._builder and target in self._builder and source != target:
                    self._relate(source, name, [target])

    def _relate(self, source: str, property_: str, targets: Iterable[str]) -> None:
        if property_ not in self.names:
            part = last_part(property_)
            self.names[property_] = words_of_name(part) or part or property_
        inverse = self.names.get(self._inverses.get(property_, ""))
        for target in targets:
            self._builder.relate_known(source, self.names[property_], target, inverse=inverse)


def mappings_of(
    statements: RdfStatements, concepts: Iterable[str], aliases: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the other IRIs that each concept, or an alias of it, is declared to be equal to."""
    found: dict[str, dict[str, None]] = {concept: {} for concept in concepts}
    names = (f"{SKOS}exactMatch", f"{OWL}equivalentClass", f"{OWL}sameAs")
    for one, other in (pair for name in names for pair in statements.resources(name)):
        if is_iri(one) and is_iri(other):
            for here, there in ((one, other), (other, one)):
                concept = aliases.get(here, here)
                if concept in found and concept != aliases.get(there, there):
                    found[concept][there] = None
    return {concept: tuple(others) for concept, others in found.items() if others}


def _is_ours(node: str) -> bool:
    return is_iri(node) and not node.startswith(BUILT_IN)


@dataclass
class ClassAxioms:
    """The class axioms of an ontology, as far as they are about named classes."""

    # per class (or individual) the expressions that it is a kind of
    told: dict[str, list[class_expressions.Expression]] = field(default_factory=dict)
    # per class the expressions that it is equal to
    definitions: dict[str, list[class_expressions.Expression]] = field(default_factory=dict)
    # pairs (kind, class) that unions and enumerations tell
    members: list[tuple[str, str]] = field(default_factory=list)
    # pairs of named classes or individuals that are declared to be equal
    same: list[tuple[str, str]] = field(default_factory=list)
    # per property all that it is a part of, itself included
    broader_properties: dict[str, set[str]] = field(default_factory=dict)

    def add_told(self, name: str, expression: class_expressions.Expression) -> None:
        """Note what a class is a kind of."""
        self.told.setdefault(name, []).extend(class_expressions.parts_of(expression))

    def add_definition(self, name: str, expression: class_expressions.Expression) -> None:
        """Note what a class is equal to: it is a kind of that, and its members are kinds of it."""
        if isinstance(expression, class_expressions.Named):
            self.same.append((name, expression.iri))
            return
        self.definitions.setdefault(name, []).append(expression)
        if isinstance(expression, class_expressions.Or):
            self.members += [(p.iri, name) for p in expression.parts if isinstance(p, class_expressions.Named)]
        elif isinstance(expression, class_expressions.OneOf):
            self.members += [(individual, name) for individual in expression.individuals]
        else:
            self.add_told(name, expression)


def read_axioms(statements: RdfStatements) -> ClassAxioms:
    """Return the class axioms of the statements."""
    direct = grouped(_of_names(statements, f"{RDFS}subPropertyOf"))
    axioms = ClassAxioms(broader_properties={name: set(reachable(name, direct)) for name in direct})
    for predicate, add in ((f"{RDFS}subClassOf", axioms.add_told), (f"{OWL}equivalentClass", axioms.add_definition)):
        for name, node in _of_names(statements, predicate):
            if expression := read_expression(statements, node):
                add(name, expression)
    for name, node in _of_names(statements, _TYPE):
        # An individual may be typed by a restriction: it is told what it is related to.
        if not is_iri(node) and (expression := read_expression(statements, node)):
            axioms.add_told(name, expression)
    axioms.same += list(_of_names(statements, f"{OWL}sameAs"))
    for name, expression in _direct_definitions(statements):
        axioms.add_definition(name, expression)
    return axioms


def _of_names(statements: RdfStatements, predicate: str) -> Iterator[tuple[str, str]]:
    return (pair for pair in statements.resources(predicate) if is_iri(pair[0]))


def _direct_definitions(statements: RdfStatements) -> Iterator[tuple[str, class_expressions.Expression]]:
    """Yield definitions that are written on the class itself, as the first OWL tools did."""
    for name in ("intersectionOf", "unionOf", "disjointUnionOf"):
        for subject, head in _of_names(statements, OWL + name):
            nodes = statements.members(head)
            if parts := tuple(part for node in nodes if (part := read_expression(statements, node))):
                yield subject, class_expressions.And(parts) if name == "intersectionOf" else class_expressions.Or(parts)
    for subject, head in _of_names(statements, f"{OWL}oneOf"):
        yield subject, class_expressions.OneOf(tuple(filter(is_iri, statements.members(head))))


def read_expression(statements: RdfStatements, node: str, depth: int = 0) -> class_expressions.Expression | None:
    """Return a node's expression; None for data values, inverses, ``hasSelf`` and deep nesting."""
    if is_iri(node):
        return class_expressions.Named(node)
    if depth > class_expressions.DEEPEST:
        return None
    for name, kind in (("intersectionOf", class_expressions.And), ("unionOf", class_expressions.Or)):
        for head in statements.objects(node, OWL + name):
            members = (read_expression(statements, m, depth + 1) for m in statements.members(head))
            parts = [part for part in members if part]
            return class_expressions.joined(kind, parts) if parts else None
    for part in statements.objects(node, f"{OWL}complementOf"):
        inner = read_expression(statements, part, depth + 1)
        return class_expressions.Not(inner) if inner else None
    for head in statements.objects(node, f"{OWL}oneOf"):
        return class_expressions.OneOf(tuple(filter(is_iri, statements.members(head))))
    return _restriction(statements, node, depth)


def _restriction(statements: RdfStatements, node: str, depth: int) -> class_expressions.Expression | None:
    properties = [name for name in statements.objects(node, f"{OWL}onProperty") if is_iri(name)]
    if not properties:
        return None
    for kind, name in class_expressions.FILLERS.items():
        for target in statements.objects(node, OWL + name):
            filler = read_expression(statements, target, depth + 1)
            return class_expressions.Restriction(kind, properties[0], filler) if filler else None
    classes = statements.objects(node, f"{OWL}onClass")
    filler = read_expression(statements, classes[-1], depth + 1) if classes else None
    for place in (0, 1):
        for kind, names in class_expressions.CARDINALITIES.items():
            if (number := statements.number(node, OWL + names[place])) is not None:
                return class_expressions.Restriction(kind, properties[0], filler, number)
    return None
