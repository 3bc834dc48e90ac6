"""Write the types of the settings as keyword arguments, for editors and type checkers.

``python -m scripts.setting_types`` writes semcrawl/crawl/setting_values.pyi from `Settings`; what
``Crawl(...)`` completes and checks follows from it. A test compares the two.
"""

import typing
from pathlib import Path
from types import UnionType
from typing import Any, Literal

import msgspec

from semcrawl.crawl.settings import Settings

PLACE = Path(__file__).resolve().parents[1] / "semcrawl" / "crawl" / "setting_values.pyi"
_OWN = ("strategy", "judge")  # arguments by themselves, which may be objects
_PATHS = ("background", "replay", "policy")
_HEAD = '''# Made from semcrawl/crawl/settings.py by 'python -m scripts.setting_types'.
# fmt: off
# ruff: noqa: E501, PYI021

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypedDict

class SettingValues(TypedDict, total=False):
    """Settings of a crawl by name, as keyword arguments."""
'''


def type_text(kind: Any, *, may_be_path: bool = False) -> str:
    """Return an annotation without its limits and help; one value may stand for a list of one.

    >>> type_text(tuple[str, ...])
    'str | Sequence[str]'
    """
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return type_text(parts[0], may_be_path=may_be_path)
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, parts))}]".replace("'", '"')
    if origin is tuple:
        one = type_text(parts[0], may_be_path=may_be_path)
        return f"{one} | Sequence[{one}]"
    if origin in (UnionType, typing.Union):
        return " | ".join(map(type_text, parts))
    if kind is type(None):
        return "None"
    return "str | Path" if may_be_path and kind is str else str(kind.__name__)


def stub() -> str:
    """Return the text of the file."""
    hints = typing.get_type_hints(Settings, include_extras=True)
    texts, lines = Settings.texts(), []
    for field in msgspec.structs.fields(Settings):
        if field.name not in _OWN:
            about = texts[field.name]
            text = type_text(hints[field.name], may_be_path=field.name in _PATHS)
            lines += [f"    {field.name}: {text}", f'    """{about[0].upper()}{about[1:]}."""']
    return _HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PLACE.write_text(stub(), encoding="utf-8")
