"""The Binder folder builds an environment in which a notebook runs."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.repository.source_tree import ROOT, tracked_files

INSTALL_SECONDS = 900
PINNED_PYTHON = "python3.11"


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A copy of the files that a commit would hold, so that the build touches nothing here."""
    folder = tmp_path / "checkout"
    for path in tracked_files():
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    return folder


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.mark.slow
def test_a_notebook_runs_in_a_fresh_binder_environment(checkout, tmp_path):
    target = tmp_path / "binder-venv"
    if sys.version_info[:2] == (3, 11):
        venv.create(target, with_pip=True)
    elif shutil.which(PINNED_PYTHON):
        subprocess.run([PINNED_PYTHON, "-m", "venv", str(target)], check=True)
    else:
        pytest.skip("binder/runtime.txt asks for Python 3.11, which this machine lacks")
    environment = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    environment |= {
        "PATH": f"{target / 'bin'}{os.pathsep}{environment['PATH']}",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "IPYTHONDIR": str(tmp_path / "ipython"),
    }
    # The same two steps, from the same folder, as Binder takes.
    python = str(target / "bin" / "python")
    _run(
        [python, "-m", "pip", "install", "-q", "-r", "binder/requirements.txt"],
        checkout,
        environment,
    )
    _run(["binder/postBuild"], checkout, environment)
    shutil.rmtree(checkout / "explainkit")  # the installed package must be enough
    notebook = "notebooks/01_quickstart.ipynb"
    _run([str(target / "bin" / "jupyter"), "execute", notebook], checkout, environment)
    assert not (checkout / "explainkit").exists()
