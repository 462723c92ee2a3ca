"""The search for the smallest set whose removal flips the answer, and what it tries instead."""

from math import ceil, log2
from typing import TYPE_CHECKING, Any

from explainkit.safety import shorten
from explainkit.session.measured_searches import MeasuredSearch, Search
from explainkit.session.order_searches import OrderSearch
from explainkit.session.part_searches import Part, PartSearch, is_worth_it, listed, parts_of
from explainkit.session.set_searches import SetSearch, counted
from explainkit.whatif.searching import Outcome, SmallestSet, planned_size, smallest_set
from explainkit.whatif.varying.orders import ordered_in

if TYPE_CHECKING:
    from collections.abc import Generator

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
        self._parts: PartSearch | None = None
        self._running: MeasuredSearch | None = None
        """The search under way that is another one than that over whole contexts."""
        self._is_thorough = False

    @staticmethod
    def _may_go_without(measuring: "Inquiry") -> bool:
        return is_worth_it(parts_of(measuring))

    def trials(self) -> "Generator[Trial]":
        """Sets that are likely, then orders, parts and all other sets, until something is found."""
        if self._items:
            yield from super().trials()
            if self.found.whole is not Outcome.FLIPS and not self.found.items:
                yield from self._order_trials()
        if not self.found.items and self._ordered is None:
            yield from self._part_trials(parts_of(self._measuring))
        elif tools := self._tools_offered():
            # That a tool was offered says less than what it gave.
            given = (part for part in parts_of(self._measuring) if part.tool in tools)
            yield from self._part_trials(tuple(given))
        self._is_thorough, self._settled = True, None
        done = self.found.items or self._ordered is not None or self._of_parts
        if self._items and not done and self.stopped is None:
            yield from super().trials()

    def _tools_offered(self) -> frozenset[str]:
        """The tools, where what was found is nothing but that they were offered."""
        points = self._measuring.origin.recorded.points
        found = [points[self._items[at]] for at in self.found.items] if self._all else []
        offered = [each for each in found if each.type == "tool description"]
        names = (each.name.removeprefix("tool ") for each in offered)
        return frozenset(names) if len(offered) == len(found) else frozenset()

    def _part_trials(self, parts: tuple[Part, ...]) -> "Generator[Trial]":
        """Items of lists and results of steps, beside the contexts that have no items."""
        if not self._all or self.stopped is not None or not is_worth_it(parts):
            return
        known = {
            self._items[next(iter(one))]: outcome
            for one, outcome in self._told.items()
            if isinstance(one, frozenset) and len(one) == 1
        }
        tested = len(self._asked) + self._orders_tested
        search = PartSearch(
            self._run, self._measuring, parts,
            known=known, after=tested, first=self._first_sets if self._items else None,
        )  # fmt: skip
        self._parts = self._running = search
        yield from search.trials()
        self._running = None
        self.stopped = search.stopped

    def _order_trials(self) -> "Generator[Trial]":
        for ordered in self._in_order():
            if self.stopped is not None:
                return
            tested = len(self._asked) + self._orders_tested
            search = OrderSearch(
                self._run, self._measuring, ordered, after=tested, first=self._first_sets
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
        others = [*self._orders, *([self._parts] if self._parts else [])]
        return [*self._measured, *(one for each in others for one in each.whatifs)]

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the set; empty when none was shown to flip the answer."""
        return self._of_parts or self._named(self.found.items)

    @property
    def _of_parts(self) -> tuple[str, ...]:
        """The set among items of lists and results of steps."""
        return () if self._parts is None else self._parts.items

    @property
    def found(self) -> Any:
        """The result of the search over whole contexts; there may be none."""
        return super().found if self._items else SmallestSet((), Outcome.UNRESOLVED, (), {})

    @property
    def is_minimal(self) -> bool:
        """Whether every set of one item less was shown not to flip the answer."""
        by_parts = self._parts is not None and bool(self._of_parts)
        return self._parts.found.is_minimal if by_parts and self._parts else self.found.is_minimal

    @property
    def whatif(self) -> "WhatIf | None":
        """The what-if of the set itself, or of the order."""
        if self._parts is not None and self._of_parts:
            return self._parts.whatif_of(self._parts.found.items)
        if self.found.items:
            return self.whatif_of(self.found.items)
        return None if self._ordered is None else self._ordered.whatif

    def to_frame(self) -> "pd.DataFrame":
        """A row for each set that was measured, of whole contexts first, and then of parts."""
        own = super().to_frame()
        if self._parts is None:
            return own
        import pandas as pd

        parts = self._parts.to_frame()
        return pd.concat([own, parts], ignore_index=True) if len(own) else parts

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
        return [*lines, *self._not_tried()]

    def _found_lines(self) -> list[str]:
        several, names = len(self.items) > 1, ", ".join(self.items)
        kind = (
            "removing all of them flips the answer" if several else "removing it flips the answer"
        )
        if self._parts is not None and self._of_parts and not several:
            kind = self._parts.how_told()
        if several and self.is_minimal:
            kind += "; removing fewer of them is not shown to"
        lines = [f"{names}: {kind}.", str(self.whatif)]
        if self._of_parts and self.found.items:
            offered = ", ".join(self._named(self.found.items))
            lines.append(f"Without that it was offered ({offered}) the answer flips as well.")
        elif not self._items:
            lines.append("No whole context can be removed; these are parts, or results of steps.")
        elif self.found.whole is not Outcome.FLIPS:
            then = ", then several together" if several and not self._of_parts else ""
            tried = f", so each was tried alone{then}" if self._alone else ""
            tried += ", and then items and results of steps were tried" if self._of_parts else ""
            lines.append(f"Removing everything gives {self._everything()}{tried}.")
        uncertain = self._parts.found.uncertain if self._of_parts and self._parts else ()
        if fewer := len(self.found.uncertain or uncertain):
            lines.append(
                f"Whether fewer are enough is not decided: {fewer} of the sets of one item less "
                "are open."
            )
        return lines

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
        return [*told, *([self._parts.told()] if self._parts is not None else [])]

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
        known = {point.seq for point in origin.recorded.points.values() if point.kind == "context"}
        fixed = [origin.recorded.points[seq].name for seq in sorted(known - set(self._items))]
        if self._all and fixed:
            lines.append(
                f"What cannot be missing was not tried: {listed(fixed)}. To try another value: "
                f"run.whatif(replace={{{shorten(fixed[0], 40)!r}: ...}})."
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
        if self._parts is not None and not self._of_parts:
            parts = ", nor any item or result of a step"
        return alone + tried + orders + parts

    def _tried(self) -> str:
        tested = len(self._asked) + (self._parts.tested if self._parts is not None else 0)
        orders = f" and {counted(self._orders_tested, 'order')}" if self._orders_tested else ""
        return counted(tested, "set") + orders

    def _search(self) -> Search:
        only_likely = not self._is_thorough
        return smallest_set(self._places, likely=self._likely(), only_likely=only_likely)

    @property
    def _first_sets(self) -> int:
        """About how many sets a single cause takes."""
        return 2 * ceil(log2(max(len(self._items), 1))) + 2

    def _planned(self, before: int) -> int:
        others = self._orders_tested + (0 if self._parts is None else self._parts.tested)
        return planned_size(before + others, first=self._first_sets) - others
