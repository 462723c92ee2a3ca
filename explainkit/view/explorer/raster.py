"""A drawing as PNG, which a notebook keeps where it drops SVG."""

import threading
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
    import resvg_py

    document = str(svg).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)

    def drawn(*, bare: bool) -> bytes:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=document,
                style_sheet=plain_css(FONTS),
                background=PAPER,
                zoom=ZOOM,
                skip_system_fonts=bare,
            )
        )

    with _drawing:
        png = drawn(bare=False)
        if png == drawn(bare=True):
            raise ValueError("no font was found on this machine")
    return png
