"""What an author says of a workspace, checked before anything is downloaded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from explainkit.errors import ChartError, WorkspaceError
from explainkit.flow.actors.functions import python
from explainkit.flow.actors.protocols import Stage
from explainkit.flow.clocks import Clock
from explainkit.flow.workspaces.credentials import hidden
from explainkit.safety import shorten
from explainkit.safety.paths import safe_name

_REPO_KEYS = ("url",)
_SPEC_KEYS = ("branch", "base")


@dataclass(frozen=True, slots=True, repr=False)
class RepoSpec:
    """A repository of a workspace.

    Attributes:
        url: Where it is cloned from: anything that git takes, a local folder too.
    """

    url: str

    def __repr__(self) -> str:
        return f"RepoSpec(url={hidden(self.url)!r})"


@dataclass(frozen=True, slots=True)
class WorkspaceSpec:
    """What is checked out in a workspace.

    Attributes:
        branch: The branch, in every repository; it is made where it does not exist.
        base: Branch or tag that it is made from; the default branch of the repository when None.
    """

    branch: str
    base: str | None = None


def read_repos(repos: Any) -> dict[str, RepoSpec]:
    """The repositories of a workspace by the name of their folder.

    Args:
        repos: A mapping of names to `RepoSpec` or `{"url": ...}`.

    Raises:
        ChartError: There is none, a name is no plain file name, or something is not given.

    Example:
        >>> read_repos({"app": {"url": "https://example.org/app.git"}})
        {'app': RepoSpec(url='https://example.org/app.git')}
    """
    if not isinstance(repos, Mapping) or not repos:
        raise ChartError(
            f"workspace(repos={shorten(repr(repos), 80)}): expected a mapping of at least one "
            'name to {"url": ...}.'
        )
    read: dict[str, RepoSpec] = {}
    for name, repo in repos.items():
        if not isinstance(name, str) or safe_name(name) != name:
            raise ChartError(
                f"workspace(): {shorten(repr(name), 80)} cannot name the folder of a repository. "
                "Use letters, digits, _, - and dots."
            )
        if name.casefold() in map(str.casefold, read):
            raise ChartError(
                f'workspace(): "{name}" and another repository differ only in case, and some '
                "systems keep both in one folder. Rename one."
            )
        read[name] = _repo(name, repo)
    return read


def _repo(name: str, repo: Any) -> RepoSpec:
    if isinstance(repo, RepoSpec):
        repo = {"url": repo.url}
    url = repo.get("url") if isinstance(repo, Mapping) and set(repo) == set(_REPO_KEYS) else None
    if not isinstance(url, str) or not url.strip() or url.startswith("-"):
        raise ChartError(
            f'workspace(): the repository "{name}" is {shorten(hidden(repr(repo)), 120)}. '
            'Expected {"url": ...} with where to clone it from, and nothing else.'
        )
    return RepoSpec(url)


def read_spec(given: Any) -> WorkspaceSpec:
    """What the function `spec` of a workspace gave.

    Args:
        given: A `WorkspaceSpec`, or a mapping with `branch` and perhaps `base`.

    Raises:
        WorkspaceError: It is none.

    Example:
        >>> read_spec({"branch": "fix-tests"})
        WorkspaceSpec(branch='fix-tests', base=None)
    """
    if isinstance(given, WorkspaceSpec):
        given = {"branch": given.branch, "base": given.base}
    fits = (
        isinstance(given, Mapping)
        and set(given) <= set(_SPEC_KEYS)
        and isinstance(given.get("branch"), str)
        and isinstance(given.get("base"), str | None)
    )
    if not fits:
        raise WorkspaceError(
            f"spec() of the workspace gave {shorten(repr(given), 120)}. Let it give "
            '{"branch": ...} and, if the branch is to be made from another than the default one, '
            '"base".'
        )
    return WorkspaceSpec(given["branch"], given.get("base"))


async def spec_of(spec: Callable[..., Any], given: Any, *, clock: Clock) -> WorkspaceSpec:
    """What a function says that a run is to work on.

    Args:
        spec: A function of the run's input, or of nothing; it may be `async`.
        given: The run's input.
        clock: The clock of the run.

    Raises:
        ChartError: It needs more than the input.
        WorkspaceError: What it gives is no specification; its own exceptions are left as they are.
    """
    return read_spec(await python(spec).work(Stage("spec", given, clock)))
