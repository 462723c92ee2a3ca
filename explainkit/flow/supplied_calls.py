"""Asks the seam for the result of something that is called, or for the answer of a runner."""

from collections.abc import Callable
from typing import Any

from explainkit.flow.checks.shapes import Unset
from explainkit.flow.outcome_forms import recorded_form
from explainkit.safety.labels import word
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.called_functions import known_of
from explainkit.tracing.decorated import spec_of
from explainkit.tracing.seam import Point, Supplied


def supplied_call(
    run: ActiveRun,
    link: int,
    kind: str,
    name: str,
    given: Any,
    call: Callable[..., Any] | None,
) -> Supplied | None:
    """What takes the place of a call; None when it is to be made.

    Args:
        run: The run.
        link: The link of the call.
        kind: Its type.
        name: Its name.
        given: Its input.
        call: What is called; None for a runner, which is more than a call.
    """
    if run.supply is None:
        return None
    inputs = () if type(given) is Unset else (run.recorder.value(recorded_form(given)),)
    if call is None:
        return run.supply(Point("runner", word(name), inputs, type=kind, link=link))
    spec = spec_of(call)
    deterministic = spec is not None and spec.deterministic
    return run.supply(
        Point(
            "link",
            word(name),
            inputs,
            type=kind,
            code=known_of(call).code,
            link=link,
            deterministic=deterministic,
            runs=call,
        )
    )
