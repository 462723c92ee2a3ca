"""Provisioning with real repositories: the right branch, nothing else run, nothing left behind."""

import asyncio
import os
import stat
import subprocess

import pytest

from explainkit.errors import ChartError, WorkspaceError
from explainkit.flow.clocks import ManualClock, SystemClock
from explainkit.flow.workspaces import RepoSpec, WorkspaceSpec, provision, tear_down
from tests.flow.actors.stages import gone, written
from tests.flow.workspaces.repositories import commit, git_in, provisioned, repository


def text(place, name="app"):
    return (place.repos[name] / "file.txt").read_text()


def test_a_branch_that_exists_is_checked_out(temporary, tmp_path):
    source = repository(tmp_path / "source", branches=["fix"])
    place = provisioned({"app": source}, {"branch": "fix"})
    assert text(place) == "on fix"
    assert (
        git_in(place.repos["app"], "rev-parse", "--abbrev-ref", "HEAD@{upstream}") == "origin/fix"
    )
    assert place.path.parent == temporary.resolve()
    assert place.repos == {"app": place.path / "app"}


def test_a_branch_that_does_not_exist_is_made_from_the_default_one(temporary, tmp_path):
    source = repository(tmp_path / "source", branches=["fix"])
    place = provisioned({"app": source}, WorkspaceSpec("new/branch"))
    assert text(place) == "on trunk"
    assert git_in(place.repos["app"], "symbolic-ref", "HEAD") == "refs/heads/new/branch"
    assert (
        git_in(place.repos["app"], "for-each-ref", "--format=%(upstream)", "refs/heads/new") == ""
    )


@pytest.mark.parametrize("base", ["fix", "v1"])
def test_a_new_branch_can_be_made_from_another_branch_or_a_tag(temporary, tmp_path, base):
    source = repository(tmp_path / "source", branches=["fix"])
    git_in(source, "tag", "v1", "fix")
    assert text(provisioned({"app": source}, {"branch": "new", "base": base})) == "on fix"


def test_the_default_branch_itself_can_be_asked_for(temporary, tmp_path):
    place = provisioned({"app": repository(tmp_path / "source")}, {"branch": "trunk"})
    assert text(place) == "on trunk"
    assert git_in(place.repos["app"], "symbolic-ref", "HEAD") == "refs/heads/trunk"


def test_every_repository_is_on_the_branch_and_clean(temporary, tmp_path):
    first = repository(tmp_path / "first", branches=["fix"])
    second = repository(tmp_path / "second")
    place = provisioned({"one": first, "two": second}, {"branch": "fix"})
    assert (text(place, "one"), text(place, "two")) == ("on fix", "on trunk")
    assert [git_in(repo, "status", "--porcelain") for repo in place.repos.values()] == ["", ""]


def test_a_folder_is_found_from_the_current_one(temporary, tmp_path, monkeypatch):
    repository(tmp_path / "source")
    monkeypatch.chdir(tmp_path)
    assert text(provisioned({"app": "source"}, {"branch": "new"})) == "on trunk"
    assert (
        text(provisioned({"app": (tmp_path / "source").as_uri()}, {"branch": "new"})) == "on trunk"
    )


def test_what_is_done_in_a_workspace_does_not_reach_the_source(temporary, tmp_path):
    source = repository(tmp_path / "source")
    before = git_in(source, "for-each-ref")
    place = provisioned({"app": source}, {"branch": "new"})
    objects = [p for p in (place.repos["app"] / ".git" / "objects").rglob("*") if p.is_file()]
    assert objects
    assert {p.stat().st_nlink for p in objects} == {1}
    commit(place.repos["app"], "file.txt", "changed")
    assert (git_in(source, "for-each-ref"), (source / "file.txt").read_text()) == (
        before,
        "on trunk",
    )


def test_no_hook_and_no_setting_of_the_user_is_run(temporary, tmp_path, monkeypatch):
    source = repository(tmp_path / "source")
    template = tmp_path / "template"
    (template / "hooks").mkdir(parents=True)
    hook = template / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        f"[init]\n\ttemplateDir = {template}\n[core]\n\thooksPath = {template}/hooks\n"
        "[clone]\n\tdefaultRemoteName = other\n"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(template))
    subprocess.run(["git", "clone", "-q", source, tmp_path / "trapped"], check=True)
    (tmp_path / "ran").unlink()  # the trap works: a clone of everyday runs the hook
    monkeypatch.setenv("GIT_DIR", str(source / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(source))
    place = provisioned({"app": source}, {"branch": "new"})
    assert text(place) == "on trunk"
    assert not (tmp_path / "ran").exists()
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_WORK_TREE")
    assert git_in(place.repos["app"], "remote") == "origin"


@pytest.mark.parametrize("address", ["ext::sh -c touch% {}", "helper::{}"])
def test_an_address_cannot_run_a_program(temporary, tmp_path, monkeypatch, address):
    mark = tmp_path / "ran"
    helper = tmp_path / "bin" / "git-remote-helper"
    helper.parent.mkdir()
    helper.write_text(f"#!/bin/sh\ntouch {mark}\n")
    helper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{helper.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext:helper")
    with pytest.raises(WorkspaceError, match="could not be cloned"):
        provisioned({"app": address.format(mark)}, {"branch": "new"})
    assert not mark.exists()


@pytest.mark.parametrize(
    "branch",
    ["", "-x", "--orphan=x", "a..b", "a b", "x.lock", "@", "HEAD", "@{-1}", "a~1", "a\0", "\ud800"],
)
@pytest.mark.parametrize("key", ["branch", "base"])
def test_a_name_that_git_does_not_take_is_refused(temporary, tmp_path, key, branch):
    source = repository(tmp_path / "source")
    with pytest.raises(WorkspaceError, match=f"as {key}|was not finished"):
        provisioned({"app": source}, {"branch": "new", key: branch})
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    "spec", [None, "new", {}, {"branch": 1}, {"branch": "a", "base": 1}, {"branch": "a", "b": ""}]
)
def test_what_is_no_specification_is_refused(spec):
    with pytest.raises(WorkspaceError, match="spec"):
        provisioned({"app": "x"}, spec)


@pytest.mark.parametrize(
    "repos",
    [
        None,
        {},
        {"": {"url": "x"}},
        {"..": {"url": "x"}},
        {"../x": {"url": "x"}},
        {"/x": {"url": "x"}},
        {".git": {"url": "x"}},
        {"a/b": {"url": "x"}},
        {7: {"url": "x"}},
        {"app": "x"},
        {"app": {}},
        {"app": {"url": ""}},
        {"app": {"url": "--upload-pack=x"}},
        {"app": {"url": "x", "branch": "y"}},
        {"app": RepoSpec("-x")},
        {"app": {"url": "x"}, "App": {"url": "y"}},
    ],
)
def test_repositories_that_cannot_be_are_refused_before_anything_is_made(temporary, repos):
    with pytest.raises(ChartError, match="workspace"):
        asyncio.run(provision(repos, {"branch": "x"}, clock=SystemClock()))
    assert list(temporary.iterdir()) == []


def test_a_repository_that_is_not_there_leaves_nothing_and_says_what_git_said(temporary, tmp_path):
    good = repository(tmp_path / "source")
    with pytest.raises(WorkspaceError) as caught:
        provisioned({"good": good, "bad": tmp_path / "missing"}, {"branch": "new"})
    said = str(caught.value)
    assert '"bad" could not be cloned' in said
    assert "does not exist" in said
    assert "Check the address" in said
    assert len(said) < 1_500
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    "secret",
    [
        "http://me:s3cr3t-w0rd@{}",
        "http://t0k3n-w0rd@{}",
        "http://me:s3%40w0rd@{}?private_token=t0k3n-w0rd&x=w0rd",
    ],
)
def test_credentials_are_never_told(temporary, secret):
    url = secret.format("127.0.0.1:1/app.git")  # nothing listens on this port of this machine
    with pytest.raises(WorkspaceError) as caught:
        provisioned({"app": url}, {"branch": "new"})
    said = str(caught.value)
    assert "127.0.0.1:1/app.git" in said
    assert "w0rd" not in said + repr(RepoSpec(url))
    with pytest.raises(ChartError) as refused:
        asyncio.run(provision({"app": {"url": url, "x": 1}}, {"branch": "n"}, clock=SystemClock()))
    assert "w0rd" not in str(refused.value)


def test_a_repository_without_commits_is_told(temporary, tmp_path):
    (tmp_path / "empty").mkdir()
    git_in(tmp_path / "empty", "init", "-q")
    with pytest.raises(WorkspaceError, match="no commit on a default branch"):
        provisioned({"app": tmp_path / "empty"}, {"branch": "new"})


def test_a_base_that_is_not_there_is_told(temporary, tmp_path):
    source = repository(tmp_path / "source")
    with pytest.raises(WorkspaceError, match='neither a branch nor a tag "nowhere"'):
        provisioned({"app": source}, {"branch": "new", "base": "nowhere"})


def test_a_branch_below_a_branch_is_told(temporary, tmp_path):
    source = repository(tmp_path / "source")
    with pytest.raises(WorkspaceError, match="no other branch has the beginning of this name"):
        provisioned({"app": source}, {"branch": "trunk/below"})
    assert list(temporary.iterdir()) == []


def test_missing_git_is_told(temporary, tmp_path, monkeypatch):
    source = repository(tmp_path / "source")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WorkspaceError, match=r"'git' was not found.*Install it"):
        provisioned({"app": source}, {"branch": "new"})
    assert list(temporary.iterdir()) == []


def test_no_place_for_temporary_files_is_told(git, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    with pytest.raises(WorkspaceError, match="Set TMPDIR"):
        provisioned({"app": "x"}, {"branch": "new"})


@pytest.fixture
def endless(tmp_path, monkeypatch):
    """Stands in for git: it checks names, and a clone tells its number and never ends."""
    stand_in = tmp_path / "bin" / "git"
    stand_in.parent.mkdir()
    stand_in.write_text(
        '#!/bin/sh\ncase "$*" in *" clone "*) ;; *) exit 0 ;; esac\n'
        f"echo cloning; sleep 1000 & echo $$ $! > {tmp_path}/pids; wait\n"
    )
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{stand_in.parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "pids"


@pytest.mark.parametrize("how", ["cancelled", "timed out"])
def test_a_clone_that_never_ends_can_be_ended(temporary, endless, how):
    async def run():
        clock = ManualClock()
        making = asyncio.ensure_future(
            provision({"app": {"url": "x"}}, {"branch": "new"}, clock=clock, timeout=60)
        )
        pids = [int(pid) for pid in (await written(endless)).split()]
        if how == "cancelled":
            making.cancel()
            with pytest.raises(asyncio.CancelledError):
                await making
        else:
            await clock.advance(60)
            with pytest.raises(WorkspaceError, match="not done after 60 s and said: cloning"):
                await making
        await gone(*pids)

    asyncio.run(run())
    assert list(temporary.iterdir()) == []


def test_it_can_be_taken_away(temporary, tmp_path):
    place = provisioned({"app": repository(tmp_path / "source")}, {"branch": "new"})
    asyncio.run(tear_down(place))
    assert list(temporary.iterdir()) == []
