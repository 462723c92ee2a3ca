"""Random charts of the shared strategies, and a few events in a row for them."""

from hypothesis import strategies as st

from explainkit.testing.drawing_charts import (
    ACTIONS,
    ACTORS,
    DEFINED,
    EVENTS,
    GUARDS,
    built,
    mark,
)
from explainkit.testing.strategies import chart_configs, charts

__all__ = [
    "ACTIONS",
    "ACTORS",
    "DEFINED",
    "EVENTS",
    "GUARDS",
    "build",
    "charts",
    "configs",
    "events",
    "mark",
]

build = built
configs = chart_configs


def events():
    """A few events in a row; some are timers and actors of states that may be active."""
    return st.lists(st.sampled_from((*EVENTS, "timer", "actor")), min_size=2, max_size=8)
