"""The explorer's module and style as texts, put together from plain files in a fixed order."""

from functools import cache
from importlib.resources import files
from typing import Final

from explainkit.view.box_style import boxes_css
from explainkit.view.palette import palette_css

PARTS: Final = (
    "elements", "copying", "stretch", "openings", "hosts", "desk", "answer", "stamps", "board",
    "labels", "drawing", "legend", "graph", "outline", "inspector", "tabs", "machine", "asked",
    "measuring", "whatif", "bisect", "beside", "focus", "explorer",
)  # fmt: skip
"""Files of the module; each uses only what stands before it when it is read."""
PAGE: Final = "page_start"
"""What starts the module in a page of its own."""
_ROOT: Final = ".ek-explorer"


@cache
def module_text(*, page: bool = False) -> str:
    """The ES module that draws the explorer.

    Args:
        page: Whether it starts itself, on the JSON that stands beside it.
    """
    names = (*PARTS, PAGE) if page else PARTS
    return "\n".join(_asset(f"{name}.js") for name in names)


@cache
def style_text() -> str:
    """The style sheet of the explorer; every rule of it is below its own root."""
    dark = f'{_ROOT}[data-theme="dark"]'
    palette = palette_css(_ROOT, dark=dark, around="not print")
    return palette + boxes_css(_ROOT) + _asset("explorer.css")


def _asset(name: str) -> str:
    folder = files("explainkit.view") / "static" / "explorer"
    return (folder / name).read_text("utf-8").strip() + "\n"
