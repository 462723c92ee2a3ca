"""A drawing as PNG, which a notebook keeps where it drops SVG."""

import threading
from functools import cache
from typing import Final

from explainkit.safety import Html
from explainkit.view.box_style import plain_css
from explainkit.view.palette import PAPER

FONTS: Final = (
    'Arial, "Liberation Sans", Helvetica, "Segoe UI", "Noto Sans", "Open Sans", '
    '"DejaVu Sans Condensed", "DejaVu Sans"'
)
"""The first of them that the machine has is drawn with; other scripts take what it has for them."""
ZOOM: Final = 1.5
"""Pixels for each unit of the drawing, so that it is sharp on a dense screen."""
_drawing = threading.Lock()


def png_of(svg: Html) -> bytes:
    """Render a drawing of boxes and arrows.

    Args:
        svg: What ``svg_of`` gives.

    Returns:
        A PNG on the paper of the light theme.

    Raises:
        ValueError: The machine has no font for its words, or the renderer refused it.
    """
    with _drawing:
        if not _has_font(FONTS):
            raise ValueError("no font was found on this machine")
        return _drawn(str(svg), FONTS)


@cache
def _has_font(fonts: str) -> bool:
    """Whether words are drawn: without a font the renderer leaves them out and says nothing."""
    one, other = (
        f'<svg width="9" height="9"><text class="ek-flag" y="9">{each}</text></svg>'
        for each in "MI"
    )
    return _drawn(one, fonts) != _drawn(other, fonts)


def _drawn(svg: str, fonts: str) -> bytes:
    import resvg_py

    document = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    style = plain_css(fonts)
    return bytes(
        resvg_py.svg_to_bytes(svg_string=document, style_sheet=style, background=PAPER, zoom=ZOOM)
    )
