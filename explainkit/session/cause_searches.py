"""The three searches over sets of context: the smallest one, the part of each, the shares."""

from math import ceil, log2
from typing import TYPE_CHECKING, Any

from explainkit.safety import shorten
from explainkit.session.measured_searches import Search
from explainkit.session.order_searches import OrderSearch
from explainkit.session.set_searches import SetSearch, counted
from explainkit.whatif.searching import (
    Outcome,
    Roles,
    Share,
    SmallestSet,
    find_roles,
    planned_roles,
    planned_size,
    shapley_shares,
    smallest_set,
)
from explainkit.whatif.varying.orders import ordered_in

if TYPE_CHECKING:
    from collections.abc import Generator

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
    found: SmallestSet[int]

    def __init__(self, run: "AskedRun", measuring: "Inquiry", items: Any) -> None:
        """Find what may be removed; nothing is measured yet."""
        super().__init__(run, measuring, items)
        self._orders: list[OrderSearch] = []
        self._is_thorough = False

    def trials(self) -> "Generator[Trial]":
        """Sets that are likely, then orders, then all other sets, until something is found."""
        yield from super().trials()
        if self.found.whole is not Outcome.FLIPS and not self.found.items:
            yield from self._order_trials()
        self._is_thorough, self._settled = True, None
        if self._ordered is None and self.stopped is None:
            yield from super().trials()

    def _order_trials(self) -> "Generator[Trial]":
        for ordered in self._in_order():
            if self.stopped is not None:
                return
            tested = len(self._asked) + self._orders_tested
            search = OrderSearch(
                self._run, self._measuring, ordered, after=tested, first=self._first_sets
            )
            self._orders.append(search)
            yield from search.trials()
            self.stopped = search.stopped
            if search.found.order:
                return

    def keep(self, trial: "Trial") -> None:
        """Record what came of a trial."""
        running = self._orders[-1] if self._orders and not self._is_thorough else None
        if running is None:
            super().keep(trial)
        else:
            running.keep(trial)

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
        """Every set and every order that was measured; each is recorded as a finding."""
        return [*self._measured, *(one for each in self._orders for one in each.whatifs)]

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the set; empty when none was shown to flip the answer."""
        return self._named(self.found.items)

    @property
    def is_minimal(self) -> bool:
        """Whether every set of one item less was shown not to flip the answer."""
        return self.found.is_minimal

    @property
    def whatif(self) -> "WhatIf | None":
        """The what-if of the set itself, or of the order."""
        if self.found.items:
            return self.whatif_of(self.found.items)
        return None if self._ordered is None else self._ordered.whatif

    def _lines(self) -> list[str]:
        whole, everything = self.found.whole, self._everything()
        if not self.found.items and self._ordered is not None:
            instead = f"Removing everything gives {everything}{self._tried_instead()}."
            return [*self._ordered.lines(), instead]
        if self.whatif is None:
            tried = "" if whole is Outcome.FLIPS else self._tried_instead()
            lines = [f"No set was found: removing everything gives {everything}{tried}."]
            if self._untried:
                names = ", ".join(repr(shorten(name, 40)) for name in self._untried[:8])
                lines.append(
                    f"Everything is the {len(self._items)} contexts here; what links gave was not "
                    f"tried. To try it: run.smallest_cause([{names}])."
                )
            return lines
        several = len(self.items) > 1
        kind = (
            "removing all of them flips the answer" if several else "removing it flips the answer"
        )
        if several and self.is_minimal:
            kind += "; removing fewer of them is not shown to"
        lines = [f"{', '.join(self.items)}: {kind}.", str(self.whatif)]
        if whole is not Outcome.FLIPS:
            then = ", then several together" if several else ""
            lines.append(f"Removing everything gives {everything}, so each was tried alone{then}.")
        if self.found.uncertain:
            fewer = len(self.found.uncertain)
            lines.append(
                f"Whether fewer are enough is not decided: {fewer} of the sets of one item less "
                "are open."
            )
        return lines

    def _tried_instead(self) -> str:
        """What was tried where removing everything does not flip the answer."""
        several = sum(1 < len(one) < len(self._items) for one in self._asked)
        alone = ", and none was shown to flip the answer alone" if self._alone else ""
        tried = f", nor were {several} sets of several" if several > 1 else ""
        orders = f", nor {self._orders_tested} orders" if self._orders and not self.order else ""
        return alone + tried + orders

    def _tried(self) -> str:
        orders = f" and {counted(self._orders_tested, 'order')}" if self._orders else ""
        return super()._tried() + orders

    def _search(self) -> Search:
        only_likely = not self._is_thorough
        return smallest_set(self._places, likely=self._likely(), only_likely=only_likely)

    @property
    def _first_sets(self) -> int:
        """About how many sets a single cause takes."""
        return 2 * ceil(log2(len(self._items))) + 2

    def _planned(self, before: int) -> int:
        orders = self._orders_tested
        return planned_size(before + orders, first=self._first_sets) - orders


class CauseRoles(SetSearch):
    """The part that each context has in the answer; made by ``Run.cause_roles``.

    Example:
        >>> import explainkit as ek
        >>> @ek.link(kind="model", deterministic=True)
        ... def ask(prompt):
        ...     return "Yes." if "rain" in prompt and "cold" in prompt else "No."
        >>> @ek.traced("coat")
        ... def coat(question):
        ...     one = ek.context("sky", "There will be rain.")
        ...     two = ek.context("air", "It is cold.")
        ...     day = ek.context("day", "It is Monday.")
        ...     return ask(ek.assemble("{a} {b} {c}", a=one, b=two, c=day))
        >>> _ = coat("Take a coat?")
        >>> roles = ek.last().cause_roles()
        >>> roles.needed, roles.copies, roles.bystanders
        (('sky', 'air'), (), ('day',))
    """

    door = "cause_roles_async"
    title = "Who is needed, who is a copy, who has no part"
    found: Roles[int]

    @property
    def needed(self) -> tuple[str, ...]:
        """Removing one of them alone flips the answer; several are a joint cause."""
        return self._named(self.found.needed)

    @property
    def copies(self) -> tuple[str, ...]:
        """Redundant: any one of them is enough, so none flips the answer alone."""
        return self._named(self.found.copies)

    @property
    def bystanders(self) -> tuple[str, ...]:
        """Those without a part."""
        return self._named(self.found.bystanders)

    @property
    def unresolved(self) -> tuple[str, ...]:
        """Those of which nothing can be said yet."""
        return self._named(sorted((*self.found.unresolved, *self.found.unexplained)))

    def _lines(self) -> list[str]:
        rows = (
            (self._needed_words(), self.needed),
            ("redundant copies, any one is enough", self.copies),
            ("no part", self.bystanders),
            ("not decided", self.unresolved),
        )
        lines = [f"{label}: {', '.join(names)}" for label, names in rows if names]
        if self.found.whole is not Outcome.FLIPS:
            then = ", then several together" if self.copies else ""
            tried = f", so each was tried alone{then}"
            tried = tried if self._alone else ""
            lines.insert(0, f"Removing everything gives {self._everything()}{tried}.")
        return lines

    def _needed_words(self) -> str:
        if self.found.is_joint:
            return "needed together"
        return "needed" if self.found.whole is Outcome.FLIPS else "flips the answer alone"

    def _search(self) -> Search:
        return find_roles(self._places, likely=self._likely())

    def _planned(self, before: int) -> int:
        holds = self._told.get(frozenset(self._places)) in (Outcome.HOLDS, Outcome.UNRESOLVED)
        return planned_roles(before, items=len(self._items), holds=holds)


class CauseShares(SetSearch):
    """Exact Shapley values of contexts in the flip of the answer; made by ``Run.cause_shares``.

    Example:
        >>> import explainkit as ek
        >>> @ek.link(kind="model", deterministic=True)
        ... def ask(prompt):
        ...     return "Yes." if "rain" in prompt or "snow" in prompt else "No."
        >>> @ek.traced("coat")
        ... def coat(question):
        ...     one = ek.context("sky", "There will be rain.")
        ...     two = ek.context("air", "There will be snow.")
        ...     return ask(ek.assemble("{a} {b}", a=one, b=two))
        >>> _ = coat("Take a coat?")
        >>> ek.last().cause_shares().shares
        {'sky': (0.5, 0.5), 'air': (0.5, 0.5)}
    """

    door = "cause_shares_async"
    title = "Shares of the flip (Shapley values)"
    found: tuple[Share[int], ...]

    @property
    def shares(self) -> dict[str, tuple[float, float]]:
        """The least and the most that each share can be; equal where every set was decided."""
        return {self._names[each.item]: (float(each.low), float(each.high)) for each in self.found}

    def _lines(self) -> list[str]:
        ordered = sorted(self.found, key=lambda each: (-each.high, each.item))
        return [
            f"{self._names[each.item]}: {each.low}"
            + ("" if each.is_exact else f" to {each.high}, some sets are not decided")
            for each in ordered
        ]

    def _search(self) -> Search:
        return shapley_shares(self._places)

    def _planned(self, before: int) -> int:
        return max((1 << len(self._items)) - 1, before + 1)
