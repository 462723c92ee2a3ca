"""A machine at a step as plain JSON: its steps, and its lit chart with places for a canvas."""

from typing import Final

from explainkit.errors import UnknownRecordError
from explainkit.view.explorer.pieces import Json
from explainkit.view.machine_layout import (
    Frame,
    MachineLayout,
    initials_of,
    layout_of_machine,
    lines_of,
)
from explainkit.view.machine_lighting import LitChart, caption, lit_chart
from explainkit.view.machine_steps import MachineStep, MachineStory
from explainkit.view.machine_words import event_words
from explainkit.view.words import flat, status_words

STEPS: Final = 400
"""Steps that an answer lists, those around the one that is shown; further ones are counted."""
NAMES: Final = 24


def machine_told(story: MachineStory, step: int | None) -> Json:
    """A machine at a step.

    Args:
        story: What it did.
        step: Which step; the last one when not given, counted from the end when negative.

    Raises:
        UnknownRecordError: It has no such step.
    """
    last = len(story.steps) - 1
    at = last if step is None else step if step >= 0 else last + 1 + step
    if story.steps and not 0 <= at <= last:
        raise UnknownRecordError(
            f"The machine {flat(story.name, 60)!r} has steps 0 to {last}, not {step}."
        )
    low = max(0, min(at - STEPS // 2, len(story.steps) - STEPS))
    return {
        "link": story.link,
        "name": flat(story.name, 80),
        "status": status_words(story.status),
        "step": at,
        "total": len(story.steps),
        "first": low,
        "steps": [
            _step(story, number, each)
            for number, each in enumerate(story.steps[low : low + STEPS], low)
        ],
        "caption": caption(story, at),
        "problem": story.problem,
        "drawing": None if story.chart is None else drawing_of(lit_chart(story, at)),
    }


def drawing_of(lit: LitChart) -> Json:
    """A lit chart with the places of everything in it."""
    layout = layout_of_machine(lit)
    starts = [outer for outer, _ in initials_of(lit)] if layout.nested else []
    return {
        "engine": layout.engine,
        "width": layout.width,
        "height": layout.height,
        "nested": layout.nested,
        "states": [_state(lit, layout, number) for number in range(len(lit.states))],
        "arrows": [
            {
                "words": arrow.words,
                "taken": arrow.taken,
                "route": [list(point) for point in layout.routes[number]],
                "label": None if (at := layout.labels[number]) is None else list(at),
            }
            for number, arrow in enumerate(lit.arrows)
        ],
        "starts": [
            {
                "dot": list(layout.starts[outer]),
                "route": [list(point) for point in layout.routes[len(lit.arrows) + place]],
            }
            for place, outer in enumerate(starts)
            if outer in layout.starts and len(lit.arrows) + place < len(layout.routes)
        ],
        "anchors": [list(point) for point in layout.anchors],
    }


def _state(lit: LitChart, layout: MachineLayout, number: int) -> Json:
    state = layout.states[number]
    return {
        "lines": list(lines_of(state)),
        "kind": state.kind,
        "standing": state.standing,
        "box": lit.chart.is_box(number) or not layout.nested,
        "frame": _frame(layout.frames[number]),
    }


def _frame(frame: Frame) -> list[float]:
    """Left, top, width, height."""
    return [
        round(frame.left, 1),
        round(frame.top, 1),
        round(frame.right - frame.left, 1),
        round(frame.bottom - frame.top, 1),
    ]


def _step(story: MachineStory, number: int, step: MachineStep) -> Json:
    return {
        "step": number,
        "seq": step.seq,
        "event": flat(event_words(story.chart, step.event), 80),
        "exited": [flat(each, 80) for each in step.exited[:NAMES]],
        "entered": [flat(each, 80) for each in step.entered[:NAMES]],
        "active": [flat(each, 80) for each in step.configuration[:NAMES]],
    }
