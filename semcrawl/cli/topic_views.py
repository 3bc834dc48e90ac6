"""What ``semcrawl topic`` shows: a topic, senses of a word, what a file or a judge's lens has."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from semcrawl.cli.explain import explanation_lines
from semcrawl.cli.options import write_text
from semcrawl.cli.screen import count, cut, harmless, one_line, print_data, print_json
from semcrawl.cli.topic import read_topic, show_problems
from semcrawl.errors import ConfigError, TopicError, os_errors, regular
from semcrawl.text.languages import language_code
from semcrawl.topics import ConceptGraph, Topic, wordnet
from semcrawl.topics.file_graph import FileGraph, definition_hint, short_name
from semcrawl.topics.labels import Label, is_label_in, normal_label
from semcrawl.topics.rdf_statements import grouped
from semcrawl.topics.sources import OntologySource, ReadOptions, WordNetSource, read_graph, source_of
from semcrawl.topics.topic import TopicConcept, language_tags
from semcrawl.topics.wordnet import Sense, describe_sense
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from semcrawl.page import Page
    from semcrawl.relevance.lens import Lens
    from semcrawl.relevance.similarities import TextSimilarity

_RELATED_SHOWN = 8
_TREES_SHOWN = 5
_LABELS_SHOWN, _LENS_SHOWN = 12, 30
_REMARKS_SHOWN = 8
_PLAIN_WORD = re.compile(r"[\w@%+=:,./#-]+")  # what no shell reads its own way
_LISTED = 20
_LANGUAGES_SHOWN = 12
_WIDEST = 48  # of the column of references
DEFAULT_JUDGE = "labels"


def _sense_lines(reference: str, sense: Sense, width: int) -> list[str]:
    """Three lines on a sense: words, definition, path; each cut to a width."""
    lines, path = [f"{reference}  {', '.join(sense.synonyms)}", f"    {sense.definition}"], sense.path
    while len(path) > 1 and len(" > ".join(path)) + 4 > width:
        path = ("…", *path[2:])
    return [cut(line, width) for line in (*lines, f"    {' > '.join(path)}")]


def _show_topic(parsed: Topic, labels: int, *, whole: bool) -> None:
    click.echo(f"{harmless(parsed.name)}\n")
    for concept in parsed.concepts:
        _show_concept(concept, parsed.languages)
    if parsed.concepts or parsed.keywords:
        _show_judge_lens(parsed, DEFAULT_JUDGE, labels, whole=whole)
    for kind, places in (("seed", parsed.seeds), ("example", parsed.examples)):
        for place in places:
            click.echo(f"{kind} {harmless(place)}")
    _warn_of_ambiguity(parsed)


def _show_concept(part: TopicConcept, languages: Sequence[str]) -> None:
    graph, concept = part.graph, part.id
    click.echo(concept if part.weight else f"{concept}  weight 0: left out")
    words = dict.fromkeys(
        label.text if is_label_in(languages, label) else f"{label.text} ({label.language})"
        for label in graph.labels(concept)
    )
    rows = {"words": ", ".join(words)}
    if concept.startswith("wordnet:"):
        rows["means"] = wordnet().definition(concept)
    path = graph.path_to_root(concept)
    if len(path) > 1:
        rows["is a"] = " > ".join(graph.label(step) for step in path)
    rows["kinds"] = _names(graph, graph.narrower(concept))
    rows |= {name: _names(graph, others) for name, others in grouped(graph.relations(concept)).items()}
    wide = max(map(len, rows))
    for name, text in rows.items():
        head, screen = f"    {name:<{wide}}  ", shutil.get_terminal_size().columns
        below = " " * len(head)
        lines = textwrap.fill(text, screen, initial_indent=head, subsequent_indent=below, break_on_hyphens=False)
        click.echo(harmless(lines))
    click.echo()


def _names(graph: ConceptGraph, concepts: list[str]) -> str:
    found = list(dict.fromkeys(map(graph.label, concepts)))
    more = f" … and {len(found) - _RELATED_SHOWN} more" if len(found) > _RELATED_SHOWN else ""
    return (", ".join(found[:_RELATED_SHOWN]) or "none") + more


def _warn_of_ambiguity(parsed: Topic) -> None:
    """A label that other concepts have too finds their pages as well; a definition may fit more than is told."""
    for part in (part for part in parsed.concepts if part.weight):
        if hint := definition_hint(part.graph, part.id):
            click.echo(f"note: {part.graph.label(part.id)!r} is defined; all its kinds: {shlex.quote(hint)}", err=True)
        labels = (label.text for label in part.graph.labels(part.id) if is_label_in(parsed.languages, label))
        for text in dict.fromkeys(labels):
            if others := [one for one in part.graph.find(text) if one != part.id]:
                shown = ", ".join(others[:4]) + (" …" if len(others) > 4 else "")
                click.echo(f"note: {text!r} also names {shown}", err=True)


def _show_trees(parsed: Topic, measure: str, least: float | None, options: dict[str, Any]) -> None:
    from semcrawl.plots.neighbourhood import neighbourhood_svg
    from semcrawl.relevance.concept_tree import neighbourhood, tree_text

    if not parsed.concepts:
        raise TopicError(f"the topic {parsed.name!r} has keywords only; only concepts have a neighbourhood")
    most = len(parsed.concepts) if options["all"] else _TREES_SHOWN
    shown = parsed.concepts[: most if options["tree"] else 1]
    trees = [neighbourhood(one.graph, one.id, measure, least=least or 0.0) for one in shown]
    if options["tree"]:
        for tree in trees:
            click.echo(harmless(tree_text(tree)))
        if len(parsed.concepts) > len(shown):
            click.echo(f"… and {len(parsed.concepts) - len(shown)} more concepts: --all")
    if options["svg"]:
        write_text(options["svg"], neighbourhood_svg(trees[0]))
        click.echo(f"drawn to {options['svg']}")


def _show_strongest(parsed: Topic, lens: Lens, shown: int) -> None:
    click.echo("weight  label")
    strongest = lens.strongest(shown)
    for label in strongest:
        # Some measures give a concept less than 1 with itself; the topic is what counts fully.
        weight = label.weight / (strongest[0].weight or 1.0)
        click.echo(harmless(f"{weight:6.3f}  {label.text}{_concept(parsed, label.concept)}"))


def _show_judge_lens(parsed: Topic, judge: str, shown: int, *, whole: bool) -> None:
    """Show the lens that a judge looks through, in each language of the topic."""
    from semcrawl.relevance import JUDGES
    from semcrawl.relevance.judges import LabelsJudge
    from semcrawl.relevance.label_similarity import LabelSimilarity

    made = JUDGES.create(judge, topic=parsed, background=parsed.background())
    _warn_of_lens(parsed, made.similarity)
    each = () if made.similarity is None else made.similarity.each_language()
    for number, similarity in enumerate(each):
        lens = similarity.lens
        if lens is None:
            raise ConfigError(f"the judge {judge!r} has no lens: choose another, such as labels")
        where = f" in {lens.language}" if len(each) > 1 else ""
        click.echo("\n" if number else "", nl=False)
        click.echo(f"{count(len(lens), 'label')}{where} for the judge {judge}; the strongest:\n")
        if isinstance(made, LabelsJudge) and isinstance(similarity, LabelSimilarity):
            # How far the concept of each label belongs to the topic, and the share of its use.
            click.echo("weight  share  label")
            for label in lens.strongest(shown, first=similarity.labels.names):
                weight, concept = label.weight / (label.share or 1.0), _concept(parsed, label.concept)
                click.echo(harmless(f"{weight:6.3f}  {label.share:5.2f}  {label.text}{concept}"))
            _show_remarks(parsed.in_language(lens.language), made.related, made.decay, whole=whole)
        else:
            _show_strongest(parsed, lens, shown)


def _warn_of_lens(parsed: Topic, similarity: TextSimilarity | None) -> None:
    """Tell what a crawl would warn about, or why it would be refused."""
    from semcrawl.relevance.lens_check import check_lens

    try:
        notes = check_lens(parsed, similarity)
    except TopicError as error:
        notes = [str(error)]
    for note in notes:
        click.echo(f"warning: {one_line(note)}", err=True)


def _concept(parsed: Topic, concept: str | None) -> str:
    """A concept and, where it is none of the topic's itself, how it is related to one."""
    from semcrawl.relevance.topic_labels import relation_to_topic

    if concept is None:
        return ""
    own = [part for part in parsed.concepts if concept in part.graph]
    if any(part.id == concept for part in own):
        return f"  {concept}"
    name = next(filter(None, (relation_to_topic(part.graph, part.id, concept) for part in own)), "")
    return f"  {concept} ({name})" if name else f"  {concept}"


def _show_remarks(parsed: Topic, related: float, decay: float, *, whole: bool) -> None:
    """Show which labels are left out or count less, and why."""
    from semcrawl.relevance.topic_labels import label_remarks

    remarks = label_remarks(parsed, related=related, decay=decay)
    if remarks:
        click.echo("\nMatched in a special way, or left out:")
    for one in remarks if whole else remarks[:_REMARKS_SHOWN]:
        concept = f"  {one.concept}" if one.concept else ""
        click.echo(harmless(f"  {cut(one_line(one.text), 60)}: {one.remark}{concept}"))
    if len(remarks) > _REMARKS_SHOWN and not whole:
        click.echo(f"  … and {len(remarks) - _REMARKS_SHOWN:,} more: --all")


def _show_score(parsed: Topic, judge: str, scored: str | Page) -> None:
    from semcrawl.relevance import JUDGES
    from semcrawl.relevance.judges import explaining

    chosen = JUDGES.create(judge, topic=parsed, background=parsed.background())
    similarity = explaining(chosen, judge)
    if isinstance(scored, str):
        explanation = similarity.explain(scored)
    else:
        explanation = similarity.explain_page(scored.read_in(parsed.languages))
    verdict = "relevant" if explanation.score >= chosen.threshold else "not relevant"
    click.echo(f"{explanation.score:.4f}  {verdict} (threshold {chosen.threshold:g})\n")
    for line in explanation_lines(explanation):
        click.echo(harmless(line))


def _page_at(place: str) -> Page:
    from semcrawl.page import read_page
    from semcrawl.web import Response
    from semcrawl.web.http import HttpFetcher
    from semcrawl.web.politeness import user_agent

    if "://" in place:
        with closing(HttpFetcher(user_agent())) as fetcher:
            return read_page(fetcher.fetch(canonical(place)))
    with os_errors(ConfigError, f"cannot read the page {place}", "; give a file or a URL with http://"):
        body = regular(Path(place)).read_bytes()
    return read_page(Response(f"file:{place}", 200, {"content-type": "text/html"}, body, 0.0, 0.0))


def show(spec: str, form: str | None, options: dict[str, Any]) -> None:
    """Show what the options ask for."""
    if options["search"] is not None:
        _show_search(spec, options["search"], options)
        return
    wants_more = options["text"] is not None or any(options[name] for name in ("tree", "lens", "svg", "url"))
    may_list = spec.startswith("wordnet:") and "," not in spec and not wants_more and form in (None, "json")
    if may_list and _show_senses(spec, whole=options["all"], as_json=form == "json"):
        return
    # A whole ontology or thesaurus: no concept of it is named.
    if form is None and not wants_more and "#" not in spec and isinstance(source_of(spec), OntologySource):
        _show_file(spec, options)
        return
    parsed = read_topic(spec, **{name: options[name] for name in ("reason", "language", "import_folders")})
    if parsed.examples and not (parsed.concepts or parsed.keywords):
        parsed = _with_words(parsed)
    if form == "json":
        print_json({"name": parsed.name, "labels": dict(parsed.labels())})
    elif form:
        print_data(parsed.to_toml() if form == "toml" else parsed.to_turtle())
    elif wants_more:
        _look(parsed, options)
    else:
        _show_topic(parsed, options["labels"] or _LABELS_SHOWN, whole=options["all"])


def _with_words(parsed: Topic) -> Topic:
    """Read the example pages of a topic that says nothing else: their words are its keywords."""
    from semcrawl.models.training_pages import open_page_source, read_examples

    with open_page_source(languages=parsed.languages) as source:
        found = read_examples(parsed, source, parsed.background())
    for problem in found.problems:
        click.echo(f"warning: {one_line(problem)}", err=True)
    return found.topic


def _show_senses(spec: str, *, whole: bool, as_json: bool) -> bool:
    """List the senses of a word that has several, the whole or what fits the screen; if it did."""
    source = WordNetSource()
    graph, word = source.graph(spec), " ".join(source.words(spec))
    ids = source.senses(word, graph)
    if as_json and ids:
        print_json([asdict(describe_sense(concept, graph)) for concept in ids])
        return True
    if len(ids) < 2:
        return False
    screen = shutil.get_terminal_size()  # 80 by 24 where there is none
    # Three lines each, and one for the head, the two below, the command and the prompt.
    shown = ids if whole else ids[: max((screen.lines - 5) // 3, 1)]
    click.echo(f"{one_line(word)} has {len(ids)} senses, the most frequent first:")
    width = sys.maxsize if whole else screen.columns
    for concept in shown:
        reference, sense = graph.reference(concept), describe_sense(concept, graph)
        click.echo(harmless("\n".join(_sense_lines(reference, sense, width))))
    if len(ids) > len(shown):
        click.echo(f"{len(ids) - len(shown)} more: --all")
    click.echo(f"Pick one:  semcrawl crawl {graph.reference(ids[0])} …")
    return True


def _look(parsed: Topic, options: dict[str, Any]) -> None:
    measure, least = options["measure"] or "li", options["min_weight"]
    _warn_of_ambiguity(parsed)
    if options["tree"] or options["svg"]:
        _show_trees(parsed, measure, least, options)
    if options["lens"] and options["judge"] is None and _by_measure(options):
        from semcrawl.relevance import Lens

        lens = Lens.compile(parsed, measure, min_weight=least)
        click.echo(f"{count(len(lens), 'label')} through {measure}; the strongest:\n")
        _show_strongest(parsed, lens, options["labels"] or _LENS_SHOWN)
    elif options["lens"]:
        _show_judge_lens(parsed, _judge(options), options["labels"] or _LENS_SHOWN, whole=options["all"])
    if options["text"] is not None:
        _show_score(parsed, _judge(options), options["text"])
    if options["url"]:
        _show_score(parsed, _judge(options), _page_at(options["url"]))


def _judge(options: dict[str, Any]) -> str:
    """The judge to score with, looking through the measure that was asked for."""
    wanted = _by_measure(options)
    judge = str(options["judge"] or ("ssrm" if wanted else DEFAULT_JUDGE))
    joint = "," if "=" in judge else ":"
    return f"{judge}{joint}{','.join(wanted)}" if wanted else judge


def _by_measure(options: dict[str, Any]) -> list[str]:
    given = {name: options[name] for name in ("measure", "min_weight")}
    return [f"{name}={value}" for name, value in given.items() if value is not None]


def _show_file(spec: str, options: dict[str, Any]) -> None:
    """Show what a file of concepts holds: how much, in which languages, its top concepts."""
    from semcrawl.relevance.hierarchy import count_below

    graph, languages = _read_source(spec, options)
    assert isinstance(graph, FileGraph)
    table = graph.label_table
    rows = len(table.rows)
    click.echo(harmless(f"{graph.name}: {count(len(graph), 'concept')}, {count(rows, 'label')}"))
    _show_languages(Counter(table.label(row).language or "none" for row in range(rows)), languages)
    if names := graph.relation_ends:
        click.echo(harmless(cut(f"relations: {', '.join(names)}", shutil.get_terminal_size().columns)))
    below = count_below(graph.is_a)

    def largest_first(concepts: list[str]) -> list[str]:
        return sorted(concepts, key=lambda one: -below[graph.position(one)])

    tops = largest_first(graph.top_concepts())
    if not tops:
        return
    listed = [*tops, *largest_first(graph.narrower(tops[0]))] if len(tops) == 1 else tops
    beneath = " and those below" if listed is not tops else ""
    click.echo(f"\n{count(len(tops), 'top concept')}{beneath}, with the number of narrower ones:")
    shown = listed if options["all"] else listed[:_LISTED]
    texts = [f"{graph.label(one)}  {below[graph.position(one)]:,}" for one in shown]
    _show_references(graph, spec, shown, texts)
    if len(listed) > len(shown):
        click.echo(f"… and {len(listed) - len(shown):,} more: --all")
    place = shlex.quote(spec)
    click.echo(f"\nFind a concept:  semcrawl topic {place} --search WORD")
    click.echo(f"Look at one:     semcrawl topic {_pasted(graph, spec, tops[0])} --lens")


def _show_languages(spoken: Counter[str], wanted: Sequence[str]) -> None:
    most = spoken.most_common(_LANGUAGES_SHOWN)
    more = f" and {len(spoken) - len(most)} more" if len(spoken) > len(most) else ""
    shown = ", ".join(f"{tag} {number:,}" for tag, number in most)
    click.echo(harmless(f"labels by language: {shown}{more}"))
    known = {language_code(tag) for tag in spoken}
    missing = [tag for tag in wanted if language_code(tag) not in known]
    if missing and "none" not in known and most:
        tags = ",".join(missing)
        advice = f"no label is in {tags}, which is looked for: say --language {most[0][0]}"
        click.echo(harmless(f"note: {advice}"), err=True)


def _show_search(spec: str, text: str, options: dict[str, Any]) -> None:
    """List the concepts of a source with a label that holds a text; TopicError where none is."""
    if spec.startswith("keywords:"):
        raise TopicError("keywords have no source to search; name WordNet or a file of concepts")
    graph, languages = _read_source(spec, options)
    found = graph.search(text, None if options["all"] else _LISTED + 1)
    if not found:
        near = graph.near_labels(text)
        hint = f"; near it are {', '.join(near)}" if near else "; try a shorter part of a word"
        raise TopicError(f"no label of {graph.name} holds {text!r}{hint}")
    shown = found if options["all"] else found[:_LISTED]
    texts = [_hit(graph, label, concept, text, languages) for label, concept in shown]
    _show_references(graph, spec.partition("#")[0], [concept for _, concept in shown], texts)
    if len(found) > len(shown):
        click.echo("… and more: --all")


def _read_source(spec: str, options: dict[str, Any]) -> tuple[ConceptGraph, Sequence[str]]:
    folders = tuple(Path(folder) for folder in options["import_folders"])
    languages = language_tags(options["language"] or "en")
    graph = read_graph(spec, ReadOptions(options["reason"], languages, folders))
    show_problems(graph)
    return graph, languages


def _show_references(graph: ConceptGraph, place: str, concepts: Sequence[str], texts: Sequence[str]) -> None:
    references = [_pasted(graph, place, concept) for concept in concepts]
    width = min(max(map(len, references)), _WIDEST)
    for reference, text in zip(references, texts, strict=True):
        click.echo(harmless(f"{reference:<{width}}  {text}"))


def _pasted(graph: ConceptGraph, place: str, concept: str) -> str:
    """The reference of a concept, so that it can be pasted behind 'semcrawl topic'."""
    if not isinstance(graph, FileGraph):
        return graph.reference(concept)
    if concept.startswith("wordnet:"):
        return concept
    reference = f"{place}#{short_name(graph, concept)}"
    return reference if _PLAIN_WORD.fullmatch(reference) else shlex.quote(reference)


def _hit(graph: ConceptGraph, label: Label, concept: str, wanted: str, languages: Sequence[str]) -> str:
    text, preferred = label.text, graph.label(concept)
    foreign = not is_label_in(languages, label)
    if foreign and normal_label(wanted) in normal_label(preferred):
        text, foreign = preferred, False
    if foreign:
        text += f" ({label.language}) for {preferred}"
    elif text != preferred:
        text += f", synonym of {preferred}"
    kinds = [graph.label(one) for one in graph.broader(concept)]
    return f"{text}; a kind of {', '.join(kinds)}" if kinds else text
