"""Where lower layers find what only upper ones can make, held here so that nothing is imported."""

from collections.abc import Callable
from typing import Any

_run_openers: list[Callable[..., Any]] = []
_run_holders: list[Callable[..., Any]] = []
_chart_displays: list[Callable[[Any], str]] = []
_answer_presenters: list[Callable[..., Any]] = []
_turn_presenters: list[Callable[[Any], Any]] = []


def set_run_opener(opener: Callable[..., Any]) -> None:
    """Say how a run is opened: a function of its name and of the settings of `ek.trace`."""
    _run_openers[:] = [opener]


def run_opener() -> Callable[..., Any]:
    """How a run is opened."""
    return _run_openers[0]


def set_run_holder(holder: Callable[..., Any]) -> None:
    """Say what a recorded run is for a user: a function of its `Recording`."""
    _run_holders[:] = [holder]


def run_holder() -> Callable[..., Any]:
    """What a recorded run is for a user."""
    return _run_holders[0]


def set_chart_display(display: Callable[[Any], str]) -> None:
    """Say how a notebook shows a machine: a function from what `Machine.doc()` gives to HTML."""
    _chart_displays[:] = [display]


def chart_display() -> Callable[[Any], str]:
    """How a notebook shows a machine."""
    return _chart_displays[0]


def set_answer_presenter(presenter: Callable[..., Any]) -> None:
    """Say what the results of an answer flow are for a user.

    Args:
        presenter: A function of the results, and by keyword of the run that recorded them (None
            where a run is open around the flow), its id, and the flow's link.
    """
    _answer_presenters[:] = [presenter]


def answer_presenter() -> Callable[..., Any]:
    """What the results of an answer flow are for a user."""
    return _answer_presenters[0]


def set_turn_presenter(presenter: Callable[[Any], Any]) -> None:
    """Say what a turn of a chat is for a user: a function of the `Turn`."""
    _turn_presenters[:] = [presenter]


def turn_presenter() -> Callable[[Any], Any]:
    """What a turn of a chat is for a user."""
    return _turn_presenters[0]
