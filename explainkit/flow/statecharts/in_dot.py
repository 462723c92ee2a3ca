"""A chart in Graphviz's language: composite states are clusters, names are disarmed labels."""

from explainkit.flow.statecharts.describing import drawn_transitions, invoke_words, state_words
from explainkit.flow.statecharts.nodes import Chart, Node
from explainkit.safety import label

_SHAPES = {"atomic": "box", "final": "doublecircle", "history": "circle"}


def dot_text(chart: Chart) -> str:
    """The whole graph."""
    lines = [
        "digraph {",
        "  compound=true;",
        '  node [style=rounded, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    _state(chart, chart.nodes[0], lines, "  ")
    for source, target, words in drawn_transitions(chart):
        lines.append(_edge(chart, source, target, words))
    return "\n".join([*lines, "}"]) + "\n"


def _state(chart: Chart, node: Node, lines: list[str], indent: str) -> None:
    words = _words(node)
    if node.kind not in ("compound", "parallel"):
        lines.append(f'{indent}s{node.number} [shape={_SHAPES[node.kind]}, label="{words}"];')
        return
    style = "dashed" if node.kind == "parallel" else "rounded"
    lines.append(f"{indent}subgraph cluster_{node.number} {{")
    lines.append(f'{indent}  label="{words}"; style={style};')
    # Graphviz draws arrows between nodes only; the dot stands for the cluster.
    lines.append(f'{indent}  s{node.number} [shape=point, label=""];')
    if node.initial >= 0:
        lines.append(f"{indent}  {_ends(chart, node.number, node.initial, '')}")
    for number in sorted((*node.children, *node.histories)):
        _state(chart, chart.nodes[number], lines, indent + "  ")
    lines.append(f"{indent}}}")


def _words(node: Node) -> str:
    told = (state_words(node), invoke_words(node))
    return "\\n".join(label(words, limit=80) for words in told if words)


def _edge(chart: Chart, source: int, target: int, words: str) -> str:
    return "  " + _ends(chart, source, target, f'label="{label(words, limit=80)}"')


def _ends(chart: Chart, source: int, target: int, attributes: str) -> str:
    """An arrow, cut at the border of a cluster that only one of its ends is inside."""
    found = [attributes] if attributes else []
    for number, other, name in ((source, target, "ltail"), (target, source, "lhead")):
        node = chart.nodes[number]
        if node.kind in ("compound", "parallel") and not number <= other < node.end:
            found.append(f"{name}=cluster_{number}")
    ending = f" [{', '.join(found)}]" if found else ""
    return f"s{source} -> s{target}{ending};"
