"""In a long run a context leads to all later steps: the first are named, the rest counted."""

import pytest

from explainkit.backtrack import walk
from tests.backtrack.runs import Writing
from tests.graph.operations import operations


def turns(count):
    """A fact, then so many models one after the other that read what the one before said."""
    run = Writing()
    run.context("fact", "The eastern line closes at nine.", type="memory", source="memory/1")
    said = "Zero."
    for number in range(count):
        said = run_model(run, number, said)
    run.answer(said)
    return run.evidence()


def run_model(run, number, before):
    run.context(f"note-{number}", f"Remark {number * 37 + 1000}.", type="memory")
    said = f"Reply {number * 11 + 500000}."
    run.link("model", f"ask-{number}", said, prompt=before)
    return said


@pytest.mark.parametrize(
    ("count", "told"), [(20, None), (25, "and 5 more"), (900, "and at least 180 more")]
)
def test_the_first_reads_are_named_in_order_of_time_and_the_rest_are_counted(count, told):
    found = walk(turns(count), grade="order")
    [fact] = [each for each in found.contexts if each.name == "fact"]
    assert [name.split()[0] for name in fact.read[:20]] == [f"ask-{at}" for at in range(20)]
    assert list(fact.read[20:]) == ([told] if told else [])


def test_what_is_done_for_all_contexts_grows_with_their_number():
    walk(turns(3), grade="order")  # what is imported and compiled once is not counted
    runs = [turns(count) for count in (400, 800, 1_600)]
    few, more, most = [operations(lambda: walk(each, grade="order")) for each in runs]  # noqa: B023
    assert most - more < 2.3 * (more - few)
