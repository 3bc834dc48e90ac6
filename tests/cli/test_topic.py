from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from semcrawl import Topic
from semcrawl.relevance.judges import LabelsJudge
from semcrawl.resources import ontologies_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]


def test_the_senses_of_a_word_fit_a_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = run("topic", "wordnet:bank").out.splitlines()
    assert lines[:4] == [
        "bank has 18 senses, the most frequent first:",
        "wordnet:bank.n.01  bank",
        "    sloping land (especially the slope beside a body of water)",
        "    entity > physical entity > object > geological formation > slope > bank",
    ]
    assert lines[-2:] == ["12 more: --all", "Pick one:  semcrawl crawl wordnet:bank.n.01 …"]
    assert len(lines) == 1 + 6 * 3 + 2
    assert max(map(len, lines)) <= 80


def test_all_senses_of_a_word_are_shown_whole(run: Run) -> None:
    lines = run("topic", "wordnet:bank", "--all").out.splitlines()
    assert len(lines) == 1 + 18 * 3 + 1
    assert any(line.endswith("channels the money into lending activities") for line in lines)


def test_the_senses_as_json(run: Run) -> None:
    senses = json.loads(run("topic", "wordnet:bank", "--as", "json").out)
    assert len(senses) == 18
    assert senses[0]["id"] == "wordnet:bank.n.01"
    assert senses[0]["definition"].startswith("sloping land")


def test_one_sense_is_shown_with_its_words_and_weights(run: Run) -> None:
    lines = run("topic", "wordnet:asthma").out.splitlines()
    assert lines[0] == "asthma"
    assert "    words       asthma, asthma attack, bronchial asthma" in lines
    assert " 1.000   1.00  bronchial asthma  wordnet:asthma.n.01" in lines
    assert "    has-part    bronchospasm" in lines
    assert " 0.600   1.00  bronchospasm  wordnet:bronchospasm.n.01 (has-part)" in lines


@pytest.mark.parametrize(("form", "name"), [("toml", "a.toml"), ("turtle", "a.ttl")])
def test_a_topic_is_written_as_a_file_to_start_from(run: Run, tmp_path: Path, form: str, name: str) -> None:
    (tmp_path / name).write_text(run("topic", "wordnet:asthma", "--as", form).out)
    assert Topic.parse(str(tmp_path / name)) == Topic.parse("wordnet:asthma")
    assert run("topic", name).out.splitlines()[0] == "asthma"


def test_keywords_as_json(run: Run) -> None:
    shown = json.loads(run("topic", "keywords:first aid", "--as", "json").out)
    assert shown["name"] == "first aid"
    assert shown["labels"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["wordnet:asthmma"], "did you mean asthma"),
        (["wordnet:asthma.n.09"], "has no sense 'asthma.n.09'"),
        (["wordnet:bank", "--as", "toml"], "'bank' has 18 senses in WordNet; say which"),
        (["wordnet:"], "names no word"),
        (["keywords:"], "is followed by no word"),
        (["keywords:the"], "stop words"),
        ([""], "'' is no topic"),
        (["gone.ttl"], "cannot read the topic file gone.ttl"),
        (["keywords:first", "aid"], "unexpected extra argument (aid)"),
    ],
)
def test_what_is_no_topic_is_one_line(run: Run, words: list[str], message: str) -> None:
    run("topic", *words).fails(2, message)


ASTHMA = f"{ontologies_folder() / 'asthma.ttl'}#asthma"
GARDEN = f"taxonomy:{ontologies_folder() / 'kitchen-garden.txt'}"
TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://example.org/> .
:java a skos:Concept ; skos:prefLabel "Java"@en ;
    skos:altLabel "Java language"@en , "\\u001B coffee"@en .
:island a skos:Concept ; skos:prefLabel "java"@en .
:mad a skos:Concept ; skos:prefLabel "<b>\\u001B[31mred"@en ; skos:broader :java .
"""


@pytest.mark.parametrize(
    ("source", "text", "line"),
    [
        ("asthma.ttl", "puffer", "asthma.ttl#inhaler  puffer, synonym of inhaler; a kind of treatment of asthma"),
        ("asthma.ttl#asthma", "Astma", "asthma.ttl#asthma  astma, synonym of asthma; a kind of"),
        ("asthma.ttl", "berufs", "#occupational-asthma  Berufsasthma (de) for occupational asthma"),
        ("wordnet:", "ards", "wordnet:adult_respiratory_distress_syndrome.n.01  ARDS, synonym of"),
        (GARDEN, "fava", "/Legume/Broad bean'  fava bean, synonym of Broad bean; a kind of Legume"),
    ],
)
def test_a_search_shows_what_can_be_pasted_and_whose_label_it_is(run: Run, source: str, text: str, line: str) -> None:
    done = run("topic", source, "--search", text)
    assert any(line in found for found in done.out.splitlines()), done.out
    [pasted, *_] = shlex.split(done.out.splitlines()[0])
    assert run("topic", pasted).code == 0


def test_a_search_with_many_hits_shows_them_all_when_asked_to(run: Run) -> None:
    few = run("topic", "wordnet:", "--search", "asth").out.splitlines()
    assert (len(few), few[-1]) == (21, "… and more: --all")
    assert len(run("topic", "wordnet:", "--search", "asth", "--all").out.splitlines()) > 21


def test_the_neighbourhood_is_a_tree_with_weights(run: Run) -> None:
    lines = run("topic", ASTHMA, "--tree").out.splitlines()
    assert lines[0].startswith("1.00  asthma  https://")
    assert lines[1].startswith("0.72  ├─ broader: airway disease  ")
    assert any(line.startswith("0.67  │  └─ narrower: status asthmaticus") for line in lines)
    assert any("related: inhaler" in line for line in lines)
    by_ehrig = run("topic", ASTHMA, "--tree", "--measure", "ehrig").out.splitlines()
    assert by_ehrig[0].startswith("1.00  asthma")


def test_the_lens_shows_what_a_crawl_would_look_for(run: Run) -> None:
    lines = run("topic", ASTHMA, "--lens", "--labels", 5).out.splitlines()
    assert lines[0].endswith("labels for the judge labels; the strongest:")
    assert lines[3].startswith(" 1.000   1.00  asthma  https://")
    assert lines[7].endswith(" (narrower)")


def test_the_topic_comes_first_with_weight_1_however_ambiguous_its_name_is(run: Run) -> None:
    done = run("topic", "wordnet:bank.n.01", "--lens")
    assert " 1.000   0.31  bank  wordnet:bank.n.01" in done.out.splitlines()[3]
    assert "  bank: counts 0.31: it names other concepts, too  wordnet:bank.n.01\n" in done.out
    assert "warning: the name of the topic 'bank' mostly means something else" in done.err


def test_remarks_are_shown_all_when_asked_to(run: Run) -> None:
    topic = ("topic", "wordnet:music.n.01", "--lens", "--labels", 1)
    few = run(*topic).out.splitlines()
    assert len(few) == 4 + 2 + 8 + 1
    assert few[-1].endswith(" more: --all")
    assert len(run(*topic, "--all").out.splitlines()) > 100


@pytest.mark.parametrize(
    ("words", "shown"), [((), 12), (("--labels", 2), 2), (("--labels", 20), 20), (("--lens",), 30)]
)
def test_as_many_labels_are_shown_as_asked_for(run: Run, words: tuple[object, ...], shown: int) -> None:
    lines = run("topic", "wordnet:respiratory_disease.n.01", *words).out.splitlines()
    first = lines.index("weight  share  label") + 1
    assert lines[first:].index("") == shown


def test_the_lens_is_shown_for_each_language(run: Run) -> None:
    out = run("topic", ASTHMA, "--lens", "--language", "de,fr").out
    assert "labels in de for the judge labels" in out
    assert " 1.000   1.00  asthme bronchique  https://" in out


def test_a_topic_without_labels_is_shown_with_what_to_do(run: Run, tmp_path: Path) -> None:
    (tmp_path / "y.ttl").write_text(TURTLE.replace('"java"@en', '"2019"@en'))
    done = run("topic", "y.ttl#http://example.org/island")
    assert done.code == 0
    assert "2019: left out: only numbers or single characters" in done.out
    assert "warning: the topic '2019' has no label in en that a page could hold" in done.err


def test_the_lens_of_a_measure_or_of_another_judge(run: Run) -> None:
    lines = run("topic", ASTHMA, "--lens", "--measure", "li", "--labels", 4).out.splitlines()
    assert lines[0].endswith("labels through li; the strongest:")
    assert len(lines) == 3 + 4
    assert lines[3].startswith(" 1.000  asthma  https://")
    assert lines[6].endswith(" (narrower)")
    by_judge = run("topic", ASTHMA, "--lens", "--judge", "ehrig", "--labels", 4).out
    assert "labels for the judge ehrig; the strongest" in by_judge
    few = run("topic", ASTHMA, "--lens", "--min-weight", 0.9).out
    assert few.startswith("2 labels through li")
    assert "bronchial asthma" in few


def test_the_neighbourhood_is_drawn(run: Run, tmp_path: Path) -> None:
    assert run("topic", ASTHMA, "--svg", "a.svg").out == "drawn to a.svg\n"
    root = ET.parse(tmp_path / "a.svg").getroot()
    assert root.attrib["aria-label"] == "The neighbourhood of asthma"
    run("topic", ASTHMA, "--svg", "gone/a.svg").fails(2, "cannot write gone/a.svg")


def test_a_text_is_scored_and_explained(run: Run) -> None:
    lines = run("topic", ASTHMA, "--text", "Atopic asthma and its cars").out.splitlines()
    threshold = f"(threshold {LabelsJudge.threshold:g})"
    assert lines[0].endswith(f"  relevant {threshold}")
    assert any("allergic asthma – asthma" in line for line in lines)
    nothing = run("topic", ASTHMA, "--text", "cars").out
    assert nothing.startswith(f"0.0000  not relevant {threshold}\n")
    assert "no word of the text has to do with the topic" in nothing
    assert run("topic", ASTHMA, "--text", "").out == nothing


@pytest.mark.parametrize("judge", ["cosine", "ehrig", "synonym-sets", "ssrm:measure=path"])
def test_a_text_is_scored_by_the_judge_that_is_named(run: Run, judge: str) -> None:
    done = run("topic", ASTHMA, "--text", "asthma", "--judge", judge)
    assert (done.code, done.err) == (0, "")
    assert "  relevant (threshold" in done.out


def test_a_page_in_a_file_is_scored_by_its_visible_words(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<title>x</title><script>asthma</script><p>Severe <b>asthma")
    assert "severe asthma" in run("topic", ASTHMA, "--url", "a.html").out
    (tmp_path / "b.html").write_text("<script>asthma</script><p>Cars")
    assert "not relevant" in run("topic", ASTHMA, "--url", "b.html").out


def test_a_page_in_a_file_is_explained_with_its_places(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<title>Asthma</title><p>Severe asthma, long ago.")
    out = run("topic", ASTHMA, "--url", "a.html").out
    assert "asthma, in the title\n" in out
    assert "asthma, at the beginning\n" in out


def test_a_page_in_a_file_is_read_in_the_encoding_that_it_declares(run: Run, tmp_path: Path) -> None:
    page = '<meta charset="iso-8859-1"><p>Frühling'
    (tmp_path / "a.html").write_bytes(page.encode("latin-1"))
    done = run("topic", "keywords:frühling", "--url", "a.html", "--judge", "cosine")
    assert done.out.startswith("1.0000  relevant")


def test_a_label_that_names_something_else_too_is_noted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "j.ttl").write_text(TURTLE)
    done = run("topic", "j.ttl#http://example.org/java")
    assert done.code == 0
    assert "note: 'Java' also names http://example.org/island\n" in done.err
    assert "Java language" not in done.err
    assert "also names" in run("topic", "wordnet:java.n.01").err


def test_of_a_defined_class_it_is_noted_how_to_name_what_fits_it(run: Run, tmp_path: Path) -> None:
    classes = ':A a owl:Class . :B a owl:Class ; rdfs:label "beetle" ; owl:equivalentClass [ owl:complementOf :A ] .'
    prefixes = "@prefix : <http://a.test/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . "
    prefixes += "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
    (tmp_path / "d.ttl").write_text(prefixes + classes)
    assert run("topic", "d.ttl#B").err == "note: 'beetle' is defined; all its kinds: 'd.ttl?reason#B'\n"
    assert "is defined" not in run("topic", "d.ttl#A").err


def test_a_concept_of_weight_0_is_shown_as_left_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('name = "t"\n[concepts]\n"wordnet:asthma" = 1\n"wordnet:cough.n.01" = 0\n')
    lines = run("topic", "t.toml").out.splitlines()
    assert "wordnet:cough.n.01  weight 0: left out" in lines
    assert "wordnet:asthma.n.01" in lines


def test_labels_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "j.ttl").write_text(TURTLE)
    for words in (["--tree"], ["--lens"], ["--text", "coffee"], ["--search", "red"], []):
        done = run("topic", "j.ttl#http://example.org/java", *words)
        assert done.code == 0, done
        assert "red" in done.out or "coffee" in done.out
        assert "\x1b" not in done.out + done.err


def test_what_was_odd_in_a_file_is_noted(run: Run, tmp_path: Path) -> None:
    imports = "<http://example.org/> <http://www.w3.org/2002/07/owl#imports> <http://x.test/o> .\n"
    (tmp_path / "j.ttl").write_text(TURTLE + imports)
    done = run("topic", "j.ttl#http://example.org/island", "--tree")
    assert done.code == 0
    assert "note: " in done.err
    assert "http://x.test/o" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["keywords:asthma", "--tree"], "has keywords only; only concepts have a neighbourhood"),
        (["keywords:asthma", "--svg", "a.svg"], "has keywords only"),
        (["keywords:asthma", "--search", "x"], "keywords have no source to search"),
        ([ASTHMA, "--lens", "--measure", "nope"], "there is no measure 'nope'; there are: ehrig"),
        ([ASTHMA, "--tree", "--measure", "nope"], "there is no measure 'nope'"),
        ([ASTHMA, "--lens", "--measure", "li:alpha=-1"], "alpha must be >= 0"),
        ([ASTHMA, "--lens", "--min-weight", "-1"], "must be a number >= 0"),
        ([ASTHMA, "--lens", "--labels", "0"], "0 is not in the range"),
        ([ASTHMA, "--text", "x", "--judge", "nope"], "there is no judge 'nope'"),
        ([ASTHMA, "--text", "x", "--judge", "cosine", "--measure", "li"], "has no option 'measure'"),
        ([ASTHMA, "--lens", "--judge", "cosine"], "the judge 'cosine' has no lens"),
        ([ASTHMA, "--url", "gone.html"], "cannot read the page gone.html"),
        ([ASTHMA, "--url", "."], "cannot read the page ."),
        ([ASTHMA, "--search", "bronchitus"], "holds 'bronchitus'; near it are bronchitis"),
        ([ASTHMA + "xyz"], "asthmaxyz"),
        (["asthma.ttl#qqq"], "--search TEXT"),
        (["gone.owl", "--search", "x"], "gone.owl"),
        ([GARDEN + "#Meat", "--tree"], "Meat"),
    ],
)
def test_what_cannot_be_shown_is_one_line(run: Run, words: list[str], message: str) -> None:
    run("topic", *words).fails(2, message)


def test_a_file_that_is_no_page_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7 \x00\x01")
    run("topic", ASTHMA, "--url", "a.pdf").fails(1, "a.pdf", "is not an HTML page")


def test_a_score_looks_through_the_measure_that_was_asked_for(run: Run) -> None:
    topic = ("topic", "wordnet:asthma", "--text", "A cold")
    assert "cold – respiratory disease – asthma" in run(*topic, "--judge", "ssrm").out
    assert "no word of the text" in run(*topic).out
    assert "no word of the text" in run(*topic, "--min-weight", 0.9).out
    assert "no word of the text" in run(*topic, "--measure", "synonyms").out
    run(*topic, "--measure", "foo").fails(2, "there is no measure 'foo'")


def test_a_tree_shows_only_what_is_near_enough(run: Run) -> None:
    tree = run("topic", "wordnet:asthma", "--tree", "--min-weight", 0.7).out.splitlines()
    assert [line[:4] for line in tree] == ["1.00", "0.82", "0.82"]


def test_labels_of_other_languages_say_so(run: Run) -> None:
    place = ontologies_folder() / "asthma.ttl"
    out = run("topic", f"{place}#asthma").out
    words = next(line for line in out.splitlines() if line.startswith("    words"))
    assert "Asthma (de)" in words


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("astma.ttl", "did you mean {}/asthma.ttl?"),
        ("astma.ttl#asthma", "did you mean {}/asthma.ttl?"),
        ("asthma.ttl:asthma", "did you mean '{}/asthma.ttl#asthma'?"),
        ("asthma.ttlasthma", "did you mean '{}/asthma.ttl#asthma'?"),
    ],
)
def test_a_slip_in_a_file_topic_is_told_with_what_was_meant(run: Run, tmp_path: Path, spec: str, hint: str) -> None:
    (tmp_path / "asthma.ttl").write_bytes((ontologies_folder() / "asthma.ttl").read_bytes())
    run("topic", f"{tmp_path}/{spec}").fails(2, hint.format(tmp_path))


def test_a_topic_of_example_pages_shows_their_words(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "own.html"
    page.write_text("<title>Asthma</title><p>Asthma is a disease of the lungs; an inhaler helps.")
    done = run("topic", f"examples:{page}")
    assert "for the judge labels" in done.out
    assert "asthma" in done.out
    assert f"example {page}" in done.out
    run("topic", "examples:nothing.html").fails(2, "none of the 1 examples", "is not there")
    run("sites", f"examples:{page}", "--seed", "http://a.test/").fails(2, "judge adaptive")
