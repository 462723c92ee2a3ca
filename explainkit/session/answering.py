"""The effective answer of a recording as a Python object."""

from typing import Any

from explainkit.errors import UnknownRecordError
from explainkit.store import Recording


def effective_answer(recording: Recording) -> Any:
    """The last version of the slot ``answer``.

    Raises:
        UnknownRecordError: The run gave none and no model answered in it.
    """
    fold = recording.effective()
    if fold is None:
        raise UnknownRecordError(
            f"Run {recording.name!r:.60} ({recording.status}) has no answer: ek.answer was not "
            "called and no link of kind model gave an output."
        )
    digest = fold.final.value
    return None if digest is None else recording.values.object(digest)
