"""The notebooks of examples/ run from the first cell to the last."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_runs_again(path: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for _ in range(2):  # "Restart and run all" finds the files of the first run
        notebook = nbformat.read(path, as_version=4)
        nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
        assert outputs
        assert not [output["text"] for output in outputs if output.get("name") == "stderr"]


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["own_strategy_and_lab", "sparql_and_networks", "topic_to_collection"]
