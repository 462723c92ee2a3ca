"""Servers of the notebooks beside JupyterLab, in an environment that has them or in this one."""

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.notebook.jupyterlab import TOKEN, free_port, served

PYTHON = os.environ.get("EXPLAINKIT_HOSTS", sys.executable)
"""The Python of an environment with explainkit and the hosts; `make hosts` makes one."""
QUIET = ["--no-browser", "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}"]


def needs(package):
    """Skip a test where a host is not installed."""
    found = subprocess.run([PYTHON, "-c", f"import {package}"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip(
            f"{package} is not installed beside explainkit: `make hosts` makes an environment that "
            "has it, and EXPLAINKIT_HOSTS names its Python"
        )


@contextmanager
def notebook_7(folder, *, home):
    """Notebook 7 on a folder; gives the address that opens a notebook by its name."""
    port = free_port()
    command = [PYTHON, "-m", "notebook", *QUIET, "--allow-root", f"--port={port}"]
    command += [f"--notebook-dir={folder}", "--log-level=ERROR"]
    with served(command, port, home=home):
        yield f"http://127.0.0.1:{port}/notebooks/{{name}}?token={TOKEN}"


@contextmanager
def voila(folder, *, home):
    """Voilà on a folder; gives the address that runs a notebook and shows what it put out."""
    port = free_port()
    command = [PYTHON, "-m", "voila", str(folder), "--no-browser", f"--port={port}"]
    command += ["--Voila.ip=127.0.0.1", "--port_retries=0"]
    with served(command, port, home=home):
        yield f"http://127.0.0.1:{port}/voila/render/{{name}}"


@contextmanager
def marimo(path, *, home, mode="run"):
    """Marimo on one notebook, as an application or for editing; gives its address."""
    port = free_port()
    command = [PYTHON, "-m", "marimo", "--yes", mode, str(path), "--headless", "--no-token"]
    command += [f"--port={port}", "--host=127.0.0.1"]
    command += ["--skip-update-check"] if mode == "edit" else []
    with served(command, port, home=home):
        yield f"http://127.0.0.1:{port}/"
