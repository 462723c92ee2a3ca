"""What a verdict is bound to, checked when it is given."""

from collections.abc import Mapping, Sequence
from typing import Any

from explainkit.errors import NoAnswerError, UnknownRecordError
from explainkit.session.naming import link_named
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


def issues_of(issues: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The issues of a verdict, each as a dict.

    Raises:
        TypeError: One of them is no mapping.
    """
    for issue in issues:
        if not isinstance(issue, Mapping):
            raise TypeError(
                f"An issue is a mapping with code, message and perhaps path; got {issue!r:.60}."
            )
    return [dict(issue) for issue in issues]


def verdict_fields(
    recording: Recording, *, link: int | str | None, slot: str, version: int | None
) -> dict[str, Any]:
    """The target fields of a verdict record.

    Raises:
        NoAnswerError: The slot has no answer, or not that version.
        UnknownRecordError: ``link`` is no link.
        TypeError: ``version`` is no number.
    """
    if isinstance(link, str):
        return {"link": link_named(recording, link)}
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
    if version is not None and not isinstance(version, int):
        raise TypeError(f"version= is a number from 1; got {version!r:.60}.")
    if version is not None and not 1 <= version <= final:
        raise NoAnswerError(
            f"Slot {slot!r:.60} has versions 1 to {final}; there is no version {version}."
        )
    return {"slot": slot, "version": final if version is None else version}
