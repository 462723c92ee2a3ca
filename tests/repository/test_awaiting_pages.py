"""A page whose code awaits at the top level says what a script writes instead."""

import ast
from pathlib import Path

import pytest

from tests.repository.code_blocks import read_blocks

PAGES = sorted((Path(__file__).parents[2] / "docs" / "how-to").glob("*.md"))


def awaits(page):
    """Whether code of a page awaits outside of a coroutine."""
    for block in read_blocks(page):
        if block.language == "python":
            try:
                compile(block.code, str(page), "exec")
            except SyntaxError:
                compile(block.code, str(page), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
                return True
    return False


def test_some_pages_await():
    assert sum(map(awaits, PAGES)) >= 9


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_that_awaits_says_how_a_script_does_without(page):
    head = page.read_text("utf-8").partition("await ")[0]
    assert "notebook" in head or not awaits(page)
    assert ("run_sync" in head or "In a script" in head) or not awaits(page)
