"""Workspaces of a test are made below its own folder, so that nothing left behind is missed."""

import tempfile

import pytest


@pytest.fixture
def temporary(git, tmp_path, monkeypatch):
    """The folder that workspaces are made in."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder
