"""Which actors hold a pick, as far as the records of a machine tell while they go by."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from explainkit.view.machine_charts import ToldChart


@dataclass(slots=True)
class RecordedActor:
    """An actor of a machine.

    Attributes:
        seq: Its link.
        name: Its key.
        state: Id of the state that invokes it.
        invocation: Name by which its events call it.
        begun_by: The picks in whose macrostep it was started.
        live: Whether it still works.
    """

    seq: int
    name: str
    state: str
    invocation: str
    begun_by: frozenset[int]
    live: bool = True


@dataclass(slots=True)
class RecordedMachine:
    """A machine while its records go by.

    Attributes:
        name: Its id.
        chart: Its chart; without one, every actor that a pick began holds it.
        origin: The picks of the macrostep that goes on.
        actors: Every actor that was started, by link.
        configuration: Ids of the states that are active.
        ending: Links of actors that were stopped since the last other record of the machine.
    """

    name: str
    chart: ToldChart | None
    origin: set[int] = field(default_factory=set)
    actors: dict[int, RecordedActor] = field(default_factory=dict)
    configuration: frozenset[str] = frozenset()
    ending: list[int] = field(default_factory=list)

    def begins(self, *picks: int) -> None:
        """An input starts a macrostep."""
        self.origin = set(picks)
        self.ending.clear()

    def holding(self, seq: int, agent: RecordedActor | None) -> Iterator[str]:
        """Actors that hold a pick: begun by it or a reply to it, live, at or below its Agent."""
        for actor in self.actors.values():
            below = (
                self.chart is None or agent is None or agent.state in self.chart.above(actor.state)
            )
            if actor.live and seq in actor.begun_by and below and self._holds(actor):
                yield actor.name

    def _holds(self, actor: RecordedActor) -> bool:
        uses = () if self.chart is None else self.chart.invoked.get(actor.state, ())
        return all(use.holds for _, use in uses if use.id == actor.invocation)

    def stops(self) -> None:
        """The run waits or was cancelled: it stopped its actors last, until then they lived."""
        for link in self.ending:
            actor = self.actors[link]
            actor.live = actor.state in self.configuration
