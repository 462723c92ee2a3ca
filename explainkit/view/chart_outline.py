"""A machine before it runs, as nested lists: its states, what each invokes, where events lead."""

from collections import defaultdict
from typing import Any

from explainkit.safety import Html, joined
from explainkit.view.machine_charts import ToldChart, ToldState, ToldTransition
from explainkit.view.machine_words import actor_words, arrow_words, state_words
from explainkit.view.skin import NOTEBOOK
from explainkit.view.words import counted, flat

MOST_STATES = 80
"""States that the list shows, in the order of the chart; further ones are counted."""
MOST_ARROWS = 12
"""Transitions of one state that are shown; further ones are counted."""


def html_of_chart(doc: Any) -> Html:
    """What ``Machine.doc()`` gives, as static HTML.

    Args:
        doc: The chart as plain JSON.

    Raises:
        DamagedValueError: It is no chart.
    """
    chart = ToldChart.read(doc)
    make, recorded = NOTEBOOK.make, NOTEBOOK.recorded
    count = len(chart.states)
    title = f"Machine {flat(chart.machine, 60)}: {counted(count, 'state')}"
    more = count - MOST_STATES
    rest = [make("li", "item", f"… {counted(more, 'more state')}")] if more > 0 else []
    code = [make("code", "quote", name) for name in (".run(...)", ".to_mermaid()", ".to_dot()")]
    return make(
        "div",
        "board",
        make("p", "headline", recorded(title, "large")),
        make("ul", "list", *_items(chart), *rest),
        make("p", "kicker", "Run it: ", code[0], " · as a diagram: ", code[1], " · ", code[2]),
    )


def _items(chart: ToldChart) -> list[Html]:
    """The states without one around them; from the last one, so that no depth is too deep."""
    arrows: dict[str, list[ToldTransition]] = defaultdict(list)
    for arrow in chart.transitions:
        arrows[arrow.source].append(arrow)
    inside: dict[str | None, list[Html]] = defaultdict(list)
    for state in reversed(chart.states[:MOST_STATES]):
        below = [*_arrows(chart, arrows[state.id]), *reversed(inside[state.id])]
        nested = [NOTEBOOK.make("ul", "list", *below)] if below else []
        words = _state(chart, state)
        inside[state.parent].append(NOTEBOOK.make("li", "item", words, *nested))
    return list(reversed(inside[None]))


def _state(chart: ToldChart, state: ToldState) -> Html:
    around = None if state.parent is None else chart.states[chart.numbers[state.parent]]
    marks: list[str] = [state.type] if state.type in ("parallel", "final", "history") else []
    marks += ["first"] if around is not None and around.initial == state.id else []
    told = f" ({', '.join(marks)})" if marks else ""
    actors = flat(actor_words(chart, state.id), 200)
    runs = [": runs ", NOTEBOOK.recorded(actors, "text")] if actors else []
    return joined(NOTEBOOK.recorded(flat(state_words(state), 80), "name"), told, *runs)


def _arrows(chart: ToldChart, arrows: list[ToldTransition]) -> list[Html]:
    rows = [_arrow(chart, arrow) for arrow in arrows[:MOST_ARROWS]]
    more = len(arrows) - len(rows)
    rows += [NOTEBOOK.make("li", "item", f"… {counted(more, 'more transition')}")] if more else []
    return rows


def _arrow(chart: ToldChart, arrow: ToldTransition) -> Html:
    keys = [state_words(chart.states[chart.numbers[each]]) for each in arrow.targets]
    words = NOTEBOOK.recorded(flat(arrow_words(chart, arrow), 160), "note")
    to = [" → ", NOTEBOOK.recorded(flat(", ".join(keys), 120), "text")] if keys else []
    return NOTEBOOK.make("li", "item", words, *to)
