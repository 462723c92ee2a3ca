"""An item of a list has one name in every place, which a what-if takes back."""

import pytest

import explainkit as ek
from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.explorer.causes.stamped_words import said_of
from explainkit.whatif.varying.item_names import excerpt_of, first_words

HITS = [
    {"id": "shop", "text": "The shop (ground floor) sells postcards."},
    {"id": "hours (old)", "text": "Open until 21:00."},
    {"id": "7", "text": "The cafe serves lunch every day of the week, Monday too."},
]
NAME = "item 2 of search (hours (old))"


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Until 21:00." if "21:00" in prompt else "I do not know."


@ek.link(kind="retrieval", deterministic=True)
def search(question):
    return HITS


@ek.link(kind="retrieval", deterministic=True)
def nested(question):
    return {"hits": HITS}


@ek.traced("desk")
def desk(question):
    rules = ek.context("rules", "Be kind. Never guess.")
    return ask("\n".join([rules, *(each["text"] for each in search(question))]))


@ek.traced("deep")
def deep(question):
    return ask("\n".join(each["text"] for each in nested(question)["hits"]))


@pytest.fixture
def run():
    desk("When?")
    return ek.last()


def test_one_name_stands_in_every_place(run):
    found = run.whatif(remove=("search", 1))
    assert found.interventions == (f"remove {NAME}",)
    assert f"what if   remove {NAME}\n" in repr(found)
    assert run.findings["changed"].iloc[0] == f"remove {NAME}"
    assert "taking away item 2 of “search” (hours (old))" in str(run.story()).lower()
    assert run.smallest_cause([("search", at) for at in range(3)]).items == (NAME,)
    assert run.smallest_cause().items == (NAME,)
    offered = Offered(run.recording)
    (row,) = list(run.recording.rows("finding"))[:1]
    assert said_of(row["interventions"][0], offered) == f"without {NAME}"


def test_it_is_taken_back_also_without_what_stands_in_brackets(run):
    for name in (NAME, "item 2 of search", "'21:00' of item 2 of search (hours (old))"):
        assert run.whatif(remove=name).word == "cause"
    assert run.whatif(remove="sentence 2 of rules (“Never guess.”)").word == "not shown"
    (sentence,) = run.smallest_cause([("rules", 1)]).to_frame()["removed"].iloc[0]
    assert sentence == "sentence 2 of rules (“Never guess.”)"


def test_an_item_deep_in_a_result_is_named_and_taken_back():
    deep("When?")
    run = ek.last()
    found = run.whatif(remove=("nested", "/hits/1"))
    assert found.interventions == ("remove item 2 of hits of nested (hours (old))",)
    assert run.findings["changed"].iloc[0] == found.interventions[0]
    (name,) = run.smallest_cause([("nested", "/hits/1")]).items
    assert name == "item 2 of hits of nested (hours (old))"
    assert run.whatif(remove=name).word == "cause"


def test_words_and_numbers_of_an_item_say_which_item_it_is(run):
    found = run.whatif(replace={("search", 1, "21:00"): "17:00"})
    assert found.interventions == (
        "replace '21:00' in text of item 2 of search (hours (old)) by '17:00'",
    )
    said = "replace “21:00” in text of item 2 of search (hours (old)) by '17:00'"
    assert run.findings["changed"].iloc[0] == said


def test_an_order_is_told_by_places_counted_from_one(run):
    found = run.whatif(reorder={"search": [1, 0, 2]})
    assert found.interventions == ("reorder search: item 2 before item 1",)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"id": "hours-2023", "text": "Open"}, "hours-2023"),
        (
            {"id": "7", "text": "The cafe serves lunch every day of the week."},
            "“The cafe serves lunch every day of the…”",
        ),
        ({"rate": 2, "text": ""}, ""),
        (12, "12"),
        (True, "True"),
        (None, ""),
        ([1, 2], ""),
        (" \n", "an empty text"),
        ("a\u202eb\nc", "“a⇄b c”"),
    ],
)
def test_an_item_is_told_apart_by_its_id_else_by_its_first_words(value, told):
    assert excerpt_of(value) == told


def test_first_words_are_whole_and_a_long_word_is_cut():
    assert first_words("Opening hours of the city museum: Tuesday to Sunday") == (
        "Opening hours of the city museum:…"
    )
    assert first_words("x" * 90) == "x" * 39 + "…"
    assert first_words("word " * 100_000, 20) == "word word word word…"
