from __future__ import annotations

import re

import msgspec
import pytest

from scripts.docs_site import settings_page
from semcrawl.crawl import Settings
from semcrawl.crawl.sites import SiteSettings
from semcrawl.crawl.sites.settings import PAGE_SETTINGS, split_settings
from semcrawl.errors import ConfigError


def test_values_go_to_the_settings_that_they_belong_to() -> None:
    own, pages = split_settings({"sites": 5, "pages": 50})
    assert (own.sites, pages.pages) == (5, 50)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"strategy": "breadth-first"}, "has no setting 'strategy'"),
        ({"site": 5}, "has no setting 'site'"),
        ({"p_threshold": 0.5}, "p_threshold"),
        ({"p_threshold": 1.0}, "p_threshold"),
        ({"link_constant": 0.5}, "link_constant"),
        ({"pages_per_site": 0}, "pages_per_site"),
        ({"weights": "mean"}, "weights"),
        ({"site_by": "planet"}, "planet"),
        ({"pages": -1}, "pages"),
    ],
)
def test_bad_values_are_told(values: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(words)):
        split_settings(values)


def test_settings_survive_being_written_down() -> None:
    settings = SiteSettings(sites=3, site_by="path:2")
    assert SiteSettings.from_json(settings.to_json()) == settings
    with pytest.raises(ConfigError, match="do not fit this version"):
        SiteSettings.from_json('{"sties": 3}')


def test_every_setting_of_pages_named_is_one() -> None:
    assert set(PAGE_SETTINGS) <= set(Settings.__struct_fields__)
    assert not set(SiteSettings.__struct_fields__) & set(Settings.__struct_fields__)


def test_every_setting_is_documented_with_its_default() -> None:
    page = settings_page()
    for field in msgspec.structs.fields(SiteSettings):
        assert f"| `{field.name}` | `{field.default}` | " in page
