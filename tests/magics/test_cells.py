"""In a real kernel every link says which cell ran it."""

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


CHECKS = """
links = [next(r.recording.rows("link_opened")) for r in (run, run2)]
starts = [next(r.recording.rows("run_started")) for r in (run, run2)]
assert [each["cell"]["count"] for each in links] == [2, 3], links
assert [each["cell"] for each in links] == [each["cell"] for each in starts]
assert links[0]["cell"]["hash"] != links[1]["cell"]["hash"]
"""


def test_links_carry_the_cell_that_ran_them():
    cells = [
        "import explainkit as ek\n@ek.link\ndef step(x): return x",
        "with ek.trace('t') as run:\n    step(1)",
        "with ek.trace('t') as run2:\n    step(1)",
        CHECKS,
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    NotebookClient(book, timeout=60, kernel_name="python3").execute()
    assert book.cells[-1].execution_count == 4


FAILED = """
def deep():
    return {}["missing"]

try:
    with ek.trace("t") as run3:
        ek.answer("one")
        ek.override(lambda text: "two", by="me", reason="better")
        deep()
except KeyError:
    pass
"""
NAMED = """
told = " ".join(repr(run3).split())
assert "cell 2, line 2, in deep, cell 2, line 8" in run3.recording.values.shown(
    next(run3.recording.rows("run_ended"))["error"]).replace('","', ", "), told
assert next(run3.recording.rows("override"))["site"] == "cell 2, line 7"
"""


def test_lines_of_a_cell_are_named_by_the_number_of_the_cell():
    cells = ["import explainkit as ek", FAILED, NAMED]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    NotebookClient(book, timeout=60, kernel_name="python3").execute()
    assert book.cells[-1].execution_count == 3
