"""Turns values named in ``uses=`` into the earlier occurrences that hold them."""

from collections.abc import Sequence
from typing import Any

from explainkit.errors import TracingError
from explainkit.tracing.active import ActiveRun


def origins_of(run: ActiveRun, uses: Sequence[object]) -> dict[str, Any]:
    """The ``uses`` field of a record; empty when nothing was named.

    Raises:
        TracingError: A value was not recorded as a context, an event or an answer before.
    """
    if not uses:
        return {}
    origins = []
    for value in uses:
        place = run.place_of(run.recorder.value(value).encode())
        if place is None:
            raise TracingError(
                f"uses= names {value!r:.80}, which this run has not recorded. Record it first "
                "with ek.context(...) or ek.event(...), or return it from a @ek.link function."
            )
        origins.append({"seq": place[0], "slot": place[1]})
    return {"uses": origins}
