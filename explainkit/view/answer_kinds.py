"""What an answer that is no text is: None and the text “null” look alike otherwise."""

from typing import TYPE_CHECKING, Final

from explainkit.errors import ExplainkitError

if TYPE_CHECKING:
    from explainkit.backtrack.results import Walk
    from explainkit.store import Recording

_BEGINNINGS: Final = {
    "n": "the value None",
    "t": "the value True",
    "f": "the value False",
    "[": "a list",
    "{": "an object",
}


def kind_words(recording: "Recording", walk: "Walk") -> str:
    """What the answer of a walk is where it is no text; empty for a text, or when not known.

    Args:
        recording: The run.
        walk: A walk from one of its answers.
    """
    if walk.answer_seq is None or walk.inferred or walk.ended is not None:
        return ""
    digest = recording.raw(walk.answer_seq).get("value")
    if not isinstance(digest, str):
        return ""
    try:
        if recording.values.media(digest) == "text/plain":
            return ""
        first = recording.values.data(digest)[:1].decode("ascii", "replace")
    except ExplainkitError:
        return ""  # a damaged value is told of by the walk
    return "" if first == '"' else _BEGINNINGS.get(first, "a number")
