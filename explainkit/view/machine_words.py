"""The words on every drawing of a recorded machine: states, actors, arrows, events, marks."""

from explainkit.view.machine_charts import ToldChart, ToldState, ToldTransition
from explainkit.view.words import counted

ACTIONS = 3
"""Actions that an arrow names; further ones are counted."""

START = "machine.start"
_ENDS = (("done.actor.", "done"), ("error.actor.", "error"), ("done.state.", "done"))
_ACTOR_ENDS = {"actor_done": "done", "actor_error": "error"}


def state_words(state: ToldState) -> str:
    """What stands in a state: its key, or the mark of a history."""
    if state.type == "history":
        return "H*" if state.history == "deep" else "H"
    return state.key


def actor_words(chart: ToldChart, state: str) -> str:
    """The actors that a state invokes, with their kinds; empty for others."""
    told = (
        f"{actor.key} ({actor.kind or 'function'})" for actor, _ in chart.invoked.get(state, ())
    )
    return ", ".join(told)


def arrow_words(chart: ToldChart, arrow: ToldTransition) -> str:
    """What stands on an arrow: ``event [guard] / actions``, as in UML."""
    guard = f" [{arrow.guard}]" if arrow.guard else ""
    names = [name.removeprefix("xstate.") for name in arrow.actions[:ACTIONS]]
    more = len(arrow.actions) - len(names)
    names += [f"{more} more"] if more else []
    stays = "" if arrow.targets else " (stays)"
    does = f" / {', '.join(names)}" if names else ""
    return _trigger(chart, arrow) + guard + does + stays


def event_words(chart: ToldChart | None, event: str) -> str:
    """An event's name as a person says it: ``tests done`` for ``done.actor.0.m.testing``."""
    if event == START:
        return "start"
    for prefix, end in _ENDS:
        if event.startswith(prefix):
            name = event.removeprefix(prefix)
            key = chart.actor_of.get(name, name) if chart is not None else name
            return f"{key} {end}"
    return event


def mark_words(*, active: bool, visits: int) -> str:
    """What a run did with a state."""
    if not active:
        return f"visited {counted(visits, 'time')}" if visits else "never entered"
    return f"active, visited {counted(visits, 'time')}" if visits > 1 else "active"


def _trigger(chart: ToldChart, arrow: ToldTransition) -> str:
    if arrow.trigger == "after" and arrow.delay is not None:
        return f"after {arrow.delay:g} ms"
    if arrow.trigger in _ACTOR_ENDS:
        return event_words(chart, arrow.event)
    if arrow.trigger in ("on_done", "always"):
        return "done" if arrow.trigger == "on_done" else "always"
    return arrow.event
