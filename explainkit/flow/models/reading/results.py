"""What tools gave back since the question, read as statements even when it is JSON."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from explainkit.flow.models.reading.limits import find_limits
from explainkit.flow.models.reading.measured import Measure, measures
from explainkit.flow.models.reading.passages import Passage
from explainkit.flow.models.reading.queries import MEASURES_AT_MOST, Query
from explainkit.flow.models.reading.support import Candidate
from explainkit.flow.models.reading.wording import content

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LONGEST_JSON = 200_000
_NOT_JSON = object()


def result_candidates(results: Sequence[Passage], query: Query) -> Iterator[Candidate]:
    """Offer each result as an answer: it was asked for on behalf of the question.

    Args:
        results: The tool messages since the question, each one passage.
        query: The question.
    """
    wanted = {*query.words, *query.names, *query.given_words}
    for passage in results:
        value = _parsed(passage.text)
        if value is _NOT_JSON and find_limits(passage.text):
            continue  # a rule, which is read as context is
        leaves = list(_leaves(value)) if isinstance(value, dict) else []
        fits = [sum(word in wanted for word in content(_spelled(key))) for key, _ in leaves]
        best = max(fits, default=0)
        if best:
            says = _said(leaves[fits.index(best)][1])
        elif len(leaves) == 1:
            says = _said(leaves[0][1])
        else:
            says = passage.text.strip() if leaves or value is _NOT_JSON else _said(value)
            best = sum(word in wanted for word in content(passage.text))
        yield Candidate(
            passage=passage,
            says=says,
            rank=(best + 1, 0.0, 0, 0, passage.start),
            asked=best,
            limited=False,
        )


def result_measures(results: Sequence[Passage]) -> list[Measure]:
    """Find what the results measure, the first 64; the key of a number names its unit."""
    found: list[Measure] = []
    for passage in results:
        value = _parsed(passage.text)
        if isinstance(value, dict):
            for key, leaf in _leaves(value):
                unit = _spelled(key).split()[-1:]
                found.extend(measures(" ".join([_said(leaf), *unit])))
        else:
            found.extend(measures(passage.text))
    return found[:MEASURES_AT_MOST]


def _parsed(text: str) -> Any:
    """Read JSON, or give a mark that it is none."""
    if len(text) > _LONGEST_JSON:
        return _NOT_JSON
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOT_JSON


def is_json(text: str) -> bool:
    """Whether a result is a JSON text."""
    return _parsed(text) is not _NOT_JSON


def _leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    waiting = [(key, value)]
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend((f"{key} {name}", item) for name, item in reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend((key, item) for item in reversed(value))
        else:
            yield key, value


def _spelled(key: str) -> str:
    return _CAMEL.sub(" ", key.replace("_", " "))


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
