"""What stands in a joined input comes from the answer of its own branch, and from no other."""

import pytest

import explainkit as ek
from explainkit.flow import Agent, Parallel, final, graph, machine, map_reduce
from explainkit.flow.models import ScriptedModel
from explainkit.store import doctor


def count(_):
    return 13


def soil(_):
    return "moisture is low"


def join(by):
    return by["soil"] + "!"


def parallel():
    return Parallel({"count": count, "soil": soil}, merge=join)


def agents():
    return Parallel(
        {
            "count": Agent(ScriptedModel(["The count is thirteen."])),
            "soil": Agent(ScriptedModel(["moisture is low"])),
        },
        merge=join,
    )


def levels():
    edges = [("count", "out"), ("soil", "out")]
    return graph({"count": count, "soil": soil, "out": len}, edges, joins={"out": join})


def the_join(run):
    """The link that was given what the branches answered."""
    return next(
        row
        for row in run.recording.rows("link_opened")
        if any("segments" in each and row["type"] == "function" for each in row["inputs"])
    )


def into_the_join(run, span):
    seq = the_join(run)["seq"]
    return [
        (hop.target.path, hop.source.label, hop.source.path, hop.grade)
        for hop in run.backtrack(span=span).hops
        if hop.target.seq == seq
    ]


@pytest.mark.parametrize("made", [parallel, agents])
def test_words_of_one_branch_lead_to_that_branch_alone(made):
    made().run_sync("q")
    run = ek.last()
    names = {use.name for use in run.backtrack(span="moisture is low").contexts}
    assert not any("count" in name for name in names)
    found = into_the_join(run, "moisture is low")
    assert [(path, grade) for path, _, _, grade in found] == [("/soil", "declared")]
    assert doctor(run.recording) == []


def test_what_a_node_of_a_graph_joins_comes_from_the_nodes_before_it():
    levels().run_sync("q")
    run = ek.last()
    seq = the_join(run)["seq"]
    edges = [
        (data["evidence"][0][3], run.graph().nodes[source]["label"])
        for source, target, data in run.graph().edges(data=True)
        if (data["grade"], data["role"]) == ("declared", "reads")
        and run.graph().nodes[target]["seq"] == seq
    ]
    assert edges == [("/count", "output count"), ("/soil", "output soil")]
    assert doctor(run.recording) == []


def test_an_item_that_is_reduced_comes_from_its_own_runner():
    map_reduce(lambda text: text + " checked", lambda items: "; ".join(items)).run_sync(
        ["apple pie", "plum pie"]
    )
    found = into_the_join(ek.last(), "plum pie checked")
    assert [(path, grade) for path, _, _, grade in found] == [("/1", "declared")]


def test_a_leaf_of_a_structured_answer_comes_from_the_same_leaf():
    whole = Parallel(
        {
            "a/b": lambda _: {"level": "very low indeed", "of": ["first", "the second reading"]},
            "other": lambda _: {"level": "very low indeed"},
        },
        merge=lambda by: f"{by['a/b']['level']}, {by['a/b']['of'][1]}",
    )
    whole.run_sync("q")
    run = ek.last()
    level, second = (into_the_join(run, span) for span in ("very low indeed", "the second reading"))
    assert ("/a~1b/level", "/level") in [(to, source) for to, _, source, _ in level]
    assert [(to, source, grade) for to, _, source, grade in second] == [
        ("/a~1b/of/1", "/of/1", "declared")
    ]


def test_going_forward_from_a_branch_leads_to_its_own_place_in_what_was_joined():
    parallel().run_sync("q")
    run = ek.last()
    seq = the_join(run)["seq"]
    sources = {row["name"]: row["seq"] for row in run.recording.rows("link_opened")}
    back = run.backtrack()
    reached = {
        name: [place.path for place in back.forward(sources[name]) if place.seq == seq]
        for name in ("count", "soil")
    }
    assert reached == {"count": ["/count"], "soil": ["/soil"]}
    ends = [place.text for place in back.forward(sources["count"])]
    assert not any("moisture" in text for text in ends)


def test_a_branch_with_a_secret_name_is_joined_without_its_value():
    Parallel(
        {"password": lambda _: "hunter2 and more", "soil": soil}, merge=join
    ).run_sync("q")  # fmt: skip
    run = ek.last()
    assert doctor(run.recording) == []
    assert len(into_the_join(run, "moisture is low")) == 1


def test_where_a_joined_input_comes_from_is_no_matter_of_a_machine_that_merges():
    merging = machine(
        "merging",
        context=lambda given: {"given": given},
        initial="done",
        states={"done": final(output=lambda args: args.context["given"]["soil"] + "!")},
    )
    whole = Parallel({"count": count, "soil": soil}, merge=merging)
    assert whole.run_sync("q") == "moisture is low!"
    run = ek.last()
    (opened,) = (row for row in run.recording.rows("link_opened") if row["type"] == "machine")
    assert [each["path"] for each in opened["inputs"][0]["segments"]] == ["/count", "/soil"]
    assert merging.replay(run).equal
    assert doctor(run.recording) == []
