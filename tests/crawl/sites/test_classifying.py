"""A crawl knows its classifier again: a model by its content, an object by its classes."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.crawl.sites import SiteCrawl
from semcrawl.errors import ConfigError
from semcrawl.models.site_classifiers import load_site_model, save_site_model
from semcrawl.models.site_training import LabelledPage, TrainingSet, train_site_model
from semcrawl.models.training_options import SiteTrainingOptions
from tests.crawl.sites.conftest import TOPIC, WordClassifier, page, write_web

if TYPE_CHECKING:
    from pathlib import Path

HOME = "http://a.test/"
WEB: dict[str, str | tuple[int, str]] = {
    HOME: page("Asthma of the lungs", "/two", "http://b.test/"),
    HOME + "two": page("Asthma", "/"),
    "http://b.test/": page("A car", "/engine"),
    "http://b.test/engine": page("Engine of a car", "/"),
}
WORDS = [({"asthma": 2, "lung": 1}, 0), ({"asthma": 1}, 0), ({"car": 2}, 1), ({"engin": 1}, 1)]


def train(place: Path, *, seed: int = 0, other: str = "cars", site_by: str = "") -> Path:
    """A small model at a place: other seeds, classes or kinds of sites make another one."""
    pages = [LabelledPage(*WORDS[n % 4], f"site {n}") for n in range(12)]
    model = train_site_model(
        TrainingSet(("lungs", other), tuple(pages)),
        SiteTrainingOptions(classifier="naive-bayes", seed=seed),
        site_by=site_by,
    )
    save_site_model(model, place)
    return place


@pytest.fixture
def web(tmp_path: Path) -> str:
    return str(write_web(tmp_path / "web", WEB))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return train(tmp_path / "lungs.sites")


@pytest.fixture
def begun(tmp_path: Path, web: str, model: Path) -> Path:
    """The folder of a crawl with the model that has read one page."""
    folder = tmp_path / "crawl"
    with SiteCrawl(TOPIC, [HOME], folder, model=str(model), replay=[web], pages=1) as crawl:
        crawl.run()
    return folder


def pages_after(folder: Path, **values: Any) -> int:
    with SiteCrawl.resume(folder, pages=100, **values) as crawl:
        return crawl.run().progress.pages


def test_a_crawl_goes_on_with_its_model(begun: Path) -> None:
    assert pages_after(begun) == len(WEB)


def test_a_model_is_known_again_wherever_it_lies(begun: Path, model: Path, tmp_path: Path) -> None:
    moved = shutil.move(model, tmp_path / "elsewhere.sites")
    with pytest.raises(ConfigError, match=r"no longer at .*lungs\.sites: .*--model"):
        SiteCrawl.resume(begun)
    assert pages_after(begun, model=str(moved)) == len(WEB)
    # From now on the crawl finds it there by itself.
    assert pages_after(begun) == len(WEB)


@pytest.mark.parametrize("change", [{"seed": 1}, {"other": "machines"}])
def test_a_model_that_was_trained_again_is_refused(begun: Path, model: Path, change: dict[str, Any]) -> None:
    train(model, **change)
    with pytest.raises(ConfigError, match="is not the one that the crawl began with") as caught:
        SiteCrawl.resume(begun)
    assert "name the first one with --model, or start a new crawl" in str(caught.value)
    assert ("now lungs, machines" in str(caught.value)) == ("other" in change)


def test_a_refused_resume_leaves_the_crawl_as_it_was(begun: Path, model: Path) -> None:
    first = model.read_bytes()
    train(model, seed=1)
    with pytest.raises(ConfigError):
        SiteCrawl.resume(begun)
    model.write_bytes(first)
    assert pages_after(begun) == len(WEB)


def test_model_and_lens_do_not_take_turns(begun: Path, model: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"began with the model .*the topic's lens says"):
        SiteCrawl.resume(begun, model="")
    web = str(tmp_path / "web")
    with SiteCrawl(TOPIC, [HOME], tmp_path / "lens", replay=[web], pages=1) as crawl:
        crawl.run()
    with pytest.raises(ConfigError, match=r"began with the topic's lens, .*the model .* says"):
        SiteCrawl.resume(tmp_path / "lens", model=str(model))


def test_an_object_may_stand_for_the_model_if_its_classes_are_the_same(begun: Path, model: Path) -> None:
    with pytest.raises(ConfigError, match=r"classes lungs, cars, now lungs, cars, rest"):
        SiteCrawl.resume(begun, classifier=WordClassifier())
    classifier = load_site_model(model).classifier
    model.unlink()
    with SiteCrawl.resume(begun, classifier=classifier, pages=2) as crawl:
        crawl.run()
    # It is still the crawl of that model.
    train(model, seed=1)
    with pytest.raises(ConfigError, match="is not the one"):
        SiteCrawl.resume(begun)


def test_a_crawl_with_an_object_goes_on_with_one_only(tmp_path: Path, web: str) -> None:
    folder = tmp_path / "crawl"
    values: dict[str, Any] = {"replay": [web], "pages": 1}
    with SiteCrawl(TOPIC, [HOME], folder, classifier=WordClassifier(), **values) as crawl:
        crawl.run()
    with pytest.raises(ConfigError, match=r"WordClassifier: go on in Python, with SiteCrawl\.res"):
        SiteCrawl.resume(folder)
    assert pages_after(folder, classifier=WordClassifier()) == len(WEB)


@pytest.mark.parametrize(
    ("learnt", "wanted", "fits"),
    [("path:1", "host", False), ("host", "domain", False), ("path:1", "path", True), ("", "domain", True)],
)
def test_a_model_of_other_sites_is_refused_before_anything_is_made(
    tmp_path: Path, web: str, learnt: str, wanted: str, fits: bool
) -> None:
    model = str(train(tmp_path / "m.sites", site_by=learnt))
    folder = tmp_path / "crawl"
    values: dict[str, Any] = {"model": model, "site_by": wanted, "replay": [web]}
    if fits:
        with SiteCrawl(TOPIC, [HOME], folder, **values) as crawl:
            assert crawl.run().progress.pages == len(WEB)
        return
    with pytest.raises(ConfigError, match=f"trained on sites by {learnt}.*set site_by to {learnt}"):
        SiteCrawl(TOPIC, [HOME], folder, **values)
    assert not folder.exists()


def test_a_lens_goes_on_with_the_background_that_it_began_with(tmp_path: Path, web: str) -> None:
    folder = tmp_path / "by-lens"
    with SiteCrawl(TOPIC, [HOME], folder, replay=[web], pages=1) as crawl:
        crawl.run()
    with pytest.raises(ConfigError, match="began with the background 'shipped'"):
        SiteCrawl.resume(folder, background=web)


def test_a_lens_of_ones_own_is_found_again_from_another_folder(
    tmp_path: Path, web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(
        "from semcrawl.relevance import CosineJudge\n\n\nclass Mine(CosineJudge):\n    pass\n"
    )
    monkeypatch.chdir(tmp_path)
    with SiteCrawl(TOPIC, [HOME], "crawl", lens="mine.py:Mine", replay=[web], pages=1) as crawl:
        crawl.run()
    monkeypatch.chdir("/")
    with SiteCrawl.resume(tmp_path / "crawl", pages=2) as crawl:
        assert crawl.run().progress.pages == 2
