"""One self-contained page of a run: board, graph and inspector, with no kernel and no CDN."""

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from explainkit.backtrack import shortlist
from explainkit.backtrack.results import Walk
from explainkit.safety import Html, element, joined
from explainkit.view import panels
from explainkit.view.board import Board
from explainkit.view.carried import edges_of
from explainkit.view.chart import KIND_WORDS, Chart
from explainkit.view.collecting import collect
from explainkit.view.compose import board_of
from explainkit.view.composition_board import end_panel
from explainkit.view.details import details_of
from explainkit.view.drawing import sketch_of, svg_of
from explainkit.view.folding import chart_of
from explainkit.view.layout import layout_of
from explainkit.view.machine_board import machine_panel
from explainkit.view.notebook import details, main
from explainkit.view.seen import prompt_on_path, prompts_of
from explainkit.view.skin import PAGE
from explainkit.view.words import GRADES, counted, flat

if TYPE_CHECKING:
    from explainkit.graph import Evidence


def page_of(evidence: "Evidence", walk: Walk, *, board: Board | None = None) -> str:
    """Write one self-contained page of a run and a backtrack in it.

    Args:
        evidence: The run.
        walk: The backtrack whose path is lit.
        board: What was composed for them, when it is at hand already.

    Returns:
        A whole HTML document: no request, no inline style, and every recorded word as text. It
        reads without JavaScript; with it the graph is walked by click and by key.
    """
    recording = evidence.recording
    board = board or board_of(
        recording,
        walk,
        prompt=prompt_on_path(evidence, walk),
        suspects=shortlist(evidence, walk),
    )
    chart = chart_of(collect(recording, walk, edges_of(evidence)))
    prompts = prompts_of(evidence, chart)
    layout = layout_of(sketch_of(chart))
    style, script = _asset("page.css"), _asset("page.js")
    data = _payload(chart, details_of(recording, chart, walk, prompts), walk)
    body = joined(
        element(
            "main",
            panels.head(PAGE, board, kicker="explainkit backtrack"),
            end_panel(PAGE, board.ended),
            panels.question_and_answer(PAGE, board),
            main(PAGE, board),
            panels.suspects(PAGE, board.suspects, board.folded.get("suspects", 0)),
            machine_panel(PAGE, board),
            _graph(chart, svg_of(chart, layout), layout.engine),
            details(PAGE, board),
            panels.footer(PAGE, _footer(board)),
            **{"class": "ek-board"},
        )
    )
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
        f"{element('title', 'Backtrack: ', flat(board.name))}\n<style>{style}</style>\n"
        f'</head>\n<body>\n{body}\n<script type="application/json">{data}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def json_for_script(value: Any) -> str:
    """JSON that no HTML parser can end: ``<``, ``>`` and ``&`` are escapes, and all is ASCII."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _payload(chart: Chart, inspected: Sequence[dict[str, Any]], walk: Walk) -> str:
    nodes = [
        {
            "seq": node.seq,
            "kind": node.kind,
            "kindWord": KIND_WORDS[node.kind],
            "word": flat(node.word, 100),
            "label": flat(node.label, 300),
            "lit": node.lit,
            "members": list(node.members[:1]) and [node.members[0], node.members[-1]],
            **content,
        }
        for node, content in zip(chart.nodes, inspected, strict=True)
    ]
    edges = [
        [edge.source, edge.target, edge.role, edge.grade, edge.lit, edge.count]
        for edge in chart.edges
    ]
    records = {str(seq): index for seq, index in chart.by_seq.items() if index < len(nodes)}
    if len(records) > 4 * len(nodes):  # folded records are reached through their box
        records = {str(node.seq): index for index, node in enumerate(chart.nodes)}
    first = [use.seq for use in walk.contexts if not use.asked]
    start = chart.by_seq.get(first[0] if first else walk.answer_seq or 0, len(nodes) - 1)
    return json_for_script({"nodes": nodes, "edges": edges, "records": records, "start": start})


def _graph(chart: Chart, svg: Html, engine: str) -> Html:
    drawn = counted(len(chart.nodes), "box", "boxes")
    arrows = counted(len(chart.edges), "arrow")
    said = [f"{drawn}, {arrows}", f"placed by {engine}", *chart.notes]
    legend = [
        element(
            "li",
            element(
                "svg",
                element("path", d="M2 7H34", **{"class": f"ek-edge ek-grade-{grade}"}),
                width="36",
                height="14",
                **{"aria-hidden": "true"},
            ),
            element("b", grade),
            f" {meaning}",
        )
        for grade, meaning in GRADES.items()
    ]
    return element(
        "section",
        element(
            "div",
            element("h2", "The run as a graph", **{"class": "ek-heading"}),
            element("p", " · ".join(said), **{"class": "ek-note"}),
            **{"class": "ek-graph-head"},
        ),
        element(
            "div",
            element("nav", **{"class": "ek-outline", "hidden": "", "aria-label": "Outline"}),
            element("div", svg, **{"class": "ek-pane"}),
            element(
                "aside",
                **{
                    "class": "ek-inspector",
                    "hidden": "",
                    "aria-label": "Inspector",
                    "tabindex": "-1",
                },
            ),
            **{"class": "ek-graph"},
        ),
        element("ul", *legend, **{"class": "ek-legend", "aria-label": "Line styles"}),
        element("p", **{"class": "ek-live", "role": "status", "aria-live": "polite"}),
        **{"class": "ek-graph-section", "aria-label": "Graph"},
    )


def _footer(board: Board) -> tuple[str, ...]:
    return (
        *board.footer,
        f"Run {board.run}. This page is self-contained and asks nothing of any network.",
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@cache
def _asset(name: str) -> str:
    return (files("explainkit.view") / "static" / name).read_text("utf-8").strip() + "\n"
