"""Big runs to a few hundred boxes: by composition, by repetition, by stretches; always counted."""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from explainkit.view.chart import Chart, ChartEdge, ChartNode, RawEdge, merged
from explainkit.view.collecting import Collected
from explainkit.view.words import counted

_Keep = Callable[[ChartNode], bool]
BOXES = 400
ARROWS = 1_200
UNFOLDED = 120
"""Boxes of a run that a reader can take in at once; a bigger one opens folded to so many."""
ON_PATH = 180
"""Boxes of a path that is drawn alone; a longer one is folded from there on."""
OPENED = 40
"""Boxes that one fold opens into; what does not fit is folded again."""
MOST = 440
"""Boxes with all that is opened; a fold that would lead beyond stays closed, and that is said."""
_DIGITS = re.compile(r"\d+")


def chart_of(
    found: Collected,
    *,
    boxes: int = BOXES,
    near: Collection[int] = (),
    opened: Collection[int] = (),
) -> Chart:
    """Choose what is drawn.

    Args:
        found: All boxes and arrows.
        boxes: Boxes at most; a walked path longer than that is folded too, and said.
        near: Records that stand alone as far as there is room, the most important first.
        opened: First records of folds that are to be open, outer ones first.

    Returns:
        The chart; what is folded or not drawn is counted in its notes.
    """
    found = _of_the_run(found)
    groups = _groups(found, sorted(found.nodes), boxes, _alone(found, near, boxes // 2))
    groups, closed = _open(found, groups, opened)
    return _drawn(found, groups, closed)


def path_of(found: Collected, path: Collection[int], *, opened: Collection[int] = ()) -> Chart:
    """Draw a path alone: what lies between its records is folded and counted.

    Args:
        found: All boxes and arrows.
        path: The records of the path; what judges them is drawn too.
        opened: First records of folds that are to be open, outer ones first.
    """
    found = _of_the_run(found)
    alone = set(list(path)[:ON_PATH])
    judges = (e.target for e in found.edges if e.role == "judges" and e.source in alone)
    alone |= set(sorted(set(judges))[:OPENED])
    groups: list[list[int]] = []
    for seq in sorted(found.nodes):
        if groups and seq not in alone and groups[-1][0] not in alone:
            groups[-1].append(seq)
        else:
            groups.append([seq])
    groups, closed = _open(found, groups, opened)
    return _drawn(found, groups, closed, apart=True)


def _of_the_run(found: Collected) -> Collected:
    """What the run itself did: a finding tells of other runs, and no arrow leads to it."""
    apart = {seq for seq, node in found.nodes.items() if node.kind == "finding"}
    if not apart:
        return found
    return replace(
        found,
        nodes={seq: node for seq, node in found.nodes.items() if seq not in apart},
        edges=[edge for edge in found.edges if apart.isdisjoint((edge.source, edge.target))],
        hidden={**found.hidden, "finding": len(apart)},
    )


def _drawn(found: Collected, groups: list[list[int]], closed: int, *, apart: bool = False) -> Chart:
    """Boxes for groups and arrows between them; ``apart`` leaves out those of folds."""
    nodes = [_node(found, members) for members in groups]
    index = {seq: number for number, members in enumerate(groups) for seq in members}
    edges = _edges(found.edges, index)
    notes = _notes(found, groups)
    if closed:
        notes.append(f"{counted(closed, 'fold')} left closed: {MOST} boxes are drawn at most")
    if apart:
        every = len(edges)
        edges = [e for e in edges if not nodes[e.source].members and not nodes[e.target].members]
        if len(edges) < every:
            notes.append(f"{counted(every - len(edges), 'arrow')} of folded records not drawn")
    spine = _then(nodes, edges)
    hints = _hints(nodes, [*edges, *spine])
    drawn = [*edges, *spine]
    if len(drawn) > ARROWS:
        drawn.sort(key=lambda edge: (not edge.lit, edge.grade == "exposure", edge.source))
        notes.append(f"{counted(len(drawn) - ARROWS, 'arrow')} of {len(drawn):,} not drawn")
        drawn = sorted(drawn[:ARROWS], key=lambda edge: (edge.source, edge.target))
    return Chart(tuple(nodes), tuple(drawn), tuple(hints), tuple(notes))


def _alone(found: Collected, near: Collection[int], room: int) -> frozenset[int]:
    """The records that stand alone: those near the path, then what is never folded first."""
    known = [seq for seq in dict.fromkeys(near) if seq in found.nodes][:room]
    return frozenset(known)


def _open(
    found: Collected, groups: list[list[int]], opened: Collection[int]
) -> tuple[list[list[int]], int]:
    """Open folds by their first records, and count those that stay closed for want of room."""
    closed = 0
    for first in dict.fromkeys(opened):
        at = next((n for n, each in enumerate(groups) if each[0] == first and len(each) > 1), None)
        if at is None:
            continue  # a fold of another chart, or one that lies in a closed one
        inside = [[first], *_groups(found, groups[at][1:], OPENED - 1, frozenset())]
        if len(groups) - 1 + len(inside) > MOST:
            closed += 1
            continue
        groups = sorted([*groups[:at], *inside, *groups[at + 1 :]])
    return groups, closed


def _groups(
    found: Collected, order: list[int], boxes: int, alone: frozenset[int]
) -> list[list[int]]:
    def kept(node: ChartNode) -> bool:
        return node.seq in alone or _kept(node)

    groups = [[seq] for seq in order]
    if len(groups) > boxes:
        groups = _by_composition(found, order, kept)
    if len(groups) > boxes:
        groups = _by_repetition(found, groups, kept)
    if len(groups) > boxes:
        groups = _by_stretches(found, groups, boxes, keep=kept)
    if len(groups) > boxes:
        groups = _by_stretches(found, groups, boxes, keep=_nothing)
    return groups


def _kept(node: ChartNode) -> bool:
    return node.lit or node.kind in {"answer", "override", "verdict", "question"}


def _nothing(node: ChartNode) -> bool:
    del node
    return False


def _by_composition(found: Collected, order: Iterable[int], keep: _Keep) -> list[list[int]]:
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
        home = seq if keep(node) else outermost[seq]
        groups.setdefault(home, []).append(seq)
    return sorted(groups.values())


def _by_repetition(found: Collected, groups: list[list[int]], keep: _Keep) -> list[list[int]]:
    """Neighbours of the same kind and name, numbers apart, become one box."""
    made: list[list[int]] = []
    last: tuple[str, str] | None = None
    for members in groups:
        node = found.nodes[members[0]]
        kept = any(keep(found.nodes[seq]) for seq in members)
        key = None if kept else (node.word, _DIGITS.sub("#", node.label[:200]))
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
    alike = {(word, _DIGITS.sub("#", label[:200])) for word, label in names}
    if len(names) == 1:
        label, word = first.label, f"{first.word} × {len(members):,}"
    elif len(alike) == 1:
        last = found.nodes[members[-1]].label
        label, word = f"{first.label} … {last}", f"{first.word} × {len(members):,}"
    elif found.nodes[members[-1]].parent is not None and first.spine:
        own = first.word, _DIGITS.sub("#", first.label[:200])
        same = sum(
            (found.nodes[seq].word, _DIGITS.sub("#", found.nodes[seq].label[:200])) == own
            for seq in members
        )
        times = f" × {same:,}" if same > 1 else ""
        rest = counted(len(members) - same, "record")
        label, word = first.label, f"{first.word}{times} with {rest}"
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
