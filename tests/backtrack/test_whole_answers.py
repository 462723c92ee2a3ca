"""A walk of the whole answer says nothing that a walk of its words shows to be otherwise."""

import pytest

import explainkit as ek


def run_of(said, note, *, model="model"):
    @ek.link(kind=model)
    def say(prompt):
        return said

    with ek.trace("said", question="What is it?") as run:
        ek.answer(say(ek.assemble("{note} Answer.", note=ek.context("note", note))))
    return run


def reasons(back):
    return {row.actor: " ".join(each.word for each in row.reasons) for row in back.shortlist(5)}


def flat(back):
    return " ".join(back.text().split())


@pytest.mark.parametrize("said", ["magenta", "Teal", "22:00"])
def test_a_short_answer_that_one_text_brought_in_goes_back_to_it(said):
    run = run_of(said, f"The note reads: {said}, underlined.")
    whole, words = run.backtrack(), run.backtrack(span=said)
    assert [use.name for use in whole.contexts] == ["note"]
    assert [(hop.source, hop.target) for hop in whole.hops] == [
        (hop.source, hop.target) for hop in words.hops
    ]
    assert "no earlier text" not in str(reasons(whole)) + flat(whole)


@pytest.mark.parametrize("said", ["no", "9", "12"])
def test_a_few_characters_are_not_followed_unasked_and_not_said_to_stand_nowhere(said):
    run = run_of(said, f"The note reads: {said}, underlined.")
    back = run.backtrack()
    assert [use.name for use in back.contexts] == ["output of say"]
    assert "no earlier text" not in str(reasons(back)) + flat(back)
    assert "select them to follow them" in flat(back)
    assert [use.name for use in run.backtrack(span=said).contexts] == ["note"]


def test_a_short_answer_that_stands_in_several_texts_is_not_said_to_stand_in_none():
    @ek.link(kind="model")
    def say(prompt):
        return "blue"

    with ek.trace("said") as run:
        one, two = ek.context("one", "The roof is blue."), ek.context("two", "The door is blue.")
        ek.answer(say(ek.assemble("{one} {two}", one=one, two=two)))
    back = run.backtrack()
    text = flat(back)
    assert "no earlier text" not in text + str(reasons(back))
    assert "Its words stand earlier too, and are too few to show that they came from there" in text
    assert "said words that stand earlier too, too few to show a copy: 'blue'" in str(reasons(back))


def test_words_that_stand_nowhere_earlier_are_said_to():
    back = run_of("magenta", "The colour is on the sign.").backtrack()
    assert "said words that no earlier text holds as they stand: 'magenta'" in reasons(back)["say"]
    assert "no earlier text was found to hold all of it" in flat(back)


@pytest.mark.parametrize(
    ("said", "note", "fact"),
    [
        ("We close at 22:00 today.", "Doors: 22:00.", "22:00"),
        ("The bus goes at 7:05:30 sharp.", "Departure 7:05:30", "7:05:30"),
        ("It costs 12 euros in all.", "Fee 12 euros", "12 euros"),
    ],
)
def test_a_time_or_a_number_of_the_answer_is_found_where_it_stands_earlier(said, note, fact):
    run = run_of(said, note)
    back = run.backtrack()
    assert f"introduced 1 of the answer's facts: '{fact}'" in reasons(back)["note"]
    assert [row.state for row in back.coverage] == ["partly"]
    assert {place.label for row in back.coverage for place in row.places} == {"context note"}
    assert [use.name for use in run.backtrack(span=fact).contexts] == ["note"]


def test_a_sentence_of_which_nothing_stands_earlier_is_supported_by_nothing():
    back = run_of("We close at 22:00 today.", "Doors: 21:00.").backtrack()
    assert [(row.state, row.places) for row in back.coverage] == [("nothing", ())]
