"""`explainkit view` writes one page and opens it, or says why it could not."""

import webbrowser
from pathlib import Path

import pytest


@pytest.fixture
def opened(monkeypatch):
    """The addresses that were opened, in a browser that always opens."""
    addresses = []
    monkeypatch.setattr(webbrowser, "open", lambda address: addresses.append(address) or True)
    return addresses


def test_a_run_is_written_as_a_page_and_opened(cli, run_file, opened):
    done = cli("view", run_file)
    page = Path(done.out.strip())
    assert done.code == 0
    assert opened == [page.as_uri()]
    assert "half of the fare" in page.read_text("utf-8")


def test_a_page_goes_where_it_was_asked_for(cli, run_file, tmp_path, opened):
    page = tmp_path / "claim.html"
    assert cli("view", run_file, "-o", page, "--no-open", "--span", "half of the fare").code == 0
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert opened == []


def test_without_a_browser_the_page_is_named(cli, run_file, monkeypatch, tmp_path):
    page = tmp_path / "claim.html"

    def fails(address):
        raise webbrowser.Error("no browser")

    monkeypatch.setattr(webbrowser, "open", fails)
    done = cli("view", run_file, "-o", page)
    assert done.code == 1
    assert page.is_file()
    assert f"Open this page yourself: {page}" in done.err


def test_the_run_itself_is_never_overwritten(cli, run_file, opened):
    before = run_file.read_bytes()
    done = cli("view", run_file, "-o", run_file)
    assert done.code == 1
    assert "is the run itself" in done.err
    assert run_file.read_bytes() == before


def test_words_that_are_not_in_the_answer_open_nothing(cli, run_file, opened):
    done = cli("view", run_file, "--span", "a whole ticket")
    assert done.code == 1
    assert "Nearest" in done.err
    assert opened == []
