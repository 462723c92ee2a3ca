"""Making the environment says what to do when this machine lacks something."""

import os
import shutil
import subprocess

import pytest

from tests.repository.source_tree import ROOT

TOOLS = ("bash", "env", "rm", "tail")


@pytest.fixture
def machine(tmp_path):
    """Run `.ci/venv` on a machine whose only Python is the given shell script."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for tool in TOOLS:
        (bin_folder / tool).symlink_to(shutil.which(tool))

    def run(python):
        if python is not None:
            fake = bin_folder / "python3"
            fake.write_text(f"#!/usr/bin/env bash\n{python}\n", "utf-8")
            fake.chmod(0o755)
        return subprocess.run(
            [str(ROOT / ".ci" / "venv"), str(tmp_path / "venv")],
            env={"PATH": str(bin_folder), "HOME": os.devnull},
            capture_output=True,
            text=True,
        )

    return run


def test_no_python_at_all(machine):
    done = machine(None)
    assert done.returncode == 1
    assert "no Python 3.11 or newer found" in done.stderr


def test_a_python_that_is_too_old_is_named(machine):
    done = machine('[ "$1" = --version ] && echo Python 3.9.2 && exit 0; exit 1')
    assert done.returncode == 1
    assert "Python 3.9.2" in done.stderr
    assert "make PYTHON=" in done.stderr


def test_a_python_without_venv(machine, tmp_path):
    done = machine('[ "$1" = -c ] && exit 0; echo "ensurepip is not available"; exit 1')
    assert done.returncode == 1
    assert "ensurepip is not available" in done.stderr
    assert "apt-get install python3-venv" in done.stderr
    assert not (tmp_path / "venv").exists()
