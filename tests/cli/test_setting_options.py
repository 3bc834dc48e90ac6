from __future__ import annotations

from typing import Annotated, Any, Literal

import click
import msgspec
from click.testing import CliRunner
from msgspec import Meta

from semcrawl.cli.setting_options import given, options_of

Share = Annotated[float, Meta(gt=0, le=1)]


class Struct(msgspec.Struct):
    most: Annotated[int, Meta(ge=1, description="how many")] = 3
    share: Annotated[Share | None, Meta(description="which share [default: the judge's]")] = None
    kind: Annotated[Literal["a", "b"], Meta(description="which kind")] = "a"
    names: Annotated[tuple[str, ...], Meta(description="only these")] = ()
    fast: Annotated[bool, Meta(description="make haste")] = False
    inner: int = 0


def run(declared: type[msgspec.Struct], *words: str, checked: bool) -> tuple[dict[str, Any], str]:
    got: dict[str, Any] = {}

    @click.command()
    @options_of(declared, checked=checked)
    def command(**options: Any) -> None:
        got.update(options)

    return got, CliRunner().invoke(command, list(words)).output


def test_what_is_not_given_is_not_among_the_given() -> None:
    got, _ = run(Struct, "--most", "0", "--no-fast", checked=False)
    assert given(got) == {"most": 0, "fast": False}


def test_checked_options_have_defaults_and_limits() -> None:
    got, _ = run(Struct, "--fast", "--names", "x", "--names", "y", checked=True)
    assert got == {"most": 3, "share": None, "kind": "a", "names": ("x", "y"), "fast": True}
    assert "0 is not in the range x>=1" in run(Struct, "--most", "0", checked=True)[1]
    assert "0.0 is not in the range 0<x<=1" in run(Struct, "--share", "0", checked=True)[1]
    shown = run(Struct, "--help", checked=True)[1]
    assert "[default: 3; x>=1]" in shown
    assert "which share [default: the judge's]" in shown


def test_only_the_names_asked_for_and_only_described_fields_are_options() -> None:
    got, _ = run(Struct, checked=False)
    assert "inner" not in got
    command = options_of(Struct, ["kind"])(lambda: None)
    assert [option.name for option in command.__click_params__] == ["kind"]  # type: ignore[attr-defined]
