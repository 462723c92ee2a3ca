"""The search over parts: items of lists, what steps gave, and what the run itself was given."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from explainkit.session.set_searches import SetSearch
from explainkit.session.suspect_parts import Part
from explainkit.whatif.cut_lists import cut
from explainkit.whatif.searching import Outcome, SmallestSet, planned_size, smallest_set

if TYPE_CHECKING:
    from explainkit.session.asking import AskedRun
    from explainkit.session.measured_searches import Search
    from explainkit.whatif.inquiries import Inquiry


class PartSearch(SetSearch):
    """A search for the smallest set among parts of contexts and results of steps."""

    door = "smallest_cause_async"
    title = "Smallest set of parts whose removal flips the answer"
    found: SmallestSet[int]

    def __init__(
        self,
        run: "AskedRun",
        measuring: "Inquiry",
        parts: tuple[Part, ...],
        *,
        known: Callable[[], Mapping[int, Outcome]],
        after: int,
        first: int | None = None,
    ) -> None:
        """Begin; nothing is measured yet.

        Args:
            run: The run.
            measuring: What it has in common with the other what-ifs of the search.
            parts: What is taken away.
            known: Tells what came of whole contexts that were taken away alone, by their records,
                as it may be said whenever it is asked.
            after: Changes that the search tested before, whose shares of the level are spent.
            first: How many the first block of its shares has; where nothing was tested before,
                about as many as a single cause takes.
        """
        self._first = first or 2 * len(parts).bit_length() + 2
        self._parts = parts
        self._after = after
        self._known = known
        super().__init__(run, measuring, [part.asked.target for part in parts])
        self._taken = tuple(part.asked for part in parts)
        self._names = tuple(part.name for part in parts)

    @property
    def tested(self) -> int:
        """Sets that were tested."""
        return len(self._asked)

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the set; empty when none was shown to flip the answer."""
        return self._named(self.found.items)

    @property
    def what(self) -> str:
        """One of the parts, in words."""
        kinds = ["item"] if any(not each.step and _is_part(each) for each in self._parts) else []
        kinds += ["result of a step"] if any(each.step for each in self._parts) else []
        kinds += ["part of what was given"] if any(each.given for each in self._parts) else []
        return f"any {' or '.join(kinds)}" if kinds else "that any tool was offered"

    def how_told(self) -> str:
        """How the one part that was found is taken away, in words."""
        (at,) = self.found.items
        if self._parts[at].asked.verb == "swap":
            return "an empty result instead of what it gave flips the answer"
        return "removing it flips the answer"

    def told(self) -> str:
        """What was tried, in words."""
        names = [part.name for part in self._parts]
        several = sum(1 < len(one) < len(names) for one in self._asked)
        alone = sum(len(one) == 1 for one in self._asked)
        more = [f"{alone} of them alone"] if alone and len(names) > 1 else []
        more += [f"{several} sets of several"] if several else []
        whats = ["items of lists"] if any(map(_is_part, self._parts)) else []
        whats += ["results of steps"] if any(each.step for each in self._parts) else []
        whats += ["what the run was given"] if any(each.given for each in self._parts) else []
        what = " and ".join(whats) or "contexts and descriptions of tools"
        told = f", {' and '.join(more)}" if more else ""
        return f"{what} ({listed(names)}): all together{told}"

    def _lines(self) -> list[str]:
        return []

    def _search(self) -> "Search":
        alone = self._known()
        known = {
            frozenset({at}): alone[part.context]
            for at, part in enumerate(self._parts)
            if part.context is not None and part.context in alone
        }
        return smallest_set(self._places, known=known, only_likely=True)

    def _planned(self, before: int) -> int:
        return planned_size(self._after + before, first=self._first) - self._after


def _is_part(part: Part) -> bool:
    return part.context is None and not part.given


def listed(names: "list[str] | tuple[str, ...]", most: int = 6) -> str:
    """Names in a row, those beyond some counted.

    Args:
        names: The names.
        most: How many are named.
    """
    shown, left = cut(names, most)
    return ", ".join([*shown, *([f"{left:,} more"] if left else [])])
