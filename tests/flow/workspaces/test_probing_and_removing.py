"""A workspace is lost only when it is certainly gone, and nothing but it is ever removed."""

import asyncio
import errno
import os
from pathlib import Path

import pytest

from explainkit.errors import ChartError, WorkspaceError
from explainkit.flow.clocks import SystemClock
from explainkit.flow.workspaces import Provisioned, WorkspaceSpec, probe, spec_of, tear_down


@pytest.fixture
def place(tmp_path):
    root = tmp_path / "explainkit-workspace-x"
    (root / "app").mkdir(parents=True)
    return Provisioned(root, {"app": root / "app"}, "fix")


def test_a_workspace_that_is_there_is_found(place):
    assert asyncio.run(probe(place)) is True


@pytest.mark.parametrize("what", ["all", "a repository", "replaced by a file", "by a link"])
def test_a_workspace_that_is_gone_is_told(place, tmp_path, what):
    (place.path / "app").rmdir()
    if what == "all":
        place.path.rmdir()
    elif what == "replaced by a file":
        (place.path / "app").touch()
    elif what == "by a link":
        (place.path / "app").symlink_to(tmp_path)
    assert asyncio.run(probe(place)) is False


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.ESTALE, errno.ELOOP])
def test_what_cannot_be_known_is_no_loss(place, monkeypatch, number):
    def broken(self):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "lstat", broken)
    assert asyncio.run(probe(place)) is None


def test_read_only_folders_and_links_are_removed_and_links_not_followed(place, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    outside.chmod(0o555)
    locked = place.path / "app" / "locked" / "below"
    locked.mkdir(parents=True)
    (locked / "file").write_text("x")
    (locked / "file").chmod(0o444)
    (locked / "link").symlink_to(outside)
    (locked.parent / "file link").symlink_to(outside / "kept")
    for folder in (locked, locked.parent, place.path):
        folder.chmod(0o000)
    asyncio.run(tear_down(place))
    assert not place.path.exists()
    assert (outside / "kept").read_text() == "kept"
    assert outside.stat().st_mode & 0o777 == 0o555


def test_removing_twice_is_fine(place):
    asyncio.run(tear_down(place))
    asyncio.run(tear_down(place))
    assert not place.path.exists()


@pytest.mark.parametrize("name", ["other", "explainkit-workspace-link", "relative"])
def test_nothing_but_a_workspace_is_removed(place, tmp_path, monkeypatch, name):
    (tmp_path / "other").mkdir()
    (tmp_path / "explainkit-workspace-link").symlink_to(tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    path = Path(place.path.name) if name == "relative" else tmp_path / name
    with pytest.raises(WorkspaceError, match="no folder of a workspace"):
        asyncio.run(tear_down(Provisioned(path, {}, "fix")))
    assert (tmp_path / "other").is_dir()
    assert place.path.is_dir()


def test_what_cannot_be_removed_is_told(place, monkeypatch):
    def busy(path, *, ignore_errors=False):
        if not ignore_errors:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(path))

    monkeypatch.setattr("shutil.rmtree", busy)
    with pytest.raises(WorkspaceError, match=r"busy\. End what still works in it"):
        asyncio.run(tear_down(place))


def test_a_cancellation_waits_for_the_removal(place):
    async def run():
        removing = asyncio.ensure_future(tear_down(place))
        await asyncio.sleep(0)
        removing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await removing
        assert not place.path.exists()

    asyncio.run(run())


async def later(given):
    return WorkspaceSpec(given["branch"], "trunk")


@pytest.mark.parametrize(
    ("spec", "branch"),
    [
        (lambda: {"branch": "fixed"}, "fixed"),
        (lambda given: {"branch": given["branch"]}, "fix-7"),
        (later, "fix-7"),
    ],
)
def test_a_function_of_the_input_or_of_nothing_names_the_branch(spec, branch):
    asked = spec_of(spec, {"branch": "fix-7"}, clock=SystemClock())
    assert asyncio.run(asked).branch == branch


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        (lambda: "fix", WorkspaceError),
        (lambda given: {"branch": given["missing"]}, KeyError),
        (lambda a, b: {"branch": a + b}, ChartError),
        ({"branch": "fix"}, ChartError),
    ],
)
def test_a_function_that_names_none_is_told(spec, error):
    with pytest.raises(error):
        asyncio.run(spec_of(spec, {}, clock=SystemClock()))
