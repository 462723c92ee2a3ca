"""What every valid trace is, as Hypothesis strategies that all property tests share.

A feature that writes a new kind of record, or a value in a new form, joins here, and every law
is then tested on it.
"""

from typing import TYPE_CHECKING, Any

from explainkit.errors import MissingExtraError
from explainkit.testing.building import Trace
from explainkit.testing.drawing import Drawing
from explainkit.testing.drawing_charts import Draws, built, drawn_config
from explainkit.testing.drawing_values import any_value

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from explainkit.flow.statecharts import Machine


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


def chart_configs() -> "SearchStrategy[dict[str, Any]]":
    """Valid charts in the shape of an xstate config: `explainkit.testing.drawing_charts.built`.

    Nested and parallel states, shallow and deep history, guards, wildcards, timers, raised events,
    eventless transitions and invoked actors.
    """
    st = _strategies()

    def config(draw: "DrawFn") -> dict[str, Any]:
        return drawn_config(Draws(draw, st))

    made: SearchStrategy[dict[str, Any]] = st.composite(config)()
    return made


def charts() -> "SearchStrategy[Machine]":
    """Machines of random charts, for laws of their order."""
    return chart_configs().map(built)


def _strategies() -> Any:
    try:
        from hypothesis import strategies
    except ImportError as error:
        raise MissingExtraError("testing", "hypothesis") from error
    return strategies
