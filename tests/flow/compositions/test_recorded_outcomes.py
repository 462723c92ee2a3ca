"""What a tolerant merge was given is recorded whole, and each answer with its own branch."""

import explainkit as ek
from explainkit.flow import Agent, Answered, Exhausted, Parallel, Refused, Sequence
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcome_forms import recorded_form
from explainkit.store import doctor


def soil(_):
    return "moisture is low"


def bad(_):
    raise ValueError("the probe is gone")


def refusing():
    return Agent(ScriptedModel(["It is 99.", "It is 99."]), evidence_gate="rails")


def merged(ends):
    assert isinstance(ends["soil"], Answered), "the merge is given the outcomes themselves"
    return f"{ends['soil'].value}, {len(ends)} branches"


def run_of(merge):
    branches = {"soil": soil, "bad": bad, "count": lambda _: 13}
    Parallel(branches, merge=merge, tolerant=True).run_sync("q")
    return ek.last()


def given_to(run, name):
    (opened,) = (row for row in run.recording.rows("link_opened") if row["name"] == name)
    return run.recording.values.tagged(opened["inputs"][0]["value"])


def test_the_input_of_a_tolerant_merge_is_plain_data_and_nothing_is_lost():
    run = run_of(merged)
    assert given_to(run, "merged") == {
        "soil": {"outcome": "answered", "value": "moisture is low"},
        "bad": {"outcome": "failed", "error": "ValueError: the probe is gone"},
        "count": {"outcome": "answered", "value": 13},
    }
    assert run.backtrack().lost == ()
    assert "explainkit.flow.outcomes" not in run.backtrack().text()
    assert doctor(run.recording) == []


def test_words_of_an_answer_in_it_come_from_its_own_branch():
    run = run_of(merged)
    back = run.backtrack(span="moisture is low")
    declared = [(hop.target.path, hop.source.label) for hop in back.hops if hop.grade == "declared"]
    assert declared == [("/soil/value", "output of soil")]


def test_outcomes_that_are_the_answer_are_plain_data_in_every_place_that_holds_them():
    run = run_of(None)
    assert run.answer["bad"] == {"outcome": "failed", "error": "ValueError: the probe is gone"}
    assert run.backtrack().lost == ()
    assert run.backtrack(span="moisture is low").hops[0].source.label == "output of Parallel"


def test_outcomes_that_are_handed_on_reach_the_next_step_as_they_are():
    kinds = Sequence(
        Parallel({"soil": soil, "bad": bad}, tolerant=True),
        lambda ends: [type(each).__name__ for each in ends.values()],
    )
    assert kinds.run_sync("q") == ["Answered", "Failed"]
    assert ek.last().backtrack().lost == ()


def test_a_refusal_is_recorded_with_all_that_its_verdict_carries():
    refused = []

    def told(ends):
        refused.append(ends["a"])
        return "told"

    Parallel({"a": refusing(), "soil": soil}, merge=told, tolerant=True).run_sync("q")
    run, (end,) = ek.last(), refused
    assert isinstance(end, Refused)
    form = {"outcome": "refused", "verdict": end.verdict.to_json()}
    assert given_to(run, "told")["a"] == form
    assert end.verdict.kind == "unsupported-values"
    assert run.backtrack().lost == ()


class Verdict:
    kind = "odd"

    def to_json(self):
        raise RuntimeError("never")

    def __repr__(self):
        return "an odd verdict"


def test_each_end_has_a_form_and_a_verdict_that_breaks_is_described():
    assert recorded_form(Refused(Verdict())) == {"outcome": "refused", "verdict": "an odd verdict"}
    assert recorded_form(Exhausted([1])) == {"outcome": "exhausted", "last": [1]}
    plain = {"outcome": "answered"}
    assert recorded_form(plain) is plain
