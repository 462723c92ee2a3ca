"""Writes what a machine does into the run: the input first, then everything that it led to.

The input record is the journal: it stands before the input is applied, so a killed run can be
continued from its file. All records of one input carry one time, so a replay writes the same bytes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from explainkit.flow.actors.protocols import Source
from explainkit.flow.picks import (
    Advanced,
    Answered,
    Dropped,
    Due,
    Errored,
    Faulted,
    Finished,
    GateSent,
    Input,
    Picked,
    Standing,
    Told,
)
from explainkit.flow.statecharts import Machine, Steps
from explainkit.flow.statecharts.actor_kinds import kind_of
from explainkit.flow.statecharts.nodes import ActionUse
from explainkit.flow.statecharts.snapshots import LiveActor
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.called_functions import known_of
from explainkit.tracing.engine_links import close_engine_link, open_engine_link

_VIA: dict[Source, str] = {"answer": "reply", "reply": "reply", "receipt": "receipt"}


class Scribe:
    """Records one machine in one run.

    Args:
        run: The run.
        machine: The machine.
        parent: The link in which it runs.
        clock: Nanoseconds since the epoch.
    """

    def __init__(
        self, run: ActiveRun, machine: Machine, *, parent: int | None, clock: Callable[[], int]
    ) -> None:
        self.run = run
        self.link = -1
        self.actors: dict[int, int] = {}
        """Links of actors, by session."""
        self._machine = machine
        self._parent = parent
        self._clock = clock
        self._at = 0
        self._picks: dict[int, int] = {}
        self._chains: dict[int, list[dict[str, Any]]] = {}
        self._source = -1
        self._origin: dict[str, Any] | None = None
        self._used: set[int] = set()
        """Sessions of Gates at which somebody answered."""
        self._event_origin: dict[str, Any] | None = None
        self._causes: dict[int, list[dict[str, Any] | None]] = {}
        """For each answer that ran for a pick: what the event that it saw came with."""

    def opened(
        self,
        input: Any,  # noqa: A002 - the word of every runner
        origins: Sequence[Mapping[str, Any]],
        segments: Sequence[Mapping[str, Any]] = (),
        around: Mapping[str, Any] | None = None,
    ) -> None:
        """A machine begins; its chart is kept with it, so that the record can be drawn.

        Args:
            input: What it was given.
            origins: Occurrences that the input was made from.
            segments: Which node of the input came from where.
            around: What a composition around says of the machine, as attributes.
        """
        self._at = self._clock()
        recorder = self.run.recorder
        attrs = {
            "fingerprint": self._machine.fingerprint,
            "chart": recorder.value(self._machine.doc()),
            **(around or {}),
        }
        self.link = open_engine_link(
            self.run,
            kind="machine",
            name=self._machine.id,
            parent=self._parent,
            inputs={"input": input},
            attrs=attrs,
            at=self._at,
            origins=origins,
            segments=segments,
        )

    def arrived(
        self,
        standing: Standing,
        happened: Input,
        *,
        uses: Sequence[object] = (),
        raised: Any = None,
    ) -> None:
        """Journal an input before it is applied.

        Args:
            standing: Where the machine stands.
            happened: The input.
            uses: Recorded values that a pick was made from.
            raised: The exception of an actor.
        """
        self._at = self._clock()
        self._origin = None
        if isinstance(happened, Finished | Errored):
            self._event_origin = self._closed_by_itself(standing, happened, raised)
        else:
            self._source = self._event(standing, happened, uses)
            self._event_origin = {"seq": self._source, "slot": "value"}
            if isinstance(happened, Picked | GateSent):
                self._origin = self._event_origin
            if isinstance(happened, GateSent):
                self._used.add(happened.session)
            if isinstance(happened, Faulted):
                link = self.actors.get(happened.session, -1)
                close_engine_link(self.run, link, "error", at=self._at, error=raised)

    def led_to(self, advanced: Advanced) -> None:
        """Write everything that the input led to, in the order of `Advanced`."""
        if advanced.opened is not None:
            self._picks[advanced.opened.number] = self._source
            self._chains[advanced.opened.number] = []
        for number, index in advanced.linked:
            pick = str(self._picks[number])
            self._append("reply", pick=pick, source=self._source, index=index)
            if self._origin is not None:
                self._chains[number].append(self._origin)
        if advanced.steps is not None and advanced.steps.microsteps:
            for said in (each for step in advanced.steps.microsteps for each in step.said):
                if said.pick is not None:
                    self._causes.setdefault(said.pick, []).append(self._event_origin)
            self._transition(advanced.steps, advanced.standing)
        for action in advanced.unheard:
            why = "no pick that it could answer was open"
            self._override(None, action, "unheard", reason=why)
        for each in advanced.answered:
            self._answered(each)
        complete = {a.pick.session for a in advanced.answered if a.receipt.turn_complete}
        complete |= self._used
        for actor in advanced.stopped:
            self._stopped(actor, "answered" if actor.session in complete else "cancelled")
        for actor in advanced.started:
            self._started(actor)

    def refused(self, actor: LiveActor | None, event: str, payload: Any, why: str) -> None:
        """An event was not accepted; nothing changed."""
        fields: dict[str, Any] = {"name": event, "refused": why, "machine": self.link}
        if actor is not None:
            fields |= {"sender": actor.src, "parent": self.actors.get(actor.session, self.link)}
        if payload is not None:
            fields["value"] = self.run.recorder.value(payload)
        self._at = self._clock()
        self._append("event", **fields)

    def ended(
        self, status: str, *, output: Any = None, has_output: bool = False, error: Any = None
    ) -> int | None:
        """The machine is over, or waits; gives the record that says so."""
        self._at = self._clock()
        for session in sorted(self.actors):
            close_engine_link(self.run, self.actors[session], "cancelled", at=self._at)
        return close_engine_link(
            self.run,
            self.link,
            status,
            at=self._at,
            output=output,
            has_output=has_output,
            error=error,
        )

    def slot(self, number: int) -> str:
        """Slot of a pick's answer."""
        return f"pick:{self._picks[number]}" if number in self._picks else ""

    def _append(self, kind: str, **fields: Any) -> int:
        return self.run.recorder.append(kind, at=self._at, **fields)

    def _closed_by_itself(
        self, standing: Standing, happened: Finished | Errored, raised: BaseException | None
    ) -> dict[str, Any] | None:
        link = self.actors.get(happened.session, -1)
        self._source = link
        if isinstance(happened, Errored):
            facts = {"type": happened.error.type, "message": happened.error.message}
            seq = close_engine_link(
                self.run, link, "error", at=self._at, error=raised or facts, attrs={"error": facts}
            )
            return None if seq is None else {"seq": seq, "slot": "error"}
        actor = standing.live(happened.session)
        implementation = self._machine.chart.actors.get(actor.src) if actor else None
        stored = getattr(implementation, "stored", None)
        output = stored(happened.output) if stored else happened.output
        seq = close_engine_link(
            self.run, link, "answered", at=self._at, output=output, has_output=True
        )
        if seq is not None:
            self._origin = {"seq": seq, "slot": "output"}
        return self._origin

    def _event(self, standing: Standing, happened: Input, uses: Sequence[object]) -> int:
        recorder, fields = self.run.recorder, _fields(happened)
        session = getattr(happened, "session", None)
        actor = None if session is None else standing.live(session)
        parent = self.link if actor is None else self.actors.get(actor.session, self.link)
        if actor is not None:
            fields["sender"] = actor.src
        digest = recorder.value(fields.pop("payload"))
        places = (self.run.place_of(recorder.value(value).encode()) for value in uses)
        origins = [{"seq": seq, "slot": slot} for seq, slot in filter(None, places)]
        if origins:
            fields["uses"] = origins
        seq = self._append("event", **fields, value=digest, parent=parent, machine=self.link)
        self.run.pieces[digest.encode()] = seq
        return seq

    def _transition(self, steps: Steps, standing: Standing) -> None:
        self._append(
            "transition",
            machine=self.link,
            event=steps.event.name,
            exited=list(steps.exited),
            entered=list(steps.entered),
            configuration=list(standing.snapshot.configuration),
        )

    def _answered(self, each: Answered) -> None:
        recorder, slot = self.run.recorder, self.slot(each.pick.number)
        chain = self._chains.pop(each.pick.number)
        last = chain[-1:] if each.first_source == "reply" else []
        if each.note is not None:
            self._append("lost", what="unencodable", reason=each.note)
        digest = recorder.value(each.first)
        seq = self._append(
            "answer",
            slot=slot,
            value=digest,
            via=_VIA[each.first_source],
            parent=self.link,
            receipt=recorder.value(each.receipt.to_json()),
            uses=last,
        )
        self.run.pieces[digest.encode()] = seq
        causes = self._causes.pop(each.pick.number, [])
        for index, (given, outcome) in enumerate(each.overrides):
            value = each.first if given.cleared else given.value
            seen = chain[: given.seen]
            if outcome == "superseded":  # of many answers each would list all replies before it
                seen = seen[-1:]
            cause = causes[index] if index < len(causes) else None
            if cause is not None and cause not in seen:
                seen = [*seen, cause]
            uses = last if given.cleared else seen
            self._override(
                slot, given.action, outcome, reason=given.why, value=value, uses=uses, version=1
            )

    def _override(
        self,
        slot: str | None,
        action: ActionUse,
        outcome: str,
        *,
        reason: str | None,
        version: int | None = None,
        uses: Sequence[dict[str, Any]] = (),
        **value: Any,
    ) -> None:
        recorder = self.run.recorder
        fields: dict[str, Any] = {"slot": slot, "from_version": version, "outcome": outcome}
        if value:
            fields["value"] = recorder.value(value["value"])
        seq = self._append(
            "override",
            **fields,
            by=action.name,
            reason=reason,
            site=f"{action.state}: {action.place}, action {action.index}",
            uses=list(uses),
            parent=self.link,
        )
        if outcome in ("applied", "cleared"):
            self.run.pieces[fields["value"].encode()] = seq

    def _started(self, actor: LiveActor) -> None:
        works = self._machine.chart.actors.get(actor.src)
        kind = kind_of(works) or "function"
        # Of what `python`, `agent` and a plain function are made of.
        called = getattr(works, "call", None) or getattr(works, "function", None) or works
        self.actors[actor.session] = open_engine_link(
            self.run,
            kind=kind,
            name=actor.src,
            parent=self.link,
            inputs={"input": actor.input},
            attrs={"invocation": actor.id, "session": actor.session, "state": actor.state},
            at=self._at,
            more=known_of(called).read,
        )

    def _stopped(self, actor: LiveActor, status: str) -> None:
        link = self.actors.pop(actor.session, None)
        if link is not None:
            close_engine_link(self.run, link, status, at=self._at)


def _fields(happened: Input) -> dict[str, Any]:
    """The journal's words for an input that is an event."""
    if isinstance(happened, Picked):
        return {"name": happened.event, "arrival": "pick", "payload": happened.payload}
    if isinstance(happened, GateSent):
        return {"name": happened.event, "arrival": "gate", "payload": happened.payload}
    if isinstance(happened, Told):
        return {"name": happened.event, "arrival": "outside", "payload": happened.payload}
    if isinstance(happened, Due):
        return {"name": happened.event, "arrival": "timer", "payload": None}
    if isinstance(happened, Faulted):
        return {"name": "agent.fault", "arrival": "fault", "payload": happened.reason}
    if isinstance(happened, Dropped):
        return {"name": "pick dropped", "arrival": "dropped", "payload": happened.pick}
    raise TypeError(f"{type(happened).__name__} is no event")
