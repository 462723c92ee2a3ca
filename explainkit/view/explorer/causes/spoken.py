"""What the engine advises with arguments of Python, as advice about what to tick or press."""

import re
from typing import Final

_ARGUMENT: Final = re.compile(
    r"\b(?:remove|replace|restore|reorder|edit|swap|hold|judge|span|times|budget|slot|items|model"
    r"|executor|allow_effects|expect)=|\brun\.(?:whatif|smallest_cause|verdict|bisect)\b"
)
_SENTENCE: Final = re.compile(r"(?<=[.!?]) (?=[A-Z])")
ADVICE: Final[tuple[tuple[str, str], ...]] = (
    (
        r"When recording, give ek\.left_out.{0,120}? with the whole list\.",
        "Press Edit at the step that gave the list, and write its words into one of the items.",
    ),
    (
        r"Use replace= and say what shall stand there\.",
        "Press Edit, and write what shall stand there.",
    ),
    (
        r"Use replace= and say which one shall stand there\.",
        "Press Edit, and write another number.",
    ),
    (
        r"Use replace= for the whole of it\.",
        "Change all of it, or another piece.",
    ),
    (
        r"Say where, such as restore=.{0,200}? with a function that includes it\.",
        "Press Edit at a text that the model was given, and write its words there.",
    ),
    (
        r"Leave at least one, or ask for run\.smallest_cause\(\)\.",
        "Leave at least one ticked, or press “Search the smallest set”.",
    ),
    (
        r"Change what it is made of with replace= or swap=, or run a chart .{0,90}?\.diff\.",
        "Press Edit at what it is made of.",
    ),
    (
        r"Use restore=.{0,80}? to see what it would have changed\.",
        "Tick it under “Left out” to see what it would have changed.",
    ),
    (
        r"Change the result itself, as with swap=.{0,80}?, or give call= a function .{0,40}?\.",
        "Press Edit at the result itself.",
    ),
    (
        r"Give items= with parts of what links gave, .{0,200}? of run\.whatif.{0,200}?\.\Z",
        "Press Edit at the result of a step, and untick an item or change its words.",
    ),
    (
        r"To try it: run\.whatif\(restore=.{0,60}?\)\.",
        "To try it, tick it under “Left out”.",
    ),
    (
        r"To try another value: run\.whatif\(replace=.{0,60}?\)\.",
        "To try another value, press Edit at it.",
    ),
    (
        r"allow_effects=True lets it run, swap=.{0,80}? gives a result in its place",
        "Press Edit at its result, and the re-run takes that instead",
    ),
    (
        r"allow_effects=True lets it run",
        "Only code can allow that: run.whatif(..., allow_effects=True)",
    ),
    (
        r"such as replace= instead of remove=",
        "such as a text that was edited, not taken away",
    ),
    (
        r"Select others with span=",
        "Select other words of the answer",
    ),
    (
        r"Give judge= or span= for what can be read of the answer",
        "Select words of the answer that can be read",
    ),
    (
        r"Give a judge that can, such as (?:span|judge)=.{0,70}\Z",
        "Select the words of the answer that are in question",
    ),
    (
        r"Judge another slot, or the answer of the whole run",
        "Choose another version of the answer above",
    ),
    (
        r"\bgive (?:run\.whatif\(call=(?:\.\.\.)?\)|call=) (?=one|what|a function)",
        "open {} ",
    ),
    (
        r"\bGive call= (?=one|what|a function)",
        "Open {} ",
    ),
    (
        r"\brun\.whatif\(call=lambda: \.\.\.\)",
        "run.explore(call=...)",
    ),
)
"""What is advised in Python, and what a panel offers instead; ``{}`` is the explorer's own form."""
_FORMS: Final = tuple(
    (re.compile(said), instead.replace("{}", "run.explore(call=...) with"))
    for said, instead in ADVICE
)


def in_panel(text: str) -> str:
    """A message of the engine for somebody who ticks and presses; what else it says stays.

    What no panel can do, such as a function that makes the run again, is left in Python. Advice
    that has no form here is left out where something else is said.

    Example:
        >>> in_panel("'n' is a number and cannot be missing. Use replace= and say which one "
        ...          "shall stand there.")
        "'n' is a number and cannot be missing. Press Edit, and write another number."
        >>> in_panel("The run goes on. Ask with times=5.")
        'The run goes on.'
    """
    for said, instead in _FORMS:
        text = said.sub(instead, text)
    sentences = _SENTENCE.split(text)
    while len(sentences) > 1 and _is_python(sentences[-1]):
        sentences.pop()
    return " ".join(sentences)


def _is_python(sentence: str) -> bool:
    return bool(_ARGUMENT.search(sentence)) and "allow_effects=True)" not in sentence
