"""Notebooks are stored without outputs, check themselves, and run in a real kernel, offline."""

import ast
import shutil

import nbformat
import pytest
from nbclient import NotebookClient

from tests.repository.source_tree import ROOT, notebooks

CELL_SECONDS = 240
GUARD = "from tests import network_guard; network_guard.block()"
# Trust and widget state belong to whoever ran it, not to the repository.
KEPT_METADATA = {"kernelspec", "language_info"}


def _name(path):
    return path.name


def _code_cells(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


def test_there_is_a_quickstart():
    assert (ROOT / "notebooks" / "01_quickstart.ipynb").is_file()


@pytest.mark.parametrize("path", notebooks(), ids=_name)
def test_stored_without_outputs_and_state(path):
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    dirty = [c.id for c in _code_cells(book) if c.outputs or c.execution_count is not None]
    assert dirty == []
    assert set(book.metadata) <= KEPT_METADATA
    assert book.metadata.kernelspec.name == "python3"


@pytest.mark.parametrize("path", notebooks(), ids=_name)
def test_has_asserts_of_its_own(path):
    # `%magics` are not Python; blank them so that the rest of the cell can be read.
    source = "\n".join(
        "\n".join(
            "" if line.lstrip().startswith(("%", "!")) else line
            for line in cell.source.splitlines()
        )
        for cell in _code_cells(nbformat.read(path, as_version=4))
    )
    assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(source)))


@pytest.mark.parametrize("path", notebooks(), ids=_name)
def test_runs_from_top_to_bottom(path, tmp_path, monkeypatch):
    folder = tmp_path / "notebooks"
    shutil.copytree(path.parent, folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    book = nbformat.read(path, as_version=4)
    book.cells.insert(0, nbformat.v4.new_code_cell(GUARD))
    client = NotebookClient(
        book,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    assert [c.id for c in _code_cells(book) if c.source.strip() and c.execution_count is None] == []
