"""A chart lit by a run: every state with its words and its mark, every arrow with its words."""

from dataclasses import dataclass
from typing import Literal

from explainkit.errors import UnknownRecordError
from explainkit.view.machine_charts import ToldChart
from explainkit.view.machine_steps import MachineStory, Mark
from explainkit.view.machine_words import (
    actor_words,
    arrow_words,
    event_words,
    mark_words,
    state_words,
)
from explainkit.view.words import flat

Standing = Literal["active", "visited", "never"]
_NAME = 40


@dataclass(frozen=True, slots=True)
class LitState:
    """A state as it is drawn.

    Attributes:
        number: Position in the chart.
        name: Its key.
        kind: Its kind.
        actors: The actors that it invokes; empty for none.
        standing: ``active``, ``visited`` or ``never``.
        words: The same in words.
    """

    number: int
    name: str
    kind: str
    actors: str
    standing: Standing
    words: str


@dataclass(frozen=True, slots=True)
class LitArrow:
    """An arrow as it is drawn.

    Attributes:
        source: Number of the state that it leaves.
        target: Number of the state that it leads to; its own source when it stays.
        words: What stands on it.
        taken: Whether the step shown took it.
    """

    source: int
    target: int
    words: str
    taken: bool


@dataclass(frozen=True, slots=True)
class LitChart:
    """What every drawing of a machine is made from.

    Attributes:
        chart: The chart.
        states: Every state, in the chart's order.
        arrows: Every arrow.
        caption: Which machine after which step, in words.
    """

    chart: ToldChart
    states: tuple[LitState, ...]
    arrows: tuple[LitArrow, ...]
    caption: str


def lit_chart(story: MachineStory, step: int) -> LitChart:
    """Light a chart.

    Args:
        story: What the machine did.
        step: Position of the step after which it is shown; -1 before all.

    Raises:
        UnknownRecordError: No chart was recorded with the machine, or it cannot be read.
    """
    chart = story.chart
    if chart is None:
        raise UnknownRecordError(
            f"The machine {story.name!r:.60} cannot be drawn. {story.problem} "
            "Its steps are in .steps."
        )
    marks, taken = story.marks(step), story.taken(step)
    states = []
    for number, state in enumerate(chart.states):
        mark = marks.get(state.id, Mark())
        standing: Standing = "active" if mark.active else "visited" if mark.visits else "never"
        said = mark_words(active=mark.active, visits=mark.visits)
        if state.type == "history":  # nothing ever enters one
            said, standing = "history", "never"
        actors = flat(actor_words(chart, state.id), _NAME)
        name = flat(state_words(state), _NAME)
        states.append(LitState(number, name, state.type, actors, standing, said))
    arrows = tuple(
        LitArrow(
            chart.numbers[arrow.source],
            chart.numbers[target],
            flat(arrow_words(chart, arrow), _NAME),
            number in taken,
        )
        for number, arrow in enumerate(chart.transitions)
        for target in arrow.targets or (arrow.source,)
    )
    return LitChart(chart, tuple(states), arrows, caption(story, step))


def caption(story: MachineStory, step: int) -> str:
    """Which machine, after which step: ``fix-tests after step 2 of 7: tests done``."""
    name = flat(story.name, 60)
    if not 0 <= step < len(story.steps):
        return f"{name}: nothing happened yet"
    event = flat(event_words(story.chart, story.steps[step].event), 60)
    return f"{name} after step {step} of {len(story.steps) - 1}: {event}"
