"""How a link ended, as a word and a shape, and what a person can do about it."""

from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ExplainkitError
from explainkit.view.composition_links import ToldLink
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.store import Recording

SHAPES: Final = {
    "answered": "●",
    "verdict": "■",
    "error": "▲",
    "paused": "◆",
    "unanswered": "◆",
    "exhausted": "◇",
    "cancelled": "○",
    "running": "▷",
    "crashed": "△",
    "abandoned": "△",
}
"""A shape for each end, so that no reader needs colours."""
_WORDS: Final = {
    "verdict": "refused",
    "error": "failed",
    "running": "still open",
    "abandoned": "open when the run ended",
    "crashed": "open when the record stops",
}
_TODO: Final = {
    "reliability-fail-fast": "Look at the model's error. Correct the provider, or let the rule "
    "retry or fall back.",
    "policy-halt": "Read the proposed call. Let the policy allow it, or deny it so that the model "
    "can go on.",
    "message-denied": "Give a message that the middleware admits. The denied one is not kept.",
    "unsupported-values": "Give the evidence that holds these values, or correct the answer.",
    "consent-pending": "Run it where a person can be asked: can_ask=True.",
    "answer-validation": "Read the checks in run.verdicts. Correct the answer, or the check.",
    "verdict": "Read where it came from: run.backtrack().",
    "error": "Look at what the failing link was given: run.backtrack().",
    "error-outside": "No link failed: look at that line, and at what came before it: run.story().",
    "paused": "Give the checkpoint back as resume=, with the person's answer.",
    "unanswered": "Another tool recorded it up to there. Read what it holds with run.story().",
    "agent-exhausted": "Raise max_calls= of the Agent. A composition around it can say with "
    "on_exhausted= what its last text becomes.",
    "exhausted": "Raise the budget, or say with on_exhausted= what the last value becomes.",
    "cancelled": "It was stopped from outside. Run it again.",
    "crashed": "The process ended before the run did: links without an end say where.",
    "cut": "The file is cut or damaged, so its records stop there: look for a whole copy. Links "
    "without an end say where.",
    "unvouched": "The run did end, but the last line of its file, which vouches for the others, "
    "was cut off: look for a whole copy.",
}
_VERDICTS: Final = (
    "reliability-fail-fast", "policy-halt", "message-denied", "unsupported-values",
    "consent-pending", "answer-validation",
)  # fmt: skip
_ERRORS: Final = {
    "verdict": "VerdictError",
    "paused": "PausedError",
    "exhausted": "ExhaustedError",
    "cancelled": "CancelledError",
}


def error_class(status: str, terminal: str | None) -> str | None:
    """The error that `run` raises for an end that is no error itself.

    Example:
        >>> error_class("verdict", "policy-halt"), error_class("paused", None)
        ('PolicyHaltError', 'PausedError')
    """
    if status == "verdict" and terminal in _VERDICTS:
        return "".join(part.title() for part in terminal.split("-")) + "Error"
    return _ERRORS.get(status)


def badge(recording: "Recording", link: ToldLink) -> str:
    """How a link ended, with its shape: `■ refused: policy-halt`."""
    status = end_of(link)
    return f"{SHAPES.get(status, '?')} {end_words(recording, link)}"


def end_of(link: ToldLink) -> str:
    """The record's word for an end; a verdict stands above the error that carried it."""
    return "verdict" if link.terminal is not None else link.status


def end_words(recording: "Recording", link: ToldLink, *, terminal: str | None = None) -> str:
    """How a link ended, in words.

    Args:
        recording: The run.
        link: The link.
        terminal: Kind of the verdict that it handed on.
    """
    status = end_of(link)
    word = _WORDS.get(status, status)
    kind = link.terminal or terminal
    if status == "verdict" and kind is not None:
        return f"{word}: {flat(kind, 60)}"
    if status == "error" and link.error is not None:
        return f"{word}: {flat(raised(recording, link.error)[0], 60)}"
    return flat(word, 60)


def raised(recording: "Recording", digest: str) -> tuple[str, str]:
    """Class and message of a recorded error; of anything else that stands for one, its text."""
    try:
        value: Any = recording.values.tagged(digest)
    except ExplainkitError as error:
        return "an error", f"cannot be read: {error}"
    told = value.get("$exception") if isinstance(value, dict) else None
    if isinstance(told, dict):
        name = str(told.get("type") or "an error").rpartition(".")[2]
        return name, str(told.get("message") or "")
    return "an error", value if isinstance(value, str) else str(value)


def shown_value(recording: "Recording", digest: str | None, limit: int) -> str:
    """A value on one line; one that cannot be read says so."""
    if digest is None:
        return ""
    try:
        return flat(recording.values.shown(digest), limit)
    except ExplainkitError as error:
        return flat(f"cannot be read: {error}", limit)


def took_words(seconds: float | None) -> str:
    """A duration as a person says it."""
    if seconds is None:
        return ""
    if seconds < 1:
        return f"{seconds * 1e3:,.1f} ms"
    return f"{seconds:,.1f} s" if seconds < 120 else f"{seconds / 60:,.1f} min"


def stopped(recording: "Recording") -> str:
    """Why a record stops without an end: `unvouched`, `cut`, or `crashed` of an intact file.

    Args:
        recording: A run that has no right end.
    """
    if recording.unvouched:
        return "unvouched"
    own = [each for each in recording.damage if each not in recording.notes_damage]
    return "cut" if own else "crashed"


def todo(kind: str, word: str) -> str:
    """What to do about an end.

    Args:
        kind: The record's word for it.
        word: Kind of the verdict, or class of the error.
    """
    return _TODO.get(word if kind == "verdict" else kind, _TODO.get(kind, ""))
