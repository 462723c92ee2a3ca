"""What a machine did in a run, from its records alone: its chart, its steps, where it stood."""

from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explainkit.errors import ExplainkitError
from explainkit.graph.links import unended_status
from explainkit.view.machine_charts import ToldChart, ToldTransition

if TYPE_CHECKING:
    from explainkit.store import Recording


@dataclass(frozen=True, slots=True)
class MachineStep:
    """One macrostep.

    Attributes:
        seq: Its record.
        event: Name of the event.
        exited: Ids of the states left, in order.
        entered: Ids of the states entered, in order.
        configuration: Ids of the states that were active after it.
    """

    seq: int
    event: str
    exited: tuple[str, ...]
    entered: tuple[str, ...]
    configuration: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """What a run did with a state until some step.

    Attributes:
        active: Whether it was active after that step.
        visits: How often it was entered until then, that step included.
    """

    active: bool = False
    visits: int = 0


@dataclass(frozen=True, slots=True)
class MachineStory:
    """A machine of a run.

    Attributes:
        link: ``seq`` of its link.
        name: Its id.
        status: How it ended; ``running`` or ``crashed`` when it did not.
        chart: Its chart; None when the record holds none that can be read.
        problem: Why there is no chart.
        steps: Everything that it did, the start first.
    """

    link: int
    name: str
    status: str
    chart: ToldChart | None
    problem: str | None
    steps: tuple[MachineStep, ...]

    def marks(self, step: int) -> dict[str, Mark]:
        """Mark of every state that was entered or active until a step, by id."""
        until = self.steps[: step + 1]
        visits = Counter(state for each in until for state in each.entered)
        active = set(until[-1].configuration) if until else set()
        return {state: Mark(state in active, visits[state]) for state in (*visits, *active)}

    def taken(self, step: int) -> frozenset[int]:
        """Arrows of the chart that the event of a step took, as far as the record tells.

        Records name the event and the states, not the arrow; where two would fit, none is told.
        """
        if self.chart is None or not 0 < step < len(self.steps):
            return frozenset()
        here, before = self.steps[step], set(self.steps[step - 1].configuration)
        fitting: dict[str, list[int]] = {}
        for number, arrow in enumerate(self.chart.transitions):
            if arrow.source in before and _fits(arrow, here):
                fitting.setdefault(arrow.source, []).append(number)
        return frozenset(found[0] for found in fitting.values() if len(found) == 1)


def machines_of(recording: "Recording") -> dict[int, str]:
    """Names of the machines of a run, by ``seq`` of their links."""
    return {row["seq"]: str(row.get("name")) for row in _links(recording)}


def story_of(recording: "Recording", link: int) -> MachineStory:
    """Gather what a machine did.

    Args:
        recording: The run.
        link: ``seq`` of the machine's link, one of ``machines_of``.
    """
    return next(stories_of(recording, {link}))


def stories_of(
    recording: "Recording", links: Container[int] | None = None
) -> Iterator[MachineStory]:
    """Gather what machines did, in one pass over the records.

    Args:
        recording: The run.
        links: Which machines; all when not given.
    """
    opened = [row for row in _links(recording) if links is None or row["seq"] in links]
    if not opened:
        return
    steps: dict[int, list[MachineStep]] = {row["seq"]: [] for row in opened}
    ends: dict[int, str] = {}
    for row in recording.rows("link_closed", "transition"):
        link = row.get("link" if row["kind"] == "link_closed" else "machine")
        if not isinstance(link, int) or link not in steps:
            continue
        if row["kind"] == "transition":
            steps[link].append(_step(row))
        else:
            ends.setdefault(link, str(row.get("status")))
    unended = unended_status(recording.status)
    charts = Charts(recording)
    for row in opened:
        link = row["seq"]
        chart, problem = charts.of(row)
        status = ends.get(link, unended)
        name = str(row.get("name"))
        yield MachineStory(link, name, status, chart, problem, tuple(steps[link]))


class Charts:
    """The charts of a run's machines; many machines of one chart share it."""

    def __init__(self, recording: "Recording") -> None:
        self._recording = recording
        self._read: dict[str, tuple[ToldChart | None, str | None]] = {}

    def of(self, opened: dict[str, Any]) -> tuple[ToldChart | None, str | None]:
        """The chart that was recorded with a machine, or why there is none."""
        attrs = opened.get("attrs")
        digest = attrs.get("chart") if isinstance(attrs, dict) else None
        if not isinstance(digest, str):
            return None, "No chart was recorded with this machine."
        if digest not in self._read:
            try:
                found = ToldChart.read(self._recording.values.object(digest)), None
            except ExplainkitError as error:
                self._read[digest] = None, str(error)
            else:
                self._read[digest] = found
        return self._read[digest]


def _links(recording: "Recording") -> Iterator[dict[str, Any]]:
    return recording.links_of_type("machine")


def _step(row: dict[str, Any]) -> MachineStep:
    return MachineStep(
        int(row["seq"]),
        str(row.get("event")),
        _ids(row.get("exited")),
        _ids(row.get("entered")),
        _ids(row.get("configuration")),
    )


def _ids(found: Any) -> tuple[str, ...]:
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _fits(arrow: ToldTransition, step: MachineStep) -> bool:
    pattern = arrow.event
    named = pattern in (step.event, "*")
    if pattern.endswith(".*"):
        named = named or step.event == pattern[:-2] or step.event.startswith(pattern[:-1])
    return named and all(target in step.entered for target in arrow.targets)
