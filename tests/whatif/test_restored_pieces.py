"""What was left out comes back in the form of the things that it comes among, where it belongs."""

from typing import NamedTuple

import pytest

import explainkit as ek
from explainkit.errors import InterventionError
from tests.whatif.programs import HALF, ask, recorded

LOST = {"role": "user", "content": "I was told that half of the fare is mine."}


def program(build):
    """A run whose prompt `build` makes, and of which one message was left out."""

    @ek.traced("chat")
    def chat(question):
        turns = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Yes?"}]
        history = ek.context("history", turns, kind="message")
        ek.left_out("message 3", LOST, why="window", kind="message")
        return ask(build(history, question))

    return recorded(chat, "And now?")


def sent_to_the_model(run):
    asked = [row for row in run.recording.rows("link_opened") if row["type"] == "model"][-1]
    return run.recording.values.object(asked["inputs"][0]["value"])


@pytest.mark.parametrize(
    "build",
    [
        lambda h, q: ek.assemble(["{h}", {"role": "user", "content": "{q}"}], h=h, q=q),
        lambda h, q: [*h, {"role": "user", "content": q}],
    ],
    ids=["template", "list"],
)
def test_a_message_comes_back_as_one_more_message_before_the_turn_of_the_user(build):
    found = program(build).whatif(restore="message 3")
    assert (found.word, found.after) == ("cause", "Half is paid back.")
    sent = sent_to_the_model(found.run)
    assert [each["content"] for each in sent] == ["Hello.", "Yes?", LOST["content"], "And now?"]


def test_a_message_that_comes_back_into_a_text_brings_its_words():
    found = program(lambda h, q: "\n".join(each["content"] for each in h)).whatif(
        restore="message 3"
    )
    assert found.word == "cause"
    sent = sent_to_the_model(found.run)
    assert sent == f"Hello.\nYes?\n{LOST['content']}"


def hits(rows, lost):
    """A run that searched for rows and cut one of them."""

    @ek.link(kind="retrieval")
    def search(question):
        ek.left_out("cut", lost, why="top 1", kind="retrieval")
        return rows

    @ek.traced("desk")
    def desk(question):
        return ask(" ".join(each["text"] for each in search(question)))

    return recorded(desk, "q")


def test_a_text_comes_back_among_rows_of_one_field_as_such_a_row():
    found = hits([{"text": "Nothing."}], HALF).whatif(restore="cut")
    assert (found.word, found.after) == ("cause", "Half is paid back.")


def test_a_text_cannot_come_back_among_rows_of_several_fields():
    run = hits([{"text": "Nothing.", "page": 3}], HALF)
    says = r"that have the fields text, page\. When recording, give ek.left_out.*whole item.*swap="
    with pytest.raises(InterventionError, match=says):
        run.whatif(restore="cut")


def two_places():
    @ek.traced("two places")
    def desk(question):
        rows = "Rows: none."
        tone = ek.context("tone", "Be kind.", kind="instruction")
        ek.left_out("hit 2", HALF, why="top 1", kind="retrieval")
        return ask(ek.assemble("{rows}\n{tone}\n{q}", rows=rows, tone=tone, q=question))

    return recorded(desk, "q")


def test_where_a_piece_comes_back_can_be_said():
    found = two_places().whatif(restore={"hit 2": "rows"})
    assert (found.word, found.interventions) == (
        "cause",
        ("restore hit 2 at the end of rows of assemble",),
    )
    with pytest.raises(InterventionError, match=r"cannot come back at 'nowhere'.*restore={"):
        two_places().whatif(restore={"hit 2": "nowhere"})


def test_a_piece_follows_one_of_its_own_kind_rather_than_the_one_before_it():
    @ek.traced("kinds")
    def desk(question):
        page = ek.context("page 1", "Nothing here.", kind="document")
        tone = ek.context("tone", "Be kind.", kind="instruction")
        ek.left_out("page 9", HALF, why="top 1", kind="document")
        return ask(ek.assemble("{tone}\n{page}", page=page, tone=tone))

    found = recorded(desk, "q").whatif(restore="page 9")
    assert found.interventions == ("restore page 9 at the end of page of assemble",)


class Pair(NamedTuple):
    first: str
    second: str


def test_a_change_that_cannot_be_made_in_the_re_run_is_no_flip():
    counts = iter(range(100))

    @ek.traced("turns")
    def desk(question):
        pair = ek.context("pair", ["a", "b"] if next(counts) == 0 else Pair("a", "b"))
        return ask(" ".join(pair))

    found = recorded(desk, "q").whatif(remove=("pair", 1))
    assert (found.word, found.flips) == ("not applied", (0, 0))
    assert found.reason.startswith("pair: the change could not be made: TypeError: ")


@ek.link(kind="retrieval")
def search(question):
    if question == "first":
        ek.left_out("hit 3", HALF, why="top 2", how="cut by rank")
    return [f"{question} hit", "another"]


@pytest.mark.parametrize("where", ["search", "search #1", "output of search #1", 3])
def test_the_place_of_a_piece_is_named_as_displays_print_it(where):
    @ek.traced("two searches")
    def desk(question):
        found = [*search("first"), *search("second")]
        return ask(ek.assemble("{found}\n{q}", found="\n".join(found), q=question))

    run = recorded(desk, "q")
    assert next(run.recording.rows("link_opened"))["seq"] == 3
    found = run.whatif(restore={"hit 3": where})
    assert (found.word, found.interventions) == (
        "cause",
        ("restore hit 3 as the last of what search gives",),
    )
