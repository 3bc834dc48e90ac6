"""WordNet in other languages, on a small corpus in the form of the Open Multilingual Wordnet."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import AmbiguousTopicError, TopicError
from semcrawl.topics import Topic, wordnet
from semcrawl.topics.multilingual_wordnet import translated_wordnet

if TYPE_CHECKING:
    from collections.abc import Iterator

FRENCH = """# French\thttp://wordnet.test/\tfree
asthma.n.01\tfra:lemma\tasthme
asthma.n.01\tfra:lemma\tasthme_bronchique
asthma.n.01\tfra:def\t0\tmaladie
respiratory_disease.n.01\tlemma\tmaladie respiratoire
cat.n.01\tfra:lemma\tchat
chat.n.01\tfra:lemma\tbavardage
brush.n.03\tfra:lemma\tbrosse
brush.n.02\tfra:lemma\tbrosse
chilly.s.01\tfra:lemma\tglacial
99999999-n\tfra:lemma\tnulle part
asthma.n.01\tfra:lemma
nonsense
"""
ITALIAN = "asthma.n.01\tita:lemma\tasma\n"
JAPANESE = "asthma.n.01\tjpn:lemma\t喘息\n"


def tab_file(text: str) -> str:
    """The text with names of senses replaced by WordNet's places, as such files have them."""
    places = {number: place for place, number in wordnet().places().items()}
    lines = []
    for line in text.splitlines():
        name, tab, rest = line.partition("\t")
        concept = wordnet().sense(name)
        if concept:
            pos, offset = places[wordnet().graph.position(concept)]
            name = f"{offset:08}-{pos}"
        lines.append(f"{name}{tab}{rest}\n")
    return "".join(lines)


def write_corpus(folder: Path) -> Path:
    """Write a folder of nltk with a corpus of three languages; the corpus."""
    corpus = folder / "corpora" / "omw-1.4"
    files = {"fra/wn-data-fra": FRENCH, "iwn/wn-data-ita": ITALIAN, "jpn/wn-data-jpn": JAPANESE}
    for name, text in files.items():
        path = corpus / f"{name}.tab"
        path.parent.mkdir(parents=True)
        path.write_text(tab_file(text), encoding="utf-8")
    return corpus


@contextmanager
def nltk_in(folder: Path) -> Iterator[None]:
    """Let nltk look in one folder only."""
    import nltk.data

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.data, "path", [str(folder)])
        translated_wordnet.cache_clear()
        yield
        translated_wordnet.cache_clear()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A corpus that nltk finds, for all tests that only read it."""
    folder = tmp_path_factory.mktemp("nltk")
    write_corpus(folder)
    with nltk_in(folder):
        yield


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("spec", ["wordnet:fr:asthme", "wordnet:fra:Asthme_Bronchique"])
def test_a_word_of_another_language_names_its_sense(spec: str) -> None:
    topic = Topic.parse(spec)
    assert [concept.id for concept in topic.concepts] == ["wordnet:asthma.n.01"]
    assert (topic.name, topic.language) == ("asthme", "fr")
    assert dict(topic.labels()) == {"asthme": 1.0, "asthme bronchique": 1.0}


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize(
    ("spec", "concepts"),
    [
        ("wordnet:it:asma", ["asthma.n.01"]),
        ("wordnet:ja:喘息", ["asthma.n.01"]),
        ("wordnet:fr:chat", ["cat.n.01"]),
        ("wordnet:fr:glacial", ["chilly.s.01"]),
        ("wordnet:fr:bank.n.01, asthme", ["bank.n.01", "asthma.n.01"]),
        ("wordnet:fr:linux", ["linux.n.01"]),
        ("wordnet:en:asthma", ["asthma.n.01"]),
    ],
)
def test_references(spec: str, concepts: list[str]) -> None:
    found = [concept.id for concept in Topic.parse(spec).concepts]
    assert found == [f"wordnet:{concept}" for concept in concepts]


@pytest.mark.usefixtures("corpus")
def test_the_words_of_both_languages_are_labels_and_the_graph_is_that_of_wordnet() -> None:
    graph = translated_wordnet("fra")
    labels = [(label.text, label.language) for label in graph.labels("wordnet:asthma.n.01")]
    assert labels[:3] == [("asthme", "fr"), ("asthme bronchique", "fr"), ("asthma", "en")]
    assert graph.broader("wordnet:asthma.n.01") == ["wordnet:respiratory_disease.n.01"]
    assert graph.label("wordnet:respiratory_disease.n.01") == "maladie respiratoire"
    assert graph.label("wordnet:bank.n.01") == "bank"


@pytest.mark.usefixtures("corpus")
def test_a_lens_looks_for_the_words_of_the_language() -> None:
    explanation = Topic.parse("wordnet:fr:asthme").explain("Une maladie respiratoire.")
    assert [match.path[0] for match in explanation.matches] == ["maladie respiratoire"]


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("form", ["toml", "turtle"])
def test_a_topic_file_keeps_the_language(form: str) -> None:
    topic = Topic.parse("wordnet:fr:asthme")
    again = Topic.from_toml(topic.to_toml()) if form == "toml" else Topic.from_turtle(topic.to_turtle())
    assert again == topic
    assert again.labels() == topic.labels()


@pytest.mark.usefixtures("corpus")
def test_an_ambiguous_word_offers_the_frequent_sense_first() -> None:
    with pytest.raises(AmbiguousTopicError, match=r"wordnet:fr:brush\.n\.02") as caught:
        Topic.parse("wordnet:fr:brosse")
    assert [name for name, _ in caught.value.choices] == ["brush.n.02", "brush.n.03"]


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("wordnet:fr:asthmme", "WordNet 3.0 in French has no word 'asthmme'; did you mean asthme"),
        ("wordnet:ru:астма", "has no wordnet in Russian; it has: fr, it, ja"),
        ("wordnet:fr:", "names no word"),
        ("wordnet:fr:bank.n.99", "no sense 'bank.n.99'"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_help(spec: str, message: str) -> None:
    with pytest.raises(TopicError, match=message):
        Topic.parse(spec)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (write_corpus(tmp_path) / "fra" / "wn-data-fra.tab").write_bytes(b"\xff\xfe\x00")
    with nltk_in(tmp_path), pytest.raises(TopicError, match=r"wn-data-fra\.tab of nltk's corpus omw-1\.4"):
        Topic.parse("wordnet:fr:asthme")


def test_a_zipped_corpus_is_read_and_a_broken_one_named(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path)
    zipped = Path(shutil.make_archive(str(corpus), "zip", corpus.parent, corpus.name))
    shutil.rmtree(corpus)
    with nltk_in(tmp_path):
        assert Topic.parse("wordnet:it:asma").name == "asma"
        zipped.write_bytes(zipped.read_bytes()[:100])
        with pytest.raises(TopicError, match=r"cannot read nltk's corpus omw-1\.4"):
            Topic.parse("wordnet:fr:asthme")


def test_without_the_corpus_the_error_says_how_to_get_it(tmp_path: Path) -> None:
    with nltk_in(tmp_path), pytest.raises(TopicError, match=r"python -m nltk\.downloader omw-1\.4"):
        Topic.parse("wordnet:fr:asthme")


def test_nltk_is_loaded_for_other_languages_only() -> None:
    program = (
        "import sys; from semcrawl.topics import Topic\n"
        "Topic.parse('wordnet:en:asthma')\n"
        "assert 'nltk' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
