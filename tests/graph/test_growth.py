"""The graph and the walk grow with new text, never with repeated history."""

import json

import networkx as nx

from explainkit.backtrack import walk
from explainkit.graph.edges import EdgeColumns, EdgeTable
from tests.backtrack.runs import Writing
from tests.graph.operations import operations


def chat(turns, *, flat):
    run = Writing()
    text = "You are the desk of the northern line. Refunds need form seventeen and a stamp. " * 4
    messages = [{"role": "system", "content": text}]
    for turn in range(turns):
        asked = f"Question {turn}: what about case {turn * 37 + 1000} of the winter?"
        reply = f"Reply {turn}: the case {turn * 37 + 1000} is looked at by desk {turn * 11 + 500}."
        text += f"\nuser: {asked}"
        messages = [*messages, {"role": "user", "content": asked}]
        run.link("model", "ask", reply, prompt=text if flat else messages)
        text += f"\nassistant: {reply}"
        messages = [*messages, {"role": "assistant", "content": reply}]
    run.answer(reply)
    return run.evidence()


def test_edges_of_a_chat_grow_linearly_as_messages_and_as_one_text():
    for flat in (False, True):
        counts = [len(chat(turns, flat=flat).edges) for turns in (20, 40, 80)]
        first, second = counts[1] - counts[0], counts[2] - counts[1]
        assert first <= second <= 2.3 * first


def test_every_turn_of_a_flat_chat_leads_to_the_reply_that_it_repeats():
    evidence = chat(12, flat=True)
    last = evidence.links.first[len(evidence.links) - 1]
    value = evidence.givers.value(last)
    text = evidence.holding.text(value, "", 0, evidence.contents.length[value])
    words = "Reply 3: the case 1111"
    at = text.index(words)
    from explainkit.graph.stretches import Stretch

    (carry,) = evidence.carrying.sources(Stretch(last, "", at, at + len(words)))
    assert evidence.places.kind_of(carry.source.node) == "output"
    assert evidence.carrying.text(carry.source) == words


def test_distinct_text_is_matched_once_however_often_it_is_held():
    few, many = chat(20, flat=True), chat(40, flat=True)
    characters = [sum(map(len, each.contents.atoms)) for each in (few, many)]
    assert characters[1] < 2.2 * characters[0]


def test_a_planted_copy_is_found_through_case_space_and_number_format():
    source = "The clearing fee for parcel HX-4471 is 1,234.50 crowns and falls due on Friday."
    copies = [
        "the CLEARING fee for parcel HX-4471 is 1,234.50 crowns",
        "The clearing  fee\nfor parcel HX-4471 is 1234.5 crowns and falls due",
    ]
    for copy in copies:
        run = Writing()
        run.context("fees", source)
        run.link(
            "model", "ask", f"As I see it, {copy}, so pay soon.", prompt=f"Fees. {source} Thanks."
        )
        run.answer(f"As I see it, {copy}, so pay soon.")
        found = walk(run.evidence())
        assert [use.name for use in found.contexts if use.type == "fact"] == ["fees"]


def test_a_slice_is_what_networkx_calls_the_ancestors():
    columns = EdgeColumns()
    graph = nx.DiGraph()
    graph.add_nodes_from(range(400))
    for target in range(1, 400):
        for step in {1 + target * 7 % 31, 1 + target * 13 % 61}:
            if step <= target:
                columns.add(target - step, target, 5, 1)
                graph.add_edge(target - step, target)
    table = EdgeTable(columns, 400)
    for node in (399, 200, 57):
        assert set(table.ancestors([node]).tolist()) == nx.ancestors(graph, node)
        assert set(table.descendants([node]).tolist()) == nx.descendants(graph, node)


def test_loose_and_weaker_edges_are_left_out_of_a_slice():
    columns = EdgeColumns()
    columns.add(0, 3, 5, 2)
    columns.add(1, 3, 5, 1, strong=False)
    columns.add(2, 3, 5, 1)
    table = EdgeTable(columns, 4)
    assert table.ancestors([3], grade="value").tolist() == [2]
    assert table.ancestors([3], grade="exposure").tolist() == [0, 2]


def tool_loop(turns):
    run = Writing()
    messages = [{"role": "user", "content": "Please look at every page and report."}]
    rows = {"row 0": 7_000_001}
    for turn in range(turns):
        value = rows[f"row {turn * 7 % len(rows)}"]
        reply = f"The value is {value} and so we go on with page {turn}."
        run.link("model", "ask", reply, messages=messages)
        rows = {f"row {row}": turn * 131_071 + row * 7919 + 1_000_003 for row in range(20)}
        run.link("tool", "look_up", rows, page=turn)
        told = {"role": "tool", "content": json.dumps(rows)}
        messages = [*messages, {"role": "assistant", "content": reply}, told]
    run.answer(reply)
    return run.evidence()


def test_operations_of_a_tool_loop_grow_with_its_turns_and_not_with_their_square():
    counts = []
    tool_loop(2).edges  # noqa: B018 what is imported and compiled once is not counted
    for turns in (40, 80, 160):
        evidence = tool_loop(turns)
        counts.append(operations(lambda: evidence.edges))  # noqa: B023
    assert counts[2] - counts[1] < 2.3 * (counts[1] - counts[0])
