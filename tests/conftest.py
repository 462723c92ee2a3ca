"""Fixtures and guards that hold for every test: strict tracer, no network, stated skips."""

import ipaddress
import os
import shutil
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
ON_CI = os.environ.get("CI") == "true"
WITH_SLOW = ON_CI or os.environ.get("EXPLAINKIT_SLOW") == "1"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# The tracer swallows its own faults in production; under test they must surface.
os.environ["EXPLAINKIT_STRICT"] = "1"
os.environ.pop("EXPLAINKIT_RUNS", None)
# A terminal's width and colours must not decide what a test reads.
os.environ["COLUMNS"] = "100"
os.environ["NO_COLOR"] = "1"
os.environ["TERM"] = "dumb"
os.environ.pop("FORCE_COLOR", None)

_SLOW_MACHINE = [HealthCheck.too_slow]
settings.register_profile("dev", max_examples=25, deadline=None, suppress_health_check=_SLOW_MACHINE)
settings.register_profile(
    "ci",
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=_SLOW_MACHINE,
)
settings.load_profile(os.environ.get("EXPLAINKIT_HYPOTHESIS", "ci" if ON_CI else "dev"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the slow tests, with the way to run them, unless they were asked for."""
    if WITH_SLOW:
        return
    skip = pytest.mark.skip(reason="slow: set EXPLAINKIT_SLOW=1 (or CI=true) to run it")
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(skip)


def _is_local(address: object) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket path
    host = str(address[0])
    if host in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that connects to, or looks up, anything but this machine."""

    def guarded(original):
        def connect(self, address):
            if not _is_local(address):
                pytest.fail(f"a test tried to connect to {address!r}: tests use no network")
            return original(self, address)

        return connect

    lookup = socket.getaddrinfo

    def guarded_lookup(host, *args, **kwargs):
        if host is not None and not _is_local((_text(host),)):
            pytest.fail(f"a test tried to look up {host!r}: tests use no network")
        return lookup(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded(socket.socket.connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex))
    monkeypatch.setattr(socket, "getaddrinfo", guarded_lookup)


def _text(host: object) -> str:
    return host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Runs recorded by other tools, kept beside the checkout because they are not ours to ship."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("recorded runs of other tools are not beside this checkout (../shared/data)")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium; without one a test is skipped, on CI it fails."""
    found = next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)
    return found or _missing("Chromium", "apt-get install chromium")


@pytest.fixture(scope="session")
def git() -> str:
    """Path of git; without it a test is skipped, on CI it fails."""
    return shutil.which("git") or _missing("git", "apt-get install git")


def _missing(what: str, how: str) -> str:
    message = f"{what} is not installed ({how})"
    if ON_CI:
        pytest.fail(message)
    pytest.skip(message)
