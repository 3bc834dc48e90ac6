"""Ontologies in OWL and RDFS: classes and individuals as concepts, axioms as edges.

A class is a kind of its named superclasses, also of those in intersections and
definitions; an individual is a kind of its classes; the members of a union are
kinds of it. Restrictions (some, only, value, min, exactly) and statements
between individuals become relations, named by the label of the property.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from semcrawl.topics.class_expressions import (
    And,
    Named,
    OneOf,
    Or,
    Restriction,
    names_in,
    parts_of,
    read_expression,
)
from semcrawl.topics.labels import labels_of, last_part, words_of_name
from semcrawl.topics.rdf_files import (
    BUILT_IN,
    NOT_RELATIONS,
    OBO,
    OWL,
    RDF,
    RDFS,
    SCHEMA,
    SKOS,
    is_iri,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from semcrawl.topics.class_expressions import Expression
    from semcrawl.topics.concepts import ConceptGraphBuilder
    from semcrawl.topics.rdf_files import Statements

SAME_AS = "same-as"
"""The relation between two concepts of a file that are declared to be equal."""

_TYPE = f"{RDF}type"
_PROPERTIES = frozenset(
    {f"{RDF}Property"}
    | {OWL + kind + "Property" for kind in ("Object", "Datatype", "Annotation", "Ontology")}
)
_MAPPINGS = (f"{SKOS}exactMatch", f"{OWL}equivalentClass", f"{OWL}sameAs")


def owl_classes(statements: Statements, thesaurus: Container[str]) -> dict[str, None]:
    """Return the named classes, declared or used as such, without those of SKOS concepts.

    A thesaurus may come with a schema that sorts its concepts ("Descriptor");
    such a class is about the file, not about the world.
    """
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


def owl_individuals(
    statements: Statements, classes: Container[str], thesaurus: Container[str]
) -> dict[str, None]:
    """Return the individuals: instances of the classes, or declared as individuals."""
    properties: set[str] = set()
    found: dict[str, None] = {}
    for node, kind in statements.resources(_TYPE):
        if kind in _PROPERTIES:
            properties.add(node)
        elif kind in classes or kind in (f"{OWL}NamedIndividual", f"{OWL}Thing"):
            found[node] = None
    return {
        node: None
        for node in found
        if node not in properties
        and node not in classes
        and node not in thesaurus
        and _is_ours(node)
    }


def deprecated(statements: Statements) -> set[str]:
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


def add_axioms(
    axioms: ClassAxioms,
    concepts: Container[str],
    names: dict[str, str],
    inverses: dict[str, str],
    builder: ConceptGraphBuilder,
) -> None:
    """Add the is-a edges and relations that the class axioms tell."""
    for concept, expressions in axioms.told.items():
        for part in expressions if concept in concepts else ():
            if isinstance(part, Named):
                _add_broader(builder, concepts, concept, part.iri)
            elif isinstance(part, Restriction) and part.kind != "max":
                _relate(builder, concepts, names, inverses, concept, part)
    for member, concept in axioms.members:
        _add_broader(builder, concepts, member, concept)
    for one, other in axioms.same:
        if one in concepts and other in concepts and one != other:
            builder.relate(one, SAME_AS, other, inverse=SAME_AS)


def add_types(
    statements: Statements,
    individuals: Container[str],
    concepts: Container[str],
    builder: ConceptGraphBuilder,
) -> None:
    """Make every individual a kind of its classes."""
    for node, kind in statements.resources(_TYPE):
        if node in individuals:
            _add_broader(builder, concepts, node, kind)


def add_relations(
    statements: Statements,
    concepts: Container[str],
    names: dict[str, str],
    inverses: dict[str, str],
    builder: ConceptGraphBuilder,
) -> None:
    """Add the statements that relate two concepts, other than is-a and annotations."""
    notes = {n for n, kind in statements.resources(_TYPE) if kind == f"{OWL}AnnotationProperty"}
    for name in statements.properties():
        if name in notes or name.startswith(NOT_RELATIONS) or not is_iri(name):
            continue
        for source, target in statements.resources(name):
            if source in concepts and target in concepts and source != target:
                inverse = names.get(inverses.get(name, ""))
                builder.relate(source, _relation(names, name), target, inverse=inverse)


def property_names(statements: Statements, language: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the label of every property, and the inverse of those that have one."""
    properties = {n for n, kind in statements.resources(_TYPE) if kind in _PROPERTIES}
    labels = labels_of(statements, sorted(properties), language)
    names = {name: found[0].text for name, found in labels.items() if found}
    inverses: dict[str, str] = {}
    for one, other in statements.resources(f"{OWL}inverseOf"):
        if is_iri(one) and is_iri(other):
            inverses[one], inverses[other] = other, one
    return names, inverses


def mappings_of(statements: Statements, concepts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the other IRIs that each concept is declared to be equal to."""
    found: dict[str, dict[str, None]] = {concept: {} for concept in concepts}
    for one, other in _mapped(statements):
        if one in found and one != other:
            found[one][other] = None
    return {concept: tuple(others) for concept, others in found.items() if others}


def _mapped(statements: Statements) -> Iterator[tuple[str, str]]:
    for name in _MAPPINGS:
        for one, other in statements.resources(name):
            if is_iri(one) and is_iri(other):
                yield one, other
                yield other, one


def _is_ours(node: str) -> bool:
    return is_iri(node) and not node.startswith(BUILT_IN)


def _add_broader(
    builder: ConceptGraphBuilder, concepts: Container[str], concept: str, broader: str
) -> None:
    if concept in concepts and broader in concepts and concept != broader:
        builder.add(concept, broader=[broader])


def _relate(
    builder: ConceptGraphBuilder,
    concepts: Container[str],
    names: dict[str, str],
    inverses: dict[str, str],
    concept: str,
    restriction: Restriction,
) -> None:
    name = _relation(names, restriction.property)
    inverse = names.get(inverses.get(restriction.property, ""))
    for target in names_in(restriction.filler):
        if target in concepts and target != concept:
            builder.relate(concept, name, target, inverse=inverse)


def _relation(names: dict[str, str], iri: str) -> str:
    """Return the name of a relation: the property's label, else the words of its IRI."""
    if iri not in names:
        part = last_part(iri)
        names[iri] = words_of_name(part) or part or iri
    return names[iri]


# What an ontology says about its classes: told superclasses, definitions, members.


@dataclass
class ClassAxioms:
    """The class axioms of an ontology, as far as they are about named classes.

    Attributes:
        told: per class (or individual) the expressions that it is a kind of.
        definitions: per class the expressions that it is equal to.
        members: pairs (kind, class) that unions and enumerations tell.
        same: pairs of named classes or individuals that are declared to be equal.
        broader_properties: per property all that it is a part of, itself included.
    """

    told: dict[str, list[Expression]] = field(default_factory=dict)
    definitions: dict[str, list[Expression]] = field(default_factory=dict)
    members: list[tuple[str, str]] = field(default_factory=list)
    same: list[tuple[str, str]] = field(default_factory=list)
    broader_properties: dict[str, set[str]] = field(default_factory=dict)

    def add_told(self, name: str, expression: Expression) -> None:
        """Note what a class is a kind of, part by part."""
        self.told.setdefault(name, []).extend(parts_of(expression))

    def add_definition(self, name: str, expression: Expression) -> None:
        """Note what a class is equal to: it is a kind of that, and its members are kinds of it."""
        if isinstance(expression, Named):
            self.same.append((name, expression.iri))
            return
        self.definitions.setdefault(name, []).append(expression)
        if isinstance(expression, Or):
            self.members += [(p.iri, name) for p in expression.parts if isinstance(p, Named)]
        elif isinstance(expression, OneOf):
            self.members += [(individual, name) for individual in expression.individuals]
        else:
            self.add_told(name, expression)


def read_axioms(statements: Statements) -> ClassAxioms:
    """Return the class axioms of the statements."""
    axioms = ClassAxioms()
    for name, node in _of_names(statements, f"{RDFS}subClassOf"):
        if expression := read_expression(statements, node):
            axioms.add_told(name, expression)
    for name, node in _of_names(statements, f"{OWL}equivalentClass"):
        if expression := read_expression(statements, node):
            axioms.add_definition(name, expression)
    for name, node in _of_names(statements, f"{RDF}type"):
        # An individual may be typed by a restriction: it is told what it is related to.
        if not is_iri(node) and (expression := read_expression(statements, node)):
            axioms.add_told(name, expression)
    axioms.same += list(_of_names(statements, f"{OWL}sameAs"))
    for name, expression in _direct_definitions(statements):
        axioms.add_definition(name, expression)
    axioms.broader_properties = _broader_properties(statements)
    return axioms


def _of_names(statements: Statements, predicate: str) -> Iterator[tuple[str, str]]:
    return (pair for pair in statements.resources(predicate) if is_iri(pair[0]))


def _direct_definitions(statements: Statements) -> Iterator[tuple[str, Expression]]:
    """Yield definitions that are written on the class itself, as the first OWL tools did."""
    for name in ("intersectionOf", "unionOf", "disjointUnionOf"):
        for subject, head in _of_names(statements, OWL + name):
            nodes = statements.members(head, RDF)
            parts = tuple(part for node in nodes if (part := read_expression(statements, node)))
            if parts:
                yield subject, And(parts) if name == "intersectionOf" else Or(parts)
    for subject, head in _of_names(statements, f"{OWL}oneOf"):
        yield subject, OneOf(tuple(filter(is_iri, statements.members(head, RDF))))


def _broader_properties(statements: Statements) -> dict[str, set[str]]:
    direct: dict[str, list[str]] = {}
    for name, broader in _of_names(statements, f"{RDFS}subPropertyOf"):
        direct.setdefault(name, []).append(broader)
    found: dict[str, set[str]] = {}
    for name in direct:
        reached, pending = {name}, [name]
        while pending:
            for broader in direct.get(pending.pop(), ()):
                if broader not in reached:
                    reached.add(broader)
                    pending.append(broader)
        found[name] = reached
    return found
