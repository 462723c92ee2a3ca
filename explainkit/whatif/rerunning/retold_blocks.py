"""A block without a function around it: its recorded steps are told again, its last model asked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explainkit.errors import InterventionError, RerunError
from explainkit.safety import shorten
from explainkit.tracing.answers import answer, override
from explainkit.tracing.assembling import assemble
from explainkit.tracing.points import context, event
from explainkit.whatif.rerunning.entries import is_awaitable
from explainkit.whatif.rerunning.segments_again import with_origins
from explainkit.whatif.rerunning.templates_again import template_of

if TYPE_CHECKING:
    from explainkit.store import Recording

Row = Mapping[str, Any]
Steps = Iterator[Any]


class RetoldBlock:
    """Tells the steps of a block again, with what a what-if changes.

    Args:
        recording: The run.
        rows: The steps that are told, in order.
        last: The model link that is asked again.
        ask: What it is asked through.
        changes: Functions of overrides, by their record.
        awaits: Whether `ask` is awaited.
    """

    answers = False
    opens = False
    settings: Mapping[str, Any] = {}

    def __init__(
        self,
        recording: "Recording",
        rows: Sequence[Row],
        last: int,
        ask: Callable[..., Any],
        changes: Mapping[int, Callable[[Any], Any]],
        *,
        awaits: bool,
    ) -> None:
        self.name = recording.name
        self.awaits = awaits
        self._recording = recording
        self._rows = rows
        issued = {row["seq"] for row in rows if row.get("type") == "assemble"} | {last}
        links = (row["seq"] for row in recording.rows("link_opened"))
        self.skips = frozenset(seq for seq in links if seq not in issued)
        self._last = last
        self._ask = ask
        self._changes = changes

    def call(self) -> Any:
        """Tell it; gives something to await where the model is awaited."""
        if self.awaits:
            return self._awaited()
        steps = self._told()
        given = next(steps)
        if is_awaitable(given):
            raise RerunError("The model of this block has to be awaited: use whatif_async.")
        return _sent(steps, given)

    async def _awaited(self) -> Any:
        steps = self._told()
        given = next(steps)
        return _sent(steps, await given if is_awaitable(given) else given)

    def _told(self) -> Any:
        telling = _Telling(self._recording, self._changes)
        for row in self._rows:
            if row["kind"] == "link_opened" and row["seq"] == self._last:
                given = yield self._ask(**telling.inputs(row))
                telling.came_of(row, given)
            else:
                telling.tell(row)


def _sent(steps: Any, given: Any) -> None:
    try:
        steps.send(given)
    except StopIteration:
        return


class _Telling:
    """One telling: what each recorded value is this time."""

    def __init__(self, recording: "Recording", changes: Mapping[int, Callable[[Any], Any]]) -> None:
        self._values = recording.values
        self._changes = changes
        self._closed = {row["link"]: row for row in recording.rows("link_closed")}
        self._live: dict[str, Any] = {}
        self._places: dict[tuple[int, str], tuple[Any, Any]] = {}

    def tell(self, row: Row) -> None:
        """Issue one recorded step again."""
        kind, digest = row["kind"], row.get("value")
        if kind == "context":
            name, type_ = str(row["name"]), str(row.get("type") or "fact")
            source, why = row.get("source"), row.get("why")
            now = context(name, self._now(digest), kind=type_, source=source, why=why)
            self._is(row["seq"], digest, now)
        elif kind == "event":
            sender = row.get("sender")
            self._is(row["seq"], digest, event(str(row["name"]), self._now(digest), sender=sender))
        elif kind == "answer":
            self._live[str(digest)] = answer(self._now(digest), slot=str(row["slot"]))
        elif kind == "override":
            self._overrides(row, str(digest))
        elif row.get("type") == "assemble":
            self._assembles(row)
        else:
            self._stays(row)

    def inputs(self, row: Row) -> dict[str, Any]:
        """What a link is given this time."""
        found = {}
        for each in row.get("inputs") or ():
            slot, digest = str(each["slot"]), str(each["value"])
            old = self._values.object(digest)
            now = self._live.get(digest, old)
            if digest not in self._live and each.get("segments"):
                now = with_origins(old, each["segments"], self._places)
            self._places[row["seq"], slot] = (old, now)
            found[slot] = now
        return found

    def came_of(self, row: Row, given: Any) -> None:
        """What the link gave this time."""
        closed = self._closed.get(row["seq"], {})
        given = _joined(given)
        self._is(closed.get("seq", -1), closed.get("output"), given, slot="output")

    def _now(self, digest: Any) -> Any:
        return self._live[digest] if digest in self._live else self._values.object(str(digest))

    def _is(self, seq: int, digest: Any, now: Any, *, slot: str = "value") -> None:
        if digest is not None:
            self._live[str(digest)] = now
            self._places[seq, slot] = (self._values.object(str(digest)), now)

    def _overrides(self, row: Row, digest: str) -> None:
        slot = str(row.get("slot") or "answer")
        if row.get("by") == "answered again":
            self._live[digest] = answer(self._now(digest), slot=slot)
            return
        change = self._changes[row["seq"]]
        self._live[digest] = override(
            change, by=str(row["by"]), reason=row.get("reason"), slot=slot
        )

    def _assembles(self, row: Row) -> None:
        closed = self._closed[row["seq"]]
        old = {each["slot"]: self._values.object(each["value"]) for each in row.get("inputs") or ()}
        made = self._values.object(closed["output"])
        template = template_of(made, closed.get("segments") or (), old)
        text = assemble(template, **self.inputs(row))
        self._is(closed["seq"], closed["output"], text, slot="output")

    def _stays(self, row: Row) -> None:
        """Another link keeps its recorded result, as long as it is given the same."""
        for slot, now in self.inputs(row).items():
            old = self._places[row["seq"], slot][0]
            if row.get("code") is not None and now != old:
                raise InterventionError(
                    f"{shorten(str(row.get('name')), 60)} would have to run again, and of a block "
                    "only the last model call can. Put the block into a function with @ek.traced"
                )
        closed = self._closed.get(row["seq"], {})
        digest = closed.get("output")
        if digest is not None:
            self._is(closed["seq"], digest, self._now(digest), slot="output")


def _joined(given: Any) -> Any:
    """The items of a stream as they are recorded."""
    if not isinstance(given, Iterator):
        return given
    items = list(given)
    return "".join(items) if items and all(type(each) is str for each in items) else items
