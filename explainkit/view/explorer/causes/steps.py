"""A bisection as plain JSON: the step asked about with what it was given, or what was found."""

from typing import Any, Final

from explainkit.view.explorer.pieces import Json, line_of, pieces_of
from explainkit.view.passages import plain
from explainkit.view.whatif.bisected import line_of_bisection

TEXT: Final = 1_200
INPUTS: Final = 12
NAMED: Final = 12


def bisection_told(shown: Any) -> Json:
    """The present question, or the result.

    Args:
        shown: A bisection; nothing when none goes on.
    """
    if shown is None:
        return {"state": "none", "words": "", "step": None, "candidates": [], "suspect": None,
                "passed": False}  # fmt: skip
    found = shown.found
    step = shown.question or shown.step
    asked = shown.question
    return {
        "state": "asking" if found is None else "over",
        "words": line_of(line_of_bisection(shown, advice=False), 600),
        "passed": found is not None and found.nothing and bool(shown.passed_by),
        "number": 0 if asked is None else asked.number,
        "more": 0 if asked is None else asked.about_more,
        "step": None if step is None else _step(step, str(asked or step.title)),
        "suspect": _suspect(asked),
        "candidates": [
            [link, line_of(shown.title(link), 200)]
            for link in (() if found is None else found.candidates[:NAMED])
        ],
    }


def _suspect(asked: Any) -> Json | None:
    if asked is None or asked.suspect is None:
        return None
    return {"seq": asked.suspect.seq, "title": line_of(asked.suspect.title, 200)}


def _step(step: Any, title: str) -> Json:
    inputs = list(step.inputs.items())
    return {
        "seq": step.seq,
        "title": line_of(title, 300),
        "given": [
            [line_of(slot, 80), pieces_of(plain(text, limit=TEXT))]
            for slot, text in inputs[:INPUTS]
        ],
        "given_more": max(0, len(inputs) - INPUTS),
        "gave": pieces_of(plain(step.output, limit=TEXT)),
        "error": bool(step.error),
    }
