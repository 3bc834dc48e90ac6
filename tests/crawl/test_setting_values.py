"""Editors complete and check the settings of ``Crawl(...)``: a stub that is made from them."""

from __future__ import annotations

import ast

from scripts.setting_types import PLACE, stub
from semcrawl.crawl.settings import Settings


def test_the_stub_is_made_from_the_settings() -> None:
    assert PLACE.read_text("utf-8") == stub()


def test_every_setting_but_the_two_arguments_is_in_it() -> None:
    (values,) = (node for node in ast.parse(stub()).body if isinstance(node, ast.ClassDef))
    fields = [node.target for node in values.body if isinstance(node, ast.AnnAssign)]
    names = {field.id for field in fields if isinstance(field, ast.Name)}
    assert names == set(Settings.__struct_fields__) - {"strategy", "judge"}
