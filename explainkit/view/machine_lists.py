"""A lit machine in words: the tree of its states and its last steps, as text and as HTML lists."""

from collections.abc import Sequence
from dataclasses import dataclass

from explainkit.safety import Html, joined
from explainkit.view.machine_lighting import LitChart, LitState, caption, lit_chart
from explainkit.view.machine_steps import MachineStep, MachineStory
from explainkit.view.machine_words import event_words
from explainkit.view.skin import NOTEBOOK, Skin
from explainkit.view.words import counted, flat, status_words

MOST_STATES = 80
"""States that the list shows, in the order of the chart; further ones are counted."""
LAST = 5
LINES = 20
_OPEN = "Open     .steps · .at(step) · .picture() · .to_mermaid() · .to_dot() · .to_svg()"


def text_of_machine(story: MachineStory, step: int) -> str:
    """A machine in at most twenty lines: where it stands, its states, its last steps."""
    lines = [_title(story), f"Shown    {caption(story, step)}"]
    tail = [*_last_lines(story, step), _OPEN]
    if story.chart is None:
        lines += [f"Active   {flat(', '.join(_active(story, step)), 300)}", str(story.problem)]
        return "\n".join([*lines, *tail])
    lit = lit_chart(story, step)
    rows = [
        f"{'  ' * min(depth, 12)}{_state_line(state)}" for state, depth in _walked(lit, MOST_STATES)
    ]
    room = LINES - len(lines) - len(tail)
    if len(rows) > room:
        cut = len(lit.states) - room + 1
        rows = [*rows[: room - 1], f"  … {counted(cut, 'more state')}"]
    return "\n".join([*lines, *rows, *tail])


def html_of_machine(story: MachineStory, step: int) -> Html:
    """The same as nested lists, in words alone; nothing is laid out."""
    parts = [
        NOTEBOOK.make("p", "kicker", NOTEBOOK.recorded(_title(story), "note")),
        NOTEBOOK.make("p", "headline", NOTEBOOK.recorded(caption(story, step), "large")),
    ]
    if story.chart is None:
        active = ", ".join(_active(story, step))
        parts.append(NOTEBOOK.make("p", "note", NOTEBOOK.recorded(f"{story.problem} {active}")))
    else:
        parts.append(_tree(NOTEBOOK, lit_chart(story, step)))
    parts.append(_last(NOTEBOOK, story, step))
    how = NOTEBOOK.make("code", "quote", ".picture()"), NOTEBOOK.make("code", "quote", ".at(step)")
    parts.append(
        NOTEBOOK.make("p", "kicker", "The diagram: ", how[0], " · an earlier step: ", how[1])
    )
    return NOTEBOOK.make("div", "board", *parts)


def step_words(story: MachineStory, step: MachineStep) -> str:
    """A step on one line: ``run_tests: left ready, entered testing``."""
    told = []
    for verb, states in (("left", step.exited), ("entered", step.entered)):
        if states:
            told.append(f"{verb} {', '.join(_key(story, state) for state in states[:6])}")
    what = ", ".join(told) or "no state changed"
    return f"{flat(event_words(story.chart, step.event), 60)}: {flat(what, 200)}"


def _title(story: MachineStory) -> str:
    steps = counted(len(story.steps), "step")
    return f"Machine {flat(story.name, 60)}: {status_words(story.status)}, {steps}"


def _state_line(state: LitState) -> str:
    kind = f" ({state.kind})" if state.kind in ("parallel", "final") else ""
    actors = f", {state.actors}" if state.actors else ""
    return f"{state.name}{kind}: {state.words}{actors}"


def _walked(lit: LitChart, most: int) -> list[tuple[LitState, int]]:
    """States in document order with their depth."""
    depths: dict[str, int] = {}
    found = []
    for state, drawn in zip(lit.chart.states[:most], lit.states, strict=False):
        depths[state.id] = 0 if state.parent is None else depths[state.parent] + 1
        found.append((drawn, depths[state.id]))
    return found


@dataclass(slots=True)
class _Open:
    """A list item that still takes items below it."""

    depth: int
    words: Html
    below: list[Html]


def _tree(skin: Skin, lit: LitChart) -> Html:
    """A nested list; its depth is that of the chart."""
    waiting: list[_Open] = [_Open(-1, joined(), [])]
    for state, depth in _walked(lit, MOST_STATES):
        _close(skin, waiting, depth)
        waiting.append(_Open(depth, _item(skin, state), []))
    _close(skin, waiting, 0)
    more = len(lit.states) - MOST_STATES
    rest = [skin.make("li", "item", f"… {counted(more, 'more state')}")] if more > 0 else []
    return skin.make("ul", "list", *waiting[0].below, *rest)


def _close(skin: Skin, waiting: list[_Open], depth: int) -> None:
    while waiting[-1].depth >= depth:
        done = waiting.pop()
        below = [skin.make("ul", "list", *done.below)] if done.below else []
        waiting[-1].below.append(skin.make("li", "item", done.words, *below))


def _item(skin: Skin, state: LitState) -> Html:
    name = skin.recorded(state.name, "name" if state.standing == "active" else "text")
    kind = f" ({state.kind})" if state.kind in ("parallel", "final") else ""
    words = skin.make("b" if state.standing == "active" else "span", "verb", state.words)
    if state.standing != "active":
        words = skin.make("span", "note", state.words)
    actors = [", ", skin.recorded(state.actors, "note")] if state.actors else []
    return joined(name, kind, ": ", words, *actors)


def _last(skin: Skin, story: MachineStory, step: int) -> Html:
    shown = _shown(story, step)
    if not shown:
        return joined()
    rows = [
        skin.make("li", "item", f"step {place}: ", skin.recorded(step_words(story, each)))
        for place, each in shown
    ]
    return joined(skin.heading("Last steps"), skin.make("ul", "list", *rows))


def _last_lines(story: MachineStory, step: int) -> list[str]:
    rows = [
        f"  {place:>3} {flat(step_words(story, each), 90)}" for place, each in _shown(story, step)
    ]
    return ["Last steps", *rows] if rows else []


def _shown(story: MachineStory, step: int) -> Sequence[tuple[int, MachineStep]]:
    return list(enumerate(story.steps))[max(0, step + 1 - LAST) : step + 1]


def _active(story: MachineStory, step: int) -> tuple[str, ...]:
    return story.steps[step].configuration if 0 <= step < len(story.steps) else ()


def _key(story: MachineStory, state: str) -> str:
    if story.chart is None or state not in story.chart.numbers:
        return flat(state, 60)
    return flat(story.chart.states[story.chart.numbers[state]].key, 40)
