from __future__ import annotations

from typing import Any

import click
from click.testing import CliRunner

from semcrawl.cli.options import given, options_of
from semcrawl.crawl.settings import Settings, StoredSettings
from semcrawl.models.training_options import (
    ApprenticeOptions,
    ContextGraphOptions,
    SiteTrainingOptions,
    TrainingOptions,
)


def run(declared: type[StoredSettings | TrainingOptions], *words: str) -> tuple[dict[str, Any], str]:
    got: dict[str, Any] = {}

    @click.command()
    @options_of(declared)
    def command(**options: Any) -> None:
        got.update(options)

    return got, CliRunner().invoke(command, list(words)).output


def test_what_is_not_given_is_not_among_the_given() -> None:
    got, _ = run(Settings, "--pages", "0", "--no-robots")
    assert given(got) == {"pages": 0, "robots": False}


def test_options_of_trainings_have_defaults_and_limits() -> None:
    got, _ = run(ContextGraphOptions, "--share", "0.5")
    assert got == {"depth": 3, "features": 40, "share": 0.5, "most": 1000}
    assert "0 is not in the range x>=1" in run(ContextGraphOptions, "--features", "0")[1]
    assert "0.0 is not in the range 0<x<=1" in run(ContextGraphOptions, "--share", "0")[1]
    shown = " ".join(run(ContextGraphOptions, "--help")[1].split())
    assert "[default: 40; x>=1]" in shown
    assert run(ApprenticeOptions, "--classes")[0]["classes"] is True
    assert run(ApprenticeOptions)[0]["boundary"] is None
    assert "'dice' is not one of" in run(SiteTrainingOptions, "--classifier", "dice")[1]


def test_the_help_of_a_setting_tells_what_it_means_and_its_default() -> None:
    shown = " ".join(run(Settings, "--help")[1].split())
    assert "stop after so many pages (0: no limit) [default: 1000]" in shown
    assert "counts as relevant [default: the judge's]" in shown
    assert "only URLs that match one of these patterns (* and ?); may be repeated" in shown


def test_only_the_names_asked_for_are_options() -> None:
    command = options_of(Settings, ["oversize"])(lambda: None)
    assert [option.name for option in command.__click_params__] == ["oversize"]  # type: ignore[attr-defined]
