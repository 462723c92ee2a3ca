"""What is wrong with a chart is told when it is built: the machine, the state, what is declared."""

import pytest

from explainkit.errors import ChartError
from explainkit.flow.statecharts import (
    Machine,
    after,
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


def config(a=None, **root):
    return {"id": "m", "initial": "a", "states": {"a": a or {}, "b": {}}, **root}


BAD_CONFIGS = {
    "no mapping": ([], r'Machine "\(machine\)": a config is a mapping'),
    "unknown key": (
        config({"activities": ["x"]}),
        'state "m.a", activities: .* Supported here: id,.* invoke, description, tags, meta',
    ),
    "unknown key of an invocation": (
        config({"invoke": [{"src": "x", "onSnapshot": "b"}]}),
        'state "m.a", invoke.0.onSnapshot: .* Supported here: src, id, input, onDone, onError, hol',
    ),
    "unknown key of an actor's transition": (
        config({"invoke": {"src": "x", "onDone": {"cond": 1}}}),
        'state "m.a", invoke.0.onDone.0.cond: .* Supported here: target, guard, actions, reenter',
    ),
    "an invocation without actor": (config({"invoke": {}}), 'state "m.a", invoke.0.src: Field req'),
    "an actor that is not passed": (
        config({"invoke": {"src": "x"}}),
        r'"m.a": invoke\[0\] names the actor "x", which is unknown. Declared actors: none',
    ),
    "an actor's transition that leads nowhere": (
        config({"invoke": {"src": "x", "onError": "c"}}),
        r'"m.a": invoke\[0\].on_error\[0\] targets "c", which is unknown',
    ),
    "tags that are no texts": (config({"tags": [1]}), 'state "m.a", tags'),
    "a start with actions": (
        config(initial={"target": "a", "actions": "dance"}),
        'state "m", initial: Input should be a valid string',
    ),
    "unknown key of a transition": (
        config({"on": {"E": [{"cond": "x"}]}}),
        'state "m.a", on.E.0.cond: .* Supported here: target, guard, actions, reenter',
    ),
    "unknown key of the machine": (config(version=5), 'state "m", version: .*context'),
    "a type of another world": (config({"type": "parallell"}), 'state "m.a", type: Input should'),
    "unknown initial": (config(initial="x"), '"m": its initial state "x" .* Declared states: a, b'),
    "no initial": ({"id": "m", "states": {"a": {}}}, '"m": it has states but no initial one'),
    "initial without states": (config({"initial": "x"}), '"m.a": it names an initial'),
    "unknown sibling": (
        config({"on": {"E": "c"}}),
        r'"m.a": on.E\[0\] targets "c", which is unknown. Declared states of "m": a, b',
    ),
    "unknown child": (config({"always": ".c"}), 'Declared states of "m.a": none'),
    "unknown id": (config({"after": {"5": "#x"}}), r'after.5\[0\] targets "#x".* ids: m, m.a, m.b'),
    "sibling of the machine": (config(on={"E": "a"}), r"has no siblings.*\.a, \.b"),
    "unknown guard": (
        config({"on": {"E": {"guard": "rich"}}}),
        r'"m.a": on.E\[0\].guard: "rich" is not among the guards. Declared: poor',
    ),
    "unknown action": (config({"entry": "sing"}), '"m.a": entry: "sing" .* Declared: dance'),
    "neither name nor function": (config({"entry": [5]}), "entry: 5 is neither a name"),
    "a raise without event": (
        config({"entry": {"type": "xstate.raise"}}),
        'needs params with "event"',
    ),
    "a delay with a fraction": (config({"after": {"1.5": "b"}}), "after '1.5': a delay is a whole"),
    "a name for a delay": (config({"after": {"soon": "b"}}), "'soon': a delay is .* never a name"),
    "a star inside": (config({"on": {"a.*.b": "b"}}), r'handles "a.\*.b"'),
    "two states of one id": (config({"id": "m.b"}), "an id cannot be 'm.b'"),
    "two states of one own id": (
        config({"id": "x", "initial": "c", "states": {"c": {"id": "x"}}}),
        'the id "x" is used twice',
    ),
    "a dot in a key": ({"id": "m", "initial": "a.b", "states": {"a.b": {}}}, "key cannot be 'a.b'"),
    "regions with an initial": (config(type="parallel"), "leave initial out"),
    "no region": (config({"type": "parallel"}), '"m.a": a parallel state has at least one region'),
    "a compound without states": (config({"type": "compound"}), "has states below it"),
    "an atomic with states": (config(type="atomic"), "an atomic state has no states"),
    "a final that handles": (config({"type": "final", "on": {"E": "b"}}), "handles nothing"),
    "a final with states": (config(type="final"), "the machine itself is no final state"),
    "a history that enters": (config({"type": "history", "entry": "dance"}), "is never active"),
    "a depth without history": (config({"history": "deep"}), 'the type is not "history"'),
    "a target without history": (config({"target": "b"}), "only a history has a target"),
    "an output without end": (config({"output": 1}), "only a final state and the machine itself"),
    "a history that leads out": (
        config({"initial": "c", "states": {"h": {"type": "history", "target": "#m.b"}, "c": {}}}),
        '"m.a.h": its target "m.b" is not below "m.a"',
    ),
    "a default that goes round": (
        config({"initial": "h", "states": {"h": {"type": "history"}, "c": {}}}),
        '"m.a.h": its default entry leads back to itself',
    ),
    "targets that exclude each other": (
        config({"on": {"E": {"target": ["#m.a", "#m.b"]}}}),
        '"m.a" and "m.b", which cannot be active together',
    ),
    "done of the machine": (config(onDone="a"), "onDone of the machine itself is never taken"),
    "done of a leaf": (config({"onDone": "b"}), "it is never done"),
}


@pytest.mark.parametrize(("chart", "message"), BAD_CONFIGS.values(), ids=BAD_CONFIGS.keys())
def test_a_bad_config_is_refused_with_its_place(chart, message):
    with pytest.raises(ChartError, match=message) as caught:
        Machine.from_dict(chart, guards={"poor": bool}, actions={"dance": bool})
    assert str(caught.value).startswith('Machine "')


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: state(on={"go": [7]}), r"on.go\[0\] is no transition: 7. Use to"),
        (lambda: state(on={"go": "b"}), r'on.go\[0\] targets "b", which is unknown'),
        (lambda: state(entry=[3]), r"entry\[0\] is no action: 3"),
        (lambda: state(on={"go": to("a", guard="rich")}), "is no function: 'rich'"),
        (lambda: state(initial="x", states={"x": {}}), '"x" is no state: {}. Use state'),
        (lambda: state(entry=raise_("done.state.m")), 'it raises "done.state.m"'),
        (lambda: state(entry=raise_("*")), "raise a plain event name"),
        (lambda: state(after(-1, to("a"))), "after -1: a delay is a whole number"),
        (lambda: state(after(True, to("a"))), "after True: a delay is a whole number"),
    ],
)
def test_a_bad_state_in_python_is_refused_with_its_place(build, message):
    with pytest.raises(ChartError, match=f'Machine "m", state "m.a.*{message}'):
        machine("m", initial="a", states={"a": build()})


def test_a_very_deep_chart_is_refused_not_a_stack_overflow():
    deep = {}
    for _ in range(5000):
        deep = {"initial": "a", "states": {"a": deep}}
    with pytest.raises(ChartError, match="nested at most 100 deep"):
        Machine.from_dict({"id": "m", **deep})
    endless = {"id": "m", "initial": "a"}
    endless["states"] = {"a": endless}
    with pytest.raises(ChartError, match="nested at most 100 deep"):
        Machine.from_dict(endless)


def test_every_error_is_short_whatever_the_chart_holds():
    with pytest.raises(ChartError) as caught:
        Machine.from_dict(config({"on": {"E": "x" * 10_000}}))
    assert len(str(caught.value)) < 600


def test_both_ways_of_writing_give_the_same_chart():
    def rich(args):
        return args.context["sum"] > 3

    def thank(args):
        """Say thanks."""

    written = machine("shop", after(9, to(".shut")), context={"sum": 5}, initial="open", states={
        "open": state(entry=thank, exit=[thank], on={"pay": to("shut", guard=rich, do=thank)}),
        "shut": state(parallel=True, on_done=to("#shop.end"), states={
            "l": state(id="left", initial="h", states={"h": history("x", deep=True), "x": final()}),
            "r": final(),
        }),
        "end": final(output=7, entry=raise_("bell", {"n": 1})),
    })  # fmt: skip
    shape = {
        "id": "shop",
        "context": {"sum": 5},
        "initial": "open",
        "after": {"9": {"target": ".shut"}},
        "states": {
            "open": {
                "entry": ["thank"],
                "exit": ["thank"],
                "on": {"pay": {"target": "shut", "guard": "rich", "actions": ["thank"]}},
            },
            "shut": {
                "type": "parallel",
                "onDone": {"target": "#shop.end"},
                "states": {
                    "l": {
                        "id": "left",
                        "initial": "h",
                        "states": {
                            "h": {"type": "history", "history": "deep", "target": "x"},
                            "x": {"type": "final"},
                        },
                    },
                    "r": {"type": "final"},
                },
            },
            "end": {
                "type": "final",
                "output": 7,
                "entry": [
                    {"type": "xstate.raise", "params": {"event": "bell", "payload": {"n": 1}}}
                ],
            },
        },
    }
    assert written.to_dict() == shape
    read = Machine.from_dict(shape, guards={"rich": rich}, actions={"thank": thank})
    assert read.to_dict() == shape
    assert read.guards == written.guards
    assert step(start(read)[0], "pay")[0].configuration == ("shop", "shop.end")


def test_two_functions_of_one_name_stay_two():
    chart = machine("m", entry=[lambda _: 1, lambda _: 2, assign({"a": 1})])
    assert list(chart.actions) == ["lambda", "lambda-2", "assign"]
    assert chart.to_dict()["entry"] == ["lambda", "lambda-2", "assign"]
