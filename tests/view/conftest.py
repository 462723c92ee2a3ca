"""Pages in a real browser."""

from contextlib import contextmanager

import pytest


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page from a file; on the way out nothing may have been said, asked or requested."""

    @contextmanager
    def open_page(html, *, width=1600, height=1000, **context):
        path = tmp_path / "run.html"
        path.write_text(html, encoding="utf-8")
        heard = []
        with browser.new_context(viewport={"width": width, "height": height}, **context) as made:
            page = made.new_page()
            page.on("console", lambda message: heard.append(message.text))
            page.on("pageerror", lambda error: heard.append(str(error)))
            page.on("dialog", lambda dialog: (heard.append("a dialog"), dialog.dismiss()))
            page.on("request", lambda request: heard.append(request.url))
            page.goto(path.as_uri())
            yield page
        assert [each for each in heard if each != path.as_uri()] == []

    return open_page
