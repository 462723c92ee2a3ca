"""A chart as a Mermaid state diagram; names of states are hostile text and never become syntax."""

from explainkit.flow.statecharts.describing import drawn_transitions, invoke_words, state_words
from explainkit.flow.statecharts.nodes import Chart, Node
from explainkit.safety import shorten, visible

_PLAIN = frozenset(" _-.,/()[]*")
_SHOWN = 80


def mermaid_text(chart: Chart) -> str:
    """The whole diagram."""
    lines = ["stateDiagram-v2"]
    _state(chart, chart.nodes[0], lines, "    ")
    for source, target, words in drawn_transitions(chart):
        lines.append(f"    s{source} --> s{target} : {_text(words)}")
    return "\n".join(lines) + "\n"


def _state(chart: Chart, node: Node, lines: list[str], indent: str) -> None:
    opening = f'{indent}state "{_words(node)}" as s{node.number}'
    if node.kind not in ("compound", "parallel"):
        lines.append(opening)
        if node.kind == "final":
            lines.append(f"{indent}s{node.number} --> [*]")
        return
    lines.append(f"{opening} {{")
    inside = indent + "    "
    if node.initial >= 0:
        lines.append(f"{inside}[*] --> s{node.initial}")
    below = sorted((*node.children, *node.histories))
    for position, number in enumerate(below):
        if position and node.kind == "parallel":
            lines.append(f"{inside}--")
        _state(chart, chart.nodes[number], lines, inside)
    lines.append(f"{indent}}}")


def _words(node: Node) -> str:
    invoked = invoke_words(node)
    return _text(state_words(node)) + (f" ({_text(invoked)})" if invoked else "")


def _text(words: str) -> str:
    """Text whose every character that could be syntax is written as its number."""
    shown = visible(shorten(words, _SHOWN)).replace("\t", " ").replace("\n", " ")
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in shown)
