"""What the repository tests look at: package modules, tracked files, pages, notebooks."""

import pkgutil
import subprocess
from functools import cache
from pathlib import Path

import explainkit

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "explainkit"
# Running a package with `python -m` executes it; importing it in a test would do the same.
EXECUTED = ".__main__"


def package_files() -> list[Path]:
    """Every Python file of the package, sorted."""
    return sorted(PACKAGE.rglob("*.py"))


@cache
def module_names() -> tuple[str, ...]:
    """Every importable module of the package, sorted, `explainkit` itself first."""

    def failed(name: str) -> None:
        raise ImportError(f"could not import {name} to look into it")

    found = pkgutil.walk_packages(explainkit.__path__, "explainkit.", onerror=failed)
    return ("explainkit", *sorted(i.name for i in found if not i.name.endswith(EXECUTED)))


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file that a commit would hold, sorted; without git, those of the sdist's folders."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        folders = ("explainkit", "tests", "docs", "notebooks", "binder", "benchmarks")
        found = [p for folder in folders for p in (ROOT / folder).rglob("*") if p.is_file()]
        return tuple(sorted(p for p in found if "__pycache__" not in p.parts))
    paths = (ROOT / name for name in done.stdout.decode().split("\0") if name)
    return tuple(sorted(path for path in paths if path.is_file()))


def tracked_text() -> dict[str, str]:
    """The text of every tracked file that is UTF-8, by its path inside the repository."""
    texts = {}
    for path in tracked_files():
        try:
            texts[path.relative_to(ROOT).as_posix()] = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
    return texts


def pages() -> list[Path]:
    """README, CONTRIBUTING and every page of docs/, sorted by path."""
    top = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    return top + sorted((ROOT / "docs").rglob("*.md"))


def notebooks() -> list[Path]:
    """Every notebook, sorted by name."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"))
