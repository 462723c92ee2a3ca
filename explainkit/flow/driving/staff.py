"""The actors of one machine as tasks: started, stopped, and what they give handed back."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explainkit.errors import AgentFault, InterventionError
from explainkit.flow.actors.functions import python
from explainkit.flow.actors.protocols import Stage
from explainkit.flow.driving.journals import Inside
from explainkit.flow.driving.open_gates import OpenGate
from explainkit.flow.driving.turns import LiveTurn, Past
from explainkit.flow.outcomes import answer_of
from explainkit.flow.picks import Errored, ErrorFacts, Faulted, Finished
from explainkit.flow.statecharts import Machine
from explainkit.flow.statecharts.actor_kinds import ActorKind, kind_of
from explainkit.flow.statecharts.snapshots import LiveActor
from explainkit.safety import shorten
from explainkit.safety.described import message_of
from explainkit.tracing.current import CURRENT
from explainkit.tracing.seam import HeldBack, Point, Supplied
from explainkit.tracing.spec import code_hash

if TYPE_CHECKING:
    from explainkit.flow.driving.machine_runs import MachineRun

_WORKING = ("effect", "function", "machine")
_LONGEST = 100_000
_FAREWELL = 20
"""Passes of the event loop in which an Agent whose Turn is over can act on what it last read."""


class Staff:
    """Everybody who works for one machine.

    Args:
        run: The machine's run.
    """

    def __init__(self, run: "MachineRun") -> None:
        self._run = run
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._leaving: dict[asyncio.Task[None], ActorKind | None] = {}
        self._turns: dict[int, LiveTurn] = {}
        self._gates: dict[int, OpenGate] = {}
        self._inside: dict[int, tuple[str, MachineRun]] = {}

    def start(self, actor: LiveActor, *, past: Sequence[Past] = ()) -> None:
        """Start an actor; one of kind `fail` has ended the run already."""
        implementation = self._run.machine.chart.actors[actor.src]
        kind = kind_of(implementation)
        if kind == "gate":
            self._gates[actor.session] = OpenGate(self._run, actor, implementation)
            return
        if kind == "agent":
            repeats = not getattr(implementation, "remembers", False)
            self._turns[actor.session] = self._run.new_turn(actor, past, repeats=repeats)
        before = [task for task, left in self._leaving.items() if left in _WORKING]
        before = before if kind in _WORKING else []
        task = asyncio.get_running_loop().create_task(
            self._work(actor, implementation, before), name=f"{self._run.machine.id}:{actor.id}"
        )
        self._tasks[actor.session] = task
        task.add_done_callback(lambda _: self._ended(actor.session))

    def _ended(self, session: int) -> None:
        """Somebody works no more; perhaps nobody does."""
        self._tasks.pop(session, None)
        self._run.look()

    def stop(self, actor: LiveActor) -> None:
        """Stop an actor, after it has read what was answered in this very step."""
        self._gates.pop(actor.session, None)
        self._turns.pop(actor.session, None)
        task = self._tasks.pop(actor.session, None)
        if task is not None and not task.done():
            self._leaving[task] = kind_of(self._run.machine.chart.actors[actor.src])
            task.add_done_callback(self._left)
            _cancel_after(task, _FAREWELL if self._leaving[task] == "agent" else 0)

    def _left(self, task: asyncio.Task[None]) -> None:
        self._leaving.pop(task, None)

    async def stop_all(self) -> None:
        """Stop everybody and wait until nobody works any more."""
        for task in self._tasks.values():
            task.cancel()
        waiting = (*self._tasks.values(), *self._leaving)
        if waiting:
            await asyncio.wait(waiting)
        self._tasks.clear()
        self._gates.clear()
        self._turns.clear()

    def reads(self, session: int) -> None:
        """An Agent is about to read an answer, so it no longer waits."""
        turn = self._turns.get(session)
        if turn is not None:
            turn.about_to_read += 1

    def gates(self) -> dict[str, OpenGate]:
        """The Gates that stand open, those of machines inside with their place before.

        Of several with one name each goes by the id of its invocation.
        """
        names = Counter(gate.name for gate in self._gates.values())
        found = {
            gate.name if names[gate.name] == 1 else gate.id: gate for gate in self._gates.values()
        }
        for name, inside in self._inside.values():
            found |= {f"{name}.{key}": gate for key, gate in inside.gates.items()}
        return found

    def waits_for_gates(self) -> bool:
        """Whether nobody works: every actor that lives is a Gate, or waits for what one sends."""
        working = [session for session, task in self._tasks.items() if not task.done()]
        return all(self._is_waiting(session) for session in working)

    def _is_waiting(self, session: int) -> bool:
        if session in self._turns:
            turn = self._turns[session]
            return turn.waiting > 0 and turn.about_to_read == 0
        return session in self._inside and self._inside[session][1].waits_for_gates

    async def _work(
        self, actor: LiveActor, implementation: Any, before: Sequence[asyncio.Task[None]]
    ) -> None:
        if before:
            await asyncio.wait(before)  # what it replaces may still hold a file or a port
        CURRENT.set(self._run.link_of(actor))
        try:
            output = await self._output(actor, implementation)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            self._raised(actor, implementation, error)  # nobody cancelled it: it gave up itself
        except HeldBack:  # a what-if stops here: the machine is not asked what it makes of it
            self._run.cancel()
        except Exception as error:  # noqa: BLE001 - the machine decides what becomes of it
            self._raised(actor, implementation, error)
        else:
            self._run.apply(Finished(actor.session, actor.src, output))

    async def _output(self, actor: LiveActor, implementation: Any) -> Any:
        kind = kind_of(implementation)
        if kind == "agent":
            return await implementation.work(self._turns[actor.session])
        if kind == "machine":
            return await self._inner(actor, implementation)
        effect = python(implementation) if kind == "function" else implementation
        given = self._supplied(actor, effect)
        if given is not None:
            return _restored(actor, effect, given.value)
        return await effect.work(Stage(actor.src, actor.input, self._run.clock, self._run.folder))

    def _supplied(self, actor: LiveActor, effect: Any) -> Supplied | None:
        """What takes the place of an effect, in a what-if: it is never repeated unasked."""
        frame = self._run.link_of(actor)
        run = frame.run
        if run.supply is None:
            return None
        digest, link = run.recorder.value(actor.input), frame.link
        code = code_hash(effect.call) if callable(getattr(effect, "call", None)) else None
        point = Point("link", actor.src, (digest,), type="effect", code=code, link=link or -1)
        supplied: Supplied | None = run.supply(point)
        return supplied

    async def _inner(self, actor: LiveActor, machine: Any) -> Any:
        inside = self._begun(actor, machine)
        self._inside[actor.session] = (actor.src, inside)
        inside.outer = self._run
        inside.look()
        try:
            return answer_of(await inside.outcome())
        finally:
            del self._inside[actor.session]
            self._run.journal.inner.pop(actor.session, None)

    def _begun(self, actor: LiveActor, machine: Any) -> Any:
        """A machine inside; one that was resumed goes on where its own journal ends."""
        from explainkit.flow.driving.beginning import begun  # which drives machines with this

        if not isinstance(
            machine, Machine
        ):  # a workspace makes a folder of its own, and begins anew
            return machine.begin(actor.input, clock=self._run.clock)
        outer = self._run.journal
        before = outer.inner.get(actor.session)
        inside = begun(
            machine,
            actor.input,
            resume=None if before is None else before.journal,
            clock=self._run.clock,
            folder=self._run.folder,
            keeps=outer.keeps,
        )
        outer.inner[actor.session] = Inside(actor.src, inside.journal)
        return inside

    def _raised(self, actor: LiveActor, implementation: Any, error: BaseException) -> None:
        message = message_of(error, limit=_LONGEST).text
        facts = ErrorFacts(type(error).__name__, shorten(message, 2000))
        if kind_of(implementation) == "agent":
            told = message if isinstance(error, AgentFault) else str(facts)
            reason = shorten(told, 1000)
            self._run.apply(Faulted(actor.session, reason), raised=error)
        else:
            self._run.apply(Errored(actor.session, facts), raised=error)


def _restored(actor: LiveActor, effect: Any, value: Any) -> Any:
    if hasattr(type(value), "to_json"):  # an outcome itself, which a user put in
        return value
    try:
        return effect.restored(value)
    except Exception as error:
        raise InterventionError(
            f"{shorten(repr(value), 80)} is no outcome of {actor.src!r:.60}. Give one in the form "
            "that the record shows, as in run.links."
        ) from error


def _cancel_after(task: asyncio.Task[None], passes: int) -> None:
    """Cancel a task once the event loop has gone round so many times."""
    loop = asyncio.get_running_loop()
    if passes == 0:
        loop.call_soon(task.cancel)
    else:
        loop.call_soon(_cancel_after, task, passes - 1)
