"""A child of several says in the record, and in the tree, which of them it is."""

import asyncio

import explainkit as ek
from explainkit.flow import (
    Agent,
    Parallel,
    Paused,
    define_event,
    final,
    gate,
    graph,
    invoke,
    machine,
    map_reduce,
    state,
    to,
)
from explainkit.flow.models import ScriptedModel
from explainkit.store import doctor

GO = define_event("go", audience="external")


def asking():
    return machine(
        "asking",
        actors={"boss": gate(GO)},
        initial="a",
        states={"a": state(invoke=invoke("boss"), on={"go": to("b")}), "b": final(output="went")},
    )


def branches(run):
    return [
        (row["type"], row["name"], row["attrs"]["branch"])
        for row in run.recording.rows("link_opened")
        if "branch" in (row.get("attrs") or {})
    ]


def rows(run):
    return [line.strip().split(": ")[0] for line in str(run.tree).splitlines() if " as " in line]


def test_functions_and_agents_that_share_a_name_are_told_apart():
    whole = {
        "count": lambda _: 13,
        "soil": lambda _: "low",
        "air": Agent(ScriptedModel(["dry"])),
    }
    Parallel(whole, merge=lambda by: by["soil"]).run_sync("q")
    run = ek.last()
    assert branches(run) == [
        ("function", "<lambda>", "count"),
        ("function", "<lambda>", "soil"),
        ("agent", "Agent", "air"),
    ]
    assert rows(run) == [
        "● function <lambda> as count",
        "● function <lambda> as soil",
        "● agent Agent as air",
    ]
    assert doctor(run.recording) == []


def test_nodes_and_joins_of_a_graph_are_named():
    edges = [("a", "c"), ("b", "c")]
    nodes = {"a": lambda _: "x", "b": lambda _: "y", "c": lambda text: text}
    graph(nodes, edges, joins={"c": lambda by: by["a"] + by["b"]}).run_sync("q")
    assert [branch for _, _, branch in branches(ek.last())] == ["a", "b", "join of c", "c"]


def test_items_of_a_map_reduce_are_numbered():
    map_reduce(lambda text: text, "".join).run_sync(["x", "y"])
    assert [branch for _, _, branch in branches(ek.last())] == ["1", "2"]


def test_a_name_that_is_the_childs_own_is_not_said_twice():
    Parallel({"len": len, "text": str}).run_sync("q")
    assert rows(ek.last()) == ["● function str as text"]


def test_what_runs_inside_of_a_branch_is_not_that_branch():
    inner = Parallel({"x": lambda _: 1}, name="inner")
    Parallel({"outer": inner}).run_sync("q")
    assert branches(ek.last()) == [("parallel", "inner", "outer"), ("function", "<lambda>", "x")]


def test_a_branch_keeps_its_name_when_it_goes_on_and_a_machine_is_still_replayed():
    whole = Parallel({"desk": asking(), "other": len})
    waiting = asyncio.run(whole.outcome("q"))
    assert isinstance(waiting, Paused)
    assert ("machine", "asking", "desk") in branches(ek.last())
    again = asyncio.run(whole.outcome({"event": "go"}, resume=waiting.checkpoint))
    assert again.value == {"desk": "went", "other": 1}
    run = ek.last()
    assert branches(run) == [("machine", "asking", "desk")]
    assert asking().replay(run).equal
    assert doctor(run.recording) == []


def test_a_branch_of_a_hostile_name_is_one_line_of_the_tree():
    name = "a\nb\x1b[31m" + "x" * 500
    Parallel({name: len}).run_sync("q")
    (row,) = rows(ek.last())
    assert "\x1b" not in row
    assert len(row) < 80
