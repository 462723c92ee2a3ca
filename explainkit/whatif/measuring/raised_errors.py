"""What a re-run ended on, as the user knows it: the error, its words, a line of their own code."""

from typing import TYPE_CHECKING

from explainkit.safety import shorten, shorten_at_words
from explainkit.safety.decoding import Opaque

if TYPE_CHECKING:
    from explainkit.store import Recording
    from explainkit.whatif.rerunning import Rerun

MESSAGE = 240
NAME = 60


def raised_in(done: "Rerun") -> str:
    """What a re-run ended on, and where in the user's own code it came out.

    An error that never passed a line of theirs is placed by the link that ended on it, such as an
    Agent: a line of this package, or of a library, is none that they can mend.

    Args:
        done: The re-run.
    """
    recording = done.recording
    digest = next(recording.rows("run_ended"), {}).get("error")
    if digest is None:
        return "an error that is not on record"
    error = recording.values.object(digest)
    if not isinstance(error, Opaque):
        return shorten_at_words(str(error), MESSAGE)
    message = str(error.fields.get("message") or error.repr or "")
    name = error.type.rpartition(".")[2]
    # What follows goes on with a sentence of its own.
    told = f"{name}: {shorten_at_words(message, MESSAGE).rstrip('.')}" if message else name
    own = error.fields.get("at") or ()
    place = shorten(str(own[0]), 80) if own else f"in {_link_of(recording, error)}"
    return f"{told} ({place})"  # of the user's lines the innermost one is first


def _link_of(recording: "Recording", error: Opaque) -> str:
    """The innermost link that ended on an error; the run where none did."""
    rows = {row["seq"]: row for row in recording.rows("link_opened") if row.get("name")}
    ended = [
        rows[row["link"]]
        for row in recording.rows("link_closed")
        if row.get("error") and row["link"] in rows and _is_same(recording, row["error"], error)
    ]
    # Of links in each other the inner one was opened last.
    last = max(ended, key=lambda row: int(row["seq"]), default=None)
    if last is None:
        run = next(recording.rows("run_started"), {})
        return shorten(f"run {run.get('name') or ''}".strip(), NAME)
    return shorten(f"{last.get('type') or 'link'} {last['name']}", NAME)


def _is_same(recording: "Recording", digest: str, error: Opaque) -> bool:
    """Whether a link ended on the same error; the lines that it had passed by then may differ."""
    found = recording.values.object(digest)
    return (
        isinstance(found, Opaque)
        and found.type == error.type
        and found.fields.get("message") == error.fields.get("message")
    )
