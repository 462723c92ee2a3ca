"""Short words of a value made from a declared container lead to the leaf that says them."""

import explainkit as ek

ORDER = {"item": "teapot", "cents": 1999, "status": "sent", "gift": {"item": "Tea Pot"}}


@ek.link
def look_up():
    return dict(ORDER)


@ek.link(uses=["order"])
def describe(order):
    return f"Your {order['item']} costs 19.99, that is {order['cents']:,} cents: {order['status']}."


def run_of():
    with ek.trace("order") as run:
        ek.answer(describe(look_up()))
    return run


def leaves(run, span):
    return [(place.path, place.text) for use in run.backtrack(span=span).contexts
            for place in use.places]  # fmt: skip


def test_words_that_are_one_leaf_lead_to_that_leaf_alone():
    run = run_of()
    assert leaves(run, "teapot") == [("/item", "teapot")]
    assert leaves(run, "sent") == [("/status", "sent")]
    assert "output.item of look_up" in run.backtrack(span="teapot").text()


def test_a_number_leads_to_its_leaf_however_it_is_written():
    assert leaves(run_of(), "1,999") == [("/cents", "1999")]


def test_words_that_no_leaf_says_lead_to_the_whole_container():
    run = run_of()
    for span in ("costs", "19.99"):
        found = {path for path, _ in leaves(run, span)}
        assert found >= {"/item", "/cents", "/status", "/gift/item"}


def test_words_of_an_override_lead_to_their_leaf_in_a_version_of_another_shape():
    with ek.trace("order") as run:
        ek.answer(look_up())
        ek.override("Your teapot is sent.", by="desk")
    back = run.backtrack(span="teapot")
    assert back.hops[0].verb == "overridden"
    assert (back.hops[0].grade, back.hops[0].source.path) == ("declared", "/item")
    assert leaves(run, "teapot") == [("/item", "teapot")]
