"""Real repositories in a temporary folder, made by git itself."""

import asyncio
import os
import subprocess

from explainkit.flow.clocks import SystemClock
from explainkit.flow.workspaces import provision

NOBODY = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def git_in(folder, *words):
    """Output of a call of git that has to succeed."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    told = subprocess.run(
        ["git", *words], cwd=folder, env=kept | NOBODY, capture_output=True, text=True, check=True
    )
    return told.stdout.strip()


def commit(folder, name, text):
    (folder / name).write_text(text)
    git_in(folder, "add", "-A")
    git_in(folder, "commit", "-q", "-m", text)


def repository(folder, *, branches=()):
    """A repository with a commit on `trunk`, and one more on each of these branches."""
    folder.mkdir()
    git_in(folder, "init", "-q", "-b", "trunk")
    commit(folder, "file.txt", "on trunk")
    for branch in branches:
        git_in(folder, "checkout", "-q", "-b", branch, "trunk")
        commit(folder, "file.txt", f"on {branch}")
    git_in(folder, "checkout", "-q", "trunk")
    return folder


def provisioned(repos, spec, **kwargs):
    """A workspace, the repositories given by their addresses."""
    given = {name: {"url": str(url)} for name, url in repos.items()}
    return asyncio.run(provision(given, spec, clock=SystemClock(), **kwargs))
