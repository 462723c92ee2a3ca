"""A row among many of one pattern is followed to the hit that it is, however many there are."""

import pytest

import explainkit as ek

WANTED = "Row 7: stock is 10."


def rows(count):
    return [f"Row {at}: stock is {at * 7 % 13}." for at in range(count)]


@ek.link(kind="model")
def ask(prompt):
    return f"See {WANTED}"


def lines(hits):
    return "\n".join(hits)


def bullets(hits):
    return "\n".join(f"- {hit}" for hit in hits)


def numbered(hits):
    return "\n\n".join(f"{at}. {hit}" for at, hit in enumerate(hits, 1))


def cells(hits):
    return " | ".join(hits)


def commas(hits):
    return ", ".join(hits)


@pytest.mark.parametrize("count", [44, 45, 300])
@pytest.mark.parametrize("join", [lines, bullets, numbered, cells, commas])
@pytest.mark.parametrize("span", [WANTED, "Row 7: stock is 10", "row 7: stock"])
def test_selected_words_of_one_row_lead_to_its_hit(count, join, span):
    @ek.link(kind="retrieval")
    def search(query):
        return rows(count)

    with ek.trace("stock") as run:
        ek.answer(ask(ek.assemble("{rows}\nAnswer.", rows=join(search("q")))))
    back = run.backtrack(span=span)
    (use,) = back.contexts
    assert use.name == "output of search"
    assert [(place.path, place.start) for place in use.places] == [("/7", 0)]
    assert len({place.text for place in use.places}) == 1


@pytest.mark.parametrize("join", [lines, bullets, numbered, cells])
@pytest.mark.parametrize("count", [45, 300])
def test_each_row_of_a_joined_text_keeps_its_origin_in_the_prompt(join, count):
    @ek.link(kind="retrieval")
    def search(query):
        return rows(count)

    with ek.trace("stock") as run:
        ek.answer(ask(join(search("q"))))
    origins = [
        segment.origin.path
        for segment in run.prompt().prompt.segments
        if segment.name == "output of search"
    ]
    assert origins == [f"/{at}" for at in range(count)]


@pytest.mark.parametrize("calls", [3, 60])
def test_rows_of_many_calls_are_told_apart_too(calls):
    @ek.link(kind="retrieval")
    def search(rank):
        return rows(60)[rank::calls]

    with ek.trace("stock") as run:
        hits = [hit for rank in range(calls) for hit in search(rank)]
        ek.answer(ask("\n".join(hits)))
    (use,) = run.backtrack(span=WANTED).contexts
    assert (use.name, use.places[0].text) == (f"output of search #{7 % calls + 1}", WANTED[:-1])


def test_a_line_that_a_model_says_is_not_taken_for_a_row_that_it_did_not_read():
    @ek.link(kind="retrieval")
    def search(query):
        return rows(60)

    with ek.trace("stock") as run:
        search("q")
        ek.answer(ask("Which row?"))
    (use,) = run.backtrack().contexts
    assert use.name == "output of ask"


def test_a_walk_that_follows_only_some_of_the_places_of_the_words_says_so():
    @ek.link(kind="model")
    def repeat(messages):
        return "yes"

    with ek.trace("many") as run:
        told = [{"role": "user", "content": f"{at}: yes, {'x' * at}"} for at in range(260)]
        ek.answer(repeat(told))
    caps = run.backtrack(span="yes").walk.caps
    assert any("the words stand in 200 places or more" in line for line in caps)


@pytest.mark.parametrize("span", ["Thursday until 21:00", "on Thursday until 21:00"])
def test_every_part_of_selected_words_leads_to_where_it_stands(span):
    passage = "Opening hours: Tuesday to Sunday 10:00 to 18:00, on Thursday open until 21:00."

    @ek.link(kind="retrieval")
    def search(query):
        return [{"id": "hours", "text": passage}]

    @ek.link(kind="model")
    def tell(prompt):
        return "We are open from 10:00 to 18:00, on Thursday until 21:00."

    with ek.trace("museum") as run:
        ek.answer(tell(ek.assemble("{hits}\nWhen?", hits=search("hours")[0]["text"])))
    back = run.backtrack(span=span)
    (use,) = back.contexts
    parts = [span.removesuffix(" until 21:00"), "until 21:00"]
    assert [place.text for place in use.places] == parts
    assert [each.text for each in back.introducers] == [span]
    assert "“”" not in str(back)
