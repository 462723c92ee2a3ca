"""What a run of an Agent writes down, in one place: no recording ever stops the run."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from explainkit.flow.checks import UNSET
from explainkit.flow.verdicts import TerminalVerdict
from explainkit.safety.labels import word
from explainkit.safety.secret_names import secret_kind
from explainkit.tracing.active import AnswerState
from explainkit.tracing.answers import open_answer
from explainkit.tracing.called_functions import NOTHING_KNOWN, known_of
from explainkit.tracing.cells import current_cell
from explainkit.tracing.current import Frame
from explainkit.tracing.engine_links import close_engine_link
from explainkit.tracing.seam import Point


class Given(NamedTuple):
    """An input slot of a link: its value and where that comes from."""

    slot: str
    value: Any
    more: Mapping[str, Any] = {}


class Opened(NamedTuple):
    """A link that is open.

    Attributes:
        seq: Its id; below 0 when it could not be recorded.
        supplied: A result that takes the place of its own.
        changed: Inputs that a what-if changed, by slot.
        reused: The recorded link whose result was supplied.
    """

    seq: int
    supplied: Any = UNSET
    changed: Mapping[str, Any] = {}
    reused: int | None = None

    @property
    def attrs(self) -> dict[str, Any]:
        """What to say of it when it closes."""
        return {} if self.reused is None else {"reused": self.reused}


class Ledger:
    """Writes the records of one run of an Agent.

    Args:
        frame: The run, and the Agent's own link.
        slot: The answer slot of this run.
    """

    def __init__(self, frame: Frame, *, slot: str) -> None:
        self.run = frame.run
        self.slot = slot
        self.parent = None if frame.link is None or frame.link < 0 else frame.link

    def open(
        self,
        kind: str,
        name: str,
        inputs: Sequence[Given],
        *,
        point: bool = False,
        deterministic: bool = False,
        runs: Callable[..., Any] | None = None,
        **fields: Any,
    ) -> Opened:
        """Open a link below the Agent's.

        Args:
            kind: Its type.
            name: Its name.
            inputs: What it was given.
            point: Whether a replay or a what-if may supply its result.
            deterministic: The same inputs always give the same result.
            runs: The function that gives its result; the record says what it reads unrecorded.
            fields: More fields of the record.
        """
        known = NOTHING_KNOWN if runs is None else known_of(runs)
        fields = {**(known.fields if point else known.read), **fields}
        fields |= {"deterministic": True} if deterministic else {}
        digests: list[str] = []
        changed = self._rewritten(word(name), inputs) if point else {}
        inputs = [Given(g.slot, changed[g.slot]) if g.slot in changed else g for g in inputs]

        def write() -> int:
            recorder = self.run.recorder
            written = []
            for slot, value, more in inputs:
                # A name keeps a value in one piece; only one that tells a secret is needed.
                name_of_secret = slot if secret_kind(slot) else None
                digests.append(recorder.value(value, name=name_of_secret))
                written.append({"slot": slot, "value": digests[-1], **more})
            seq = recorder.append(
                "link_opened",
                parent=self.parent,
                type=kind,
                name=word(name),
                inputs=written,
                cell=current_cell(),
                **fields,
            )
            self.run.links[seq] = []
            return seq

        seq = self._written(write)
        if not point or self.run.supply is None:
            return Opened(seq, UNSET, changed)
        asked = Point("link", word(name), tuple(digests), kind, known.code, seq, runs=runs)
        given = self.run.supply(replace(asked, deterministic=deterministic))
        if given is None:
            return Opened(seq, UNSET, changed)
        return Opened(seq, given.value, changed, given.reused)

    def admits(self, name: str) -> bool:
        """Whether a piece that would stay outside is let in: a what-if restores it."""
        supply = self.run.supply
        return supply is not None and supply(Point("admission", word(name), ())) is not None

    def _rewritten(self, name: str, inputs: Sequence[Given]) -> Mapping[str, Any]:
        if self.run.rewrite is None:
            return {}
        values = {each.slot: each.value for each in inputs}
        return self.run.rewrite("link", name, values, lambda: self._digests(values)) or {}

    def _digests(self, values: Mapping[str, Any]) -> dict[str, str]:
        """What the record would hold of inputs that are not changed yet."""
        assert self.run is not None
        names = {slot: slot if secret_kind(slot) else None for slot in values}
        return {
            slot: self.run.recorder.value(each, name=names[slot]) for slot, each in values.items()
        }

    def close(
        self,
        link: int,
        status: str,
        *,
        output: Any = UNSET,
        error: BaseException | None = None,
        **attrs: Any,
    ) -> int:
        """Close a link; gives the record's `seq`, below 0 when it could not be recorded."""
        if link < 0:
            return -1

        def write() -> int:
            seq = close_engine_link(
                self.run,
                link,
                status,
                at=self._now(),
                output=None if output is UNSET else output,
                has_output=output is not UNSET,
                error=error,
                attrs=attrs,
            )
            return -1 if seq is None else seq

        return self._written(write)

    def context(self, name: str, value: Any, **fields: Any) -> tuple[int, Any]:
        """Record a piece that was admitted, or left out; a replay may give another value."""
        supply = self.run.supply
        if supply is not None and fields.get("admitted", True):
            digest = self.run.recorder.value(value)
            given = supply(Point("context", word(name), (digest,), value=value))
            value = value if given is None else given.value

        def write() -> int:
            digest = self.run.recorder.value(value)
            seq = self._append("context", name=word(name), value=digest, **fields)
            self.run.pieces[digest.encode()] = seq
            return seq

        return self._written(write), value

    def lost(self, reason: str, *, link: int, slot: str, what: str = "denied") -> None:
        """Say what is missing of a link's slot."""
        target = {"target": {"seq": link, "slot": slot}} if link >= 0 else {}
        self._written(lambda: self._append("lost", what=what, reason=reason, **target))

    def decided(self, options: Sequence[str], results: Sequence[Any], chosen: str | None) -> None:
        """Record a choice."""

        def write() -> int:
            return self.run.recorder.append(
                "decision",
                link=self.parent,
                options=list(options),
                results=list(results),
                chosen=chosen,
            )

        self._written(write)

    def candidate(self, value: Any, uses: Sequence[dict[str, Any]], *, by: str, why: str) -> Any:
        """Record an answer: version 1, or the next one by an override; gives what stands.

        Args:
            value: The answer.
            uses: Occurrences that it was made from.
            by: Who overrides.
            why: The override's reason.
        """
        origins: dict[str, Any] = {"uses": list(uses)} if uses else {}
        run = self.run
        state = run.answers.get(self.slot)
        if state is None:
            frame = Frame(run, self.parent)
            open_answer(frame, value, slot=self.slot, via="return", origins=origins)
            return value
        value = self.overriding(state.value, value, by=by)
        run.answers[self.slot] = AnswerState(state.version + 1, value)
        place = {"slot": self.slot, "from_version": state.version, "outcome": "applied"}

        def write() -> int:
            digest = run.recorder.value(value)
            fields = {**place, **origins, "value": digest, "by": word(by), "reason": why}
            seq = self._append("override", **fields)
            run.pieces[digest.encode()] = seq
            return seq

        self._written(write)
        return value

    def overriding(self, before: Any, value: Any, *, by: str) -> Any:
        """The value of an override; a what-if may hold it off."""
        supply = self.run.supply
        if supply is None:
            return value
        digest = self.run.recorder.value(before)
        given = supply(Point("override", word(by), (digest,), value=before))
        return value if given is None else given.value

    def judged(self, status: str, *, judge: str, **fields: Any) -> None:
        """Record a verdict on the answer as it stands."""
        state = self.run.answers.get(self.slot)
        if state is None:
            return
        version = state.version
        self._written(
            lambda: self.run.recorder.append(
                "verdict",
                slot=self.slot,
                version=version,
                status=status,
                judge=judge,
                **fields,
            )
        )

    def link_judged(self, status: str, *, judge: str, reason: str) -> None:
        """Record a verdict on the Agent's link."""
        self._written(
            lambda: self.run.recorder.append(
                "verdict", link=self.parent, status=status, judge=judge, reason=reason
            )
        )

    def refused(self, verdict: TerminalVerdict, *, judge: str) -> None:
        """Record a terminal verdict on the Agent's link, when nothing else does."""
        self._written(
            lambda: self.run.recorder.append(
                "verdict",
                link=self.parent,
                status="refused",
                judge=judge,
                reason=verdict.message(),
                terminal=verdict.kind,
                detail=verdict.to_json(),
            )
        )

    def digest(self, value: Any) -> str | None:
        """Digest of a value, stored with it."""
        found: list[str] = []

        def write() -> int:
            found.append(self.run.recorder.value(value))
            return 0

        self._written(write)
        return found[0] if found else None

    def inside(self, link: int) -> Frame | None:
        """The frame for what runs inside of a link."""
        return Frame(self.run, link if link >= 0 else self.parent)

    def _append(self, kind: str, **fields: Any) -> int:
        return self.run.recorder.append(kind, parent=self.parent, **fields)

    def _written(self, write: Callable[[], int]) -> int:
        if self.run.ended:
            return -1
        try:
            with self.run.recorder.lock:
                return write()
        except Exception as fault:  # noqa: BLE001 - the tracer's law: counted, not raised
            self.run.fault(fault)
            return -1

    def _now(self) -> int:
        clock = self.run.recorder.clock
        return time.time_ns() if clock is None else clock()


class Unrecorded(Ledger):
    """Takes the place of a ledger where nothing records."""

    def __init__(self) -> None:
        self.parent = None

    def open(
        self,
        kind: str,
        name: str,
        inputs: Sequence[Given],
        *,
        point: bool = False,
        deterministic: bool = False,
        runs: Callable[..., Any] | None = None,
        **fields: Any,
    ) -> Opened:
        """Nothing is opened."""
        del kind, name, inputs, point, deterministic, runs, fields
        return Opened(-1)

    def admits(self, name: str) -> bool:
        """Nobody asks for it."""
        del name
        return False

    def context(self, name: str, value: Any, **fields: Any) -> tuple[int, Any]:
        """The value as it is."""
        del name, fields
        return -1, value

    def inside(self, link: int) -> Frame | None:
        """No frame."""
        del link
        return None

    def _written(self, write: Callable[[], int]) -> int:
        del write
        return -1
