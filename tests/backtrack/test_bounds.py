"""Every bound that a walk meets is told with it; a walk that met none tells none."""

import pytest

import explainkit as ek
from explainkit.errors import SpanNotFoundError
from explainkit.graph.holding import PASSED

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


def numbered(count):
    @ek.link(kind="model")
    def told(prompt):
        return " ".join(f"Line {at} carries {at * 37 + 1001} parcels." for at in range(count))

    with ek.trace("numbered") as run:
        sources = [ek.context(f"log {at}", f"{at * 37 + 1001}") for at in range(count)]
        ek.answer(told("; ".join(sources)))
    return run


def test_facts_that_were_not_looked_up_for_the_suspects_are_counted_wherever_suspects_are_shown():
    back = numbered(60).backtrack()
    (line,) = [each for each in back.lost if "were looked up for the suspects" in each]
    assert line.startswith("not looked for further: of the ")
    assert "the first 40 were" in line
    assert line in " ".join(back.text().split())
    assert line in back._repr_html_()
    assert line in back.to_html()
    assert line in back.to_json()["lost"]
    words = [reason.word for each in back.shortlist(60) for reason in each.reasons]
    assert any("introduced 1 of the first 40 of the answer's" in word for word in words)
    assert not any("suspects" in each for each in numbered(10).backtrack().lost)


def test_sentences_whose_numbers_were_not_looked_up_are_counted():
    lines = "\n".join(numbered(60).backtrack().walk.caps)
    assert "numbers and dates of sentences that nothing supports, beyond the first 40" in lines
    assert "numbers and dates" not in "\n".join(numbered(10).backtrack().walk.caps)


def test_exposures_that_are_not_listed_are_counted():
    @ek.link(kind="model")
    def told(prompt):
        return "Honestly, nobody in this whole town seems to know anything about such numbers."

    with ek.trace("exposed") as run:
        facts = [ek.context(f"note {at}", f"Fact {at} of the long list.") for at in range(30)]
        ek.answer(told("\n".join(facts)))
    back = run.backtrack()
    assert len(back.exposures) == 20
    assert "10 more exposures are not listed" in back.lost


@pytest.mark.parametrize(("count", "more"), [(1_000, False), (2_100, True)])
def test_places_that_are_not_listed_of_where_a_text_went_are_said(count, more):
    @ek.link(kind="tool")
    def read(text, rank):
        return rank

    with ek.trace("read") as run:
        note = ek.context("note", NOTE)
        for rank in range(count):
            read(note, rank)
        ek.answer(note)
    found = run.backtrack().forward("note")
    assert len(found) == min(count + 1, 2_000)
    line = "not listed further: more than 2,000 later places hold characters of it"
    assert found.caps == ((line,) if more else ())
    assert repr(found).endswith(f"Cut: {line}") is more


def test_a_board_of_twenty_lines_counts_the_notes_that_it_leaves_out():
    with ek.trace("several") as run:
        note = ek.context("note", NOTE)
        said = ask([{"role": "user", "content": note}] * 20)
        ek.answer("\n".join(f"{said} {'x' * at}" for at in range(3)))
    back = run.backtrack(span="paid back in half")
    assert len([line for line in back.lost if line]) >= 2
    assert len(repr(back).splitlines()) <= 20
    for line in back.lost:
        assert line in " ".join(back.text().split())


def test_answers_that_hold_words_are_named_up_to_three_and_others_are_said():
    def spread(count):
        with ek.trace("spread") as run:
            ek.answer("none of it")
            for at in range(count):
                ek.answer(NOTE, slot=f"item:{at}")
        return run

    with pytest.raises(SpanNotFoundError, match=r"'item:0'\.$"):
        spread(3).backtrack(span=NOTE)
    with pytest.raises(SpanNotFoundError, match=r"'item:2' and others\.$"):
        spread(5).backtrack(span=NOTE)


def test_places_that_are_not_compared_because_their_words_repeat_are_said():
    def told(count):
        @ek.link(kind="model")
        def closing(prompt):
            return "Well then, nobody in this town ever asked me about anything of that kind."

        with ek.trace("repeats") as run:
            rows = " ".join(f"the fare is paid back in half, number {at};" for at in range(count))
            later = " ".join(f"the fare is paid back in half, row {at};" for at in range(count))
            ek.answer(closing(ek.context("a", rows) + "\n" + ek.context("b", later)))
        return "\n".join(run.backtrack().walk.caps)

    assert "no source was found of words of output of closing" in told(200)
    assert told(20) == ""


def test_what_a_link_read_beyond_two_thousand_texts_is_noted_as_not_searched():
    @ek.link(kind="tool")
    def lookup(rows):
        return "Quite another sentence."

    def read(count):
        with ek.trace("wide") as run:
            lookup([f"Row {at} of the table." for at in range(count)])
        carrying = run.evidence.carrying
        node = carrying.places.find(carrying.links.opened[0], "rows")
        atoms = carrying._read.of([carrying.givers.value(node)])
        return len(atoms), PASSED in carrying.holding.met

    assert read(300) == (300, False)
    assert read(2_100) == (2_000, True)
