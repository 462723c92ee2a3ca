"""Widgets that show text as text, because labels of widgets are read as LaTeX by the front end."""

import ipywidgets

from explainkit.safety import shorten, visible

# What begins a formula, and the wide form that looks like it and begins none.
_DISARMED = str.maketrans({"$": "\uff04", "\\": "\uff3c"})
_LABEL = 400
_TEXT = 20_000


def disarmed(text: str, *, limit: int = _LABEL) -> str:
    r"""What may be the label of a widget: bounded, nothing hidden, no formula.

    Example:
        >>> ascii(disarmed(r"$\href{javascript:x}{a}$"))
        "'\\uff04\\uff3chref{javascript:x}{a}\\uff04'"
    """
    return visible(shorten(text, limit)).translate(_DISARMED)


def line(text: str) -> "ipywidgets.Label":
    """A line of text."""
    return ipywidgets.Label(value=disarmed(text))


def passage(text: str) -> "ipywidgets.Textarea":
    """A text of many lines that can be read and copied, not changed."""
    shown = visible(shorten(text, _TEXT))
    rows = min(max(shown.count("\n") + 1, len(shown) // 90 + 1), 12)
    return ipywidgets.Textarea(
        value=shown, disabled=True, rows=rows, layout=ipywidgets.Layout(width="auto")
    )
