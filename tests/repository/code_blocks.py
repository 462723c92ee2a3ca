"""Reads the fenced code blocks of a Markdown page and runs a page as its reader would."""

import ast
import asyncio
import doctest
import inspect
import linecache
import os
import re
import subprocess
import sys
import textwrap
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>[\w+-]*)[^`]*$")
NOT_RUN = re.compile(r"<!--\s*not run:\s*(?P<reason>.*?)\s*-->")
PROMPT = "$ "
COMMAND = "explainkit"
SHOWN_AS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
COMMAND_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: where it starts (1-based line of its first code line) and what it holds."""

    page: Path
    line: int
    language: str
    code: str
    not_run: str | None

    @property
    def place(self) -> str:
        return f"{self.page.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class Command:
    """One `$ ...` line of a console block and the output shown below it."""

    text: str
    output: str


def read_blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page in order; an unclosed fence is an error."""
    blocks: list[Block] = []
    lines = page.read_text("utf-8").splitlines()
    number = 0
    while number < len(lines):
        opened = FENCE.match(lines[number])
        if not opened:
            number += 1
            continue
        end = _closing(lines, number, opened["ticks"], page)
        marker = NOT_RUN.search(lines[number - 1]) if number else None
        code = textwrap.dedent("\n".join(lines[number + 1 : end])) + "\n"
        reason = marker["reason"] if marker else None
        blocks.append(Block(page, number + 2, opened["language"], code, reason))
        number = end + 1
    return blocks


def _closing(lines: list[str], start: int, ticks: str, page: Path) -> int:
    for number in range(start + 1, len(lines)):
        stripped = lines[number].strip()
        if stripped.startswith(ticks) and not stripped.strip("`"):
            return number
    raise ValueError(f"{page.name}:{start + 1}: this code fence is never closed")


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block, each with the output that the page shows for it."""
    text: str | None = None
    output: list[str] = []
    for line in block.code.splitlines():
        if line.startswith(PROMPT):
            if text is not None:
                yield Command(text, "\n".join(output))
            text, output = line.removeprefix(PROMPT), []
        elif text is None:
            raise ValueError(f"{block.place}: a console block starts with a `$ ` line")
        elif text.endswith("\\"):
            text = f"{text}\n{line}"
        else:
            output.append(line)
    if text is not None:
        yield Command(text, "\n".join(output))


class PageRunner:
    """Runs the blocks of one page in order: Python in one namespace, commands in one folder."""

    def __init__(self, page: Path, folder: Path, root: Path) -> None:
        self._folder = folder
        self._module = types.ModuleType(f"page_{page.stem}".replace("-", "_"))
        self._shims = folder.parent / f"{folder.name}-bin"
        self._environment = os.environ | {
            "PATH": f"{self._shims}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(root),
        }
        self._loop = asyncio.Runner()

    def __enter__(self) -> Self:
        self._shims.mkdir()
        shim = self._shims / COMMAND
        call = "import sys; from explainkit.cli import main; sys.exit(main())"
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{call}" "$@"\n', "utf-8")
        shim.chmod(0o755)
        # Dataclasses and pydantic look their module up by name.
        sys.modules[self._module.__name__] = self._module
        return self

    def __exit__(self, *_: object) -> None:
        sys.modules.pop(self._module.__name__, None)
        self._loop.close()

    def python(self, block: Block) -> None:
        """Execute a block; `await` is allowed at its top level, as in a notebook cell."""
        name = f"<{block.place}>"
        # `inspect.getsource` of a traced function reads the page through this cache.
        linecache.cache[name] = (len(block.code), None, block.code.splitlines(True), name)
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        code = compile(block.code, name, "exec", flags=flags, dont_inherit=True)
        result = eval(code, self._module.__dict__)  # our own pages
        if inspect.iscoroutine(result):
            self._loop.run(result)

    def console(self, block: Block) -> list[str]:
        """Run the `explainkit` commands of a block; return those that were left alone."""
        others = []
        for command in commands(block):
            if command.text.split()[0] == COMMAND:
                self._run(command, block)
            else:
                others.append(command.text)
        return others

    def _run(self, command: Command, block: Block) -> None:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command.text],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=COMMAND_SECONDS,
        )
        said = f"{block.place}: $ {command.text}\n{done.stdout}"
        assert done.returncode == 0, f"exit code {done.returncode}\n{said}"
        if command.output.strip():
            same = doctest.OutputChecker().check_output(command.output, done.stdout, SHOWN_AS)
            assert same, f"the page shows\n{command.output}\nbut the command says\n{said}"
