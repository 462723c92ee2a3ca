"""What a reviewer outside of the program is shown of an answer: plain JSON, whatever it is."""

import json
from typing import Any, Final

from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.safety.described import repr_of

_LONGEST_REPR: Final = 100_000


def material_of(entry: Any) -> dict[str, Any]:
    """The id, the source and the answer of an entry; what has no JSON form is told by its repr.

    Example:
        >>> from explainkit.answering import AnswerItem, ReviewEntry
        >>> material_of(ReviewEntry(AnswerItem("q1", (), "ready", {"pays": 54}), {54}))
        {'id': 'q1', 'source': {'pays': 54}, 'answer': '{54}'}
    """
    return {
        "id": entry.item.id,
        "source": _plain(entry.item.data),
        "answer": _plain(entry.value),
    }


def _plain(value: Any) -> Any:
    try:
        form = json_form(value)
        json.dumps(form)  # refuses integers of very many digits
    except (NoJsonForm, ValueError):
        return repr_of(value, limit=_LONGEST_REPR).text
    return form
