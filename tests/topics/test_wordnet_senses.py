from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics.wordnet import describe_sense, has_nltk_corpus, senses_of

if TYPE_CHECKING:
    from pathlib import Path


def test_the_senses_of_a_word_tell_themselves_apart() -> None:
    slope, institution = senses_of("bank", limit=2)
    assert (slope.name, slope.path[-2:]) == ("bank.n.01", ("slope", "bank"))
    assert "banking company" in institution.synonyms
    assert institution.path[0] == "entity"


def test_a_sense_name_gives_that_sense_only() -> None:
    [sense] = senses_of("bank.n.03")
    assert sense.id == "wordnet:bank.n.03"


def test_a_verb_without_hypernym_is_its_own_path() -> None:
    [sense] = senses_of("breathe.v.01")
    assert sense.path == ("breathe",)


def test_a_gloss_is_text_or_missing() -> None:
    [sense] = senses_of("asthma")
    assert sense.gloss is None or "respiratory disorder" in sense.gloss


def test_unknown_words_have_no_senses_and_unknown_ids_are_refused() -> None:
    assert senses_of("qwzx") == []
    with pytest.raises(TopicError, match="no concept"):
        describe_sense("wordnet:qwzx.n.01")


def test_nltk_is_not_loaded_where_it_has_no_corpus(tmp_path: Path) -> None:
    program = (
        "import sys; from semcrawl.topics import senses_of\n"
        "from semcrawl.topics.wordnet import has_nltk_corpus\n"
        "has = has_nltk_corpus()\n"
        "assert senses_of('bank') and (has or 'nltk' not in sys.modules)"
    )
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


@pytest.mark.parametrize("name", ["wordnet", "wordnet.zip"])
def test_a_corpus_of_nltk_is_found_in_a_folder_that_the_user_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delitem(sys.modules, "nltk", raising=False)
    monkeypatch.setenv("NLTK_DATA", f"{tmp_path / 'none'}{os.pathsep}{tmp_path}")
    (tmp_path / "corpora" / name).mkdir(parents=True)
    assert has_nltk_corpus()
