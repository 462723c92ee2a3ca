"""What an Agent's model saw of its picks, and that no word is laid at a door it never came from."""

import pytest

import explainkit as ek
from explainkit.flow import agent, answer, define_event, final, invoke, machine, python, state, to
from explainkit.flow.models import ScriptedModel, ToolCall

STEADY = "A steady sentence of ours."


def picking(*names):
    """An Agent that picks the events one after the other."""
    return agent(model=ScriptedModel([ToolCall(id="", name=n, arguments={}) for n in names]))


def run_of(step, work, *picks):
    """One Agent, one step below it."""
    machine(
        "q",
        events=[define_event("go"), define_event("stop")],
        actors={"w": picking(*(picks or ("go", "stop"))), "f": python(work)},
        initial="a",
        states={
            "a": state(
                invoke=invoke("w", input={"prompt": "hi"}),
                on={"stop": to("z")},
                initial="r",
                states={"r": state(on={"go": to("g")}), "g": step},
            ),
            "z": final(),
        },
    ).run_sync()
    return ek.last()


def says(text):
    """The step whose answer is a text of its own."""
    return state(invoke=invoke("f", on_done=to("r", do=answer(lambda _: text))))


def plain(text):
    return {"".join(each.split()) for each in text.casefold().split()}


def origins(run, words):
    """Name, grade and origin of each segment that holds the words."""
    found = [each for each in run.prompt().segments if words in each.text]
    return [(each.name, each.grade, each.origin and each.origin.text) for each in found]


def test_words_of_an_override_begin_at_the_override_whatever_it_was_declared_to_be_made_from():
    run = run_of(says(STEADY), lambda: 3)
    seq = int(run.picks["seq"][0])
    assert origins(run, STEADY) == [(f"pick:{seq} v2 by answer lambda", "value", STEADY)]


def test_a_number_inside_of_an_override_still_comes_from_what_gave_it():
    run = run_of(says("Refused, code 3."), lambda: 3)
    seq = int(run.picks["seq"][0])
    assert [name for name, _, _ in origins(run, "Refused, code ")] == [
        f"pick:{seq} v2 by answer lambda"
    ]
    assert ("output of f", "value", "3") in origins(run, "3")


def test_words_that_replaced_a_receipt_begin_at_the_override():
    step = state(invoke=invoke("f", on_error=to("r", do=answer(lambda _: STEADY))))
    run = run_of(step, lambda: 1 // 0)
    seq = int(run.picks["seq"][0])
    assert origins(run, STEADY) == [(f"pick:{seq} v2 by answer lambda", "value", STEADY)]


@pytest.mark.parametrize("text", [STEADY, "Refused, code 3.", "It says: three."])
def test_each_segment_at_grade_value_shares_its_words_with_its_origin(text):
    segments = run_of(says(text), lambda: {"code": 3, "text": "Nobody is here."}).prompt().segments
    for each in segments:
        if each.origin is not None and each.grade == "value" and each.origin.text:
            assert plain(each.text) & plain(each.origin.text), each


def test_the_walk_still_says_that_the_override_was_made_from_the_output():
    run = run_of(says(STEADY), lambda: 3)
    back = run.backtrack(slot=f"pick:{run.picks['seq'][0]}", span="A steady sentence")
    hop = next(hop for hop in back.hops if hop.source.label == "output of f")
    assert (hop.grade, hop.target.label) == ("declared", "pick:25 v2 by answer lambda")
    assert [place.label for place in back.introducers] == ["pick:25 v2 by answer lambda"]


def test_the_receipt_of_a_pick_is_the_origin_of_its_own_line():
    run = run_of(says(STEADY), lambda: 3, "go", "go", "stop")
    first, second, _ = (int(seq) for seq in run.picks["seq"])
    prompt = run.prompt()
    found = [each for each in prompt.segments if each.name.startswith("receipt of ")]
    assert {each.name for each in found} == {
        f"receipt of pick:{first}",
        f"receipt of pick:{second}",
    }
    line = prompt.text.index("receipt: ")
    end = prompt.text.index("]}", line)
    inside = [each for each in found if line <= each.start and each.end <= end + 2]
    assert "".join(each.text for each in inside) == prompt.text[line + len("receipt: ") : end + 2]
    assert {each.name for each in inside} == {f"receipt of pick:{first}"}
    assert {each.grade for each in inside} == {"value"}


def test_a_pick_that_read_its_receipt_alone_ends_there():
    run = run_of(state(invoke=invoke("f", on_error=to("r"))), lambda: 1 // 0)
    seq = int(run.picks["seq"][0])
    back = run.backtrack(slot=f"pick:{seq}")
    assert back.hops == ()
    assert back.unsupported == ()
    assert f"receipt of pick:{seq}" in {each.name for each in run.prompt().segments}


def test_what_an_agent_called_is_laid_to_its_own_earlier_reply():
    run = run_of(says(STEADY), lambda: 3)
    prompt = run.prompt()
    start = prompt.text.index("tool_calls: ")
    end = prompt.text.index("[tool]")
    called = [each for each in prompt.segments if start < each.start and each.end < end]
    told = {(each.text, each.name) for each in called if each.origin is not None}
    assert told == {("call_1", "output of w model #1"), ("go", "output of w model #1")}
    assert {each.grade for each in called if each.origin} <= {"declared", "value"}


def test_the_same_words_said_of_two_picks_begin_at_each_of_them():
    run = run_of(says(STEADY), lambda: 3, "go", "go", "stop")
    slots = [slot for slot in run.picks["slot"] if slot][:2]
    named = [name for name, _, _ in origins(run, STEADY)]
    assert named == [f"{slot} v2 by answer lambda" for slot in slots]
    for slot in slots:
        back = run.backtrack(slot=slot, span=STEADY)
        assert f"{slot} v2 by answer lambda" in [place.label for place in back.introducers]
        assert {hop.grade for hop in back.hops} == {"declared"}
