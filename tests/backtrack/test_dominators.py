"""What every path passes through, compared with removing each record and looking again."""

from hypothesis import given

from explainkit.backtrack import walk
from explainkit.backtrack.answers import choose
from explainkit.backtrack.following import follow
from explainkit.backtrack.passing import dominators
from explainkit.backtrack.walking import names_of, shown_answer
from explainkit.graph import Evidence
from explainkit.graph.stretches import Stretch
from explainkit.store import Recording
from explainkit.testing.strategies import traces
from tests.backtrack.runs import claim


@given(trace=traces(steps=16))
def test_without_a_dominator_no_source_is_reached(trace):
    evidence = Evidence(Recording.of_lines(trace.lines))
    chosen = choose(evidence, None)
    if chosen.node is None:
        return
    starts = [
        Stretch(chosen.node, leaf.path, 0, leaf.end - leaf.start)
        for leaf in shown_answer(evidence, chosen).leaves
    ]
    trail = follow(evidence, starts)
    names = names_of(evidence)
    found = dominators(names, trail, chosen.node)
    moves = {}
    for carry in trail.carries:
        moves.setdefault(carry.target.node, set()).add(carry.source.node)
    expected = [
        node
        for node in sorted(trail.depth, reverse=True)
        if node != chosen.node
        and trail.carries
        and not reaches(moves, set(trail.leaves), chosen.node, node)
    ]
    assert list(dict.fromkeys(names.record(node) for node in expected)) == list(found)


def reaches(moves, leaves, start, without):
    waiting, seen = [start], {start}
    while waiting:
        node = waiting.pop()
        if node in leaves:
            return True
        for source in moves.get(node, ()):
            if source not in seen and source != without:
                seen.add(source)
                waiting.append(source)
    return False


def test_the_model_and_the_note_stand_on_the_only_way():
    evidence = claim().evidence()
    found = walk(evidence, span="half of the fare")
    kinds = [evidence.row(seq)["kind"] for seq in found.dominators]
    assert kinds == ["answer", "link_opened", "link_opened", "context"]
