"""Fixtures and guards that hold for every test: strict tracer, no network, stated skips."""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

from tests import network_guard

ROOT = Path(__file__).resolve().parent.parent
ON_CI = os.environ.get("CI") == "true"
WITH_SLOW = ON_CI or os.environ.get("EXPLAINKIT_SLOW") == "1"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# The tracer swallows its own faults in production; under test they must surface.
os.environ["EXPLAINKIT_STRICT"] = "1"
os.environ.pop("EXPLAINKIT_RUNS", None)
# A terminal's width and colours must not decide what a test reads.
os.environ.update(COLUMNS="100", NO_COLOR="1", TERM="dumb")
os.environ.pop("FORCE_COLOR", None)

SLOW_MACHINE = [HealthCheck.too_slow]
settings.register_profile("dev", max_examples=25, deadline=None, suppress_health_check=SLOW_MACHINE)
settings.register_profile(
    "ci",
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=SLOW_MACHINE,
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


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that connects to, or looks up, anything but this machine."""
    network_guard.block(replace=monkeypatch.setattr)


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
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    return found or _missing("Chromium", "apt-get install chromium")


@pytest.fixture(scope="module")
def browser(chromium):
    """A running Chromium."""
    from playwright.sync_api import sync_playwright

    from tests.view.browsing import ARGUMENTS

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def git() -> str:
    """Path of git; without it a test is skipped, on CI it fails."""
    return shutil.which("git") or _missing("git", "apt-get install git")


def _missing(what: str, how: str) -> NoReturn:
    message = f"{what} is not installed ({how})"
    if ON_CI:
        pytest.fail(message)
    pytest.skip(message)
