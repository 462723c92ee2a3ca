"""Whether the names and numbers of an answer stand in what the Agent was given."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from explainkit.flow.agents.chat_messages import as_text
from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.safety.described import repr_of
from explainkit.text.grounding import Grounds

GateMode: TypeAlias = Literal["assist", "guard", "rails"]
GATE_MODES: tuple[GateMode, ...] = ("assist", "guard", "rails")
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Support:
    """What a gate found.

    Attributes:
        values: Values of the answer that no evidence holds, in order, each once.
        candidates: For each, what the evidence holds that is nearest.
    """

    values: tuple[str, ...]
    candidates: dict[str, tuple[str, ...]]

    @property
    def issues(self) -> list[dict[str, str]]:
        """The same as issues of a verdict."""
        return [
            {"code": "UNSUPPORTED", "message": f'"{value}" is in no evidence{self._near(value)}'}
            for value in self.values
        ]

    @property
    def request(self) -> str:
        """What the model is told when it is to revise its answer."""
        listed = "; ".join(f"{value}{self._near(value)}" for value in self.values)
        return (
            f"Your answer holds values that nothing you were given holds: {listed}. "
            "Give the answer again with values from what you were given only."
        )

    def _near(self, value: str) -> str:
        near = self.candidates.get(value, ())
        return f" (nearest: {', '.join(near)})" if near else ""


def support_of(answer: Any, evidence: Sequence[Any]) -> Support:
    """Look for each name, number, id, date and address of an answer in the evidence.

    They agree as `Grounds` says.

    Args:
        answer: A text, or a value with a JSON form.
        evidence: Texts and values with a JSON form.

    Example:
        >>> support_of("Mia Li gets 450 EUR.", ["Pay Mia Li 540 EUR."])
        Support(values=('450 EUR',), candidates={'450 EUR': ('540 EUR',)})
    """
    grounds = Grounds([text for each in evidence for text in texts_of_evidence(each)])
    values: dict[str, tuple[str, ...]] = {}
    for text in texts_of_answer(answer):
        for said, near in grounds.missing(text):
            values.setdefault(said, near)
    found = {value: near for value, near in values.items() if near}
    return Support(tuple(values), found)


def texts_of_answer(answer: Any) -> Iterator[str]:
    """The texts of an answer; of JSON the leaves alone, for its keys are nobody's claim."""
    data = _data(answer)
    if isinstance(data, dict | list):
        yield from _leaves(data, 0)
    else:
        yield answer if isinstance(answer, str) else _written(data)


def texts_of_evidence(evidence: Any) -> Iterator[str]:
    """The texts of evidence; JSON counts by its leaves too, so `"n":7` holds a number."""
    data = _data(evidence)
    if isinstance(data, dict | list):
        yield from _leaves(data, 0)
    yield evidence if isinstance(evidence, str) else as_text(data)


def _data(value: Any) -> Any:
    """A value as JSON data; a text of JSON is read."""
    try:
        if isinstance(value, str):
            return json.loads(value) if value.lstrip()[:1] in ("{", "[") else value
        return json_form(value)
    except (NoJsonForm, ValueError, RecursionError):
        return value if isinstance(value, str) else repr_of(value, limit=2000).text


def _leaves(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST or value is None or isinstance(value, bool):
        return
    if isinstance(value, dict):
        for each in value.values():
            yield from _leaves(each, depth + 1)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each, depth + 1)
    else:
        yield value if isinstance(value, str) else _written(value)


def _written(value: Any) -> str:
    """A number in digits; Python itself refuses to write an integer of very many."""
    return str(Decimal(value)) if type(value) is int else str(value)
