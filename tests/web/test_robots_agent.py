from __future__ import annotations

import pytest

from semcrawl.errors import ConfigError
from semcrawl.web.politeness import user_agent


def test_the_agent_names_product_and_version() -> None:
    product, _, version = user_agent(None).partition("/")
    assert product == "semcrawl"
    assert version[0].isdigit()


@pytest.mark.parametrize("contact", ["https://example.org/bot", " me@example.org ", "A. Person"])
def test_the_contact_is_added(contact: str) -> None:
    assert user_agent(contact) == f"{user_agent()} (+{contact.strip()})"


def test_a_blank_contact_is_none() -> None:
    assert user_agent("  ") == user_agent()


@pytest.mark.parametrize("contact", ["a\r\nX: y", "a\nb", "a)b", "(a", "é", "a\\", "x" * 201, "\x00"])
def test_a_contact_that_would_break_the_header_is_refused(contact: str) -> None:
    with pytest.raises(ConfigError, match="cannot use the contact"):
        user_agent(contact)
