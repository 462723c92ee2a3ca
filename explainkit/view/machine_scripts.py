"""A lit machine in Graphviz's and Mermaid's languages; no recorded name becomes syntax in them."""

from explainkit.safety import label, shorten, visible
from explainkit.view.machine_layout import initials_of, lines_of
from explainkit.view.machine_lighting import LitChart, LitState
from explainkit.view.palette import INK, MUTED, PAPER, TINTS

_PLAIN = frozenset(" _-.,/()[]*")
_SHOWN = 80
_NODE = {
    "active": f'penwidth=4, color="{INK}", fillcolor="{TINTS[0][0]}"',
    "visited": f'color="{TINTS[0][1]}", fillcolor="{TINTS[0][0]}"',
    "never": f'color="{MUTED}", fillcolor="{PAPER}"',
}
_CLASSES = {
    "active": f"fill:{TINTS[0][0]},stroke:{INK},stroke-width:4px,color:{INK}",
    "visited": f"fill:{TINTS[0][0]},stroke:{TINTS[0][1]},color:{INK}",
    "never": f"fill:{PAPER},stroke:{MUTED},stroke-dasharray:5 4,color:{MUTED}",
}


def dot_of_machine(lit: LitChart) -> str:
    """DOT source: composite states are clusters, marks are borders, fills and words."""
    rows = [
        "digraph {",
        "  compound=true;",
        f'  label="{label(lit.caption)}"; labelloc=t; fontname="sans-serif";',
        '  node [shape=box, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    _dot_state(lit, 0, rows, "  ")
    for arrow in lit.arrows:
        words = f'label="{label(arrow.words, limit=_SHOWN)}"'
        taken = ", penwidth=3" if arrow.taken else ""
        rows.append(f"  {_dot_arrow(lit, arrow.source, arrow.target, words + taken)}")
    rows += [f"  {_dot_arrow(lit, outer, inner, '')}" for outer, inner in initials_of(lit)]
    return "\n".join([*rows, "}"]) + "\n"


def mermaid_of_machine(lit: LitChart) -> str:
    """A Mermaid state diagram with a class for each mark, and the mark in words."""
    rows = ["stateDiagram-v2"]
    rows += [f"    classDef {name} {style}" for name, style in _CLASSES.items()]
    _mermaid_state(lit, 0, rows, "    ")
    for arrow in lit.arrows:
        taken = " (taken last)" if arrow.taken else ""
        rows.append(f"    s{arrow.source} --> s{arrow.target} : {_disarmed(arrow.words)}{taken}")
    rows += [f"    class s{state.number} {state.standing}" for state in lit.states]
    return "\n".join(rows) + "\n"


def _dot_state(lit: LitChart, number: int, rows: list[str], indent: str) -> None:
    state = lit.states[number]
    words = "\\n".join(label(line, limit=_SHOWN) for line in lines_of(state))
    dashed = ",dashed" if state.standing == "never" else ""
    look = f'style="filled,rounded{dashed}", {_NODE[state.standing]}'
    if lit.chart.is_box(number):
        twice = ", peripheries=2" if state.kind == "final" else ""
        rows.append(f'{indent}s{number} [label="{words}", {look}{twice}];')
        return
    rows.append(f"{indent}subgraph cluster_{number} {{")
    rows.append(f'{indent}  label="{words}"; {look.replace(", ", "; ")};')
    rows.append(f'{indent}  s{number} [shape=point, label=""];')
    for below in lit.chart.children[number]:
        _dot_state(lit, below, rows, indent + "  ")
    rows.append(f"{indent}}}")


def _dot_arrow(lit: LitChart, source: int, target: int, attributes: str) -> str:
    """An arrow, cut at the border of a cluster that only one of its ends is inside of."""
    found = [attributes] if attributes else []
    for number, other, name in ((source, target, "ltail"), (target, source, "lhead")):
        inside = lit.chart.states[number].id in lit.chart.above(lit.chart.states[other].id)
        if not lit.chart.is_box(number) and not inside:
            found.append(f"{name}=cluster_{number}")
    ending = f" [{', '.join(found)}]" if found else ""
    return f"s{source} -> s{target}{ending};"


def _mermaid_state(lit: LitChart, number: int, rows: list[str], indent: str) -> None:
    opening = f'{indent}state "{_mermaid_words(lit.states[number])}" as s{number}'
    if lit.chart.is_box(number):
        rows.append(opening)
        if lit.states[number].kind == "final":
            rows.append(f"{indent}s{number} --> [*]")
        return
    rows.append(f"{opening} {{")
    inside = indent + "    "
    initial = dict(initials_of(lit)).get(number)
    if initial is not None:
        rows.append(f"{inside}[*] --> s{initial}")
    for place, below in enumerate(lit.chart.children[number]):
        if place and lit.states[number].kind == "parallel":
            rows.append(f"{inside}--")
        _mermaid_state(lit, below, rows, inside)
    rows.append(f"{indent}}}")


def _mermaid_words(state: LitState) -> str:
    name, *rest = lines_of(state)
    return f"{_disarmed(name)} ({'. '.join(_disarmed(line) for line in rest)})"


def _disarmed(words: str) -> str:
    """Text whose every character that could be syntax is written as its number."""
    shown = visible(shorten(words, _SHOWN)).replace("\t", " ").replace("\n", " ")
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in shown)
