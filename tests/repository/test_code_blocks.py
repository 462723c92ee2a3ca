"""The runner of documentation blocks itself: a broken page must not pass."""

import pytest

from tests.repository.code_blocks import Command, PageRunner, commands, read_blocks
from tests.repository.source_tree import ROOT


@pytest.fixture
def page(tmp_path):
    def write(text):
        path = tmp_path / "some-page.md"
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture
def runner(tmp_path, monkeypatch):
    folder = tmp_path / "cwd"
    folder.mkdir()
    monkeypatch.chdir(folder)
    with PageRunner(tmp_path / "some-page.md", folder, ROOT) as running:
        yield running


def test_blocks_keep_their_language_line_and_reason(page):
    text = "# A\n\n```python\nx = 1\n```\n\n- item\n\n  <!-- not run: needs a key -->\n"
    blocks = read_blocks(page(text + "  ```console\n  $ explainkit demo\n  ```\n"))
    assert [(b.language, b.line, b.not_run) for b in blocks] == [
        ("python", 4, None),
        ("console", 11, "needs a key"),
    ]
    assert blocks[1].code == "$ explainkit demo\n"


def test_a_fence_inside_a_longer_fence_is_text(page):
    blocks = read_blocks(page("````text\n```python\n1/0\n```\n````\n"))
    assert [block.language for block in blocks] == ["text"]


def test_an_unclosed_fence_is_an_error(page):
    with pytest.raises(ValueError, match="never closed"):
        read_blocks(page("```python\nx = 1\n"))


def test_commands_carry_their_output(page):
    (block,) = read_blocks(page("```console\n$ a \\\n  --b\none\n$ c\n```\n"))
    assert list(commands(block)) == [Command("a \\\n  --b", "one"), Command("c", "")]


def test_blocks_share_a_namespace_and_may_await(page, runner):
    text = "```python\nimport asyncio\nx = 1\n```\n"
    text += "```python\nawait asyncio.sleep(0)\nassert x == 2\n```\n"
    first, second = read_blocks(page(text))
    runner.python(first)
    with pytest.raises(AssertionError):
        runner.python(second)


def test_a_failing_command_fails_the_page(page, runner):
    (block,) = read_blocks(page("```console\n$ explainkit no-such-command\n```\n"))
    with pytest.raises(AssertionError, match="exit code"):
        runner.console(block)


def test_output_that_the_page_made_up_fails_the_page(page, runner):
    (block,) = read_blocks(page("```console\n$ explainkit --help\nno such output\n```\n"))
    with pytest.raises(AssertionError, match="the page shows"):
        runner.console(block)


def test_commands_of_others_are_handed_back(page, runner):
    (block,) = read_blocks(page("```console\n$ make demo\n```\n"))
    assert runner.console(block) == ["make demo"]
