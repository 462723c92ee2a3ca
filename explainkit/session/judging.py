"""What a verdict is bound to, checked when it is given."""

from typing import Any

from explainkit.errors import NoAnswerError, UnknownRecordError
from explainkit.store import Recording

STATUSES = ("passed", "failed", "unavailable", "not-run")


def require_status(status: str) -> str:
    """The status, when it is one that a judge can give.

    Raises:
        ValueError: It is another word.
    """
    if status not in STATUSES:
        raise ValueError(f"A verdict is one of {', '.join(STATUSES)}; got {status!r:.60}.")
    return status


def verdict_fields(
    recording: Recording, *, link: int | None, slot: str, version: int | None
) -> dict[str, Any]:
    """The target fields of a verdict record.

    Raises:
        NoAnswerError: The slot has no answer, or not that version.
        UnknownRecordError: ``link`` is no link.
    """
    if link is not None:
        row = recording.raw(link)
        if row.get("kind") != "link_opened":
            raise UnknownRecordError(
                f"Record {link} is a {row.get('kind')}, not a link. run.links lists the links."
            )
        return {"link": link}
    fold = recording.effective(slot)
    if fold is None:
        raise NoAnswerError(
            f"Run {recording.name!r:.60} has no answer in slot {slot!r:.60} to judge. "
            "Give link= to judge a link."
        )
    final = fold.final.version
    if version is not None and not 1 <= version <= final:
        raise NoAnswerError(
            f"Slot {slot!r:.60} has versions 1 to {final}; there is no version {version}."
        )
    return {"slot": slot, "version": final if version is None else version}
