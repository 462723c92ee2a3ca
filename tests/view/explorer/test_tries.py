"""What can be tried of each suspect: in words of the engine, and in a page by its button."""

import re

import pytest
from playwright.sync_api import expect

import explainkit as ek
from explainkit.demos.claims_desk import QUESTION, claim
from explainkit.view.explorer import Exploration
from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.explorer.causes.tries import tries_of
from tests.view.explorer.hosting import made
from tests.view.explorer.reading import said
from tests.view.explorer.walking import walks_of

WALK = {"start": 28, "end": 44}


def traced_claim():
    ek.traced("delay-claim")(claim)(QUESTION)
    return ek.last()


def searched():
    @ek.link(kind="retrieval")
    def search(question):
        return {"hits": [{"text": "Seats are refunded."}, {"text": "The desk opens at 7:45."}]}

    @ek.link(kind="tool")
    def count(question):
        return 80812

    @ek.link(kind="tool")
    def listed(question):
        return ["Bicycles travel free.", "Lost property is kept for 28 days."]

    @ek.traced("searched")
    def run(question):
        texts = [hit["text"] for hit in search(question)["hits"]][1:]
        return " ".join([*texts, *listed(question)[1:], f"No {count(question)}."])

    run("When does the desk open?")
    return ek.last()


def failing():
    @ek.link(kind="tool")
    def look_up(question):
        raise LookupError("no such table: fares of 2031")

    @ek.traced("failing")
    def run(question):
        try:
            return f"The fare is {look_up(question)}."
        except LookupError as error:
            return f"Not known, because of {error}."

    run("What is the fare?")
    return ek.last()


def tried(run, name):
    """The buttons of the record of a name, as their words with what they change."""
    offered = Offered(run.recording)
    (seq,) = (seq for seq, each in offered._points.points.items() if each.name == name)
    parts = [
        place.path
        for suspect in run.backtrack().shortlist(8)
        for reason in suspect.reasons
        for place in reason.evidence
        if suspect.seq == seq and place.path
    ]
    told = tries_of(offered, seq, parts)
    return [(each["words"], each["changes"] or each["edit"] == seq) for each in told["tries"]], told


def test_each_kind_of_suspect_is_tried_in_its_own_way():
    run = traced_claim()
    said = {name: tried(run, name)[0] for name in ("campaign-note", "ask", "redactor")}
    assert said == {
        "campaign-note": [("What if it were not there?", [{"verb": "remove", "seq": 5}])],
        "ask": [
            ("What if it had given nothing?", [{"verb": "remove", "seq": 17}]),
            ("What if it had given something else?", True),
        ],
        "redactor": [("What if it had not been made?", [{"verb": "hold", "seq": 22}])],
    }


def test_an_item_that_gave_the_words_has_a_button_of_its_own():
    run = searched()
    (_, item, _), told = tried(run, "listed")
    assert item == (
        "What if item 2 of it were not there?",
        [{"verb": "remove", "seq": told["seq"], "position": 1}],
    )
    buttons, told = tried(run, "search")  # a mapping cannot be missing, but a hit in it can
    assert buttons == [
        (
            "What if item 2 of it were not there?",
            [{"verb": "remove", "seq": told["seq"], "path": "/hits/1"}],
        ),
        ("What if it had given something else?", True),
    ]
    offered = Offered(run.recording)
    meant, words = offered.meant(told["tries"][0]["changes"])
    assert words == ("without item 2 of hits of search (“The desk opens at 7:45.”)",)
    assert run.whatif(**meant, span="The desk opens").word == "cause"


def test_a_number_is_not_taken_away_and_another_one_can_be_given():
    buttons, _ = tried(searched(), "count")
    assert buttons == [("What if it had given something else?", True)]


def test_a_step_that_raised_can_be_given_a_result():
    run = failing()
    buttons, told = tried(run, "look_up")
    assert buttons == [("What if it had given a result?", True)]
    offered = Offered(run.recording)
    assert [leaf["text"] for leaf in offered.piece(told["seq"])["leaves"]] == [""]
    change = {"verb": "replace", "seq": told["seq"], "path": "", "text": "12 crowns"}
    meant, words = offered.meant([change])
    assert words == ("look_up gives “12 crowns”",)
    assert run.whatif(**meant, span="Not known").word == "cause"
    with pytest.raises(ek.InterventionError, match="Write the result"):
        offered.meant([{**change, "text": ""}])


def test_what_cannot_be_tried_says_why():
    with ek.trace("flags") as run:
        ek.context("flag", value=True)
        ek.answer("It is so.")
    buttons, told = tried(run, "flag")
    assert buttons == []
    assert "cannot be missing" in told["why"]
    nothing = tries_of(Offered(run.recording), 0, ())
    assert nothing["tries"] == []
    assert "only those can be changed" in nothing["why"]


@pytest.mark.parametrize("make", [traced_claim, searched, failing])
def test_no_button_leads_to_a_refusal(make):
    run = make()
    asked = Exploration(run.evidence, walk=walks_of(run))
    asked.walk()
    offered = Offered(run.recording)
    for card in asked.shown["suspects"]:
        told = tries_of(offered, card["seq"], card["parts"])
        assert told["tries"]
        for each in told["tries"]:
            if each["changes"]:
                assert run.whatif(**offered.meant(each["changes"])[0]).word
            else:
                assert offered.piece(each["edit"])["leaves"]


def test_without_a_kernel_there_is_one_sentence_instead_of_buttons():
    run = traced_claim()
    told = Exploration(run.evidence).reply({"id": 1, "ask": "tries"})["answer"]
    assert (told["kernel"], told["cards"]) == (False, [])
    assert "That needs a kernel" in told["refusal"]


@pytest.mark.browser
def test_a_step_is_tried_without_what_it_gave(opened):
    with opened(made(traced_claim), walk=WALK) as (hosted, page):
        card = page.locator(".ek-suspect", has_text="ask")
        card.get_by_role("button", name="What if it had given nothing?").click()
        panel = page.get_by_role("tabpanel", name="What if")
        expect(panel.locator(".ek-runbox .ek-list")).to_have_text("without what ask gave")
        panel.get_by_role("button", name="Run it again").click()
        page.wait_for_function("model.sent.some((each) => each.ask === 'try')")
        hosted.deliver()
        expect(card.locator(".ek-stamp")).to_contain_text("cause 5/5 vs 0/5")
        assert "without what ask gave: cause" in said(page)


@pytest.mark.browser
def test_a_result_is_edited_from_the_card_of_its_suspect(opened):
    with opened(made(traced_claim), walk=WALK) as (_, page):
        card = page.locator(".ek-suspect", has_text="ask")
        for _ in range(2):  # the panel is made by the first press, and there for the second
            card.get_by_role("button", name="What if it had given something else?").click()
            panel = page.get_by_role("tabpanel", name="What if")
            box = panel.locator(".ek-piece", has_text="ask").get_by_role("textbox")
            expect(box).to_be_focused()
            expect(box).to_have_value(re.compile("Dear Ms Ines Harlow"))


@pytest.mark.browser
def test_a_run_that_cannot_be_run_again_has_words_and_no_buttons(opened, runs):
    with opened(runs("no_context")) as (_, page):
        panel = page.locator(".ek-section", has_text="Suspects; a rank")
        expect(panel).to_contain_text("None of them can be tried: The run 'no context' cannot be")
        assert page.locator(".ek-suspect .ek-tools button").count() == 0
        panel.get_by_role("button", name="What is needed").click()
        expect(page.get_by_role("tabpanel", name="What if")).to_contain_text("@ek.traced")
