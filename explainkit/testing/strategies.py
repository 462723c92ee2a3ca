"""What every valid trace is, as Hypothesis strategies that all property tests share.

A feature that writes a new kind of record, or a value in a new form, joins here, and every law
is then tested on it.
"""

from typing import TYPE_CHECKING, Any

from explainkit.errors import MissingExtraError
from explainkit.testing.building import Trace
from explainkit.testing.drawing import Drawing
from explainkit.testing.drawing_values import any_value

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy


def traces(
    *, steps: int = 12, crashed: bool | None = None, notes: bool = True
) -> "SearchStrategy[Trace]":
    """Valid traces: nested links, contexts, shared values in every form, answers, judgements.

    Args:
        steps: Actions of a run at most.
        crashed: Whether runs stop without an end; None draws both.
        notes: Whether some finished runs have notes.

    Raises:
        MissingExtraError: Hypothesis is not installed.
    """
    st = _strategies()

    def trace(draw: "DrawFn") -> Trace:
        stops = draw(st.booleans()) if crashed is None else crashed
        return Drawing(draw, st).trace(steps=steps, crashed=stops, notes=notes)

    made: SearchStrategy[Trace] = st.composite(trace)()
    return made


def values() -> "SearchStrategy[Any]":
    """Python values that are recorded exactly: JSON, and what JSON lacks."""
    st = _strategies()
    made: SearchStrategy[Any] = any_value(st)
    return made


def _strategies() -> Any:
    try:
        from hypothesis import strategies
    except ImportError as error:
        raise MissingExtraError("testing", "hypothesis") from error
    return strategies
