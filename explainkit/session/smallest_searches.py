"""The search for the smallest set whose removal flips the answer, and what it tries instead."""

from math import ceil, log2
from typing import TYPE_CHECKING, Any

from explainkit.safety import shorten
from explainkit.session.measured_searches import MeasuredSearch, Search
from explainkit.session.order_searches import OrderSearch
from explainkit.session.part_searches import PartSearch, listed
from explainkit.session.set_searches import SetSearch, counted, whole_contexts
from explainkit.session.suspect_parts import (
    MOST_PARTS,
    Part,
    is_worth_it,
    parts_cut,
    parts_of,
    results_that_are_objects,
    tools_offered,
)
from explainkit.whatif.searching import Outcome, SmallestSet, planned_size, smallest_set
from explainkit.whatif.varying.orders import ordered_in

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    import pandas as pd

    from explainkit.session.asking import AskedRun
    from explainkit.session.whatifs import WhatIf
    from explainkit.whatif.inquiries import Inquiry
    from explainkit.whatif.measuring import Trial
    from explainkit.whatif.varying.orders import Ordered


class SmallestCause(SetSearch):
    """The smallest set of context whose removal flips the answer; made by ``Run.smallest_cause``.

    Example:
        >>> import explainkit as ek
        >>> @ek.link(kind="model", deterministic=True)
        ... def ask(prompt):
        ...     return "Half is paid." if "half" in prompt else "Nothing is paid."
        >>> @ek.traced("claim")
        ... def claim(question):
        ...     one = ek.context("note", "For 30 minutes we pay half.", kind="memory")
        ...     two = ek.context("mail", "You get half of it back.", kind="message")
        ...     law = ek.context("law", "No rule is known.", kind="document")
        ...     return ask(ek.assemble("{a} {b} {c}", a=one, b=two, c=law))
        >>> _ = claim("40 minutes late?")
        >>> ek.last().smallest_cause().items
        ('note', 'mail')
    """

    door = "smallest_cause_async"
    title = "Smallest set whose removal flips the answer"

    def __init__(self, run: "AskedRun", measuring: "Inquiry", items: Any) -> None:
        """Find what may be removed; nothing is measured yet."""
        super().__init__(run, measuring, items)
        self._orders: list[OrderSearch] = []
        self._in_parts: list[PartSearch] = []
        self._running: MeasuredSearch | None = None
        """The search under way that is another one than that over whole contexts."""
        self._is_thorough = False

    @staticmethod
    def _chosen(measuring: "Inquiry") -> "Sequence[Part]":
        return whole_contexts(measuring)

    @staticmethod
    def _may_go_without(measuring: "Inquiry") -> bool:
        return is_worth_it(parts_of(measuring)) or bool(tools_offered(measuring))

    def trials(self) -> "Generator[Trial]":
        """Sets that are likely, orders, parts, all other sets, and tools, until one is found."""
        if self._items:
            yield from super().trials()
            if self.found.whole is not Outcome.FLIPS and not self.found.items:
                yield from self._order_trials()
        parts = parts_of(self._measuring) if self._all else ()
        if is_worth_it(parts):
            yield from self._part_trials(parts)
        self._is_thorough, self._settled = True, None
        if self._items and not self._is_found and self.stopped is None:
            yield from super().trials()
        tools = tools_offered(self._measuring) if self._all else ()
        if tools:
            # That a tool was offered says less than what it gave, so these come last.
            yield from self._part_trials((*whole_contexts(self._measuring), *tools))

    @property
    def _is_found(self) -> bool:
        return bool(self.found.items or self._ordered is not None or self._of_parts)

    def _part_trials(self, parts: tuple[Part, ...]) -> "Generator[Trial]":
        """Items of lists and results of steps, or tools, beside the contexts that have no items."""
        if self._is_found or self.stopped is not None:
            return
        search = PartSearch(
            self._run, self._measuring, parts,
            known=self._known_alone, after=self._tested,
            first=self._first_sets if self._items else None,
        )  # fmt: skip
        self._in_parts.append(search)
        self._running = search
        yield from search.trials()
        self._running = None
        self.stopped = search.stopped

    def _known_alone(self) -> "dict[int, Outcome]":
        """What came of whole contexts that were taken away alone, as it may be said now."""
        outcomes = self.found.outcomes if self._items else {}
        return {
            self._items[next(iter(one))]: outcome
            for one, outcome in outcomes.items()
            if len(one) == 1
        }

    def _order_trials(self) -> "Generator[Trial]":
        for ordered in self._in_order():
            if self.stopped is not None:
                return
            search = OrderSearch(
                self._run, self._measuring, ordered, after=self._tested, first=self._first_sets
            )
            self._orders.append(search)
            self._running = search
            yield from search.trials()
            self._running = None
            self.stopped = search.stopped
            if search.found.order:
                return

    def keep(self, trial: "Trial") -> None:
        """Record what came of a trial."""
        if self._running is None:
            super().keep(trial)
        else:
            self._running.keep(trial)

    def _in_order(self) -> "list[Ordered]":
        """What stands in an order, of what is searched."""
        origin = self._measuring.origin
        found = ordered_in(origin.recording, origin.recorded)
        if not self._all:
            wanted = {
                (each.seq, each.part.path)
                for item in self._items
                for each in self._targets_of(item)
            }
            found = [each.among(wanted) for each in found]
        return [each for each in found if len(each.names) > 1]

    @property
    def _orders_tested(self) -> int:
        return sum(each.tested for each in self._orders)

    @property
    def _others_tested(self) -> int:
        return self._orders_tested + sum(each.tested for each in self._in_parts)

    @property
    def _tested(self) -> int:
        """Changes that were tested so far, whose shares of the level are spent."""
        return len(self._asked) + self._others_tested

    @property
    def _ordered(self) -> OrderSearch | None:
        """The search that found an order."""
        return next((each for each in self._orders if each.found.order), None)

    @property
    def order(self) -> tuple[str, ...]:
        """Names of two whose order makes the answer: it flips with the first behind the second.

        Empty when a set was found, and when the order of no two was shown to flip the answer.
        """
        return () if self._ordered is None else self._ordered.pair

    @property
    def whatifs(self) -> "list[WhatIf]":
        """Every set, order and part that was measured; each is recorded as a finding."""
        others: list[MeasuredSearch] = [*self._orders, *self._in_parts]
        return [*self._measured, *(one for each in others for one in each.whatifs)]

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the set; empty when none was shown to flip the answer."""
        return self._of_parts or self._named(self.found.items)

    @property
    def _parts(self) -> PartSearch | None:
        """The search over parts, or over tools, that found something."""
        return next((each for each in self._in_parts if each.items), None)

    @property
    def _of_parts(self) -> tuple[str, ...]:
        """The set among items of lists, results of steps, what was given, or tools."""
        return () if self._parts is None else self._parts.items

    @property
    def found(self) -> Any:
        """The result of the search over whole contexts; there may be none."""
        return super().found if self._items else SmallestSet((), Outcome.UNRESOLVED, (), {})

    @property
    def is_minimal(self) -> bool:
        """Whether every set of one item less was shown not to flip the answer."""
        found = self.found if self._parts is None else self._parts.found
        return bool(found.is_minimal)

    @property
    def whatif(self) -> "WhatIf | None":
        """The what-if of the set itself, or of the order."""
        if self._parts is not None:
            return self._parts.whatif_of(self._parts.found.items)
        if self.found.items:
            return self.whatif_of(self.found.items)
        return None if self._ordered is None else self._ordered.whatif

    def to_frame(self) -> "pd.DataFrame":
        """A row for each set that was measured, of whole contexts first, and then of parts."""
        frames = [super().to_frame(), *(each.to_frame() for each in self._in_parts)]
        import pandas as pd

        kept = [each for each in frames if len(each)]
        return pd.concat(kept, ignore_index=True) if kept else frames[0]

    def _lines(self) -> list[str]:
        if self.found.items or self._of_parts:
            return self._found_lines()
        everything = self._everything()
        if self._ordered is not None:
            instead = f"Removing everything gives {everything}{self._tried_instead()}."
            return [*self._ordered.lines(), instead]
        if not self._items:
            first = "No set was found: there is no whole context that can be removed"
        else:
            tried = "" if self.found.whole is Outcome.FLIPS else self._tried_instead()
            first = f"No set was found: removing everything gives {everything}{tried}"
        lines = [f"{first}.", f"Tried: {'; '.join(self._sets_told())}.", self._spent_told()]
        return [*lines, *self.broken_told(), *self._not_tried()]

    def _found_lines(self) -> list[str]:
        several, names = len(self.items) > 1, ", ".join(self.items)
        kind = (
            "removing all of them flips the answer" if several else "removing it flips the answer"
        )
        if self._parts is not None and not several:
            kind = self._parts.how_told()
        if several and self.is_minimal:
            kind += "; removing fewer of them is not shown to"
        lines = [f"{names}: {kind}.", str(self.whatif)]
        if not self._items:
            lines.append("No whole context can be removed; these are parts, or results of steps.")
        elif self.found.whole is not Outcome.FLIPS:
            then = ", then several together" if several and not self._of_parts else ""
            tried = f", so each was tried alone{then}" if self._alone else ""
            if self._is_in_blocks:
                tried = ", so smaller sets were tried"
            tried += ", and then items and results of steps were tried" if self._of_parts else ""
            lines.append(f"Removing everything gives {self._everything()}{tried}.")
        uncertain = (self.found if self._parts is None else self._parts.found).uncertain
        if fewer := len(uncertain):
            lines.append(
                f"Whether fewer are enough is not decided: {fewer} of the sets of one item less "
                "are open."
            )
        return [*lines, *self.broken_told(), self._others_told()]

    def broken_told(self) -> list[str]:
        """Sets of whole contexts, of parts and of tools without which the run went to pieces."""
        parts = (line for each in self._in_parts for line in each.broken_told())
        return [*super().broken_told(), *parts]

    def _others_told(self) -> str:
        """That the set is one of perhaps several, and what else there was to try."""
        searches: list[SetSearch] = [self, *self._in_parts]
        tried = {name for each in searches for name in each.names}
        alone = {name for each in searches for name in each.tried_alone}
        names = dict.fromkeys(name for each in searches for name in each.names)
        left = []
        if others := [each for each in names if each not in alone and each not in self.items]:
            left.append(f"{listed(others)} alone")
        parts = parts_of(self._measuring) if self._all else ()
        rest = [each.name for each in parts if each.context is None and each.name not in tried]
        if rest:
            left.append(f"items, results and what was given ({listed(rest)})")
        tools = tools_offered(self._measuring) if self._all else ()
        if offered := [each.name for each in tools if each.name not in tried]:
            left.append(f"that tools were offered ({listed(offered)})")
        if not left:
            return "This is one such set; others were not searched for."
        return f"This is one such set; others were not tried: {'; '.join(left)}."

    def _sets_told(self) -> list[str]:
        """Which sets were tried."""
        told = []
        if self._items:
            several = sum(1 < len(one) < len(self._items) for one in self._asked)
            ways = ["all together"] if len(self._names) > 1 else []
            ways += [f"{self._alone} of them alone"] if self._alone else []
            ways += [counted(several, "set") + " of several"] if several else []
            names = f"{counted(len(self._names), 'whole context')} ({listed(self._names)})"
            told.append(f"{names}{': ' if ways else ''}{', '.join(ways)}")
        told += [counted(self._orders_tested, "order")] if self._orders_tested else []
        return [*told, *(each.told() for each in self._in_parts)]

    def _spent_told(self) -> str:
        """What it took, and why it ended."""
        why = "" if self.stopped is not None else " It ended as all of these had been tried."
        reruns, calls = counted(self.reruns, "re-run"), counted(self.calls, "call")
        return f"That took {self._tried()}, {reruns} and {calls}.{why}"

    def _not_tried(self) -> list[str]:
        """What could be tried beside."""
        origin = self._measuring.origin
        left = [point.name for point in origin.recorded.left_out.values()]
        lines = []
        if left:
            lines.append(
                f"What was left out of the run was not brought back: {listed(left)}. To try it: "
                f"run.whatif(restore={shorten(left[0], 40)!r})."
            )
        points = origin.recorded.points
        known = {seq for seq, point in points.items() if point.kind == "context"}
        tried = {each.context for each in tools_offered(self._measuring)} | set(self._items)
        fixed = [points[seq].name for seq in sorted(known - tried)]
        if self._all and fixed:
            lines.append(
                f"What cannot be missing was not tried: {listed(fixed)}. To try another value: "
                f"run.whatif(replace={{{shorten(fixed[0], 40)!r}: ...}})."
            )
        if self._all and (objects := results_that_are_objects(self._measuring)):
            lines.append(
                f"Results that are objects were not tried: {listed(objects)}. To try another one: "
                f"run.whatif(swap={{{shorten(objects[0], 40)!r}: ...}})."
            )
        if self._all and (cut := parts_cut(self._measuring)):
            lines.append(
                f"{counted(cut, 'further part')} of the run stayed outside of the search: it "
                f"takes the first {MOST_PARTS}. Name others: run.smallest_cause([...])."
            )
        return lines

    def _tried_instead(self) -> str:
        """What was tried where removing everything does not flip the answer."""
        several = sum(1 < len(one) < len(self._items) for one in self._asked)
        alone = ", and none was shown to flip the answer alone" if self._alone else ""
        tried = f", nor were {several} sets of several" if several > 1 else ""
        tested = 0 if self.order else self._orders_tested
        orders = f", nor {counted(tested, 'order')}" if tested else ""
        parts = ""
        if self._in_parts and not self._of_parts:
            parts = f", nor {' or '.join(each.what for each in self._in_parts)}"
        return alone + tried + orders + parts

    def _tried(self) -> str:
        tested = self._tested - self._orders_tested
        orders = f" and {counted(self._orders_tested, 'order')}" if self._orders_tested else ""
        return counted(tested, "set") + orders

    def _search(self) -> Search:
        only_likely = not self._is_thorough
        return smallest_set(self._places, likely=self._likely(), only_likely=only_likely)

    @property
    def _is_in_blocks(self) -> bool:
        """Whether sets of several were tried before each alone, as is done with many contexts."""
        return len(self._asked) > 1 and len(self._asked[1]) > 1

    @property
    def _first_sets(self) -> int:
        """About how many sets a single cause takes."""
        return 2 * ceil(log2(max(len(self._items), 1))) + 2

    def _planned(self, before: int) -> int:
        others = self._others_tested
        return planned_size(before + others, first=self._first_sets) - others
