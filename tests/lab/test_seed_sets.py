"""Repetitions differ by their seeds: drawn from the topic's pages, the same on every machine."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import LabError
from semcrawl.lab.experiment import Contender, Experiment, LabTopic, SeedDraw, TruthSource, WebSource
from semcrawl.lab.ground_truth import seed_sets

from .pet_web import CATS, EXPERIMENT, HOME, opened, write_experiment

if TYPE_CHECKING:
    from pathlib import Path

TOPIC = LabTopic(name="cats", topic="keywords:cat")
PAGES = [f"http://a.test/{n}" for n in range(20)]
NO_WEB: Any = SimpleNamespace()


def experiment(repetitions: int, draw: SeedDraw, random_seed: int = 1) -> Experiment:
    return Experiment(
        title="x",
        web=WebSource(demo=True),
        truth=TruthSource(demo=True),
        topic=(TOPIC,),
        strategy=(Contender(),),
        seeds=draw,
        repetitions=repetitions,
        random_seed=random_seed,
    )


@given(st.integers(1, 5), st.integers(1, 4), st.randoms())
def test_disjoint_sets_share_no_page_and_do_not_depend_on_the_order_of_pages(
    times: int, size: int, chance: Any
) -> None:
    mixed = list(PAGES)
    chance.shuffle(mixed)
    race = experiment(times, SeedDraw(size=size, disjoint=True))
    sets = seed_sets(race, TOPIC, mixed, NO_WEB)
    assert [len(seeds) for seeds in sets] == [size] * times
    assert len({url for seeds in sets for url in seeds}) == size * times
    assert sets == seed_sets(race, TOPIC, PAGES, NO_WEB)


def test_a_share_is_of_the_pages_on_the_topic() -> None:
    sets = seed_sets(experiment(2, SeedDraw(share=0.3, disjoint=True)), TOPIC, PAGES, NO_WEB)
    assert [len(seeds) for seeds in sets] == [6, 6]


def test_another_random_seed_draws_others() -> None:
    draw = SeedDraw(size=5)
    one = seed_sets(experiment(2, draw), TOPIC, PAGES, NO_WEB)
    other = seed_sets(experiment(2, draw, random_seed=2), TOPIC, PAGES, NO_WEB)
    assert one != other
    assert one[0] != one[1]


@pytest.mark.parametrize("draw", [SeedDraw(size=21), SeedDraw(size=11, disjoint=True)])
def test_no_more_can_be_drawn_than_there_are(draw: SeedDraw) -> None:
    with pytest.raises(LabError, match="from 20 pages"):
        seed_sets(experiment(2, draw), TOPIC, PAGES, NO_WEB)


def test_seeds_that_a_topic_names_are_those_of_every_run(tmp_path: Path) -> None:
    with opened(write_experiment(tmp_path)) as (race, web, _):
        assert seed_sets(race, race.topic[0], CATS, web) == ((HOME,),)


def test_a_seed_that_redirects_into_the_web_is_one(tmp_path: Path) -> None:
    text = EXPERIMENT.replace("pets.test/index.html", "pets.test/cats")
    path = write_experiment(tmp_path, text)
    (tmp_path / "web" / "pets.test" / "cats" / "index.html").write_text("<p>cats")
    with opened(path) as (race, web, _):
        assert seed_sets(race, race.topic[0], CATS, web) == (("http://pets.test/cats",),)


@pytest.mark.parametrize(
    ("seed", "told"),
    [
        ("http://pets.test/cows.html", "not in the recorded web: http://pets.test/cows.html"),
        ("cows", "a seed is not a URL"),
        ("http://pets.test/dogs/1.html", "shut out by include or exclude"),
    ],
)
def test_seeds_that_cannot_be_visited_are_told(seed: str, told: str, tmp_path: Path) -> None:
    text = EXPERIMENT.replace('["web"]', '["web"]\nexclude = ["*/dogs/*"]')
    with opened(write_experiment(tmp_path, text)) as (race, web, _):
        topic = msgspec.structs.replace(race.topic[0], seeds=(seed,))
        with pytest.raises(LabError, match=told):
            seed_sets(race, topic, CATS, web)
