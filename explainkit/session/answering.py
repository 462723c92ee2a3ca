"""The answers of a run as a person asks for them: the effective one, a slot, a version."""

from operator import index
from typing import Any, Final

from explainkit.errors import UnknownRecordError
from explainkit.safety import shorten
from explainkit.store import Recording

_MEANT: Final = {
    "slot": "the name of an answer slot, as in run.picks['slot'], or the seq of a pick",
    "answer": "a version number, or the name of an answer slot",
}


def effective_answer(recording: Recording) -> Any:
    """The last version of the slot ``answer``.

    Raises:
        UnknownRecordError: The run gave none and no model answered in it, or it ended on a
            verdict: what was refused is no answer.
    """
    fold = recording.effective()
    if recording.status == "verdict":  # what it had drafted was not let out
        raise UnknownRecordError(
            f"Run {recording.name!r:.60} has no answer: it ended on a verdict. "
            "run.ended_by says which one, and where it came about."
        )
    if fold is None:
        raise UnknownRecordError(
            f"Run {recording.name!r:.60} ({recording.status}) has no answer: ek.answer was not "
            "called and no link of kind model gave an output."
        )
    digest = fold.final.value
    return None if digest is None else recording.values.object(digest)


def slot_and_version(slot: str | int, answer: str | int | None) -> tuple[str, int | None]:
    """Which slot and version a person meant; a number may come out of a table.

    Args:
        slot: A slot, or ``seq`` of a pick.
        answer: A version, or the slot of another answer.

    Raises:
        TypeError: One of them is neither a text nor a whole number.

    Example:
        >>> slot_and_version(25, None), slot_and_version("answer", "item:a")
        (('pick:25', None), ('item:a', None))
    """
    if isinstance(answer, str):
        slot, answer = answer, None
    if not isinstance(slot, str):
        slot = f"pick:{whole_number(slot, 'slot')}"
    return slot, None if answer is None else whole_number(answer, "answer")


def whole_number(value: Any, what: str) -> int:
    """A whole number of any integer type, those of tables included.

    Raises:
        TypeError: It is none.
    """
    try:
        if not isinstance(value, bool):
            return index(value)
    except TypeError:
        pass
    raise TypeError(
        f"{what}= takes {_MEANT[what]}; got {shorten(repr(value), 60)} ({type(value).__name__})."
    )
