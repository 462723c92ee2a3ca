"""Every code block of the README and of docs/ runs as printed, and every link leads somewhere."""

import re
import tomllib
from collections import Counter

import pytest

from tests.repository.code_blocks import PageRunner, commands, read_blocks
from tests.repository.source_tree import ROOT, pages

# Anything else would be a way around being run (`bash`, `pycon`, `py` ...).
SHOWN_ONLY = {"", "text", "json", "jsonl", "toml", "html", "css", "mermaid", "yaml", "dot", "csv"}
RUN = {"python", "console"}
NEEDS_OUTSIDE = re.compile(r"\b(?:keys?|network|account|server)\b")
MOST_NOT_RUN = 0.1  # of the blocks that would run
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")
INSTALLED = re.compile(r"explainkit-jupyter(?:\[(?P<extras>[\w,-]+)\])?")
OTHER_COMMANDS = ("make", "pip", "python", "git", "cd", "jupyter")


def _relative(page):
    return page.relative_to(ROOT).as_posix()


def _all_blocks():
    return [block for page in pages() for block in read_blocks(page)]


@pytest.mark.parametrize("page", pages(), ids=_relative)
def test_page_runs(page, tmp_path, monkeypatch):
    folder = tmp_path / "page"
    folder.mkdir()
    monkeypatch.chdir(folder)
    ran = Counter()
    blocks = [block for block in read_blocks(page) if block.language in RUN]
    with PageRunner(page, folder, ROOT) as runner:
        for block in blocks:
            if block.not_run is not None:
                continue
            if block.language == "python":
                runner.python(block)
            else:
                _check_other_commands(runner.console(block))
            ran[block.language] += 1
    assert ran.total() == sum(block.not_run is None for block in blocks)


def _check_other_commands(lines):
    """Commands that set things up are not repeated here; that they name real things is checked."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for line in lines:
        program, *arguments = line.split()
        assert program.rpartition("=")[0] or program in OTHER_COMMANDS, (
            f"not a known command: {line}"
        )
        if target := re.search(r"\bmake ([a-z]+)", line):
            assert re.search(rf"^{target[1]}:", makefile, re.MULTILINE), f"no such target: {line}"
        if program == "pip":
            named = INSTALLED.search(" ".join(arguments))
            assert named, f"not our distribution: {line}"
            wanted = set((named["extras"] or "").split(",")) - {""}
            assert wanted <= set(extras["optional-dependencies"]), f"no such extra: {line}"


def test_only_known_languages_are_fenced():
    strange = [
        f"{b.place}: {b.language}" for b in _all_blocks() if b.language not in RUN | SHOWN_ONLY
    ]
    assert strange == []


def test_blocks_are_left_out_only_for_a_key_or_the_network_and_seldom():
    runnable = [block for block in _all_blocks() if block.language in RUN]
    left_out = [block for block in runnable if block.not_run is not None]
    assert [b.place for b in left_out if not NEEDS_OUTSIDE.search(b.not_run)] == []
    assert len(left_out) <= MOST_NOT_RUN * len(runnable), [block.place for block in left_out]


def test_the_readme_shows_code_that_runs():
    languages = Counter(block.language for block in read_blocks(ROOT / "README.md"))
    assert languages["python"] >= 1
    shown = [
        c.text
        for b in read_blocks(ROOT / "README.md")
        if b.language == "console"
        for c in commands(b)
    ]
    assert {"make demo", "make test"} <= set(shown)


def _links(page):
    for target in LINK.findall(re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)):
        if "://" not in target and not target.startswith(("#", "mailto:")):
            yield (page.parent / target.partition("#")[0]).resolve()


@pytest.mark.parametrize("page", pages(), ids=_relative)
def test_relative_links_lead_to_files(page):
    assert [str(target) for target in _links(page) if not target.exists()] == []


def test_every_page_can_be_reached_from_the_index():
    seen, waiting = set(), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md" or not page.exists():
            continue
        seen.add(page)
        waiting += list(_links(page))
    assert [_relative(p) for p in sorted((ROOT / "docs").rglob("*.md")) if p not in seen] == []
