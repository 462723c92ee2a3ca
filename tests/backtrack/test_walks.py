"""What a walk finds in runs whose truth is known."""

import re

import pytest

from explainkit.backtrack import chop, forward, prompt_of, to_json, walk
from explainkit.errors import SpanNotFoundError, UnknownRecordError
from explainkit.graph import Evidence
from explainkit.store import Recording
from tests.backtrack.runs import NOTE, QUESTION, REPLY, TARIFF, Writing, claim


def verbs(found):
    return [hop.verb for hop in found.hops]


def names(uses):
    return [use.name for use in uses]


def test_words_of_the_answer_lead_through_every_step_of_custody_to_their_source():
    found = walk(claim().evidence(), span="half of the fare")
    assert verbs(found) == ["overridden", "said", "read", "landed", "allowed", "born"]
    assert {hop.source.text for hop in found.hops[:-1]} == {"half of the fare"}
    assert found.hops[-1].source.text == "memory/2025-12"
    (use,) = found.contexts
    assert (use.name, use.born, use.allowed) == ("note", "memory/2025-12", "wrote about a delay")
    assert (use.landed, use.read) == (("note of assemble",), ("ask",))
    assert use.overridden == ("redactor",)
    assert [place.label for place in found.introducers] == ["context note"]
    assert "prompt of ask" in [place.label for place in found.carriers]


def test_the_whole_answer_is_told_apart_into_supported_and_made_up_sentences():
    found = walk(claim().evidence())
    assert [row.state for row in found.coverage] == ["partly", "nothing"]
    assert found.coverage[0].words == (
        "supported: half of the fare, customer, voucher; not: passenger"
    )
    assert "Allow ten working days." in [place.text for place in found.unsupported]
    assert names(found.ignored) == ["tariff"]
    assert found.question == QUESTION
    assert (found.version, found.inferred) == (2, False)


def test_overrides_and_verdicts_stand_between_reply_and_reader():
    evidence = claim().evidence()
    changed = walk(evidence, span="passenger")
    assert [(each.by, each.touches_span) for each in changed.overrides] == [("redactor", True)]
    assert [place.label for place in changed.introducers] == ["answer v2 by redactor"]
    assert changed.hops[0].source.text == "Mia Li"
    kept = walk(evidence, span="half of the fare")
    assert [each.touches_span for each in kept.overrides] == [False]
    assert kept.overrides[0].before == REPLY
    assert [(each.status, each.stale) for each in kept.verdicts] == [
        ("passed", True),
        ("failed", False),
    ]


def test_an_earlier_version_can_be_walked():
    found = walk(claim().evidence(), answer=1, span="Mia Li")
    assert found.version == 1
    with pytest.raises(UnknownRecordError, match="versions 1 to 2"):
        walk(claim().evidence(), answer=3)
    with pytest.raises(UnknownRecordError, match="no answer slot"):
        walk(claim().evidence(), answer="pick:9")


def test_a_span_is_found_by_words_offsets_or_pattern_and_numbers_by_value():
    run = Writing("What is the distance between both yards of the northern line?")
    run.context("map", "The two yards of the line are 1,234.5 km apart by the old road.")
    run.link(
        "model",
        "ask",
        "They are 1,234.5 km apart.",
        prompt="The two yards of the line are 1,234.5 km apart by the old road.",
    )
    run.answer("They are 1,234.5 km apart.")
    evidence = run.evidence()
    for span in ("1234.5", "1,234.5 KM", (9, 19), re.compile(r"[\d.,]+ km")):
        found = walk(evidence, span=span)
        assert found.span is not None
        assert [place.label for place in found.introducers] == ["context map"]
    with pytest.raises(SpanNotFoundError, match="not in the answer") as caught:
        walk(evidence, span="km asunder")
    assert caught.value.nearest
    with pytest.raises(SpanNotFoundError, match="offsets"):
        walk(evidence, span=(5, 900))
    with pytest.raises(SpanNotFoundError, match="pattern"):
        walk(evidence, span=re.compile("xyz"))


def test_a_span_in_several_places_is_followed_from_all_of_them():
    run = Writing()
    text = "Platform nine is closed today, so go round: platform nine opens tomorrow."
    run.context("board", text)
    run.link("model", "ask", text, prompt=text)
    run.answer(text)
    found = walk(run.evidence(), span=re.compile("(?i)platform nine"))
    assert any("2 places" in cap for cap in found.caps)
    assert {hop.target.start for hop in found.hops if hop.depth == 1} == {0, text.index("platform")}


def test_the_question_is_an_introducer_and_hides_no_other():
    fact = "the night train to Lindau leaves from platform eleven"
    run = Writing(f"Is it true that {fact}?")
    run.context("timetable", f"Winter: {fact}.", source="timetable.csv")
    run.context("leaflet", f"Note that {fact}!", source="leaflet.pdf")
    prompt = f"Winter: {fact}. Note that {fact}! Is it true that {fact}?"
    run.link("model", "ask", f"Yes, {fact}.", prompt=prompt)
    run.answer(f"Yes, {fact}.")
    found = walk(run.evidence(), span=fact)
    assert [place.label for place in found.introducers] == [
        "question (asked)",
        "context timetable",
        "context leaflet",
    ]
    assert len([hop for hop in found.hops if hop.verb == "read"]) == 3


def test_a_tool_result_made_into_a_context_is_introduced_by_the_tool():
    run = Writing("How long is the Elbe bridge?")
    row = "The bridge over the Elbe at Torgau is 413 metres long."
    run.link("retrieval", "lookup", row, query="Elbe bridge length")
    run.context("row", row, source="bridges.csv")
    run.link("model", "ask", "It is 413 metres long.", prompt=f"Use this: {row}")
    run.answer("It is 413 metres long.")
    found = walk(run.evidence(), span="413 metres")
    assert [place.label for place in found.introducers] == ["output of lookup"]
    assert "context row" in [place.label for place in found.carriers]


def test_paraphrase_stops_the_walk_honestly_and_lists_exposures():
    run = Writing()
    run.context(
        "rule", "Passengers delayed beyond one hour obtain twenty-five percent of their fare."
    )
    run.context("menu", "Soup, bread and a salad are served in the dining car until nine.")
    prompt = (
        "Passengers delayed beyond one hour obtain twenty-five percent of their fare. "
        "Soup, bread and a salad are served in the dining car until nine."
    )
    run.link("model", "ask", "A quarter of the fare is refunded after long delays.", prompt=prompt)
    run.answer("A quarter of the fare is refunded after long delays.")
    evidence = run.evidence()
    found = walk(evidence)
    assert verbs(found) == ["said"]
    assert [row.state for row in found.coverage] == ["nothing"]
    assert found.exposures[0].name == "rule"
    wide = walk(evidence, grade="exposure")
    assert {"rule", "menu"} <= set(names(wide.contexts))
    assert {use.grade for use in wide.contexts if use.name == "rule"} == {"exposure"}


def test_what_never_reached_the_model_is_said():
    run = Writing()
    run.add(
        "context",
        name="page 9",
        value=run.value("Ninth page."),
        admitted=False,
        how="cut by rank",
        why="rank 9",
    )
    run.context("unused", "This appendix about luggage was put nowhere at all.")
    long = "The first half of the guide speaks of tickets. The second, cut off, speaks of refunds."
    run.context("guide", long)
    run.link("model", "ask", "Tickets are sold.", prompt=f"Guide: {long[:46]}")
    run.answer("Tickets are sold.")
    found = walk(run.evidence())
    assert [(each.name, each.how) for each in found.left_out] == [
        ("page 9", "cut by rank"),
        ("unused", "never read"),
        ("guide", "truncated"),
    ]
    assert "speaks of refunds" in found.left_out[2].text
    assert found.left_out[0].why == "rank 9"


def test_messages_lead_back_to_each_origin_and_history_is_not_walked_turn_by_turn():
    run = Writing()
    rule = "You are the desk; refunds need form seventeen."
    system = {"role": "system", "content": rule}
    messages = [system]
    run.context("rules", system["content"])
    for turn in range(30):
        messages = [
            *messages,
            {
                "role": "user",
                "content": f"Question number {turn}: what about case {turn * 37 + 1000}?",
            },
        ]
        reply = f"Reply {turn}: case {turn * 37 + 1000} is being looked at."
        if turn == 29:
            reply = "You need form seventeen for refunds."
        run.link("model", "ask", reply, messages=messages)
        messages = [*messages, {"role": "assistant", "content": reply}]
    run.answer(reply)
    found = walk(run.evidence(), span="form seventeen")
    assert [hop.verb for hop in found.hops] == ["said", "read", "allowed"]
    assert found.hops[1].source.path == "/0/content"


def test_a_structured_answer_is_walked_leaf_by_leaf():
    run = Writing()
    row = {"station": "Bad Oldesloe junction", "delay": 1250, "reason": "signal box fire"}
    run.link("tool", "status", row, query="delay at the junction")
    run.link(
        "model",
        "ask",
        {"delay": 1250, "why": "the signal box fire at Bad Oldesloe junction"},
        prompt=str(row),
    )
    run.answer({"delay": 1250, "why": "the signal box fire at Bad Oldesloe junction"})
    found = walk(run.evidence(), span="Bad Oldesloe junction")
    assert found.hops[0].target.path == "/why"
    assert found.hops[0].target.text == "Bad Oldesloe junction"
    number = walk(Evidence(Recording.of_lines(run.sink.lines())), span="1250")
    assert number.hops[0].target.path == "/delay"


def test_a_link_around_others_takes_its_output_from_inside():
    run = Writing()
    outer = run.open("function", "pipeline", text="Please sum up the weather of the week.")
    inner = run.open("model", "ask", prompt="Sum up: the week was dry and windy", parent=outer)
    run.close(inner, "A dry and windy week it was.")
    run.close(outer, "A dry and windy week it was.")
    run.answer("A dry and windy week it was.", via="return")
    found = walk(run.evidence(), span="dry and windy")
    assert [hop.source.label for hop in found.hops][:2] == ["output of pipeline", "output of ask"]
    assert "prompt of ask" in [hop.source.label for hop in found.hops]


def test_declared_uses_are_followed_where_no_words_match():
    run = Writing()
    seq = run.context("rates", "Rate of the day: 17 crowns per stone of barley, noon fixing.")
    link = run.open(
        "tool", "convert", origins={"rate": [{"seq": seq, "slot": "value"}]}, rate=17.25
    )
    run.close(link, "nineteen euro")
    run.link("model", "ask", "It costs nineteen euro.", prompt="Price: nineteen euro.")
    run.answer("It costs nineteen euro.")
    found = walk(run.evidence(), grade="exposure", span="nineteen euro")
    declared = [hop for hop in found.hops if hop.grade == "declared"]
    assert ("rate of convert", "context rates") in [
        (hop.target.label, hop.source.label) for hop in declared
    ]


def test_small_values_make_edges_only_when_unique_or_selected():
    run = Writing()
    run.link("model", "first", "yes", prompt="Is the first gate open to the public?")
    run.link("model", "second", "yes", prompt="Is the second gate open to the public?")
    run.link("function", "join", "done", verdict="yes")
    evidence = run.evidence()
    target = evidence.places.find(evidence.links.opened[2], "verdict")
    assert [edge for edge in evidence.edges.edges_into(target) if edge.grade == "value"] == []
    alone = Writing()
    alone.link("model", "first", "yes", prompt="Is the first gate open to the public?")
    alone.answer("yes")
    assert [hop.verb for hop in walk(alone.evidence()).hops] == ["said"]


def test_the_prompt_names_the_first_origin_of_every_character():
    evidence = claim().evidence()
    prompt = prompt_of(evidence)
    assert prompt.text == f"{TARIFF}\n{NOTE}\n\nQ: {QUESTION}"
    assert [(each.name, each.text) for each in prompt.segments] == [
        ("tariff", TARIFF),
        ("template", "\n"),
        ("note", NOTE),
        ("template", "\n\nQ: "),
        ("question (asked)", QUESTION),
    ]
    with pytest.raises(UnknownRecordError, match="no link 999"):
        prompt_of(evidence, 999)


def test_nested_templates_and_messages_are_resolved_to_the_innermost_origin():
    run = Writing()
    run.context("rule", "Refunds are paid within fourteen days of the claim.")
    inner = run.assemble("Rule: {rule}", rule="Refunds are paid within fourteen days of the claim.")
    outer = run.assemble("System. {inner} End.", inner=inner)
    run.link("model", "ask", "Within fourteen days.", messages=[{"role": "user", "content": outer}])
    prompt = prompt_of(run.evidence())
    assert prompt.text == f"[user]\n{outer}"
    named = {each.name: each.text for each in prompt.segments}
    assert named["rule"] == "Refunds are paid within fourteen days of the claim."


def test_chop_and_forward_are_the_two_directions_of_one_way():
    evidence = claim().evidence()
    found = walk(evidence, span="half of the fare")
    note = found.contexts[0].seq
    assert [hop.verb for hop in chop(evidence, found, note)] == [
        "overridden",
        "said",
        "read",
        "landed",
        "allowed",
    ]
    labels = [place.label for place in forward(evidence, note)]
    assert labels[:2] == ["note of assemble", "output of assemble"]
    assert "answer v2 by redactor" in labels
    tariff = next(
        row["seq"] for row in evidence.recording.rows("context") if row["name"] == "tariff"
    )
    assert chop(evidence, found, tariff) == ()
    with pytest.raises(UnknownRecordError):
        forward(evidence, 4242)


def test_missing_data_is_said_and_a_crashed_run_can_be_walked():
    run = claim()
    run.open("tool", "slow", query="never comes back")
    run.add("lost", what="dropped", reason="queue full", count=3)
    evidence = Evidence(Recording.of_lines(run.sink.lines()))
    found = walk(evidence, span="half of the fare")
    assert any("slow" in line and "never closed" in line for line in found.lost)
    assert any("queue full" in line for line in found.lost)
    graph = evidence.networkx()
    assert "crashed" in [data["status"] for _, data in graph.nodes(data=True)]
    assert "lost" in [data["kind"] for _, data in graph.nodes(data=True)]


def test_untracked_sources_and_edited_cells_are_named():
    run = Writing(untracked=["global RATES"])
    for code in ("aa", "bb"):
        link = run.add(
            "link_opened", type="function", name="f", inputs=[], cell={"count": 4, "hash": code}
        )
        run.close(link, f"output of the cell version {code}")
    run.answer("output of the cell version bb")
    lines = walk(run.evidence()).untracked
    assert any("global RATES" in line for line in lines)
    assert any("cell [4] was edited" in line for line in lines)


def test_a_run_without_answer_takes_the_last_model_output_and_says_so():
    run = Writing()
    run.link("model", "ask", "Nothing is known about that train.", prompt="What of the train?")
    found = walk(run.evidence())
    assert (found.inferred, found.version, found.answer) == (
        True,
        0,
        "Nothing is known about that train.",
    )
    empty = walk(Writing().evidence())
    assert (empty.answer, empty.answer_seq, empty.hops) == ("", None, ())


def test_json_has_exactly_the_promised_keys():
    evidence = claim().evidence()
    data = to_json(evidence, walk(evidence, span="half of the fare"))
    assert set(data) == {
        "run", "question", "answer", "span", "hops", "contexts", "shortlist", "coverage",
        "unsupported", "left_out", "lost", "overrides", "verdicts",
    }  # fmt: skip
    assert set(data["answer"]) == {"text", "version", "inferred"}
    assert set(data["hops"][0]) == {"verb", "seq", "grade", "src", "dst"}
    assert set(data["hops"][0]["src"]) == {"seq", "slot", "path", "start", "end", "text"}
    assert set(data["shortlist"][0]) == {"rank", "tied", "seq", "source_index", "actor", "reasons"}


def test_an_unknown_grade_is_refused():
    with pytest.raises(ValueError, match="There is no grade 'guess'"):
        walk(claim().evidence(), grade="guess")


def test_order_alone_is_followed_only_when_asked_for():
    run = Writing()
    run.context("apart", "This stood in the record before and went nowhere.")
    run.answer("An answer that nobody can trace to anything.")
    evidence = run.evidence()
    assert walk(evidence, grade="exposure").hops == ()
    (hop,) = [hop for hop in walk(evidence, grade="order").hops if hop.grade == "order"][:1]
    assert hop.source.label == "context apart"


def test_numbers_that_upstream_puts_otherwise_are_named():
    run = Writing()
    rule = "A refund is due from a delay of 60 minutes on, as the tariff of the line says."
    said = "A refund is due from a delay of 45 minutes on, as the tariff of the line says."
    run.context("rule", rule)
    run.link("model", "ask", said, prompt=rule)
    run.answer(said)
    (row,) = walk(run.evidence()).coverage
    assert row.disagree == ("45 minutes, but upstream 60 minutes",)


def test_ranges_given_with_an_override_are_used():
    run = Writing()
    run.answer("one two three")
    run.override("one four three", ranges=[[4, 7, 4, 8]])
    found = walk(run.evidence(), span="four")
    assert [(hop.target.text, hop.source.text) for hop in found.hops] == [("four", "two")]


def test_unheard_overrides_and_cleared_answers_are_shown():
    run = Writing()
    run.answer("The answer of the day.")
    run.add("override", by="nobody", outcome="unheard", reason="too late")
    run.add("override", slot="answer", from_version=1, by="guard", outcome="cleared")
    found = walk(run.evidence())
    assert [(each.by, each.outcome) for each in found.overrides] == [
        ("nobody", "unheard"),
        ("guard", "cleared"),
    ]
    assert (found.version, found.answer) == (2, "")


def test_an_event_and_an_argument_can_be_where_words_come_from():
    run = Writing(inputs=[])
    run.add(
        "event", name="mail", sender="ann@example.org", value=run.value("Parcel HX-4471 is lost.")
    )
    run.link("model", "ask", "Parcel HX-4471 is lost.", prompt="Mail: Parcel HX-4471 is lost.")
    run.answer("Parcel HX-4471 is lost.")
    found = walk(run.evidence(), span="HX-4471")
    assert [(use.name, use.type, use.born) for use in found.contexts] == [
        ("mail", "event", "from ann@example.org")
    ]
