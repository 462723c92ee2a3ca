"""How boxes and arrows look: one sheet for the page, the explorer and the picture of a path."""

import re
from functools import cache
from importlib.resources import files

from explainkit.view.palette import LIGHT


def boxes_css(root: str) -> str:
    """The sheet below the root of a skin, which gives the colours as properties.

    Args:
        root: Selector of the skin.

    Example:
        >>> boxes_css(".ek-board").startswith(".ek-board {")
        True
    """
    return f"{root} {{\n{_sheet()}}}\n"


def plain_css(fonts: str) -> str:
    """The sheet with the colours of the light written in, for a renderer without properties.

    Args:
        fonts: Font families, the first one that is there is used.

    Example:
        >>> "var(" in plain_css("Arial")
        False
    """
    known = LIGHT | {"sans": fonts}
    return re.sub(r"var\(--([\w-]+)\)", lambda used: known[used[1]], _sheet())


@cache
def _sheet() -> str:
    return (files("explainkit.view") / "static" / "boxes.css").read_text("utf-8")
