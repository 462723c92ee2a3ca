"""Answer flows in stories: what was drafted, judged and delivered for each item, and from where."""

import re

import pytest

from explainkit.answering import AnswerItem, CheckResult, Issue, Recovery, names_and_numbers_from
from explainkit.view.story.items_told import ITEMS
from tests.answering import flow_parts
from tests.view.story.test_laws_of_stories import check_linked

PRICES = "The pool costs 7 euros. The sauna costs 18 euros."
OLD = "The pool costs 5 euros. The sauna costs 12 euros."


def texts(run, kind=None):
    story = run.story()
    check_linked(story)
    return [each.text for each in story if kind in (None, each.kind)]


def priced(*, items, **_):
    values = {}
    for each in items:
        evidence = f"{each.data['source']} {each.data['mail']}"
        found = re.findall(rf"The {each.id} costs (\d+) euros", evidence)
        values[each.id] = f"The {each.id} costs {found[-1]} euros." if found else "I do not know."
    return values


def item(name, mail="", status="ready"):
    return AnswerItem(name, ["in"], status, {"source": PRICES, "mail": mail})


@pytest.fixture
def pool():
    """A checker with an old price list among its evidence lets the wrong price pass."""
    checker = names_and_numbers_from([PRICES, OLD])
    batch = [item("pool", OLD), item("sauna"), item("towel"), item("slide", status="unavailable")]
    return flow_parts.run(
        batch=batch,
        generate=priced,
        check=lambda *, item, value, context: checker.check(value, context),
        fallback=lambda **_: Recovery(True, "Please ask at the desk."),
    ).run


def test_what_was_drafted_judged_and_delivered_is_told_item_by_item(pool):
    told = texts(pool)
    assert "Values were drafted for three items: “pool”, “sauna” and “towel”." in told
    assert "“check” judged three items as passed: “pool”, “sauna” and “towel”." in told
    assert (
        "Three items were accepted: “pool” (“The pool costs 5 euros.”), “sauna” (“The sauna costs "
        "18 euros.”) and “towel” (“I do not know.”)."
    ) in told
    assert any(
        text.startswith(
            "The item “slide” got the value of the fallback (“Please ask at the desk.”)"
        )
        for text in told
    )
    assert not any(text.startswith("The port “fallback”") for text in told)


def test_what_is_delivered_is_told_however_much_led_to_it():
    def check(*, item, value, context):
        if "7" in value or item.id.startswith("late"):
            return CheckResult("passed")
        return CheckResult("failed", [Issue("UNIT", "no number")])

    def generate(*, items, repairs, **_):
        return {each.id: "It costs 7." if repairs.get(each.id) else "It costs." for each in items}

    batch = [item(name) for name in ("pool", "late", "sauna")]
    batch += [item(name, status="unavailable") for name in ("slide", "bar", "lawn")]
    told = texts(
        flow_parts.run(
            batch=batch,
            generate=generate,
            check=check,
            fallback=lambda *, item, **_: Recovery(item.id != "lawn", "Please ask."),
        ).run
    )
    assert "The item “late” was accepted (“It costs.”): “the check passed”." in told
    assert "Two items were accepted: “pool” (“It costs 7.”) and “sauna” (“It costs 7.”)." in told
    assert (
        "Two items got the value of the fallback: “slide” (“Please ask.”; the source is not ready) "
        "and “bar” (“Please ask.”; the source is not ready)."
    ) in told
    assert any(text.startswith("The item “lawn” was blocked: ") for text in told)


def test_where_a_delivered_fact_came_from_is_told_though_nobody_judged_it_as_failed(pool):
    told = texts(pool, "origin")
    assert told[0].startswith(
        "“5 euros” of the item “pool” goes back to “mail” of item 1 of what “AnswerFlow” was given"
    )
    assert told[1].startswith(
        "“18 euros” of the item “sauna” goes back to “source” of item 2 of what “AnswerFlow” was"
    )
    assert told[2].startswith("Where the values of two further items came from is not told here")


def test_a_failed_item_is_walked_back_in_full(pool):
    pool.verdict("failed", judge="guest", slot="item:pool", reason="it costs 7")
    told = texts(pool, "origin")
    assert told[0].startswith("“5 euros” of the item “pool” goes back to “mail” of item 1")
    assert sum("“5 euros” of the item “pool”" in text for text in told) == 1
    assert any("“18 euros” of the item “sauna”" in text for text in told)


def test_rounds_tell_drafts_faults_repairs_and_passes_each_in_one_sentence():
    def check(*, item, value, context):
        if "euros" in value:
            return CheckResult("passed")
        return CheckResult("failed", [Issue("UNIT", f"no unit in {value!r}")])

    def generate(*, items, repairs, **_):
        return {each.id: f"It costs {'7 euros' if repairs.get(each.id) else 7}." for each in items}

    run = flow_parts.run("ab", generate=generate, check=check).run
    told = texts(run)
    drafted = "“a” (“It costs 7.”) and “b” (“It costs 7.”)."
    faults = "(UNIT “no unit in 'It costs 7.'”)"
    repaired = "“a” by “It costs 7 euros.” and “b” by “It costs 7 euros.”"
    start = told.index(f"Values were drafted for two items: {drafted}")
    assert told[start + 1 : start + 5] == [
        f"“check” judged two items as failed: “a” {faults} and “b” {faults}.",
        f"“repair” replaced the values of two items: {repaired}",
        "“check” judged two items as passed: “a” and “b”.",
        "Two items were accepted: “a” (“It costs 7 euros.”) and “b” (“It costs 7 euros.”).",
    ]


def test_many_items_are_named_up_to_a_bound_and_the_rest_is_counted():
    names = [f"i{number}" for number in range(30)]
    story = flow_parts.run(names).run.story()
    check_linked(story)
    told = [each.text for each in story]
    assert any(text.startswith("Values were drafted for 30 items: ") for text in told)
    assert any("and 26 more." in text for text in told if text.startswith("30 items were accepted"))
    assert sum(each.kind == "origin" for each in story) == ITEMS + 1
    assert any("the values of 27 further items" in text for text in told)
    assert len(story.run.story(full=True)) > 90


def test_small_steps_of_the_engine_stay_findable_by_their_records(pool):
    story = pool.story()
    (guard,) = flow_parts.link_rows(pool, "guard")
    assert any(guard["seq"] in each.seq for each in story)
    assert "“can_invoke”" in story.of(guard["seq"])[0].text
    assert "“can_invoke”" in str(pool.story(full=True))


def test_only_a_few_items_are_walked_back_however_many_there_are():
    story = flow_parts.run(
        [f"i{number}" for number in range(40)],
        generate=lambda *, items, **_: {each.id: "it is late" for each in items},
    ).run.story()
    check_linked(story)
    assert [each.text for each in story if each.kind == "origin"] == []
