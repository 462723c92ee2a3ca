"""Big runs to a few hundred boxes: by composition, by repetition, by stretches; always counted."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from explainkit.view.chart import Chart, ChartEdge, ChartNode, RawEdge, merged
from explainkit.view.collecting import Collected
from explainkit.view.words import counted

_Keep = Callable[[ChartNode], bool]
BOXES = 400
ARROWS = 1_200


def chart_of(found: Collected, *, boxes: int = BOXES) -> Chart:
    """Choose what is drawn.

    Args:
        found: All boxes and arrows.
        boxes: Boxes at most; a walked path longer than that is folded too, and said.

    Returns:
        The chart; what is folded or not drawn is counted in its notes.
    """
    groups = _groups(found, boxes)
    nodes = [_node(found, members) for members in groups]
    index = {seq: number for number, members in enumerate(groups) for seq in members}
    edges = _edges(found.edges, index)
    spine = _then(nodes, edges)
    hints = _hints(nodes, [*edges, *spine])
    notes = _notes(found, groups)
    drawn = [*edges, *spine]
    if len(drawn) > ARROWS:
        drawn.sort(key=lambda edge: (not edge.lit, edge.grade == "exposure", edge.source))
        notes.append(f"{counted(len(drawn) - ARROWS, 'arrow')} of {len(drawn):,} not drawn")
        drawn = sorted(drawn[:ARROWS], key=lambda edge: (edge.source, edge.target))
    return Chart(tuple(nodes), tuple(drawn), tuple(hints), tuple(notes))


def _groups(found: Collected, boxes: int) -> list[list[int]]:
    order = sorted(found.nodes)
    groups = [[seq] for seq in order]
    if len(groups) > boxes:
        groups = _by_composition(found, order)
    if len(groups) > boxes:
        groups = _by_repetition(found, groups)
    if len(groups) > boxes:
        groups = _by_stretches(found, groups, boxes, keep=_kept)
    if len(groups) > boxes:
        groups = _by_stretches(found, groups, boxes, keep=_nothing)
    return groups


def _kept(node: ChartNode) -> bool:
    return node.lit or node.kind in {"answer", "override", "verdict", "question"}


def _nothing(node: ChartNode) -> bool:
    del node
    return False


def _by_composition(found: Collected, order: Iterable[int]) -> list[list[int]]:
    """Records inside a step go into the outermost step that is not itself drawn alone."""
    groups: dict[int, list[int]] = {}
    outermost: dict[int, int] = {}
    for seq in order:
        node = found.nodes[seq]
        parent = node.parent
        inside = parent is not None and parent in outermost
        # The outermost links of all would swallow the run: what lies directly in one stays.
        top = outermost[parent] if inside and parent is not None else seq
        depth_one = inside and top == parent and found.nodes[top].parent is None
        outermost[seq] = seq if not inside or depth_one else top
        home = seq if _kept(node) else outermost[seq]
        groups.setdefault(home, []).append(seq)
    return sorted(groups.values())


def _by_repetition(found: Collected, groups: list[list[int]]) -> list[list[int]]:
    """Neighbours of the same kind and name become one box."""
    made: list[list[int]] = []
    last: tuple[str, str] | None = None
    for members in groups:
        node = found.nodes[members[0]]
        key = None if any(_kept(found.nodes[seq]) for seq in members) else (node.word, node.label)
        if key is not None and key == last:
            made[-1].extend(members)
        else:
            made.append(list(members))
        last = key
    return made


def _by_stretches(
    found: Collected, groups: list[list[int]], boxes: int, *, keep: _Keep
) -> list[list[int]]:
    """Neighbours of any kind become one box, as few as needed; what is kept stands alone."""
    alone = [any(keep(found.nodes[seq]) for seq in members) for members in groups]
    runs = sum(1 for a, b in zip([True, *alone], alone, strict=False) if a and not b)
    room = max(boxes - sum(alone) - runs, 1)
    size = -(-(len(groups) - sum(alone)) // room)
    made: list[list[int]] = []
    held = 0
    for members, stands in zip(groups, alone, strict=True):
        if stands or not made or held == 0 or held >= size:
            made.append(list(members))
            held = 0 if stands else 1
        else:
            made[-1].extend(members)
            held += 1
    return made


def _node(found: Collected, members: list[int]) -> ChartNode:
    first = found.nodes[members[0]]
    if len(members) == 1:
        return first
    names = {(found.nodes[seq].word, found.nodes[seq].label) for seq in members}
    lit = any(found.nodes[seq].lit for seq in members)
    origin = any(found.nodes[seq].origin for seq in members)
    if len(names) == 1:
        label, word = first.label, f"{first.word} × {len(members):,}"
    elif found.nodes[members[-1]].parent is not None and first.spine:
        label, word = first.label, f"{first.word} with {counted(len(members) - 1, 'record')}"
    else:
        label, word = f"records {members[0]} to {members[-1]}", counted(len(members), "record")
    return replace(
        first,
        kind="fold",
        word=word,
        label=label,
        lit=lit,
        origin=origin,
        members=tuple(members),
        spine=True,
    )


def _edges(edges: list[RawEdge], index: dict[int, int]) -> list[ChartEdge]:
    moved = [
        replace(edge, source=index[edge.source], target=index[edge.target])
        for edge in edges
        if index[edge.source] != index[edge.target]
    ]
    found = [ChartEdge(e.source, e.target, e.role, e.grade, e.lit, e.count) for e in merged(moved)]
    return sorted(found, key=lambda edge: (edge.source, edge.target))


def _then(nodes: list[ChartNode], edges: list[ChartEdge]) -> list[ChartEdge]:
    """The course of the run: from each step or event to the next in the same step."""
    pairs = {(edge.source, edge.target) for edge in edges}
    last: dict[int | None, int] = {}
    found: list[ChartEdge] = []
    for number, node in enumerate(nodes):
        if not node.spine:
            continue
        before = last.get(node.parent)
        if before is not None and (before, number) not in pairs:
            found.append(ChartEdge(before, number, "then", "order"))
        last[node.parent] = number
    return found


def _hints(nodes: list[ChartNode], edges: list[ChartEdge]) -> list[tuple[int, int]]:
    """A box without arrows stands above the next step, or below the last one."""
    joined = {edge.source for edge in edges} | {edge.target for edge in edges}
    after: list[int | None] = [None] * len(nodes)
    upcoming: int | None = None
    for number in range(len(nodes) - 1, -1, -1):
        after[number] = upcoming
        if nodes[number].spine or nodes[number].kind == "answer":
            upcoming = number
    hints: list[tuple[int, int]] = []
    latest: int | None = None
    for number, node in enumerate(nodes):
        follower = after[number]
        if number not in joined and follower is not None:
            hints.append((number, follower))
        elif number not in joined and latest is not None:
            hints.append((latest, number))
        if node.spine or node.kind == "answer":
            latest = number
    return hints


def _notes(found: Collected, groups: list[list[int]]) -> list[str]:
    notes: list[str] = []
    folded = [members for members in groups if len(members) > 1]
    if folded:
        records = sum(len(members) for members in folded)
        notes.append(
            f"{counted(records, 'record')} of {len(found.nodes):,} folded into "
            f"{counted(len(folded), 'box', 'boxes')}"
        )
    hidden = [
        counted(count, kind, "replies" if kind == "reply" else None)
        for kind, count in found.hidden.items()
    ]
    if hidden:
        notes.append(f"not drawn: {', '.join(hidden)}")
    return notes
