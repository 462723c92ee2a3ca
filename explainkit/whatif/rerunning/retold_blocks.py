"""A block without a function around it: its recorded steps are told again, its last model asked."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explainkit.errors import RerunError
from explainkit.whatif.rerunning.entries import is_awaitable
from explainkit.whatif.rerunning.telling import Telling

if TYPE_CHECKING:
    from explainkit.store import Recording

Row = Mapping[str, Any]


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
    takes: Mapping[str, str] = {}

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
        telling = Telling(self._recording, self._changes)
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
