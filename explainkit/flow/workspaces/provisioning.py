"""A new folder with a clone of each repository, on the branch that the run is to work on."""

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explainkit.errors import WorkspaceError
from explainkit.flow.clocks import Clock
from explainkit.flow.workspaces.credentials import hidden
from explainkit.flow.workspaces.git_calls import Git
from explainkit.flow.workspaces.places import PREFIX, Provisioned
from explainkit.flow.workspaces.removing import removed
from explainkit.flow.workspaces.specs import RepoSpec, WorkspaceSpec, read_repos, read_spec
from explainkit.safety import shorten

_ADVICE = (
    "Check the address and that it can be reached without being asked: git reads no user settings "
    "here, so use an ssh key, ~/.netrc or a token in the address."
)


async def provision(
    repos: Mapping[str, Mapping[str, Any] | RepoSpec],
    spec: Mapping[str, Any] | WorkspaceSpec,
    *,
    clock: Clock,
    timeout: float = 600.0,  # noqa: ASYNC109 - its clock is the run's, and the error says more
) -> Provisioned:
    """Make a temporary folder with a clone of each repository.

    Nothing of it is left when it fails or is cancelled. Submodules and files of Git LFS are not
    fetched (ours).

    Args:
        repos: Where each repository is cloned from, by the name of its folder.
        spec: The branch, and what it is made from where it does not exist.
        clock: Measures the timeout.
        timeout: Seconds that one call of git may take.

    Raises:
        ChartError: The repositories cannot be what they are said to be.
        WorkspaceError: A repository cannot be cloned, a branch cannot be checked out, or git is
            not installed; the message holds the last lines of git, without credentials.
    """
    read, wanted = read_repos(repos), read_spec(spec)
    root = _new_folder()
    try:
        git = Git(root, clock, timeout)
        await _check_name(git, "branch", wanted.branch)
        if wanted.base is not None:
            await _check_name(git, "base", wanted.base)
        for name, repo in read.items():
            await _clone(git, name, repo)
            await _check_out(Git(root / name, clock, timeout), name, wanted)
    except (asyncio.CancelledError, Exception) as error:
        try:
            await removed(root)
        except WorkspaceError as left:
            error.add_note(str(left))
        raise
    return Provisioned(root, {name: root / name for name in read}, wanted.branch)


def _new_folder() -> Path:
    try:
        # The system's folder for temporary files may itself be a link.
        return Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
    except OSError as error:
        raise WorkspaceError(
            f"No folder for the workspace could be made: {error.strerror}. Set TMPDIR to a folder "
            "that can be written."
        ) from error


async def _check_name(git: Git, what: str, name: str) -> None:
    is_name = not name.startswith("-") and name not in {"", "@", "HEAD"}
    if not (is_name and "\0" not in name):
        raise _no_name(what, name)
    if not await git.succeeds("check-ref-format", f"refs/heads/{name}"):
        raise _no_name(what, name)


def _no_name(what: str, name: str) -> WorkspaceError:
    return WorkspaceError(
        f"spec() of the workspace gave {shorten(repr(name), 120)} as {what}, and git takes no such "
        "name. Use letters, digits, -, _, / and dots."
    )


async def _clone(git: Git, name: str, repo: RepoSpec) -> None:
    # Objects are copied: a hard link would let the workspace write into the repository.
    how = ("--quiet", "--no-checkout", "--no-hardlinks", "--origin=origin", "--template=")
    await git.must(
        f'The repository "{name}" could not be cloned from {shorten(hidden(repo.url), 200)}',
        _ADVICE,
        *("clone", *how, "--", _address(repo.url), name),
    )


def _address(url: str) -> str:
    """The address, a local folder from the current one."""
    if "://" in url:
        return url
    local = Path(url).expanduser()
    try:
        return str(local.resolve()) if local.exists() else url
    except (OSError, RuntimeError, ValueError):
        return url


async def _check_out(git: Git, name: str, wanted: WorkspaceSpec) -> None:
    # Whole names of refs, so that none of them can be read as an option or as something else.
    remote = f"refs/remotes/origin/{wanted.branch}"
    exists = await _is_there(git, remote)
    start = remote if exists else await _start(git, name, wanted)
    how = "--track" if exists else "--no-track"
    await git.must(
        f'The branch "{shorten(wanted.branch, 120)}" of the repository "{name}" could not be '
        "checked out",
        "Check that no other branch has the beginning of this name, and the space on the disk.",
        *("checkout", "--quiet", how, "-B", wanted.branch, start, "--"),
    )


async def _start(git: Git, name: str, wanted: WorkspaceSpec) -> str:
    """What a new branch is made from."""
    base = wanted.base
    refs = ["HEAD"] if base is None else [f"refs/remotes/origin/{base}", f"refs/tags/{base}"]
    for ref in refs:
        if await _is_there(git, ref):
            return ref
    if base is None:
        raise WorkspaceError(
            f'The repository "{name}" has no commit on a default branch, so no branch can be made '
            "from it. Commit something there, or let spec() name a base."
        )
    raise WorkspaceError(
        f'The repository "{name}" has neither a branch nor a tag "{shorten(base, 120)}" to make '
        f'"{shorten(wanted.branch, 120)}" from. Let spec() name another base, or none.'
    )


async def _is_there(git: Git, ref: str) -> bool:
    return await git.succeeds("rev-parse", "--quiet", "--verify", f"{ref}^{{commit}}")
