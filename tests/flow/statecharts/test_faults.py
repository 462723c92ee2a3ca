"""A fault of the author's code ends the run, keeps the configuration and names the place."""

import pytest

from explainkit.errors import ActionError, GuardError, StepError, UnsettledError
from explainkit.flow.statecharts import (
    always,
    assign,
    final,
    machine,
    raise_,
    start,
    state,
    step,
    to,
)


def broken(_):
    raise ValueError("no such account")


def one(**handler):
    return machine(
        "m",
        context={"n": 0},
        initial="a",
        states={"a": state(on={"go": to("b", **handler)}), "b": state()},
    )


@pytest.mark.parametrize(
    ("chart", "kind", "place"),
    [
        (
            one(guard=broken),
            GuardError,
            r'the guard "broken" of on.go\[0\] in "m.a" raised ValueError',
        ),
        (one(do=broken), ActionError, r'the action "broken", on.go\[0\]\[0\] of "m.a", raised'),
        (one(do=assign(broken)), ActionError, r'the action "broken"'),
        (one(do=assign({"n": broken})), ActionError, r'the action "assign"'),
        (one(do=raise_("x", broken)), ActionError, r'the action "xstate.raise"'),
    ],
)
def test_a_fault_names_the_place_and_changes_nothing(chart, kind, place):
    before, _ = start(chart)
    snapshot, steps = step(before, "go")
    assert snapshot.status == "error"
    assert snapshot.configuration == before.configuration
    assert snapshot.context == before.context
    assert isinstance(snapshot.error, kind)
    assert isinstance(snapshot.error, StepError)
    with pytest.raises(kind, match=f'Machine "m": {place}'):
        raise snapshot.error
    assert isinstance(snapshot.error.__cause__, ValueError)
    assert step(snapshot, "go") == (snapshot, steps.__class__(steps.event, False))


def test_what_ran_before_the_fault_is_kept():
    chart = machine("m", initial="a", states={
        "a": state(exit=assign({"left": True}), on={"go": to("b", do=raise_("x"))}),
        "b": state(entry=[assign({"in": 1}), broken, assign({"never": 1})]),
    })  # fmt: skip
    snapshot, steps = step(start(chart)[0], "go")
    (only,) = steps.microsteps
    assert [action.name for action in only.actions] == [
        "assign",
        "xstate.raise",
        "assign-2",
        "broken",
    ]
    assert only.exited == ("m.a",)
    assert only.entered == ("m.b",)
    assert [event.name for event in only.raised] == ["x"]
    assert (snapshot.leaves, snapshot.context) == (("m.a",), {})


def test_a_fault_at_the_start_leaves_no_configuration():
    snapshot, steps = start(machine("m", context=lambda given: given["x"]), {})
    assert (snapshot.status, snapshot.configuration) == ("error", ())
    assert "the function of the context raised KeyError" in str(snapshot.error)
    assert steps.microsteps == ()
    snapshot, steps = start(machine("m", entry=broken))
    assert (snapshot.status, snapshot.configuration) == ("error", ())
    assert [action.name for action in steps.actions] == ["broken"]


def test_a_fault_of_an_output_is_told():
    chart = machine("m", initial="a", states={"a": final(output=broken)})
    assert 'the output of "m.a" raised' in str(start(chart)[0].error)


def test_a_context_that_is_no_mapping_cannot_be_assigned_to():
    snapshot, _ = start(machine("m", context=lambda given: given, entry=assign({"n": 1})), 3)
    assert "assign needs a context that is a mapping, not int" in str(snapshot.error)


@pytest.mark.parametrize(
    "chart",
    [
        machine("m", initial="a", states={
            "a": state(always(to("b", guard=lambda args: args.context.get("on")))),
            "b": state(always(to("a"))),
        }, on={"go": to(do=assign({"on": True}))}),
        machine("m", on={"go": to(do=raise_("go"))}),
    ],
)  # fmt: skip
def test_what_never_settles_ends_with_the_configuration_before_the_event(chart):
    before, _ = start(chart)
    snapshot, steps = step(before, "go", limit=40)
    assert isinstance(snapshot.error, UnsettledError)
    assert 'did not settle within 40 steps after "go"' in str(snapshot.error)
    assert snapshot.configuration == before.configuration
    assert len(steps.microsteps) == 40


def test_an_interrupt_is_no_fault_of_the_chart():
    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        start(machine("m", entry=interrupted))


def test_a_context_that_is_changed_in_place_spoils_no_other_run():
    def spoil(args):
        args.context["log"].append(1)

    built = machine(
        "m",
        context={"log": []},
        initial="a",
        states={"a": state(on={"go": to("b", do=spoil)}), "b": state()},
    )
    for _ in range(2):
        snapshot, _ = step(start(built)[0], "go")
        assert snapshot.context == {"log": [1]}
