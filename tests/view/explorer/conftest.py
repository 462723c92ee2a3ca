"""Explorers in a real browser, opened on real runs."""

from contextlib import contextmanager

import pytest

from tests.view.explorer import explored
from tests.view.explorer.hosting import Hosted, made


@pytest.fixture(scope="module")
def runs():
    kept = {}

    def run(name):
        if name not in kept:
            kept[name] = made(explored.RUNS[name])
        return kept[name]

    return run


@pytest.fixture
def opened(browser):
    """Opens an explorer; on the way out nothing may have been said, asked or requested."""

    @contextmanager
    def open_explorer(
        run, *, width=1600, height=1000, state=None, walk=None, shadow=False, **context
    ):
        heard = []
        with browser.new_context(viewport={"width": width, "height": height}, **context) as held:
            page = held.new_page()
            page.on("console", lambda message: heard.append(message.text))
            page.on("pageerror", lambda error: heard.append(str(error)))
            page.on("dialog", lambda dialog: (heard.append("a dialog"), dialog.dismiss()))
            page.on("request", lambda request: heard.append(request.url))
            hosted = Hosted(run, **(walk or {}))
            hosted.into(page, state, shadow=shadow)
            yield hosted, page
        assert [each for each in heard if not each.startswith("blob:")] == []

    return open_explorer
