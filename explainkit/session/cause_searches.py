"""Two searches over sets of context: the part of each, and its share."""

from typing import TYPE_CHECKING

from explainkit.errors import InterventionError
from explainkit.session.measured_searches import Search
from explainkit.session.set_searches import SetSearch, whole_contexts
from explainkit.session.suspect_parts import given_parts, parts_of, target_shown, tools_offered
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.searching import (
    MOST_ITEMS,
    Outcome,
    Roles,
    Share,
    find_roles,
    planned_roles,
    shapley_shares,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explainkit.session.suspect_parts import Part
    from explainkit.whatif.inquiries import Inquiry as Measuring


_NONE_ALONE = "none alone is needed or enough, several may be (cause_shares shares it out)"


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
            (_NONE_ALONE, self._named(self.found.unexplained)),
            ("not decided", self._named(self.found.unresolved)),
        )
        lines = [f"{label}: {', '.join(names)}" for label, names in rows if names]
        if self.found.whole is not Outcome.FLIPS:
            then = ", then several together" if self.copies else ""
            tried = f", so each was tried alone{then}"
            tried = tried if self._alone else ""
            lines.insert(0, f"Removing everything gives {self._everything()}{tried}.")
        return [*lines, *self.broken_told(), *self._beside_told()]

    def _beside_told(self) -> list[str]:
        """Parts that were not searched, with the form that searches them."""
        tried = {part.name for part in self._searched}
        parts = parts_of(self._measuring) if self._all else ()
        left = [each for each in parts if each.context is None and each.name not in tried]
        tools = [each for each in tools_offered(self._measuring) if each.name not in tried]
        found = [("items and results of steps", left), ("that tools were offered", tools)]
        return [
            f"Not searched: {what} ({listed([each.name for each in some])}). "
            f"To search them list them, such as items=[{target_shown(some[0])}]."
            for what, some in found
            if some and self._all
        ]

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

    @staticmethod
    def _chosen(measuring: "Measuring") -> "Sequence[Part]":
        found = whole_contexts(measuring) or given_parts(measuring)
        return found or parts_of(measuring) or tools_offered(measuring)

    def _lines(self) -> list[str]:
        ordered = sorted(self.found, key=lambda each: (-each.high, each.item))
        return [
            f"{self._names[each.item]}: {each.low}"
            + ("" if each.is_exact else f" to {each.high}, some sets are not decided")
            for each in ordered
        ]

    def _search(self) -> Search:
        if len(self._places) > MOST_ITEMS:
            names = ", ".join(map(repr, self._names[:2]))
            raise InterventionError(
                f"cause_shares() re-runs every set of the items, and {len(self._places)} have "
                f"{2 ** len(self._places) - 1:,}. Give at most {MOST_ITEMS} by name, such as "
                f"run.cause_shares([{names}]), or ask run.smallest_cause() first."
            )
        return shapley_shares(self._places)

    def _planned(self, before: int) -> int:
        return max((1 << len(self._items)) - 1, before + 1)
