"""What would have happened: the questions that are answered by running a run again."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from explainkit.session.asking import AskedRun

if TYPE_CHECKING:
    from explainkit.session.whatifs import WhatIf


class VariedRun(AskedRun):
    """A run that can be run again, varied."""

    def whatif(
        self,
        *,
        remove: Any = None,
        replace: Mapping[Any, Any] | None = None,
        restore: Any = None,
        reorder: Any = None,
        edit: Mapping[Any, Any] | None = None,
        swap: Mapping[Any, Any] | None = None,
        hold: Any = None,
        span: Any = None,
        judge: Callable[[Any], Any] | None = None,
        slot: str = "answer",
        times: int | None = None,
        budget: float | Mapping[str, float] | None = None,
        call: Callable[..., Any] | None = None,
        allow_effects: bool = False,
        executor: Executor | None = None,
        progress: Callable[[Any], Any] | None = None,
    ) -> "WhatIf":
        """Run it again with a change, and say with numbers whether the answer flips.

        A target is a name (of a context, event or link), the `seq` of a record, ``(name, words)``,
        ``(name, position)`` of an item or a sentence, ``(name, (start, end))``, or a place,
        context or suspect out of a backtrack.

        Args:
            remove: A target, or a list of them: words are cut, items of lists dropped.
            replace: New content by target.
            restore: A left-out context by name or `seq`, or a list of them.
            reorder: Names of contexts in the order that they shall have, or positions by target.
            edit: New arguments of a link, by name, by link.
            swap: Another result by link.
            hold: Overrides to hold off, by who made them or by `seq`.
            span: Words of the answer; the answer flips when it does not say them any more.
            judge: A function of the answer; the answer flips when it says something else of it
                than of the recorded one. Without `span` and `judge`, a checker that failed the
                answer decides, else whether the answer is the same.
            slot: Which answer.
            times: Re-runs of each arm at most; the rule asks for up to 40.
            budget: Calls at most (200), or limits such as ``{"seconds": 60}``.
            call: A function that makes the run again, where it cannot be found.
            allow_effects: Let links of kind ``effect`` run again.
            executor: Runs the re-runs side by side.
            progress: Told after each re-run.

        Returns:
            The word with its numbers: cause, not shown, inconclusive, not applied, over budget.

        Raises:
            InterventionError: A change names nothing, cannot be made so, or collides with another.
            RerunError: The run cannot be run again, or has to be awaited.
            MissingExtraError: scipy is needed and not installed.
        """
        from explainkit.session.whatifs import asked, inquiry_into
        from explainkit.whatif.varying import interventions_of

        changes = interventions_of(
            remove=remove,
            replace=replace,
            restore=restore,
            reorder=reorder,
            edit=edit,
            swap=swap,
            hold=hold,
        )
        inquiry = inquiry_into(
            self,
            call=call,
            span=span,
            slot=slot,
            judge=judge,
            budget=budget,
            times=times,
            allow_effects=allow_effects,
            executor=executor,
            progress=progress,
        )
        return asked(self, inquiry, changes)

    async def whatif_async(self, **asked: Any) -> "WhatIf":
        """As `whatif`, for runs that have to be awaited.

        Args:
            **asked: As `whatif` takes them.

        Raises:
            InterventionError: As `whatif`.
            RerunError: As `whatif`.
        """
        from explainkit.session.whatifs import asked_async, inquiry_into
        from explainkit.whatif.varying import interventions_of

        verbs = ("remove", "replace", "restore", "reorder", "edit", "swap", "hold")
        changes = interventions_of(**{verb: asked.pop(verb, None) for verb in verbs})
        return await asked_async(self, inquiry_into(self, **asked), changes)
