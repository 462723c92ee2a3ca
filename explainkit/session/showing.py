"""Reprs that are total: a display must never fail a cell."""

from collections.abc import Callable

from explainkit.safety import escape, visible


def guarded(show: Callable[[], str], fallback: str) -> str:
    """What ``show`` gives, or a line that says why there is nothing to show.

    Recorded text is hostile: nothing in it moves the cursor of a terminal or turns lines around.
    """
    try:
        return visible(show())
    except Exception as error:  # noqa: BLE001 - a raising repr would fail the user's cell
        told = f"{fallback} cannot be shown: {type(error).__name__}: {str(error)[:200]}"
        return visible(told)


def guarded_html(show: Callable[[], str]) -> str:
    """The HTML that ``show`` gives, or an escaped line that says why there is none."""
    try:
        return str(show())
    except Exception as error:  # noqa: BLE001 - a raising repr would fail the user's cell
        told = f"This cannot be shown: {type(error).__name__}: {str(error)[:200]}"
        return f"<pre>{escape(told)}</pre>"


def bundle(text: str, html: str) -> dict[str, str]:
    """A static display bundle: plain text and HTML, never a widget."""
    return {"text/plain": text, "text/html": html or f"<pre>{escape(text)}</pre>"}
