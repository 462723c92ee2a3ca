"""A JupyterLab of its own on a folder of notebooks: nothing of this machine reaches it."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

TOKEN = "only-on-this-machine"
SECONDS = 60
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"autoStartDefaultKernel": False, "windowingMode": "none"},
}


@contextmanager
def jupyterlab(folder: Path, *, home: Path) -> Iterator[str]:
    """Serve a folder; gives the address that opens a notebook when its name is put after it.

    Args:
        folder: Notebooks to serve.
        home: Empty folder for everything that JupyterLab writes.
    """
    port = free_port()
    for name, settings in SETTINGS.items():
        set_setting(home, name, settings)
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--port", str(port),
        "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}", "--log-level=ERROR",
        f"--notebook-dir={folder}", "--LabApp.extension_manager=readonly",
        "--expose-app-in-browser",
    ]  # fmt: skip
    with served(command, port, home=home):
        yield f"http://127.0.0.1:{port}/lab/tree/{{name}}?reset&token={TOKEN}"


@contextmanager
def served(command: Sequence[str], port: int, *, home: Path) -> Iterator[None]:
    """Start a server, wait until it listens on its port, and end it on the way out.

    Args:
        command: What starts it.
        port: Where it listens.
        home: Empty folder for everything that it writes.
    """
    environment = os.environ | {
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    with (
        (home / "log.txt").open("wb") as log,
        subprocess.Popen(command, env=environment, stdout=log, stderr=log) as server,
    ):
        try:
            _wait(server, port, home / "log.txt")
            yield
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(10)
            server.kill()


def set_setting(home: Path, name: str, settings: dict[str, object]) -> None:
    """Write a setting of JupyterLab as its editor of settings would."""
    path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings), "utf-8")


def free_port() -> int:
    """A port of this machine on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + SECONDS
    while server.poll() is None and time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise AssertionError(f"The server did not start: {log.read_text('utf-8', 'replace')[-2000:]}")
