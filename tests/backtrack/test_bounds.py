"""Every bound that a walk meets is told with it; a walk that met none tells none."""

import pytest

import explainkit as ek

NOTE = "The fare is paid back in half."


@ek.link(kind="model")
def ask(prompt):
    return f"He says: {NOTE}"


def repeated(count):
    with ek.trace("repeated") as run:
        note = ek.context("note", NOTE)
        ek.answer(ask([{"role": "user", "content": note}] * count))
    return run


@pytest.mark.parametrize("span", [None, "paid back in half"])
def test_words_that_stand_more_than_eight_times_in_one_text_are_told_from_the_ninth_on(span):
    assert repeated(8).backtrack(span=span).walk.caps == ()
    (line,) = repeated(9).backtrack(span=span).walk.caps
    assert line == (
        "not looked for further: words of output of ask stand more than 8 times in one earlier "
        "text; 8 of those places were followed"
    )


def test_a_walk_asked_a_second_time_tells_its_bounds_again():
    run = repeated(20)
    first = run.backtrack(span="paid back in half").walk.caps
    assert first
    assert run.backtrack(span="paid back in half").walk.caps == first


def test_the_nearest_of_many_texts_is_said_to_be_chosen_among_the_first():
    def asked(count):
        @ek.link(kind="model")
        def one(prompt):
            return f"Fine, the fare is paid back in half, number {prompt[-3:]}."

        with ek.trace("many") as run:
            note = ek.context("note", f"{NOTE} Everybody knows.")
            ek.answer("\n".join(one(f"{note} Claim {at:03d}") for at in range(count)))
        return "\n".join(run.backtrack(span="paid back in half").walk.caps)

    assert "the nearest one before p" in asked(120)
    assert "was chosen among the first 200" in asked(120)
    assert "not looked for further" not in asked(20)


def searched(count):
    @ek.link(kind="retrieval")
    def search(rank):
        return [{"text": NOTE, "title": f"Leaflet {rank}"}]

    with ek.trace("searched") as run:
        hits = [search(rank) for rank in range(count)]
        ek.answer(ask(ek.assemble("{hits} Q", hits=hits[0])))
    return run


@pytest.mark.parametrize("count", [20, 60, 120])
def test_words_that_many_results_hold_are_found_in_the_one_that_was_read(count):
    back = searched(count).backtrack(span="paid back in half")
    assert [use.name for use in back.contexts] == ["output of search #1"]
    assert back.walk.caps == ()


def test_words_without_a_source_are_said_not_to_have_been_looked_for_everywhere():
    lines = "\n".join(searched(120).backtrack().walk.caps)
    assert "no source was found of words of output of ask" in lines
    assert searched(20).backtrack().walk.caps == ()
