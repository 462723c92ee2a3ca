"""Every case of the table of cases: what happens, what the Agent reads, what is recorded."""

from explainkit.flow import answer, assign, define_event, final, gate, invoke, machine, state, to
from explainkit.flow.outcomes import Answered, Failed
from tests.flow.driving.acting import (
    Desk,
    Puppet,
    answers,
    events,
    over,
    overrides,
    plays,
    read_by,
    replies,
    rows,
    said,
)

EXITED = {"outcome": "exited", "code": 1, "tail": "x"}


def answers_with(value):
    return answer(lambda _: value)


def a_function():
    """A value without a JSON form."""


def chart_t(coder, desk, *, do=(), error=(), exits=(), entries=(), **root):
    """The machine T of the table."""
    return machine(
        "t",
        events=events("run_tests", "finished", "ping", "help"),
        actors={"coder": coder, "tests": desk.effect("tests")},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder", input={"prompt": "Go."}),
                on={"finished": to("done")},
                initial="ready",
                states={
                    "ready": state(on={"run_tests": to("testing")}, entry=list(entries)),
                    "testing": state(
                        invoke=invoke("tests", on_done=to("ready", do=list(do)), on_error=error),
                        exit=list(exits),
                    ),
                },
            ),
            "done": final(),
        },
        **root,
    )


def runs_tests(output, **parts):
    """Pick run_tests and let the tests give something; what was read, and the recording."""
    coder, desk = Puppet(), Desk()

    async def play(running):
        pick = await coder.picks("run_tests")
        assert not pick.done()
        await desk.gives("tests", output)
        return read_by(pick)

    return plays(chart_t(coder, desk, **parts), play)


def test_a_pick_is_held_until_the_tests_reply_and_reads_the_reply():
    read, recording = runs_tests(EXITED)
    assert said(read) == (EXITED, "reply")
    assert read.receipt.to_json() == {
        "event": "run_tests",
        "moved": True,
        "turn_complete": False,
        "allowed": ["finished", "run_tests"],
    }
    assert answers(recording) == [(1, EXITED, "reply")]
    assert replies(recording) == [(1, 0)]
    assert overrides(recording) == []


def test_an_answer_on_the_done_route_is_what_the_agent_reads():
    read, recording = runs_tests(0, do=[answers_with("The tests pass.")])
    assert said(read) == ("The tests pass.", "answer")
    assert answers(recording) == [(1, 0, "reply")]  # version 1: what would be read with nothing set
    assert overrides(recording) == [(1, "applied", "The tests pass.")]
    [(version, site)] = rows(recording, "override", "from_version", "site")
    assert version == 1
    assert site.startswith("t.coding.testing: invoke[0].on_done[0]")


def test_an_answer_without_a_json_form_clears_what_was_set_and_the_record_says_so():
    read, recording = runs_tests(7, do=[answers_with("A"), answers_with(a_function)])
    assert said(read) == (7, "reply")
    assert overrides(recording) == [(1, "superseded", "A"), (1, "cleared", 7)]
    [_, (reason,)] = rows(recording, "override", "reason")
    assert "no JSON form" in reason
    assert "function" in reason


def test_none_is_an_answer_and_reads_as_null():
    read, recording = runs_tests(7, do=[answers_with(None)])
    assert said(read) == (None, "answer")
    assert answers(recording) == [(1, 7, "reply")]
    assert overrides(recording) == [(1, "applied", None)]


def test_a_pick_stays_open_from_lint_to_tests_and_the_answer_set_by_lint_stands():
    coder, desk = Puppet(), Desk()
    chart = machine(
        "two",
        events=events("check"),
        actors={"coder": coder, "lint": desk.effect("lint"), "tests": desk.effect("tests")},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"check": to("linting")}),
                    "linting": state(
                        invoke=invoke("lint", on_done=to("testing", do=answers_with("A")))
                    ),
                    "testing": state(invoke=invoke("tests", on_done=to("ready"))),
                },
            )
        },
    )

    async def play(running):
        pick = await coder.picks("check")
        await desk.gives("lint", 1)
        held = not pick.done()
        await desk.gives("tests", 2)
        return held, read_by(pick)

    (held, read), recording = plays(chart, play)
    assert held
    assert said(read) == ("A", "answer")
    assert replies(recording) == [(1, 0), (1, 1)]
    assert answers(recording) == [(1, 2, "reply")]
    assert overrides(recording) == [(1, "applied", "A")]
    # The answer was made from what lint gave; of the tests it could know nothing.
    closed = {row["link"]: row["seq"] for row in recording.rows("link_closed")}
    ends = {row["name"]: closed[row["seq"]] for row in recording.rows("link_opened")}
    assert rows(recording, "override", "uses") == [([{"seq": ends["lint"], "slot": "output"}],)]
    assert rows(recording, "answer", "uses") == [([{"seq": ends["tests"], "slot": "output"}],)]


def test_of_exit_transition_and_entry_the_entry_answers_because_it_runs_last():
    read, recording = runs_tests(
        3,
        exits=[answers_with("exit")],
        do=[answers_with("tr")],
        entries=[answers_with("entry")],
    )
    assert said(read) == ("entry", "answer")
    assert overrides(recording) == [
        (None, "unheard", None),  # at the start nothing was picked yet
        (1, "superseded", "exit"),
        (1, "superseded", "tr"),
        (1, "applied", "entry"),
    ]


def test_a_handler_without_target_at_the_agents_state_answers_at_once():
    coder = Puppet()
    chart = machine(
        "noting",
        events=events("note"),
        actors={"coder": coder},
        initial="coding",
        states={"coding": state(invoke=invoke("coder"), on={"note": to(do=answers_with("noted"))})},
    )

    async def play(running):
        return await coder.reads("note"), coder.turn.over

    (read, is_over), recording = plays(chart, play)
    assert said(read) == ("noted", "answer")
    assert read.receipt.turn_complete is False
    assert read.receipt.moved is True
    assert not is_over
    assert [via for _, _, via in answers(recording)] == ["receipt"]


def test_an_answer_of_the_root_to_an_event_from_outside_is_unheard():
    coder, desk = Puppet(), Desk()
    chart = chart_t(coder, desk, on={"ping": to(do=answers_with("pong"))})

    async def play(running):
        pick = await coder.picks("run_tests")
        running.send("ping")
        assert not pick.done()
        await desk.gives("tests", 3)
        return read_by(pick)

    read, recording = plays(chart, play)
    assert said(read) == (3, "reply")
    assert overrides(recording) == [(None, "unheard", None)]
    assert answers(recording) == [(1, 3, "reply")]


def test_an_error_is_no_reply_so_its_route_leaves_the_receipt_alone():
    coder, desk = Puppet(), Desk()
    chart = chart_t(coder, desk, error=to("ready"))

    async def play(running):
        pick = await coder.picks("run_tests")
        await desk.raises("tests", RuntimeError("no pytest"))
        return read_by(pick)

    read, recording = plays(chart, play)
    assert said(read) == (None, "receipt")
    assert read.receipt.moved is True
    assert replies(recording) == []
    assert answers(recording) == [(1, read.receipt.to_json(), "receipt")]


def test_an_error_without_a_route_faults_the_run_and_closes_the_pick_as_over():
    coder, desk = Puppet(), Desk()
    chart = chart_t(coder, desk)

    async def play(running):
        pick = await coder.picks("run_tests")
        await desk.raises("tests", RuntimeError("no pytest"))
        return read_by(pick), await over(running)

    (read, outcome), recording = plays(chart, play)
    assert isinstance(outcome, Failed)
    assert "no pytest" in str(outcome.error)
    assert said(read) == (None, "receipt")
    assert read.receipt.turn_complete is True
    assert read.receipt.allowed == ()
    assert rows(recording, "run_ended", "status") == [("error",)]


def test_a_gate_holds_a_pick_until_somebody_approves():
    coder = Puppet()
    approve = define_event("approve", input=dict[str, int], audience="external")
    chart = machine(
        "asking",
        events=[*events("ask"), approve],
        actors={"coder": coder, "person": gate(approve)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"ask": to("asking")}),
                    "asking": state(invoke=invoke("person"), on={"approve": to("ready")}),
                },
            )
        },
    )

    async def play(running):
        pick = await coder.picks("ask")
        assert not pick.done()
        running.gates["person"].send("approve", {"stars": 5})
        return await pick

    read, recording = plays(chart, play)
    assert said(read) == ({"type": "approve", "stars": 5}, "reply")
    assert replies(recording) == [(1, 0)]


def test_a_nested_agent_reads_the_inner_answer_and_the_outer_one_its_verdict():
    coder, reviewer = Puppet(), Puppet()
    verdict = define_event("verdict", input=dict[str, bool], audience="agent")
    chart = machine(
        "reviewed",
        events=[*events("review"), verdict],
        actors={"coder": coder, "reviewer": reviewer},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"review": to("reviewing")}),
                    "reviewing": state(
                        invoke=invoke("reviewer"),
                        on={"verdict": to("ready", do=answers_with("inner"))},
                    ),
                },
            )
        },
    )

    async def play(running):
        review = await coder.picks("review")
        assert not review.done()
        verdict = await reviewer.picks("verdict", {"good": True})
        return read_by(verdict), read_by(review)

    (inner, outer), recording = plays(chart, play)
    assert said(inner) == ("inner", "answer")
    assert inner.receipt.turn_complete is True
    assert said(outer) == ({"type": "verdict", "good": True}, "reply")
    assert outer.receipt.turn_complete is False
    assert replies(recording) == [(1, 0)]
    assert overrides(recording) == [(2, "applied", "inner")]


def test_two_agents_in_two_regions_have_each_their_own_chain():
    left, right, desk = Puppet(), Puppet(), Desk()

    def region(agent, event, effect):
        return state(
            invoke=invoke(agent),
            initial="ready",
            states={
                "ready": state(on={event: to("busy")}),
                "busy": state(invoke=invoke(effect, on_done=to("ready"))),
            },
        )

    chart = machine(
        "pair",
        events=events("go", "look"),
        actors={
            "left": left,
            "right": right,
            "lint": desk.effect("lint"),
            "tests": desk.effect("tests"),
        },
        parallel=True,
        states={"a": region("left", "go", "lint"), "b": region("right", "look", "tests")},
    )

    async def play(running):
        go, look = await left.picks("go"), await right.picks("look")
        await desk.gives("lint", "L")
        halfway = go.done(), look.done()
        await desk.gives("tests", "T")
        return halfway, read_by(go), read_by(look)

    (halfway, go, look), recording = plays(chart, play)
    assert halfway == (True, False)
    assert said(go) == ("L", "reply")
    assert said(look) == ("T", "reply")
    assert replies(recording) == [(1, 0), (2, 0)]
    assert answers(recording) == [(1, "L", "reply"), (2, "T", "reply")]


def test_finishing_while_the_tests_run_ends_both_picks_with_receipts_and_drops_the_late_result():
    coder, desk = Puppet(), Desk()
    chart = chart_t(coder, desk)

    async def play(running):
        testing = await coder.picks("run_tests")
        late = desk.calls("tests")[-1]
        finishing = await coder.picks("finished")
        if not late.done():
            late.set_result("late")
        return read_by(testing), read_by(finishing), await over(running), late.cancelled()

    (testing, finishing, outcome, was_stopped), recording = plays(chart, play)
    assert said(testing) == said(finishing) == (None, "receipt")
    assert testing.receipt.turn_complete
    assert finishing.receipt.turn_complete
    assert (testing.receipt.event, finishing.receipt.event) == ("run_tests", "finished")
    assert outcome == Answered(None)
    assert was_stopped
    assert replies(recording) == []
    assert overrides(recording) == []
    assert [number for number, _, _ in answers(recording)] == [1, 2]


def test_help_from_the_root_ends_the_turn_with_its_answer_and_begins_one_with_fresh_input():
    coder = Puppet()
    count = assign({"n": lambda args: args.context["n"] + 1})
    chart = machine(
        "helping",
        events=events("help"),
        actors={"coder": coder},
        context={"n": 0},
        initial="coding",
        on={"help": to(".coding", do=[count, answers_with("again")])},
        states={"coding": state(invoke=invoke("coder", input=lambda args: args.context["n"]))},
    )

    async def play(running):
        read = await coder.reads("help")
        return read, [turn.input for turn in coder.turns], [turn.over for turn in coder.turns]

    (read, inputs, ends), recording = plays(chart, play)
    assert said(read) == ("again", "answer")
    assert read.receipt.turn_complete is True
    assert read.receipt.allowed == ()
    assert inputs == [0, 1]
    assert ends == [True, False]
    assert overrides(recording) == [(1, "applied", "again")]
    assert rows(recording, "link_closed", "status")[0] == ("answered",)  # the old Turn
