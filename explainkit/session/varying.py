"""What would have happened: the questions that are answered by running a run again."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from explainkit.session.asking import AskedRun

if TYPE_CHECKING:
    from explainkit.session.whatifs import WhatIf


VERBS = ("remove", "replace", "restore", "reorder", "edit", "swap", "hold")


class VariedRun(AskedRun):
    """A run that can be run again, varied.

    A *target* is the name of a context, event or link, its `seq`, ``(name, words)``,
    ``(name, position)`` counted from 0, ``(name, address)``, a name as displays print it
    (``"item 1 of search"``, ``"output of ask"``), or a place, context or suspect of a backtrack.
    Without `span` and `judge`, a checker that failed the answer decides, else whether the answer is
    the same. Each what-if is recorded as a finding of the run. What `progress` is given has
    ``spent``, with ``reruns``, ``calls``, ``seconds`` and ``tokens``.

    Example:
        >>> import explainkit as ek
        >>> @ek.link(kind="model", deterministic=True)
        ... def ask(prompt):
        ...     return "Half is paid." if "half" in prompt else "Nothing is paid."
        >>> @ek.traced("claim")
        ... def claim(question):
        ...     return ask(f"{ek.context('note', 'We pay back half.')} {question}")
        >>> _ = claim("40 minutes late?")
        >>> print(ek.last().whatif(remove=("note", "half"), span="Half is paid"))
        cause 1/1 vs 0/2, deterministic
    """

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

        What a *target* is, and an example, stand in the description of the class.

        Args:
            remove: A target that is taken away, or a list of them.
            replace: New content by target, such as ``{("note", "30 minutes"): "60 minutes"}``.
            restore: Names of left-out pieces, or where each comes back: ``{"page 9": "search"}``.
            reorder: Names of contexts in their new order, or ``{"search": [2, 0, 1]}``, from 0.
            edit: New arguments by name, by link or of the run: ``{"search": {"k": 5}}``.
            swap: Another result by link: ``{"search": []}``.
            hold: Overrides to hold off, by who made them or by `seq`, or a list.
            span: Words of the answer; it flips when it does not say them any more.
            judge: A function of the answer; it flips when it says something else of it.
            slot: Which answer: ``answer``, or one such as ``item:fare`` or ``pick:approve``.
            times: Re-runs of each arm at most, 1 or more; the rule asks for up to 40.
            budget: Calls of models (200), or limits in ``calls``, ``seconds`` and ``tokens``.
            call: A function without arguments that makes the run again.
            model: For a run of another tool, the model that is asked instead of its last one.
            allow_effects: Let links of kind ``effect`` run again.
            executor: A ``concurrent.futures.Executor`` for re-runs side by side.
            progress: A function, given the measurement so far after each re-run.

        Raises:
            InterventionError: A change or setting means nothing here, or two changes collide.
            UnknownRecordError: A name or number is not in the run.
            SpanNotFoundError: The answer does not hold the words of `span`.
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

        Returns:
            As `whatif`.

        Raises:
            InterventionError: As `whatif`.
            UnknownRecordError: As `whatif`.
            SpanNotFoundError: As `whatif`.
            RerunError: The run cannot be run again.

        Example:
            >>> import asyncio
            >>> import explainkit as ek
            >>> @ek.link(kind="model", deterministic=True)
            ... async def ask(prompt):
            ...     return "Half is paid." if "half" in prompt else "Nothing is paid."
            >>> @ek.traced("claim")
            ... async def claim(question):
            ...     return await ask(f"{ek.context('note', 'We pay back half.')} {question}")
            >>> async def main():
            ...     await claim("40 minutes late?")
            ...     return await ek.last().whatif_async(remove="note")
            >>> asyncio.run(main()).word
            'cause'
        """
        from explainkit.session.whatifs import asked_async, prepared

        changes = {verb: asked.pop(verb, None) for verb in VERBS}
        return await asked_async(self, *prepared(self, changes, **asked))


for _method in (VariedRun.whatif, VariedRun.whatif_async):
    _method.__qualname__ = f"Run.{_method.__name__}"  # what Python calls it in a TypeError
