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
    """A run in which a cause, or the first wrong step, is searched for.

    Every set that a search measures is recorded as a finding, and counts with all others of its
    answer and judge.

    Example:
        >>> import explainkit as ek
        >>> @ek.link(kind="retrieval", deterministic=True)
        ... def search(question):
        ...     return [{"id": "law", "text": "Nothing."}, {"id": "mail", "text": "We pay half."}]
        >>> @ek.link(kind="model", deterministic=True)
        ... def ask(prompt):
        ...     return "Half is paid." if "half" in prompt else "Nothing is paid."
        >>> @ek.traced("claim")
        ... def claim(question):
        ...     return ask(" ".join(hit["text"] for hit in search(question)))
        >>> _ = claim("40 minutes late?")
        >>> run = ek.last()
        >>> run.smallest_cause().items
        ('item 2 of search (mail)',)
        >>> print(run.bisect(lambda step: step.name != "ask"))
        The first wrong link is model ask (record 6), after 2 questions.
    """

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
        given), and then about log2 n for a chain of n links. Where paths run side by side, or a
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

        Returns:
            The bisection, which is over where an oracle was given.

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

        Returns:
            The bisection, which is over where an oracle was given.

        Raises:
            UnknownRecordError: The run has no link that ended, or no such answer.
            TypeError: The oracle is neither a function nor a checker.
            ValueError: The oracle said something else.
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

        Returns:
            The set by its names, or the order of two that makes the answer, or what was tried.

        Raises:
            InterventionError: Nothing can be removed, or a setting means nothing.
            UnknownRecordError: A name or number is not in the run.
            RerunError: The run cannot be run again, or has to be awaited.
        """
        from explainkit.session.smallest_searches import SmallestCause

        return SmallestCause.search(self, items, settings)

    async def smallest_cause_async(self, items: Any = None, **settings: Any) -> "SmallestCause":
        """As `smallest_cause`, for runs that have to be awaited where an event loop runs.

        Args:
            items: As `smallest_cause`.
            settings: As `smallest_cause`.

        Raises:
            InterventionError: As `smallest_cause`.
            RerunError: The run cannot be run again.
        """
        from explainkit.session.smallest_searches import SmallestCause

        return await SmallestCause.search_async(self, items, settings)

    def cause_roles(self, items: Any = None, **settings: Any) -> "CauseRoles":
        """Who is needed (alone or jointly), who is a redundant copy, who has no part.

        Args:
            items: As `smallest_cause`, whole contexts when not given.
            settings: As `smallest_cause`.

        Returns:
            Names in ``needed``, ``copies``, ``bystanders`` and ``unresolved``.

        Raises:
            InterventionError: As `smallest_cause`.
            RerunError: The run cannot be run again, or has to be awaited.
        """
        from explainkit.session.cause_searches import CauseRoles

        return CauseRoles.search(self, items, settings)

    async def cause_roles_async(self, items: Any = None, **settings: Any) -> "CauseRoles":
        """As `cause_roles`, for runs that have to be awaited where an event loop runs.

        Args:
            items: As `cause_roles`.
            settings: As `smallest_cause`.
        """
        from explainkit.session.cause_searches import CauseRoles

        return await CauseRoles.search_async(self, items, settings)

    def cause_shares(self, items: Any = None, **settings: Any) -> "CauseShares":
        """Exact Shapley values of at most ten items in the flip of the answer.

        Args:
            items: As `smallest_cause`; at most ten.
            settings: As `smallest_cause`.

        Returns:
            In ``shares``, by name, the least and the most that each share can be, from -1 to 1;
            all shares add up to what removing everything does.

        Raises:
            InterventionError: There are more than ten items; else as `smallest_cause`.
            RerunError: The run cannot be run again, or has to be awaited.
        """
        from explainkit.session.cause_searches import CauseShares

        return CauseShares.search(self, items, settings)

    async def cause_shares_async(self, items: Any = None, **settings: Any) -> "CauseShares":
        """As `cause_shares`, for runs that have to be awaited where an event loop runs.

        Args:
            items: As `cause_shares`; at most ten.
            settings: As `smallest_cause`.
        """
        from explainkit.session.cause_searches import CauseShares

        return await CauseShares.search_async(self, items, settings)
