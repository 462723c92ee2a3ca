"""Who answers the questions of a bisection: a function of a step, or a checker of values."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from explainkit.session.bisections import SAID, Bisection
from explainkit.session.steps_asked import Step
from explainkit.whatif.searching import Answer

if TYPE_CHECKING:
    from explainkit.session.run import Run

Oracle = Callable[[Step], Any]


def bisected(run: "Run", oracle: Any, *, judge: str | None, **settings: Any) -> Bisection:
    """Begin a bisection; with an oracle, go on to its end.

    Args:
        run: The run.
        oracle: A function of a `Step`, or a checker of values.
        judge: Who judges, for the record; a checker is named by its id.
        settings: As `Bisection` takes them.

    Raises:
        TypeError: The oracle is neither, or has to be awaited.
    """
    ask, name = _asking(oracle)
    bisection = Bisection(run, judge=judge or name, heeds_passed=ask is None, **settings)
    while ask is not None and (asked := bisection.question) is not None:
        bisection.answer(_at_once(ask(asked)))
    return bisection


async def bisected_async(
    run: "Run", oracle: Any, *, judge: str | None, **settings: Any
) -> Bisection:
    """As `bisected`, with an oracle that may have to be awaited.

    Args:
        run: The run.
        oracle: A function of a `Step`, awaited or not, or a checker of values.
        judge: Who judges, for the record; a checker is named by its id.
        settings: As `Bisection` takes them.

    Raises:
        TypeError: The oracle is neither.
    """
    ask, name = _asking(oracle)
    bisection = Bisection(run, judge=judge or name, heeds_passed=ask is None, **settings)
    while ask is not None and (asked := bisection.question) is not None:
        said = ask(asked)
        bisection.answer(await said if inspect.isawaitable(said) else said)
    return bisection


def _at_once(said: Any) -> Any:
    if not inspect.isawaitable(said):
        return said
    if inspect.iscoroutine(said):
        said.close()
    raise TypeError("The oracle has to be awaited. Use await run.bisect_async(...) with it.")


def _asking(oracle: Any) -> tuple[Oracle | None, str]:
    """What is asked, and its name."""
    from explainkit.flow.checks import OperationContext
    from explainkit.flow.checks.asking import result_by

    if oracle is None or callable(oracle):
        return oracle, "bisection"
    if not isinstance(getattr(oracle, "id", None), str) or not callable(
        getattr(oracle, "check", None)
    ):
        raise TypeError(
            f"An oracle is a function of a Step, or a checker with id and check(value, context); "
            f"got {oracle!r:.60}."
        )

    def check(step: Step) -> Answer:
        if step.error:
            return "wrong"
        return SAID.get(result_by(oracle, step.value, OperationContext()).status, "don't know")

    return check, str(oracle.id)
