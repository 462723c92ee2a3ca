"""Asks predicates one by one, and writes down what each said and which values it read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explainkit.flow.compositions.read_views import occurrences, viewed
from explainkit.flow.compositions.worker_threads import can_be_awaited
from explainkit.tracing.current import Frame

NOT_ASKED = None


@dataclass(slots=True)
class Deciding:
    """A choice among options that is being made.

    Attributes:
        options: Their names, in the order asked.
        places: Where the value that is looked at stands in the record.
        results: What each said so far.
        reads: Occurrences that were read.
    """

    options: Sequence[str]
    places: Sequence[dict[str, Any]] = ()
    results: list[Any] = field(default_factory=list)
    reads: list[dict[str, Any]] = field(default_factory=list)

    async def holds(self, predicate: Callable[[Any], Any], value: Any) -> bool:
        """Ask a predicate.

        Raises:
            Exception: What it raised; its type is its result in the record.
        """
        given, reads = viewed(value)
        try:
            found = predicate(given)
            if can_be_awaited(found):
                found = await found
            held = bool(found)
        except Exception as error:
            self.results.append({"raised": type(error).__name__})
            raise
        finally:
            self.reads = occurrences(reads, self.places, self.reads)
        self.results.append(held)
        return held

    def decided(self, frame: Frame, chosen: str | None) -> None:
        """Write the decision; options after the last one asked say `not asked`."""
        later = [NOT_ASKED] * (len(self.options) - len(self.results))
        write_decision(
            frame,
            options=self.options,
            results=[*self.results, *later],
            reads=self.reads,
            chosen=chosen,
        )


def write_decision(
    frame: Frame,
    *,
    options: Sequence[str],
    results: Sequence[Any],
    reads: Sequence[Mapping[str, Any]],
    chosen: str | None,
) -> None:
    """Write a decision; what goes wrong with it is no matter of the composition."""
    link = frame.link
    if link is None or link < 0 or frame.run.ended:
        return
    try:
        frame.run.recorder.append(
            "decision",
            link=link,
            options=list(options),
            results=list(results),
            reads=[dict(each) for each in reads],
            chosen=chosen,
        )
    except Exception as fault:  # noqa: BLE001 - the tracer's law: counted, not raised
        frame.run.fault(fault)
