"""A machine that runs in a workspace: made before it, looked after, and taken away after it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explainkit.flow.clocks import Clock
from explainkit.flow.driving import MachineRun, OpenGate, begun, until_paused
from explainkit.flow.driving.homes import Home
from explainkit.flow.outcomes import Cancelled, Failed, Outcome, Paused, answer_of
from explainkit.flow.picks import Told
from explainkit.flow.workspaces.checkpoints import (
    MADE,
    as_json,
    body_of,
    found_in,
    from_json,
    with_workspace,
)
from explainkit.flow.workspaces.places import Provisioned
from explainkit.flow.workspaces.probing import probe
from explainkit.flow.workspaces.provisioning import provision
from explainkit.flow.workspaces.removing import tear_down
from explainkit.flow.workspaces.specs import spec_of
from explainkit.tracing.current import CURRENT
from explainkit.tracing.links import link

if TYPE_CHECKING:
    from explainkit.flow.workspaces.wrapping import Workspaced

LOST = "workspace.lost"
_EVERY = 1.0  # seconds between two looks


class WorkspaceRun:
    """A workspace and the machine in it; made by `Workspaced.begin`.

    Attributes:
        body: The machine's run; None until the workspace is there.
        record: The run that it is recorded in; None inside of another.
        outer: The machine that this one is an actor of.
    """

    def __init__(
        self,
        whole: "Workspaced",
        home: Home,
        *,
        given: Any,
        resume: Any,
        clock: Clock,
        pausing: bool,
    ) -> None:
        self.body: MachineRun | None = None
        self.record = home.record
        self.outer: MachineRun | None = None
        self._whole = whole
        self._home = home
        self._given = given
        self._resume = resume
        self._clock = clock
        self._pausing = pausing
        self._cancelled = False
        self._is_there = True
        self._task = asyncio.get_running_loop().create_task(self._main())

    @property
    def gates(self) -> dict[str, OpenGate]:
        """The Gates that stand open in the machine."""
        return {} if self.body is None else self.body.gates

    @property
    def waits_for_gates(self) -> bool:
        """Whether nothing goes on but waiting for a Gate."""
        return self.body is not None and self.body.waits_for_gates

    async def outcome(self) -> Outcome[Any]:
        """Wait for the end, the removal of the workspace included.

        Returns:
            How the machine ended. A cancellation of the waiting task stops everything first.
        """
        try:
            return await asyncio.shield(self._task)
        except asyncio.CancelledError:
            if not self._task.done():
                self.cancel()
                await asyncio.wait({self._task})
            raise

    async def run(self) -> Any:
        """Wait for the answer.

        Raises:
            Exception: What it ended with instead.
        """
        return answer_of(await self.outcome())

    def cancel(self) -> None:
        """Stop; the outcome is `Cancelled()`."""
        self._cancelled = True
        if self.body is not None:
            self.body.cancel()
        else:
            self._task.cancel()

    async def _main(self) -> Outcome[Any]:
        outcome: Outcome[Any] = Cancelled()
        try:
            outcome = await self._lived()
        except asyncio.CancelledError:
            if not self._cancelled:
                raise
        except Exception as error:  # noqa: BLE001 - an outcome holds what was raised
            outcome = Failed(error)
        finally:
            self._home.close(outcome)
        return outcome

    async def _lived(self) -> Outcome[Any]:
        CURRENT.set(self._home.frame)
        there = found_in(self._resume)
        place = await self._made() if there is None else there
        try:
            outcome = await self._in(place)
        except BaseException:
            await self._removed(place)
            raise
        if isinstance(outcome, Paused):
            return Paused(with_workspace(outcome.checkpoint, place))
        await self._removed(place)
        return outcome

    async def _made(self) -> Provisioned:
        whole = self._whole
        spec = await spec_of(whole.spec, self._given, clock=self._clock)
        told = {"repos": sorted(whole.repos), "branch": spec.branch, "base": spec.base}
        made: list[Provisioned] = []

        @link(kind="effect", name=MADE)
        async def provisioned(wanted: dict[str, Any]) -> dict[str, Any]:
            del wanted  # recorded
            made.append(await provision(whole.repos, spec, clock=self._clock))
            return as_json(made[0])

        given = await provisioned(told)
        if made:
            return made[0]
        self._is_there = False  # a what-if gives the recorded one, whose folder is gone
        return from_json(given)

    async def _removed(self, place: Provisioned) -> None:
        @link(kind="effect", name="tear workspace down")
        async def removed(path: str) -> None:
            del path  # recorded
            await tear_down(place)

        await removed(str(place.path))

    async def _in(self, place: Provisioned) -> Outcome[Any]:
        body = begun(
            self._whole.body,
            with_place(self._given, place),
            resume=None if self._resume is None else body_of(self._resume),
            clock=self._clock,
            folder=folder_of(place),
            keeps=self._pausing,
        )
        self.body = body
        body.outer = self.outer
        watching = None
        if self._is_there:
            watching = asyncio.get_running_loop().create_task(self._watch(body, place))
        try:
            return await (until_paused(body) if self._pausing else body.outcome())
        finally:
            if watching is not None:
                watching.cancel()

    async def _watch(self, body: MachineRun, place: Provisioned) -> None:
        """Tell the machine once that its workspace is gone; not knowing is no loss."""
        while True:
            if await probe(place) is False:
                body.apply(Told(LOST, {"path": str(place.path)}))
                return
            await self._clock.sleep(_EVERY)


def with_place(given: Any, place: Provisioned) -> dict[str, Any]:
    """A machine's input with its workspace beside it."""
    if given is not None and not isinstance(given, Mapping):
        given = {"input": given}
    return {**(given or {}), "workspace": as_json(place)}


def folder_of(place: Provisioned) -> Path:
    """Where effects work: in the repository when there is one, else in the folder of them all."""
    folders = list(place.repos.values())
    return folders[0] if len(folders) == 1 else place.path
