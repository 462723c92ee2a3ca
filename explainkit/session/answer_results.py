"""The results of an answer flow as a person holds them: a sequence, a table, and the ladders."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex, overload

from explainkit.answering.entries import listed, shown
from explainkit.answering.shapes import AnswerResult
from explainkit.errors import UnknownRecordError
from explainkit.session.recent import last
from explainkit.session.showing import bundle, guarded, guarded_html

if TYPE_CHECKING:
    import pandas as pd

    from explainkit.session.run import Run
    from explainkit.view.ladder_rungs import Ladder


@dataclass(init=False, frozen=True, repr=False, eq=False)
class AnswerResults(Sequence[AnswerResult[Any, Any]]):
    """What came of each item of a batch, in the order of the items; made by an answer flow.

    Attributes:
        results: The results.

    Example:
        >>> from explainkit.answering import (
        ...     AnswerFlowDefinition, AnswerItem, CheckResult, Recovery, define_answer_flow)
        >>> flow = define_answer_flow(AnswerFlowDefinition(
        ...     max_items=4, max_repairs=0, can_invoke=lambda context: True,
        ...     generate=lambda *, items, **_: {each.id: "An hour." for each in items},
        ...     check=lambda **_: CheckResult("passed"), fallback=lambda **_: Recovery(False)))
        >>> results = flow.run_sync(input_ids=["a"], items=[AnswerItem("q1", ["a"], "ready", "")])
        >>> print(results.ladder("q1").text())
        q1: accepted, the check passed
          round 1  draft      An hour.
          round 1  check      passed
                   delivered  An hour.
    """

    results: tuple[AnswerResult[Any, Any], ...]

    def __init__(
        self,
        results: Sequence[AnswerResult[Any, Any]],
        *,
        record: "Run | None" = None,
        link: int = -1,
        places: range | None = None,
    ) -> None:
        """Hold results, and where they are recorded: the run, the flow, places among its items."""
        object.__setattr__(self, "results", tuple(results))
        object.__setattr__(self, "_record", record)
        object.__setattr__(self, "_link", link)
        object.__setattr__(self, "_places", range(len(results)) if places is None else places)

    @overload
    def __getitem__(self, at: int | str) -> AnswerResult[Any, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> "AnswerResults": ...
    def __getitem__(self, at: int | str | slice) -> "AnswerResult[Any, Any] | AnswerResults":
        """A result by its place or by the id of its item, or some of them.

        Raises:
            KeyError: No item has this id.
        """
        if isinstance(at, slice):
            places: range = self.__dict__["_places"]
            return AnswerResults(
                self.results[at], record=self._known, link=self.__dict__["_link"], places=places[at]
            )
        if not isinstance(at, str):
            return self.results[at]
        for each in self.results:
            if each.item.id == at:
                return each
        raise KeyError(f"No item has the id {shown(at)}. Known are: {self._ids()}.")

    def __contains__(self, item: object) -> bool:
        """Whether it is one of the results, or the id of one's item."""
        if isinstance(item, str):
            return any(each.item.id == item for each in self.results)
        return item in self.results

    def __len__(self) -> int:
        return len(self.results)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnswerResults) and self.results == other.results

    __hash__ = None  # type: ignore[assignment]  # values may be anything

    def __copy__(self) -> "AnswerResults":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "AnswerResults":
        """Items and values are copied; the run that they are recorded in is the same one."""
        copied = deepcopy(self.results, memo)
        places: range = self.__dict__["_places"]
        return AnswerResults(copied, record=self._known, link=self.__dict__["_link"], places=places)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuse to be pickled.

        Raises:
            TypeError: Always.
        """
        raise TypeError(
            "AnswerResults are not pickled, because they know the run that they are recorded in. "
            "Keep results.to_frame() as a table, or the whole run with results.run.save(path)."
        )

    def to_frame(self) -> "pd.DataFrame":
        """A row for each item."""
        from explainkit.view.ladder_frames import results_frame

        return results_frame(self.results)

    @property
    def run(self) -> "Run":
        """The run that they are recorded in.

        Raises:
            UnknownRecordError: Other runs were opened since.
        """
        record = self._known
        if record is None:
            raise UnknownRecordError(
                "These results do not know the run that was open around their flow any more. "
                "Use the run itself: explainkit.view.ladder_rungs reads the ladders of any run."
            )
        return record

    def ladder(self, item: str) -> "LadderView":
        """The history of one item, from the record: draft, checks, reviews, repairs, delivery.

        Args:
            item: Its id.

        Raises:
            UnknownRecordError: No item has this id, or the run is not known any more.
        """
        for result, ladder in zip(self.results, self._ladders(), strict=True):
            if result.item.id == item:
                return LadderView([ladder])
        raise UnknownRecordError(
            f"No item of these results has the id {shown(item)}. Known are: {self._ids()}."
        )

    @property
    def ladders(self) -> "LadderView":
        """The histories of all items."""
        return LadderView(self._ladders())

    def _ids(self) -> str:
        return listed(each.item.id for each in self.results) or "none"

    @property
    def _known(self) -> "Run | None":
        found: Run | None = self.__dict__["_record"]
        return found

    def _ladders(self) -> "Sequence[Ladder]":
        from explainkit.view.ladder_rungs import ladders_of

        # By place, because an id may have been redacted.
        found = ladders_of(self.run.recording, self.__dict__["_link"])
        return [found[at] for at in self.__dict__["_places"]]

    def __repr__(self) -> str:
        from explainkit.view.ladder_lists import text_of_results

        return guarded(lambda: text_of_results(self.results), "<explainkit answer results>")

    def _repr_html_(self) -> str:
        from explainkit.view.ladder_lists import html_of_results

        return guarded_html(lambda: html_of_results(self.results))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


class LadderView:
    """Histories of items; made by `AnswerResults.ladder` and `AnswerResults.ladders`."""

    def __init__(self, ladders: "Sequence[Ladder]") -> None:
        """Hold ladders."""
        self.ladders = tuple(ladders)

    def text(self) -> str:
        """All of it as text."""
        from explainkit.view.ladder_lists import text_of_ladders

        return text_of_ladders(self.ladders, most=len(self.ladders))

    def to_html(self) -> str:
        """All of it as static HTML."""
        from explainkit.view.ladder_lists import html_of_ladders

        return str(html_of_ladders(self.ladders, most=len(self.ladders)))

    def __repr__(self) -> str:
        from explainkit.view.ladder_lists import text_of_ladders

        return guarded(lambda: text_of_ladders(self.ladders), "<explainkit ladders>")

    def _repr_html_(self) -> str:
        from explainkit.view.ladder_lists import html_of_ladders

        return guarded_html(lambda: html_of_ladders(self.ladders))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


def results_of(
    results: Sequence[AnswerResult[Any, Any]], *, record: "Run | None", run: str, link: int
) -> AnswerResults:
    """The results of a flow.

    Args:
        results: What came of each item.
        record: The run that the flow opened for itself.
        run: Id of the run that recorded them.
        link: The flow's link.
    """
    return AnswerResults(results, record=_found(run) if record is None else record, link=link)


def _found(run: str) -> "Run | None":
    try:
        latest = last()
    except UnknownRecordError:
        return None
    active = latest.active
    return latest if active is not None and active.id == run else None
