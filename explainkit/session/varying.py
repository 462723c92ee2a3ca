"""What would have happened: the questions that are answered by running a run again."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from explainkit.session.asking import AskedRun

if TYPE_CHECKING:
    from explainkit.session.whatifs import WhatIf


VERBS = ("remove", "replace", "restore", "reorder", "edit", "swap", "hold")


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
        model: Any = None,
        allow_effects: bool = False,
        executor: Executor | None = None,
        progress: Callable[[Any], Any] | None = None,
    ) -> "WhatIf":
        """Run it again with a change, and say with numbers whether the answer flips.

        Args:
            remove: What is taken away, or a list of it: a name, a `seq`, ``(name, words)``,
                ``(name, position)``, or a place, context or suspect of a backtrack.
            replace: New content by target.
            restore: Left-out contexts that come back, or where each comes back by its name.
            reorder: Names of contexts in their new order, or positions by target.
            edit: New arguments by name, by link.
            swap: Another result by link.
            hold: Overrides to hold off, by who made them or by `seq`.
            span: Words of the answer; it flips when it does not say them any more.
            judge: A function of the answer; it flips when it says something else of it. Without
                both, a checker that failed the answer decides, else whether it is the same.
            slot: Which answer.
            times: Re-runs of each arm at most; the rule asks for up to 40.
            budget: Calls at most (200), or limits such as ``{"seconds": 60}``.
            call: A function that makes the run again, where it cannot be found.
            model: For a run of another tool, the model that is asked instead of its last one.
            allow_effects: Let links of kind ``effect`` run again.
            executor: Runs the re-runs side by side.
            progress: Told after each re-run.

        Raises:
            InterventionError: A change names nothing, cannot be made so, or collides with another.
            RerunError: The run cannot be run again, or has to be awaited.
        """
        from explainkit.session.whatifs import asked, prepared

        changes = {"remove": remove, "replace": replace, "restore": restore, "reorder": reorder,
                   "edit": edit, "swap": swap, "hold": hold}  # fmt: skip
        return asked(self, *prepared(self, changes, span=span, judge=judge, slot=slot, times=times,
            budget=budget, call=call, model=model, allow_effects=allow_effects, executor=executor,
            progress=progress))  # fmt: skip

    async def whatif_async(self, **asked: Any) -> "WhatIf":
        """As `whatif`, for runs that have to be awaited where an event loop runs.

        Args:
            **asked: As `whatif` takes them.

        Raises:
            InterventionError: As `whatif`.
            RerunError: As `whatif`.
        """
        from explainkit.session.whatifs import asked_async, prepared

        changes = {verb: asked.pop(verb, None) for verb in VERBS}
        return await asked_async(self, *prepared(self, changes, **asked))


for _method in (VariedRun.whatif, VariedRun.whatif_async):
    _method.__qualname__ = f"Run.{_method.__name__}"  # what Python calls it in a TypeError
