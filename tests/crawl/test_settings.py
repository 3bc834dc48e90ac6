from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest

from semcrawl.crawl import Settings
from semcrawl.crawl.settings import load_settings
from semcrawl.crawl.sites.settings import SiteSettings
from semcrawl.errors import ConfigError, TopicError
from semcrawl.topics import Topic
from semcrawl.web.http import HttpFetcher

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"pagess": 3}, "there is no setting 'pagess'; did you mean 'pages'"),
        ({"zzz": 3}, "there is no setting 'zzz'; see 'semcrawl crawl --help'"),
        ({"pages": -1}, "pages is -1: it takes a whole number, 0 or more$"),
        ({"delay": "slow"}, "delay is 'slow': it takes a number, 0 or more and at most 1,000,000,000$"),
        ({"oversize": "keep"}, "oversize is 'keep': it takes one of 'cut', 'drop'$"),
        ({"total_timeout": 0}, "total_timeout is 0: it takes a number, more than 0 and at most"),
        ({"workers": 1.5}, "workers is 1.5: it takes a whole number, 0 or more and at most 500$"),
        ({"threshold": 7}, "threshold is 7: it takes a number, 0 or more and at most 1$"),
        ({"exclude": [3]}, r"exclude is \[3\]: it takes a list \(each a text\)$"),
    ],
)
def test_a_wrong_setting_is_named_with_its_source(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=f"^job.toml: .*{message}"):
        Settings.build(values, "job.toml")


def test_settings_survive_storing() -> None:
    settings = Settings(pages=7, exclude=("*/x/*",), threshold=0.25)
    assert Settings.from_json(settings.to_json()) == settings


def test_a_fetcher_reads_as_much_of_a_page_as_the_settings_say() -> None:
    default = inspect.signature(HttpFetcher).parameters["max_bytes"].default
    assert default == Settings().max_bytes


def test_stored_settings_of_another_version_are_a_clear_error() -> None:
    with pytest.raises(ConfigError, match="do not fit this version"):
        Settings.from_json('{"warp": 9}')


def test_every_setting_has_a_help_text() -> None:
    assert tuple(Settings.texts()) == Settings.__struct_fields__
    assert tuple(SiteSettings.texts()) == SiteSettings.__struct_fields__
    assert all((Settings.texts() | SiteSettings.texts()).values())


def test_a_file_holds_settings_topic_and_seeds(tmp_path: Path) -> None:
    path = tmp_path / "job.toml"
    # Editors of Windows begin a file with a byte order mark.
    path.write_text('\ufefftopic = "wordnet:asthma"\nseeds = ["http://a.test/"]\npages = 5\n')
    assert load_settings(path) == ({"pages": 5}, {"topic": "wordnet:asthma", "seeds": ["http://a.test/"]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pages = ", "is no TOML"),
        ("topic = 3", "topic must be a string"),
        ('seeds = "http://a/"', "seeds must be a list"),
        ("speed = 3", "there is no setting 'speed'"),
    ],
)
def test_a_malformed_file_is_a_clear_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "job.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        load_settings(path)
    assert "job.toml" in str(caught.value)


def test_a_missing_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read the settings file"):
        load_settings(tmp_path / "gone.toml")


@pytest.mark.parametrize("part", ["a", "'a b'", '"\\""'])
def test_a_key_of_very_many_parts_is_refused_before_it_is_read(tmp_path: Path, part: str) -> None:
    (tmp_path / "long.toml").write_text(f"{f'{part} . ' * 100_000}{part} = 1")
    with pytest.raises(ConfigError, match="more than 100 parts"):
        load_settings(tmp_path / "long.toml")
    with pytest.raises(TopicError, match="more than 100 parts"):
        Topic.from_file(tmp_path / "long.toml")
