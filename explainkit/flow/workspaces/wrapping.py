"""`workspace(...)`: a machine that gets a folder of its own with the repositories it works on."""

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, ClassVar, Literal

from explainkit.errors import ChartError
from explainkit.flow.clocks import Clock, SystemClock
from explainkit.flow.driving.homes import Home, frame_here
from explainkit.flow.outcomes import Outcome
from explainkit.flow.runners import Runner
from explainkit.flow.statecharts import Machine
from explainkit.flow.workspaces.running import WorkspaceRun
from explainkit.flow.workspaces.specs import RepoSpec, read_repos
from explainkit.safety import shorten
from explainkit.tracing.own_runs import Again


class Workspaced(Runner):
    """A machine with a workspace; made by `workspace`.

    Attributes:
        body: The machine.
        repos: The repositories, by the name of their folder.
        spec: Says what is checked out.
    """

    kind: ClassVar[Literal["machine"]] = "machine"

    def __init__(
        self, body: Machine, repos: Mapping[str, RepoSpec], spec: Callable[..., Any]
    ) -> None:
        self.body = body
        self.repos = repos
        self.spec = spec

    def begin(
        self,
        input: Any = None,  # noqa: A002 - the word of every runner
        *,
        resume: Any = None,
        to: str | PathLike[str] | None = None,
        clock: Clock | None = None,
    ) -> WorkspaceRun:
        """Begin to run in this event loop; the arguments are those of `Machine.begin`.

        Its machine's input is a mapping with a `workspace` beside what `input` gives: `path`,
        `repos` by name, `branch`.
        """
        return self._begun(input, resume=resume, to=to, clock=clock, pausing=False)

    async def outcome(
        self,
        input: Any = None,  # noqa: A002
        *,
        resume: Any = None,
        to: str | PathLike[str] | None = None,
        clock: Clock | None = None,
    ) -> Outcome[Any]:
        """Run to an end; the arguments are those of `Machine.outcome`.

        The workspace is removed at every end but `Paused`, whose checkpoint names it.
        """
        running = self._begun(input, resume=resume, to=to, clock=clock, pausing=True)
        return await running.outcome()

    def _begun(
        self,
        given: Any,
        *,
        resume: Any,
        to: str | PathLike[str] | None,
        clock: Clock | None,
        pausing: bool,
    ) -> WorkspaceRun:
        settings: dict[str, Any] = {"to": to}
        if clock is not None:
            settings["clock"] = clock.now
        here = frame_here(to)
        if here is None:
            more = {"resume": resume, "clock": clock}
            settings["again"] = Again(self.outcome, (given,), more)
        home = Home(here, name=self.body.id, **settings)
        return WorkspaceRun(
            self,
            home,
            given=given,
            resume=resume,
            clock=clock or SystemClock(),
            pausing=pausing,
        )

    def __repr__(self) -> str:
        return f"Workspaced({self.body.id!r}, {', '.join(self.repos)})"


def workspace(body: Machine, *, repos: Mapping[str, Any], spec: Callable[..., Any]) -> Workspaced:
    """Give a machine a temporary folder with a clone of each repository.

    The folder is made before the machine begins and removed when it has ended. Its effects work
    in it: in the repository when there is one, else in the folder that holds them all. When it
    disappears meanwhile, the machine is told `workspace.lost`.

    Args:
        body: The machine.
        repos: Where each repository is cloned from, `{"url": ...}` by the name of its folder.
        spec: A function of the input, or of nothing, that gives `{"branch": ...}` and, when the
            branch is to be made from another than the default one, `"base"`.

    Raises:
        ChartError: The body is no machine, or a repository is not said as it must be.

    Example:
        >>> from explainkit.flow import final, machine
        >>> body = machine("fix", initial="done", states={"done": final()})
        >>> workspace(body, repos={"app": {"url": "app.git"}}, spec=lambda: {"branch": "fix"})
        Workspaced('fix', app)
    """
    if not isinstance(body, Machine):
        raise ChartError(
            f"workspace({shorten(repr(body), 80)}): the body is a machine. Use machine(...)."
        )
    if not callable(spec):
        raise ChartError(
            f"workspace(spec={shorten(repr(spec), 80)}): spec is a function that gives "
            '{"branch": ...}.'
        )
    return Workspaced(body, read_repos(repos), spec)
