"""The order in which a chart acts, rule by rule, on charts small enough to follow by eye."""

from explainkit.flow.statecharts import (
    Event,
    Machine,
    StartTimer,
    StopTimer,
    after,
    always,
    assign,
    final,
    history,
    machine,
    raise_,
    start,
    state,
    step,
    to,
)


def says(word):
    """An action whose name is all it does."""

    def said(_):
        """Nothing."""

    said.__name__ = word
    return said


def loud(name, **parts):
    """A state that says when it is entered and left."""
    return state(entry=says(f"+{name}"), exit=says(f"-{name}"), **parts)


def told(steps):
    return [action.name for action in steps.actions]


def after_events(chart, *events, given=None):
    snapshot, steps = start(chart, given)
    for event in events:
        snapshot, steps = step(snapshot, event)
    return snapshot, steps


def nested(**on):
    inner = {"b": loud("b", on={"next": to("c", do=says("t"))}), "c": loud("c")}
    return machine(
        "m",
        initial="a",
        on=on,
        states={"a": loud("a", initial="b", states=inner), "z": loud("z")},
    )


def test_a_start_enters_the_outermost_state_first():
    snapshot, steps = start(nested())
    assert told(steps) == ["+a", "+b"]
    assert snapshot.configuration == ("m", "m.a", "m.a.b")
    assert snapshot.leaves == ("m.a.b",)


def test_exits_then_the_transition_then_entries():
    _, steps = after_events(nested(), "next")
    assert told(steps) == ["-b", "t", "+c"]
    assert steps.exited == ("m.a.b",)
    assert steps.entered == ("m.a.c",)


def test_a_target_inside_the_source_does_not_leave_the_source():
    inside = machine("m", initial="a", states={
        "a": loud("a", initial="b", on={"go": to(".b")}, states={"b": loud("b")}),
    })  # fmt: skip
    assert told(after_events(inside, "go")[1]) == ["-b", "+b"]


def test_from_above_the_same_target_leaves_it():
    _, steps = after_events(nested(go=to(".a")), "go")
    assert steps.exited == ("m.a.b", "m.a")
    assert steps.entered == ("m.a", "m.a.b")


def test_reenter_leaves_the_source_too():
    chart = machine("m", initial="a", states={
        "a": loud("a", initial="b", on={"go": to(".b", reenter=True)}, states={"b": loud("b")}),
    })  # fmt: skip
    assert told(after_events(chart, "go")[1]) == ["-b", "-a", "+a", "+b"]


def test_a_leaf_that_targets_itself_only_acts():
    chart = machine("m", initial="a", states={"a": loud("a", on={"go": to("a", do=says("t"))})})
    snapshot, steps = after_events(chart, "go")
    assert told(steps) == ["t"]
    assert steps.exited == steps.entered == ()
    assert snapshot.leaves == ("m.a",)


def regions(**parts):
    return machine(
        "m",
        parallel=True,
        entry=says("+m"),
        exit=says("-m"),
        states={
            "l": loud("l", initial="a", states={
                "a": loud("la", on={"go": to("b", do=says("tl"))}), "b": loud("lb"),
            }),
            "r": loud("r", initial="a", states={
                "a": loud("ra", on={"go": to("b", do=says("tr"))}), "b": loud("rb"),
            }),
        },
        **parts,
    )  # fmt: skip


def test_regions_move_together_all_exits_all_transitions_all_entries():
    _, steps = after_events(regions(), "go")
    assert told(steps) == ["-ra", "-la", "tl", "tr", "+lb", "+rb"]
    assert len(steps.microsteps) == 1


def test_an_ancestor_is_asked_only_if_no_region_answers():
    chart = regions(on={"*": to(do=says("root"))})
    assert told(after_events(chart, "go")[1])[2:4] == ["tl", "tr"]
    assert told(after_events(chart, "other")[1]) == ["root"]
    assert told(after_events(chart, "go", "go")[1]) == ["root"]


def test_a_transition_between_regions_leaves_and_enters_them_all():
    chart = machine("m", parallel=True, states={
        "l": loud("l", initial="a", states={"a": loud("la", on={"go": to("#m.r.b")})}),
        "r": loud("r", initial="a", states={"a": loud("ra"), "b": loud("rb")}),
    })  # fmt: skip
    assert told(after_events(chart, "go")[1]) == [
        "-ra", "-r", "-la", "-l", "+l", "+la", "+r", "+rb",
    ]  # fmt: skip


def test_of_two_regions_that_would_leave_the_same_states_the_first_moves():
    chart = machine("m", initial="p", states={
        "p": state(parallel=True, states={
            "l": state(on={"go": to("#m.x", do=says("left"))}),
            "r": state(on={"go": to("#m.y", do=says("right"))}),
        }),
        "x": state(),
        "y": state(),
    })  # fmt: skip
    snapshot, steps = after_events(chart, "go")
    assert told(steps) == ["left"]
    assert snapshot.leaves == ("m.x",)


def test_several_targets_enter_several_regions():
    chart = machine("m", initial="a", states={
        "a": state(on={"go": to(["#m.p.l.b", "#m.p.r.b"])}),
        "p": state(parallel=True, states={
            "l": state(initial="a", states={"a": state(), "b": state()}),
            "r": state(initial="a", states={"a": state(), "b": state()}),
            "s": state(initial="a", states={"a": state(), "b": state()}),
        }),
    })  # fmt: skip
    assert after_events(chart, "go")[0].leaves == ("m.p.l.b", "m.p.r.b", "m.p.s.a")


def test_the_first_guard_that_holds_wins_and_sees_the_context_before_the_actions():
    count = assign({"n": lambda args: args.context["n"] + 1})
    chart = machine("m", context={"n": 0}, initial="a", states={"a": state(on={"go": [
        to(guard=lambda args: args.context["n"] == 1, do=[count, says("one")]),
        to(guard=lambda args: args.context["n"] == 0, do=[count, says("none")]),
        to(do=says("more")),
    ]})})  # fmt: skip
    assert told(after_events(chart, "go")[1]) == ["assign", "none"]
    assert told(after_events(chart, "go", "go")[1]) == ["assign", "one"]
    assert told(after_events(chart, "go", "go", "go")[1]) == ["more"]


def test_names_before_prefixes_before_the_star_and_false_guards_fall_through():
    def no(_):
        return False

    above = {"order.paid": to(do=says("root"))}
    chart = machine("m", initial="a", on=above, states={"a": state(on={
        "*": to(do=says("star")),
        "order.*": to(do=says("order")),
        "order.paid.*": to(do=says("paid")),
        "order.paid": to(guard=no, do=says("exact")),
    })})  # fmt: skip
    assert told(after_events(chart, "order.paid")[1]) == ["paid"]
    assert told(after_events(chart, "order.paid.late")[1]) == ["paid"]
    assert told(after_events(chart, "order")[1]) == ["order"]
    assert told(after_events(chart, "orders")[1]) == ["star"]


def test_an_empty_handler_blocks_the_states_above():
    chart = machine(
        "m", initial="a", on={"go": to(do=says("root"))}, states={"a": state(on={"go": to()})}
    )
    _, steps = after_events(chart, "go")
    assert told(steps) == []
    assert steps.handled


def test_raised_events_come_after_eventless_ones_and_before_the_step_ends():
    chart = machine("m", initial="a", states={
        "a": state(on={"go": to("b", do=raise_("own", {"k": 1}))}),
        "b": state(always(to("c", do=says("always"))), on={"own": to(do=says("too early"))}),
        "c": state(on={"own": to("d", do=says("own"))}),
        "d": state(),
    })  # fmt: skip
    snapshot, steps = after_events(chart, "go")
    assert told(steps) == ["xstate.raise", "always", "own"]
    assert steps.raised == (Event("own", {"k": 1}),)
    assert snapshot.leaves == ("m.d",)


def test_eventless_transitions_are_tried_again_after_an_event_that_nobody_took():
    hot = {"now": False}
    chart = machine("m", initial="a", states={
        "a": state(always(to("b", guard=lambda _: hot["now"]))), "b": state(),
    })  # fmt: skip
    snapshot, _ = start(chart)
    hot["now"] = True
    snapshot, steps = step(snapshot, "whatever")
    assert snapshot.leaves == ("m.b",)
    assert not steps.handled


def test_an_eventless_transition_that_changes_nothing_is_taken_once():
    chart = machine("m", initial="a", states={"a": state(always(to(do=says("once"))))})
    snapshot, steps = start(chart)
    assert (snapshot.status, told(steps)) == ("active", ["once"])


def test_a_region_and_its_parallel_ancestor_may_both_fire():
    chart = machine("m", initial="p", states={"p": state(
        always(to(do=says("ancestor"))), parallel=True, states={
            "l": state(always(to(do=says("region")))), "r": state(),
        },
    )})  # fmt: skip
    assert told(start(chart)[1]) == ["region", "ancestor"]


def test_timers_start_on_entry_shortest_first_and_stop_on_exit():
    chart = machine("m", initial="a", states={
        "a": state(after(50, to("b")), after(5, to(do=says("soon"))), on={"go": to("b")}),
        "b": state(),
    })  # fmt: skip
    snapshot, steps = start(chart)
    assert steps.timers == (
        StartTimer("m.a", "after.5.m.a", 5),
        StartTimer("m.a", "after.50.m.a", 50),
    )
    snapshot, soon = step(snapshot, "after.5.m.a")
    assert told(soon) == ["soon"]
    snapshot, steps = step(snapshot, "after.50.m.a")
    assert snapshot.leaves == ("m.b",)
    assert steps.timers == (StopTimer("m.a", "after.5.m.a"), StopTimer("m.a", "after.50.m.a"))


def test_a_deeper_star_takes_the_timer_of_an_ancestor():
    chart = machine("m", after(5, to(do=says("timer"))), initial="a", states={
        "a": state(on={"*": to(do=says("star"))}),
    })  # fmt: skip
    assert told(after_events(chart, "after.5.m")[1]) == ["star"]


def remembering(*, deep):
    return machine("m", initial="p", states={
        "p": state(on={"out": to("z")}, initial="a", states={
            "h": history(deep=deep),
            "a": state(on={"next": to("b")}),
            "b": state(initial="c", states={"c": state(on={"next": to("d")}), "d": state()}),
        }),
        "z": state(on={"back": to("#m.p.h")}),
    })  # fmt: skip


def test_a_history_leads_back_to_the_children_or_to_the_leaves():
    for deep, leaf in ((False, "m.p.b.c"), (True, "m.p.b.d")):
        left, _ = after_events(remembering(deep=deep), "next", "next", "out")
        assert left.history == {"m.p.h": ("m.p.b.d" if deep else "m.p.b",)}
        assert step(left, "back")[0].leaves == (leaf,)


def test_a_history_without_memory_leads_to_its_target_or_the_initial_state():
    def chart(target):
        inner = {"h": history(target), "a": state(), "b": state()}
        return machine("m", initial="z", states={
            "z": state(on={"go": to("#m.p.h")}), "p": state(initial="a", states=inner),
        })  # fmt: skip

    assert after_events(chart(None), "go")[0].leaves == ("m.p.a",)
    assert after_events(chart("b"), "go")[0].leaves == ("m.p.b",)


def test_a_history_that_leads_to_the_active_source_enters_nothing_twice():
    chart = machine("m", initial="p", states={"p": state(initial="q", states={
        "h": history("#m.p.q.l.x"),
        "q": state(parallel=True, states={
            "l": state(initial="x", states={"x": state(on={"go": to("#m.p.h", do=says("t"))})}),
            "r": state(initial="u", states={"u": state(on={"up": to("v")}), "v": state()}),
        }),
    })})  # fmt: skip
    snapshot, steps = after_events(chart, "up", "go")
    assert told(steps) == ["t"]
    assert snapshot.leaves == ("m.p.q.l.x", "m.p.q.r.v")


def test_final_children_finish_compounds_and_all_regions_finish_a_parallel_state():
    def region():
        return state(initial="a", states={"a": state(on={"go": to("f")}), "f": final(output="x")})

    chart = machine("m", initial="p", states={
        "p": state(parallel=True, states={"l": region(), "r": region()}, on_done=to("z")),
        "z": state(),
    })  # fmt: skip
    snapshot, steps = after_events(chart, "go")
    assert steps.done == (
        Event("done.state.m.p.l", {"output": "x"}),
        Event("done.state.m.p.r", {"output": "x"}),
        Event("done.state.m.p", {"output": None}),
    )
    assert snapshot.leaves == ("m.z",)


def test_the_end_runs_all_exits_stops_timers_and_nothing_happens_after_it():
    parts = {"exit": says("-m"), "context": lambda given: given}
    chart = machine("m", after(9, to()), initial="a", **parts, states={
        "a": loud("a", on={"end": to("f")}),
        "f": final(entry=says("+f"), exit=says("-f"), output=lambda args: args.context["word"]),
    })  # fmt: skip
    snapshot, steps = after_events(chart, "end", given={"word": "bye"})
    assert told(steps) == ["-a", "+f", "-f", "-m"]
    assert steps.timers == (StopTimer("m", "after.9.m"),)
    assert (snapshot.status, snapshot.output) == ("done", "bye")
    assert step(snapshot, "end")[0] is snapshot
    assert step(snapshot, "end")[1].microsteps == ()


def test_xstate_names_of_the_machines_own_events_are_understood():
    chart = Machine.from_dict({"id": "m", "initial": "a", "states": {
        "a": {"initial": "f", "states": {"f": {"type": "final"}},
              "on": {"xstate.done.state.m.a": "z"}},
        "z": {},
    }})  # fmt: skip
    assert start(chart)[0].leaves == ("m.z",)
