"""The shortlist of a chat whose replies repeat the history reads no history twice."""

from explainkit.backtrack import shortlist, walk
from tests.backtrack.runs import Writing
from tests.graph.operations import operations


def repeating(turns):
    run = Writing()
    text = "You are the desk of the northern line. "
    for turn in range(turns):
        text += f"\nuser: what about case {turn * 37 + 1000} of the winter?"
        link = run.open("model", "ask", prompt=text)
        said = f"Traceback of case {turn * 37 + 1000} goes to desk {turn * 11 + 500}."
        text += f"\nassistant: {said}"
        run.close(link, text)
    run.answer(said)
    return run.evidence()


def characters_read(evidence, act):
    """Code points that are rebuilt from atoms while something is done."""
    read, text = [], evidence.holding.text

    def counted(value, path, start, end):
        read.append(end - start)
        return text(value, path, start, end)

    evidence.holding.text = counted
    act()
    return sum(read)


def test_characters_and_operations_of_the_shortlist_grow_with_the_turns():
    read, done = [], []
    first = repeating(3)
    shortlist(first, walk(first))  # what is imported and compiled once is not counted
    for turns in (60, 120, 240):
        evidence = repeating(turns)
        found = walk(evidence)
        read.append(characters_read(evidence, lambda: shortlist(evidence, found)))  # noqa: B023
        evidence = repeating(turns)
        found = walk(evidence)
        done.append(operations(lambda: shortlist(evidence, found)))  # noqa: B023
    assert read[2] - read[1] < 2.3 * (read[1] - read[0])
    assert done[2] - done[1] < 2.3 * (done[1] - done[0])


def test_the_head_of_a_place_is_how_its_text_begins():
    evidence = repeating(5)
    node = evidence.places.find(evidence.links.closed[4], "output")
    whole = evidence.carrying.text(evidence.carrying.leaves(node)[0])
    assert evidence.carrying.head(node, 30) == whole[:30]
    assert evidence.carrying.head(node, 10_000) == whole
