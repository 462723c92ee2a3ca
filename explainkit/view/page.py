"""One self-contained page of a run: the explorer on prepared answers, with no kernel and no CDN."""

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from explainkit.backtrack import bounds_of_shortlist, shortlist
from explainkit.backtrack.results import Walk
from explainkit.safety import Html, element, joined
from explainkit.view import panels
from explainkit.view.board import Board
from explainkit.view.box_style import boxes_css
from explainkit.view.chart_legend import legend_of
from explainkit.view.compose import board_of
from explainkit.view.composition_board import end_panel
from explainkit.view.drawing import svg_of
from explainkit.view.explorer import Exploration, Walks
from explainkit.view.explorer.page_data import PageData, Progress
from explainkit.view.explorer.script import module_text, style_text
from explainkit.view.machine_board import machine_panel
from explainkit.view.notebook import details, main
from explainkit.view.palette import palette_css
from explainkit.view.seen import prompt_on_path
from explainkit.view.skin import PAGE
from explainkit.view.words import counted, flat

if TYPE_CHECKING:
    from explainkit.graph import Evidence
    from explainkit.view.chart import Chart

LARGEST: Final = 4_000_000
"""Characters of a page at most, whatever was recorded; each part of it has a budget of its own."""


def page_of(
    evidence: "Evidence",
    walk: Walk,
    *,
    board: Board | None = None,
    walks: Walks | None = None,
    slot: str = "answer",
    progress: Progress | None = None,
) -> str:
    """Write one self-contained page of a run and a backtrack in it.

    Args:
        evidence: The run.
        walk: The backtrack that the page opens on.
        board: What was composed for it, when it is at hand already.
        walks: How to walk from other words; from given answers only when not told.
        slot: The answer slot that the backtrack started from.
        progress: Told how many of how many parts of the page are made.

    Returns:
        A whole HTML document: no request, no inline style, and every recorded word as text. The
        board reads without JavaScript; with it the run is explored, as far as answers were
        prepared, which the page says.
    """
    board = board or board_of(
        evidence.recording,
        walk,
        prompt=prompt_on_path(evidence, walk),
        suspects=shortlist(evidence, walk),
        cut=bounds_of_shortlist(evidence, walk),
    )
    asked = Exploration(evidence, walk=walks)
    asked.open_on(walk, slot=slot, board=board)
    told = PageData(asked, progress).told()
    chart, layout = asked.drawn()
    panes = _panes(board, _graph(chart, svg_of(chart, layout), layout.engine))
    style, script = _board_style() + style_text(), module_text(page=True)
    size = sum(map(len, (str(panes), json_for_script(told), style, script)))
    told["scene"]["missing"].append(
        f"This page is self-contained, has about {-(-size // 1_000):,} KB and asks nothing of any "
        "network."
    )
    footer = panels.footer(PAGE, (*board.footer, f"Run {board.run}.", *told["scene"]["missing"]))
    title = element("h1", "Run ", flat(board.name, 200), **{"class": "ek-unseen"})
    body = element("main", title, element("article", panes, footer, **{"class": "ek-board"}))
    return _document(board.name, body, json_for_script(told), style, script)


def _document(name: str, body: Html, data: str, style: str, script: str) -> str:
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"{element('title', flat(name), ' · explainkit')}\n<style>{style}</style>\n"
        f'</head>\n<body>\n{body}\n<script type="application/json">{data}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _panes(board: Board, graph: Html) -> Html:
    """What reads without a script: the board, and the graph as a picture."""
    return joined(
        panels.head(PAGE, board, kicker="explainkit backtrack"),
        end_panel(PAGE, board.ended),
        panels.question_and_answer(PAGE, board),
        main(PAGE, board),
        panels.suspects(PAGE, board.suspects, board.folded.get("suspects", 0)),
        machine_panel(PAGE, board),
        graph,
        details(PAGE, board),
    )


def json_for_script(value: Any) -> str:
    """JSON that no HTML parser can end: ``<``, ``>`` and ``&`` are escapes, and all is ASCII."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _graph(chart: "Chart", svg: Html, engine: str) -> Html:
    drawn = counted(len(chart.nodes), "box", "boxes")
    arrows = counted(len(chart.edges), "arrow")
    said = [f"{drawn}, {arrows}", f"placed by {engine}", *chart.notes]
    return element(
        "section",
        element(
            "div",
            element("h2", "The run as a graph", **{"class": "ek-heading"}),
            element("p", " · ".join(said), **{"class": "ek-note"}),
            **{"class": "ek-graph-head"},
        ),
        element("div", svg, **{"class": "ek-pane"}),
        legend_of(chart),
        **{"class": "ek-graph-section", "aria-label": "Graph"},
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@cache
def _board_style() -> str:
    """The style of the board; paper is light, whatever a screen is."""
    dark = "screen and (prefers-color-scheme: dark)"
    rules = (files("explainkit.view") / "static" / "page.css").read_text("utf-8")
    return (
        palette_css(":root", dark=":root", around=dark)
        + boxes_css(".ek-board")
        + f"{rules.strip()}\n"
    )
