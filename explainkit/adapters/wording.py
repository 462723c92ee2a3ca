"""Foreign words that stand in a record itself: redacted, encodable, and short enough to read."""

from explainkit.tracing.recorder import Recorder

NAME = 200
"""Code points of a name; the message that it came from is stored whole."""


def inline(recorder: Recorder, text: str, *, limit: int = NAME) -> str:
    """Make a foreign text fit to stand in a record's own fields.

    Args:
        recorder: Its redactor is asked.
        text: The text.
        limit: Code points that are kept; a cut is marked.
    """
    stored = recorder.redactor.text(text)
    stored = stored.encode("utf-8", "backslashreplace").decode()
    return stored if len(stored) <= limit else f"{stored[: limit - 3]}..."
