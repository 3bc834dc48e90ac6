from __future__ import annotations

import os
from pathlib import Path

import pytest

from semcrawl.cli.train_models import model_file
from semcrawl.errors import ConfigError


def test_a_place_is_taken_as_it_is_but_for_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert model_file(Path("~/m.npz")) == tmp_path / "m.npz"
    assert model_file(Path("m.npz")) == Path("m.npz")


def test_a_folder_that_is_not_there_is_said_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no folder .*gone for the model m\.npz"):
        model_file(tmp_path / "gone" / "m.npz")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_closed_to_writing_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigError, match="cannot be written to"):
        model_file(tmp_path / "m.npz")
