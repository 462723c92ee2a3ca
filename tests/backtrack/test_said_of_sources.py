"""What displays say of sources is so: of what something was made from, of short words, of calls."""

import pytest

import explainkit as ek
from explainkit.backtrack.facts import facts_in
from explainkit.demos.lost_parcel import incident
from explainkit.flow import Parallel, halt
from explainkit.flow.agents import Agent
from explainkit.flow.models import ScriptedModel, ToolCall
from explainkit.session import Run
from explainkit.store import Recording
from tests.backtrack.test_coverage_in_words import covered


def flat(back):
    return " ".join(back.text().split())


def made_from():
    with ek.trace("made") as run:
        prices = ek.context("prices", {"one": 40, "other": 2}, kind="document")
        ek.answer("In all that makes forty-two.", uses=[prices])
    return run


def test_what_an_answer_was_made_from_is_not_said_to_hold_its_words():
    back = made_from().backtrack()
    headline = back.board().headline
    assert headline == (
        "The answer was made from prices (document), as was declared; no word of it stands there."
    )
    (suspect,) = back.shortlist()
    assert suspect.reasons[0].word.startswith("is what the answer was made from, as was declared")
    assert "introduced words" not in flat(back)
    assert "carries words" not in flat(back)


def test_what_an_answer_was_made_from_is_named_once():
    back = made_from().backtrack()
    (use,) = back.contexts
    assert [place.path for place in use.places] == [""]
    assert len(back.introducers) == 1
    assert [place.path for place in back.coverage[0].places] == [""]


def test_a_few_characters_that_stand_earlier_are_not_said_to_stand_nowhere():
    (row,) = covered("9", "The note reads: 9, underlined.")
    assert (row.state, row.short) == ("nothing", True)
    assert row.words == "too short to show where it came from; select it to follow it"
    (row,) = covered("9", "The note reads: 8, underlined.")
    assert (row.short, row.words) == (False, "nothing upstream supports it")
    (row,) = covered("9", "The note reads: 9, underlined.", span="9")
    assert row.state == "supported"


def refund(order: int, euros: int) -> str:
    """Pay an order back."""
    return "paid"


def test_the_id_of_a_call_that_was_not_made_is_no_claim():
    call = ToolCall(id="", name="refund", arguments={"order": 7, "euros": 80})
    policy = lambda call, situation: halt("refunds are paid by people")  # noqa: E731
    desk = Agent(ScriptedModel([call]), tools=[refund], policy=policy, name="desk")
    with pytest.raises(ek.ExplainkitError):
        desk.run_sync("Pay order 7 back.")
    back = ek.last().backtrack()
    told = [row.text for row in back.coverage]
    assert told == ["refund", "7", "80"]
    assert "call_1" not in " ".join(row.text for row in back.unsupported)
    assert next(row for row in back.coverage if row.text == "7").short


def test_a_line_of_marks_is_no_sentence():
    rows = covered("Half is paid.\n---\n```", "Half is paid.")
    assert [row.text for row in rows] == ["Half is paid."]


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("The train leaves Linz at 7:30 PM today.", "The train leaves Linz at 19:30 today."),
        ("The train leaves Linz at 19:30 today.", "The train leaves Linz at 7:30 p.m. today."),
        ("The train leaves Linz at 19:30 today.", "The train leaves Linz at 19:30:00 today."),
    ],
)
def test_a_time_of_the_day_is_the_same_on_a_clock_of_twelve_hours(said, source):
    (row,) = covered(said, source)
    assert (row.state, row.disagree) == ("supported", ())


def test_times_that_may_be_the_same_do_not_disagree():
    (row,) = covered(
        "The train leaves Linz at 7:30 today.", "The train leaves Linz at 19:30 today."
    )
    assert (row.state, row.disagree, row.missing) == ("partly", (), ("7:30",))


def test_figures_beside_nothing_in_common_do_not_disagree():
    rows = covered("Departure 07:00 with HAT136", "HAT136 03:15 and 04:20, of 2024; 05:45 HAT139")
    assert [row.disagree for row in rows] == [()]


def test_a_figure_within_an_id_is_said_there():
    (row,) = covered(
        "We charge the certificate 7504069 for the new ticket.",
        "We charge the certificate for the new ticket: certificate_7504069.",
    )
    assert row.missing == ()


def test_words_beside_each_other_are_said_in_whatever_order():
    (row,) = covered(
        "The difference between both towns, by the 2020 census, is small.",
        "By the 2020 census: what is the difference between both towns?",
    )
    assert row.missing == ("small",)


def test_facts_are_whole_and_no_words_of_the_language():
    text = "I'll fly HAT136 at 07:00 PM on 14 March for 450 EUR; Flight HAT039 is Mia Li's."
    facts = facts_in(text)
    assert facts == ["HAT136", "07:00 PM", "14 March", "450 EUR", "HAT039", "Mia Li's"]


def test_two_calls_of_one_name_are_told_apart_among_the_suspects():
    @ek.link(kind="model")
    def ask(prompt):
        return f"We say {prompt}."

    with ek.trace("twice") as run:
        ek.answer(ask(ask("half of the fare")))
    assert {"ask #1", "ask #2"} >= {row.actor for row in run.backtrack().shortlist()}


def test_a_step_of_an_imported_run_is_named_once(shared_data):
    path = next((shared_data / "recorded" / "tau_bench").rglob("*.json"))
    run = next(iter(ek.load_all(path)))
    assert "at step 13 at step 13" not in flat(run.backtrack())


def test_code_that_calls_a_tool_is_not_blamed_on_the_model_before():
    @ek.link(kind="model")
    def greet(prompt):
        return "Good morning."

    @ek.link(kind="tool")
    def lookup():
        return "It is 81 euros."

    with ek.trace("unasked") as run:
        greet("Hello?")
        ek.answer(lookup())
    assert {row.actor for row in run.backtrack().shortlist()} == {"lookup"}


def test_failed_verdicts_stand_before_those_that_passed():
    with ek.trace("judged") as run:
        for slot in ("a", "b", "c", "d"):
            ek.answer("half", slot=slot)
            run.verdict("failed" if slot == "d" else "passed", judge=slot, slot=slot)
        ek.answer("half")
    first, *_ = run.board().verdicts
    assert first.words == "failed, says d (d v1)"
    text = str(run.backtrack().text())
    assert "more row" not in text or "in verdicts" not in text


def test_contexts_of_one_name_that_hold_the_same_are_listed_once():
    @ek.link(kind="model")
    def ask(prompt):
        return "Nothing of that."

    with ek.trace("twice") as run:
        for _ in range(2):
            rules = ek.context("rules", "Bicycles travel free on regional trains.")
            ek.answer(ask(ek.assemble("{r}", r=rules)), slot="first" if _ == 0 else "answer")
    assert [use.name for use in run.backtrack().ignored] == ["rules"]


def test_messages_that_a_model_saw_are_told_apart_by_their_steps(shared_data):
    path = next((shared_data / "recorded" / "tau_bench").rglob("*.json"))
    run = next(iter(ek.load_all(path)))
    names = [each.name for each in run.backtrack().exposures]
    assert len(names) == len(set(names))


def test_a_demo_names_its_day_as_one_fact():
    back = incident().backtrack(span="14 March")
    reasons = back.shortlist(1)[0].reasons
    assert reasons[0].word == "introduced 1 of the answer's facts: '14 March'"


def test_runs_that_are_opened_again_say_the_same():
    run = made_from()
    again = Run.loaded(Recording.of_lines(list(run.recording.lines())))
    assert again.backtrack().text() == run.backtrack().text()


def fare_of(zone: str) -> dict:
    """The fare of a zone."""
    return {"zone": zone, "fare": 80, "currency": "EUR"}


def asked_and_said(said):
    """An Agent that calls a tool, and says something of what it gave."""
    call = ToolCall(id="1", name="fare_of", arguments={"zone": "3"})
    Agent(ScriptedModel([call, said]), "Children pay half.", tools=[fare_of]).run_sync("Zone 3?")
    return ek.last()


def test_the_fields_beside_a_figure_are_read_with_it():
    (row,) = asked_and_said("Zone 3 costs 80 EUR one way.").backtrack().coverage
    assert row.words == "supported: 3, 80 EUR, Zone; not: one way, costs"
    (row,) = asked_and_said("Zone 3 costs 80 USD one way.").backtrack().coverage
    assert "80 USD" not in row.held
    assert row.state == "partly"


def test_of_a_context_that_was_read_no_more_is_said_than_that_nothing_was_carried():
    back = asked_and_said("Zone 3 costs 80 EUR, half for children.").backtrack()
    assert "instructions" in {use.name for use in back.ignored}
    text = flat(back)
    assert "nothing of it was carried into the answer" in text
    assert "no words of it" not in text


def test_words_without_a_source_begin_with_no_mark():
    with ek.trace("marks") as run:
        note = ek.context("note", "Parcels come on 14 March in the morning.")
        ek.answer(note)
        ek.override("Parcels come on 14 March, never in the morning.", by="clerk", reason="so")
    told = [place.text for place in run.backtrack().unsupported]
    assert told == ["never"]


def test_branches_that_run_side_by_side_give_each_other_nothing():
    fares = Parallel(
        {
            "one": lambda zone: f"For now a ride of {zone} costs 80 euros.",
            "other": lambda zone: f"For now a ride of {zone} costs 90 euros.",
        }
    )
    fares.run_sync("zone 3")
    back = ek.last().backtrack()
    assert {(hop.source.label, hop.target.label) for hop in back.hops} == {
        ("output of Parallel", "answer"),
        ("output of <lambda> #1", "output of Parallel"),
        ("output of <lambda> #2", "output of Parallel"),
    }
    for row, branch in zip(back.coverage, ("#1", "#2"), strict=True):
        assert [place.label for place in row.places] == [f"output of <lambda> {branch}"]


def test_the_marks_of_json_around_an_answer_quote_nothing():
    @ek.link(kind="tool")
    def fares():
        return {"one": "A ride costs 80 euros.", "other": "It is cheap."}

    with ek.trace("fares") as run:
        ek.answer(fares())
    (suspect,) = run.backtrack().shortlist()
    assert suspect.reasons[0].word == "introduced 1 of the answer's facts: '80 euros'"
