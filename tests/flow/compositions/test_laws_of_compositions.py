"""Laws of compositions that nest to six, checked on random ones against a reading of the table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.errors import VerdictError
from explainkit.flow.outcomes import Failed, Paused, Refused, answer_of
from tests.flow.compositions.random_compositions import (
    ENDS,
    LINEAR,
    Node,
    World,
    expected,
    trees,
    word_of,
)
from tests.flow.compositions.scripts import VERDICTS, played, statuses, through_json

WITHOUT_PAUSE = tuple(end for end in ENDS if end != "pause")
STATUS = {"answer": "answered", "raise": "error", "group": "error", "exhaust": "exhausted"}
STATUS |= {"cancel": "cancelled", "pause": "paused"}


def verdicts_of(error):
    """Verdicts of the errors of a group, inner ones included."""
    if isinstance(error, ExceptionGroup):
        return [verdict for each in error.exceptions for verdict in verdicts_of(each)]
    return [error.verdict] if hasattr(error, "verdict") else []


@given(trees(ends=WITHOUT_PAUSE))
def test_the_whole_ends_as_the_table_says_and_nothing_else_starts(tree):
    world = World()
    found, recording = played(world.built(tree), "in")
    word, ran = expected(tree)
    assert word_of(found) == word
    assert sorted(world.ran) == sorted(ran)
    assert recording.status == STATUS.get(word, "verdict")
    assert statuses(recording)[0][1] == STATUS.get(word, "verdict")


@given(trees(kinds=LINEAR, ends=("answer", "answer", 1, 4)))
def test_after_a_verdict_no_linear_composition_starts_anything(tree):
    world = World()
    found, _ = played(world.built(tree), "in")
    if isinstance(found, Refused):
        assert world.ran == expected(tree)[1]
        assert found.trace.path[-1] == world.ran[-1]
        assert found.verdict in VERDICTS
    else:
        assert word_of(found) == expected(tree)[0]


@given(st.sampled_from(range(len(VERDICTS))), st.lists(st.sampled_from(LINEAR), max_size=6))
def test_the_composed_error_equals_the_standalone_one_beside_its_path(kind, nesting):
    tree = Node(kind)
    for word in nesting:
        tree = Node(word, [tree])
    standalone = raised_by(played(World().built(Node(kind)))[0])
    error = raised_by(played(World().built(tree))[0])
    assert type(error) is type(standalone)
    assert (str(error), error.args) == (str(standalone), standalone.args)
    assert error.verdict == VERDICTS[kind]
    assert len(error.trace.path) == len(nesting) + 1
    assert error.__notes__ == [f"in {error.trace}"]


@given(trees(ends=("answer", 0, 1, 2, 3, 4, 5)))
def test_every_verdict_that_ended_a_child_is_found_at_the_end(tree):
    found, recording = played(World().built(tree), "in")
    recorded = [row["terminal"] for row in recording.rows("verdict")]
    if isinstance(found, Refused):
        told = [found.verdict]
    elif isinstance(found, Failed):
        told = verdicts_of(found.error)
    else:
        told = []
    assert sorted(verdict.kind for verdict in told) == sorted(recorded)


@given(trees(ends=("answer", "answer", "pause")))
def test_a_paused_whole_goes_on_in_a_new_instance_until_it_ends(tree):
    world = World()
    found, recording = played(world.built(tree), "in")
    rounds = 0
    while isinstance(found, Paused):
        assert recording.status == "paused"
        rounds += 1
        assert rounds < 200, "it never ends"
        before = list(world.ran)
        checkpoint = through_json(found.checkpoint)
        found, recording = played(world.built(tree), resume=checkpoint)
        assert world.ran != before, "nothing went on"
    answering = Node(tree.word, tree.parts)
    assert word_of(found) == expected(without_pauses(answering))[0]


@given(trees(ends=("answer", "pause"), kinds=("parallel",)))
def test_a_paused_parallel_merges_exactly_once(tree):
    world = World()
    found, _ = played(world.built(tree), "in")
    while isinstance(found, Paused):
        found, _ = played(world.built(tree), resume=through_json(found.checkpoint))
    assert world.merges == parallels_of(tree)


def raised_by(found):
    with pytest.raises(VerdictError) as raised:
        answer_of(found)
    return raised.value


def without_pauses(node):
    word = "answer" if node.word == "pause" else node.word
    return Node(word, [without_pauses(part) for part in node.parts])


def parallels_of(node):
    return (1 if node.parts else 0) + sum(parallels_of(part) for part in node.parts)
