"""Questions that need many answers: the first wrong step, the smallest set, who has which part."""

from typing import TYPE_CHECKING, Any, cast

from explainkit.session.varying import VariedRun

if TYPE_CHECKING:
    from explainkit.flow.checks import Checker
    from explainkit.session.bisections import Bisection
    from explainkit.session.cause_searches import CauseRoles, CauseShares
    from explainkit.session.oracles import Oracle
    from explainkit.session.run import Run
    from explainkit.session.smallest_searches import SmallestCause


class SearchedRun(VariedRun):
    """A run in which a cause, or the first wrong step, is searched for."""

    def bisect(
        self,
        oracle: "Oracle | Checker | None" = None,
        *,
        judge: str | None = None,
        slot: str = "answer",
        presume: bool = False,
        known: bool = False,
        wrong: bool = False,
    ) -> "Bisection":
        """Find the first link whose inputs are right and whose output is wrong.

        One question about the answer, unless it failed on record (or passed, and no oracle is
        given), and then about log2 n
        for a chain of n links. Where paths run side by side, or a
        conversation hands everything on, the inputs of the link found are asked about in the end.

        Args:
            oracle: A function of a `Step` that says True (right), False (wrong) or None (it cannot
                be said); or a checker with ``id`` and ``check(value, context)``. Without one the
                bisection waits for a person's answers.
            judge: Who judges; each answer is recorded as a verdict of theirs. The id of a checker,
                else ``bisection``.
            slot: Which answer is wrong.
            presume: Do not ask about inputs from which something right was made; the result lists
                them. Keeps a conversation of n steps to about log2 n questions.
            known: Take the verdicts that this judge gave before as answers, to go on where a
                person stopped.
            wrong: The answer is wrong, whoever let it pass: it is not asked about, and a failed
                verdict of this judge on it is recorded. For a judge that may itself be at fault.

        Raises:
            UnknownRecordError: The run has no link that ended, or no such answer.
            TypeError: The oracle is neither a function nor a checker, or has to be awaited.
            ValueError: The oracle said something else.
        """
        from explainkit.session.oracles import bisected

        settings: dict[str, Any] = {"slot": slot, "presume": presume, "known": known}
        return bisected(cast("Run", self), oracle, judge=judge, wrong=wrong, **settings)

    async def bisect_async(
        self, oracle: "Oracle | Checker | None" = None, **settings: Any
    ) -> "Bisection":
        """As `bisect`, with an oracle that may have to be awaited, such as a model that judges.

        Args:
            oracle: A function of a `Step`, a coroutine function too; or a checker.
            settings: As `bisect` takes them.
        """
        from explainkit.session.oracles import bisected_async

        return await bisected_async(cast("Run", self), oracle, **{"judge": None, **settings})

    def smallest_cause(self, items: Any = None, **settings: Any) -> "SmallestCause":
        """The smallest set of context whose removal flips the answer (delta debugging).

        Without `items`, and where no whole context is shown to flip it, items of lists, results
        of steps (tools, retrievals, functions, Agents) that a model read and what the run itself
        was given are tried as well, and in the end whether tools were offered.

        Args:
            items: Targets as `whatif` takes them; every context of the run when not given.
            settings: `span`, `judge`, `slot`, `budget`, `times`, `call`, `allow_effects`,
                `executor`, `progress`, as `whatif` takes them. The budget is for all of it.

        Raises:
            InterventionError: Nothing can be removed.
            RerunError: The run cannot be run again, or has to be awaited.
        """
        from explainkit.session.smallest_searches import SmallestCause

        return SmallestCause.search(self, items, settings)

    async def smallest_cause_async(self, items: Any = None, **settings: Any) -> "SmallestCause":
        """As `smallest_cause`, for runs that have to be awaited."""
        from explainkit.session.smallest_searches import SmallestCause

        return await SmallestCause.search_async(self, items, settings)

    def cause_roles(self, items: Any = None, **settings: Any) -> "CauseRoles":
        """Who is needed (alone or jointly), who is a redundant copy, who has no part.

        Args:
            items: As `smallest_cause`.
            settings: As `smallest_cause`.
        """
        from explainkit.session.cause_searches import CauseRoles

        return CauseRoles.search(self, items, settings)

    async def cause_roles_async(self, items: Any = None, **settings: Any) -> "CauseRoles":
        """As `cause_roles`, for runs that have to be awaited."""
        from explainkit.session.cause_searches import CauseRoles

        return await CauseRoles.search_async(self, items, settings)

    def cause_shares(self, items: Any = None, **settings: Any) -> "CauseShares":
        """Exact Shapley values of at most ten items in the flip of the answer.

        Args:
            items: As `smallest_cause`; at most ten.
            settings: As `smallest_cause`.

        Raises:
            ValueError: There are more than ten items.
        """
        from explainkit.session.cause_searches import CauseShares

        return CauseShares.search(self, items, settings)

    async def cause_shares_async(self, items: Any = None, **settings: Any) -> "CauseShares":
        """As `cause_shares`, for runs that have to be awaited."""
        from explainkit.session.cause_searches import CauseShares

        return await CauseShares.search_async(self, items, settings)
