"""The notebooks run from top to bottom, use public names only, and show what they made."""

import ast
import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
TIMEOUT = 300
"""Seconds a cell may take: the first one may have to compile the kernel."""

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path.open(encoding="utf-8"), as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def imported(source):
    """Every name that is imported, in full: ``"fiveup_sim.rules.tiles.format_tile"``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def private_names(source):
    """Attributes and imports that begin with an underscore."""
    attributes = [node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    parts = [part for name in imported(source) for part in name.split(".")]
    return [name for name in attributes + parts if name.startswith("_")]


def test_there_are_notebooks_and_the_index_names_them_all():
    named = re.findall(r"\(([a-z_]+\.ipynb)\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert len(NOTEBOOKS) >= 4
    assert sorted(named) == [path.name for path in NOTEBOOKS]


def fault_of(notebook, folder):
    """What failed when the notebook ran in the folder, in a line: the cell, how it begins, the error; or None."""
    client = nbclient.NotebookClient(notebook, timeout=TIMEOUT, resources={"metadata": {"path": str(folder)}})
    try:
        client.execute()
    except nbclient.exceptions.CellExecutionError as error:
        for number, cell in enumerate(code_cells(notebook), 1):
            if any(output.output_type == "error" for output in cell.outputs):
                return f"code cell {number} ({cell.source.splitlines()[0]}): {error.ename}: {error.evalue}"
        raise
    return None


@each_notebook
def test_it_runs(path, tmp_path):
    fault = fault_of(read(path), tmp_path)
    assert fault is None, f"{path.name}, {fault}"
    assert not list(tmp_path.iterdir()), "it left files behind"


def test_a_fault_names_its_cell(tmp_path):
    cells = [nbformat.v4.new_code_cell(source) for source in ("x = 1", "y = 0\nx / y")]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title"), *cells])
    assert fault_of(notebook, tmp_path) == "code cell 2 (y = 0): ZeroDivisionError: division by zero"


@each_notebook
def test_it_uses_public_names_only(path):
    sources = [cell.source for cell in code_cells(read(path))]
    names = [name for source in sources for name in imported(source)]
    assert any(name.startswith("fiveup_sim.") for name in names)
    assert not [name for source in sources for name in private_names(source)]
    assert not [name for name in names if name.startswith("fiveup_sim.engine")]


def test_private_names_are_found():
    assert private_names("from fiveup_sim._inner import a") == ["_inner"]
    assert private_names("from fiveup_sim.rules.tiles import _TILE\nimport os") == ["_TILE"]
    assert private_names("results._matches") == ["_matches"]


@each_notebook
def test_it_shows_what_it_made(path):
    notebook = read(path)
    cells = code_cells(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "run it from top to bottom"
    outputs = [output for cell in cells for output in cell.outputs]
    assert sum(bool(cell.outputs) for cell in cells) >= len(cells) - 1
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
    assert any("image/png" in output.get("data", {}) or "image/svg+xml" in output.get("data", {}) for output in outputs)


@each_notebook
def test_it_names_no_folder_of_the_machine_it_ran_on(path):
    shown = [output.get("text", "") + output.get("data", {}).get("text/plain", "") for output in outputs_of(path)]
    assert not [text for text in shown if re.search(r"/(home|work|root|tmp|Users)/|[A-Z]:\\", text)]


def outputs_of(path):
    return [output for cell in code_cells(read(path)) for output in cell.outputs]
