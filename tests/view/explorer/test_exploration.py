"""What an exploration answers of real runs: true, whole, neutralised, and never an error."""

import json
import random
import unicodedata

import pytest
from hypothesis import given, settings

import explainkit as ek
from explainkit.errors import UnknownRecordError
from explainkit.graph import Evidence
from explainkit.safety import behind_symbols, visible
from explainkit.session import Run
from explainkit.store import Recording
from explainkit.testing import strategies
from explainkit.view.explorer import Exploration
from explainkit.view.explorer.exchange import Exchange
from tests.view.bigger import chat
from tests.view.explorer.explored import BIDI, EMOJI, RUNS
from tests.view.explorer.walking import walks_of
from tests.view.hostile import HUGE

SMALL = [name for name in RUNS if not name.startswith("links_") and name != "huge"]


def exploring(run):
    return Exploration(run.evidence, walk=walks_of(run))


@pytest.fixture(scope="module")
def claims():
    return exploring(RUNS["claims"]())


@pytest.fixture(scope="module")
def long_chat():
    return exploring(Run.loaded(chat(900)))


def answered(asked, ask, **fields):
    reply = asked.reply({"id": 1, "ask": ask, **fields})
    assert reply["ok"], reply
    return reply["answer"]


def refused(asked, **request):
    reply = asked.reply(request)
    assert not reply["ok"]
    return reply["error"]


def span_of(shown, words):
    text = "".join(piece[0] for piece in shown["strip"])
    at = text.index(words)
    return {"start": at, "end": at + len(words)}


# ---- the walk -----------------------------------------------------------------------------------


def test_selected_words_go_back_to_the_exact_words_of_the_context(claims):
    whole = claims.walk()
    shown = claims.walk(**span_of(whole, "half of the fare"))
    assert shown["selected"] == "half of the fare"
    assert "goes back to campaign-note" in shown["headline"]
    assert shown["at"] == {
        "slot": "answer", "version": 2, "grade": "value", **span_of(whole, "half of the fare"),
    }  # fmt: skip
    assert [piece[0] for piece in shown["strip"] if piece[3] == "span"] == ["half of the fare"]
    nodes = {node["seq"]: node for node in claims.chart()["nodes"]}
    origins = [nodes[seq]["label"] for seq in shown["lit"]["origins"]]
    assert origins == ["campaign-note"]
    assert {source for source, *_ in shown["lit"]["arrows"]} <= set(shown["lit"]["boxes"])


def test_the_words_of_an_exploration_are_those_of_the_static_board():
    run = RUNS["claims"]()
    shown, board = exploring(run).walk(), run.backtrack().board()
    assert shown["headline"] == board.headline
    assert [step["verb"] for step in shown["trail"]] == [step.verb for step in board.trail]
    assert shown["footer"] == list(board.footer)
    assert [card["name"] for card in shown["suspects"]] == [card.name for card in board.suspects]


def test_a_walk_becomes_what_an_inspection_marks(claims):
    note = next(node for node in claims.chart()["nodes"] if node["label"] == "campaign-note")
    claims.walk(**span_of(claims.walk(), "half of the fare"))
    text = claims.inspect(note["seq"])["texts"][0]
    assert ["half of the fare", "span", 0] in text["pieces"]


def test_other_answers_are_walked_by_slot_and_version():
    asked = exploring(RUNS["answering"]())
    slots = {(each["slot"], each["version"]) for each in asked.scene()["answers"]}
    assert ("item:a", 2) in slots
    assert answered(asked, "walk", slot="item:a", version=1)["at"]["version"] == 1
    assert "item:b" in refused(asked, id=1, ask="walk", slot="no such slot")


def test_a_run_without_an_answer_is_walked_from_what_it_ended_on():
    asked = exploring(RUNS["refused"]())
    scene, shown = asked.scene(), asked.walk()
    assert [each["version"] for each in scene["answers"]] == [0]
    assert shown["ended"]["title"] == "▲ Ended on ValueError"
    assert shown["start"] == "Walked from"
    assert shown["trail"]
    assert "This run has no answer." in scene["missing"]
    assert answered(asked, "walk", slot="answer", version=0)["headline"] == shown["headline"]


# ---- the strip ----------------------------------------------------------------------------------


def stored(asked):
    """The answer put together again from its strip and the parts that are asked for."""
    shown = asked.walk()
    parts, following = list(shown["strip"]), shown["next"]
    while following is not None:
        parts = [part for part in parts if part[2]]
        more = asked.answer(start=following)
        parts += more["strip"]
        following = more["next"]
    return shown, parts


@pytest.mark.parametrize("text", [
    f"{BIDI} {EMOJI}", "e\u0301a\u0308\u200b\ufeff|\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u2066\u202e\u2069\x1b[31mred\x00", "x" * 30_000 + "\u200b" + "\U0001f600" * 20_000, "",
])  # fmt: skip
def test_a_strip_maps_back_to_the_stored_code_points_exactly(text):
    with ek.trace("strip") as run:
        ek.answer(text)
    asked = exploring(run)
    shown, parts = stored(asked)
    assert shown["size"] == len(text)
    assert "".join(part[0] for part in parts) == visible(text)
    for words, start, length, _, _, *behind in parts:
        assert len(words) == length
        stored_words = text[start : start + length]
        assert words == visible(stored_words)
        assert (behind or [[]])[0] == behind_symbols(stored_words)
    joined = "".join(part[0] for part in parts)
    assert not any(unicodedata.bidirectional(each) in {"RLO", "LRI", "PDI"} for each in joined)


def test_any_stretch_of_a_bidirectional_answer_can_be_selected():
    asked = exploring(RUNS["foreign"]())
    size = asked.walk()["size"]
    for start in range(0, size, 5):
        shown = asked.walk(start=start, end=min(size, start + 3))
        (marked,) = [part for part in shown["strip"] if part[3] == "span"]
        assert (marked[1], marked[1] + marked[2]) == (start, min(size, start + 3))


# ---- the chart ----------------------------------------------------------------------------------


def covered(asked, chart):
    """The records that each box of a chart stands for."""
    found = {}
    for first, last, box in chart["boxOf"]:
        for seq in asked._material.within(first, last):
            found.setdefault(seq, []).append(box)
    return found


@pytest.mark.parametrize("name", [*SMALL, "links_1000"])
def test_boxes_cover_every_drawable_record_exactly_once(name):
    asked = exploring(RUNS[name]())
    asked.walk() if asked.scene()["answers"] else None
    for only in ("run", "path"):
        chart = asked.chart(only=only)
        found = covered(asked, chart)
        assert sorted(found) == asked._material.order
        assert all(len(boxes) == 1 for boxes in found.values())
        held = [node["members"] or 1 for node in chart["nodes"]]
        assert sum(held) == len(asked._material.order)


def test_a_big_run_is_folded_to_what_can_be_drawn_and_says_so(long_chat):
    chart = long_chat.chart()
    assert 100 < len(chart["nodes"]) <= 120
    folded = sum(node["members"] for node in chart["nodes"])
    alone = sum(1 for node in chart["nodes"] if not node["members"])
    assert folded + alone == len(long_chat._material.order)
    assert any(f"{folded:,} records of" in note for note in chart["notes"])


def test_what_lies_on_the_path_of_the_answer_stands_alone(long_chat):
    shown, chart = long_chat.walk(), long_chat.chart()
    alone = {node["seq"] for node in chart["nodes"] if not node["members"]}
    assert set(shown["lit"]["boxes"][-20:]) <= alone


def test_folds_open_one_after_the_other_until_single_records(long_chat):
    chart, opened = long_chat.chart(), []
    for _ in range(4):
        fold = max(chart["nodes"], key=lambda node: node["members"])
        opened.append(fold["seq"])
        before = len(chart["nodes"])
        chart = long_chat.chart(opened)
        node = next(node for node in chart["nodes"] if node["seq"] == fold["seq"])
        assert node["members"] == 0
        assert len(chart["nodes"]) > before
        assert sum(node["members"] or 1 for node in chart["nodes"]) == len(
            long_chat._material.order
        )


def test_no_more_boxes_are_drawn_than_fit_and_closed_folds_are_counted(long_chat):
    folds = [node["seq"] for node in long_chat.chart()["nodes"] if node["members"]]
    chart = long_chat.chart(folds)
    assert len(chart["nodes"]) <= 440
    assert any("left closed" in note for note in chart["notes"])


def test_the_path_alone_is_a_small_chart_with_the_rest_folded(claims):
    claims.walk(**span_of(claims.walk(), "half of the fare"))
    chart = claims.chart(only="path")
    labels = {node["label"] for node in chart["nodes"] if not node["members"]}
    assert {"campaign-note", "ask", "by redactor", "reviewer"} <= labels
    assert "tariff" not in labels
    assert len(chart["nodes"]) < len(claims.chart()["nodes"])


def test_lighting_another_path_costs_no_layout(claims, monkeypatch):
    before = claims.chart()
    monkeypatch.setattr("explainkit.view.explorer.charting.layout_of", None)
    monkeypatch.setattr("explainkit.view.explorer.charting.layered_layout", None)
    claims.walk(**span_of(claims.walk(), "half"))
    assert claims.chart() == before


def test_runs_of_one_structure_share_a_layout_and_keep_their_words(monkeypatch):
    first = exploring(RUNS["claims"]())
    first.chart()
    monkeypatch.setattr("explainkit.view.explorer.charting.layout_of", None)
    assert exploring(RUNS["claims"]()).chart() == first.chart()


# ---- inspection ---------------------------------------------------------------------------------


def test_the_end_of_a_link_is_inspected_as_the_link(claims):
    (closed,) = [
        row for row in claims._material.recording.rows("link_closed")
        if claims._material.recording.raw(row["link"])["name"] == "ask"
    ]  # fmt: skip
    found = claims.inspect(closed["seq"])
    assert (found["seq"], found["label"]) == (closed["link"], "ask")
    assert found["texts"][0]["title"] == "what the model saw"
    origins = [name for _, name, _, _ in found["texts"][0]["origins"]]
    assert origins[1:3] == ["tariff", "campaign-note"]


def test_an_override_is_shown_as_what_it_removed_and_added(claims):
    seq = next(node["seq"] for node in claims.chart()["nodes"] if node["label"] == "by redactor")
    before, after = claims.inspect(seq)["texts"]
    assert any(mark == "removed" for _, mark, _ in before["pieces"])
    assert any(mark == "added" for _, mark, _ in after["pieces"])


def test_neighbours_name_both_ends_of_every_arrow(claims):
    for arrow in claims._material.arrows.all:
        fed = claims.inspect(arrow.target)["fed_by"]
        feeds = claims.inspect(arrow.source)["feeds"]
        assert arrow.source in {each["seq"] for each in fed}
        assert arrow.target in {each["seq"] for each in feeds}


def test_the_board_of_a_run_is_there_before_its_characters_are_compared():
    asked = exploring(Run.loaded(chat(20)))
    asked.scene(), asked.walk(), asked.rows(), asked.rows("hit 3")
    before = asked.inspect(asked._material.order[1])
    assert not asked._material.compared
    assert any("before the graph compares characters" in words for _, words in before["lines"])
    asked.chart()
    after = asked.inspect(asked._material.order[1])
    assert not any("compares" in words for _, words in after["lines"])
    assert {each["seq"] for each in before["feeds"]} <= {each["seq"] for each in after["feeds"]}


def test_a_long_value_is_read_part_by_part_to_its_end():
    asked = exploring(RUNS["huge"]())
    note = next(node for node in asked.chart()["nodes"] if node["label"] == "note")
    found = asked.inspect(note["seq"])
    (text,) = found["texts"]
    assert text["size"] == len(HUGE)
    assert len(json.dumps(found)) < 60_000
    asked_for = text["next"]
    last = asked.text(note["seq"], text["slot"], len(HUGE) - 10)
    assert last["next"] is None
    assert "".join(piece[0] for piece in last["pieces"]) == HUGE[-10:]
    more = asked.text(note["seq"], text["slot"], asked_for)
    assert more["start"] == asked_for < more["next"]


def test_a_record_that_is_not_there_is_an_error_in_words(claims):
    with pytest.raises(UnknownRecordError):
        claims.inspect(10**6)
    assert "no record 1000000" in refused(claims, id=3, ask="inspect", seq=10**6)
    assert "no text" in refused(claims, id=3, ask="text", seq=0, slot="nope")


# ---- rows ---------------------------------------------------------------------------------------


def test_every_record_is_found_by_its_number_its_name_and_its_text(claims):
    for seq in claims._material.order:
        assert seq in [row["seq"] for row in claims.rows(str(seq))["rows"]]
    assert claims.rows("campaign")["rows"][0]["label"] == "campaign-note"
    found = claims.rows("half of the FARE")["rows"]
    assert "campaign-note" in [row["label"] for row in found]
    assert all("half of the fare" in row["found"] for row in found if row["label"] == "ask")


def test_a_number_without_a_box_finds_the_nearest_record(claims):
    (closed, *_) = claims._material.recording.rows("link_closed")
    found = claims.rows(str(closed["seq"]))["rows"]
    assert closed["link"] in [row["seq"] for row in found]


def test_rows_are_filtered_by_kind_grade_and_verdict(claims):
    assert {row["kind"] for row in claims.rows(kinds=["context"])["rows"]} == {"context"}
    judged = claims.rows(verdicts=["failed"])["rows"]
    assert {row["kind"] for row in judged} == {"verdict", "override"}
    graded = claims.rows(grades=["declared"])["rows"]
    assert graded
    assert all("declared" in row["grades"] for row in graded)
    assert claims.rows(kinds=["context"], verdicts=["failed"])["total"] == 0


def test_a_window_of_rows_is_counted_and_bounded(long_chat):
    whole = long_chat.rows(count=10**9)
    assert len(whole["rows"]) == 500
    assert whole["total"] == whole["of"] == len(long_chat._material.order)
    window = long_chat.rows(start=100, count=20)
    assert [row["seq"] for row in window["rows"]] == long_chat._material.order[100:120]


def test_a_search_that_runs_out_of_time_says_so_and_goes_on_when_asked_again():
    ticks = iter(range(10**9))
    asked = Exploration(Evidence(chat(300)), clock=lambda: float(next(ticks)))
    first = asked.rows("hit 299.0")
    assert "not searched yet" in first["note"]
    counts = []
    while asked.rows("hit 299.0")["note"]:
        counts.append(1)
    assert asked.rows("hit 299.0")["total"] == 1
    assert counts


# ---- the other panels ---------------------------------------------------------------------------


def test_a_machine_is_drawn_at_each_of_its_steps():
    asked = exploring(RUNS["machine"]())
    (found,) = asked.scene()["machines"]
    told = [asked.machine(found["link"], step) for step in range(found["steps"])]
    assert [each["caption"].partition(": ")[2] for each in told][:3] == ["start", "push", "pull"]
    active = [
        {state["lines"][0] for state in each["drawing"]["states"] if state["standing"] == "active"}
        for each in told
    ]
    assert "shut" in active[0]
    assert "wide" in active[1]
    assert told[1]["steps"][1]["seq"] > told[1]["steps"][0]["seq"]
    assert "no machine" in refused(asked, id=1, ask="machine", link=0)
    assert "steps 0 to" in refused(asked, id=1, ask="machine", link=found["link"], step=99)


def test_the_tree_tells_what_ran_in_what():
    rows = exploring(RUNS["composition"]()).tree()["rows"]
    assert [row["depth"] for row in rows][:2] == [0, 1]
    assert any("Parallel" in row["what"] or "parallel" in row["what"] for row in rows)


def test_a_ladder_tells_the_versions_of_an_item():
    asked = exploring(RUNS["answering"]())
    items = asked.scene()["items"]
    assert [each["name"] for each in items] == ["a", "b"]
    told = asked.ladder(0)
    assert told == asked.ladder("a")
    assert told["rungs"][-1]["what"] == "delivered"
    assert "no answer item" in refused(asked, id=1, ask="ladder", item=7)


def test_a_timeline_is_in_order_and_summed_when_it_is_long():
    asked = exploring(RUNS["claims"]())
    bars = asked.timeline()["bars"]
    assert [bar["begin"] for bar in bars] == sorted(bar["begin"] for bar in bars)
    assert all(bar["begin"] <= bar["end"] for bar in bars)
    summed = asked.timeline(count=2)
    assert sum(bar["count"] for bar in summed["bars"]) == len(bars)
    assert "summed into" in summed["note"]


def test_a_run_without_times_says_so(long_chat):
    assert long_chat.timeline()["note"] == "No times were recorded."
    assert "timeline" not in long_chat.scene()["panels"]
    assert "No times were recorded. There is no timeline." in long_chat.scene()["missing"]


def test_a_run_without_links_is_not_said_to_lack_times():
    with ek.trace("answered at once") as run:
        ek.answer("x y")
    asked = exploring(run)
    assert asked.timeline()["note"] == "No link was recorded."
    assert "No link was recorded. There is no timeline." in asked.scene()["missing"]


def test_every_sentence_of_the_story_names_records_that_are_there(claims):
    sentences = claims.story()["sentences"]
    assert sentences
    for each in sentences:
        for seq in each["seq"]:
            assert claims.inspect(seq)


def test_the_nearest_record_of_a_miss_is_named(claims):
    missed = claims.nearest(10**9)
    assert missed["seq"] == claims._material.order[-1]
    assert not missed["exact"]
    assert "nearest" in missed["words"]
    first = claims._material.order[0]
    assert claims.nearest(first) == {"seq": first, "exact": True, "words": ""}


# ---- what a run lacks ---------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "said"), [
    ("nothing", "This run has no answer."), ("nothing", "No context was recorded"),
    ("nothing", "There is 1 box to draw."), ("one_box", "There is 1 box to draw."),
    ("no_context", "No context was recorded"), ("links_100", "No times were recorded"),
])  # fmt: skip
def test_a_run_says_what_it_lacks(name, said):
    assert any(said in line for line in exploring(RUNS[name]()).scene()["missing"])


def test_a_cut_tail_is_explored_and_said():
    lines = list(RUNS["claims"]().recording.lines())
    recording = Recording.of_lines([*lines[: len(lines) // 2], lines[len(lines) // 2][:20]])
    asked = Exploration(Evidence(recording))
    missing = " ".join(asked.scene()["missing"])
    assert "crashed" in missing
    assert "Damaged file" in missing
    assert asked.chart()["nodes"]
    assert asked.walk()["headline"]


def test_an_imported_chat_says_where_it_is_from(tmp_path):
    file = tmp_path / "chat.json"
    messages = [
        {"role": "user", "content": "What do I get back?"},
        {"role": "assistant", "content": "You get back half of the fare."},
    ]
    file.write_text(json.dumps(messages))
    asked = exploring(ek.load(file))
    assert any(line.startswith("Imported from") for line in asked.scene()["missing"])
    assert asked.walk("answer")["headline"]


def test_two_runs_with_one_id_keep_their_own_words():
    def told(words):
        with ek.trace("same", run_id="same") as run:
            ek.answer(ek.context("note", f"{words} is all that there is to say."))
        return exploring(run)

    one, two = told("Snow"), told("Rain")
    assert one.scene()["run"]["id"] == two.scene()["run"]["id"]
    assert "Snow" in one.walk()["strip"][0][0]
    assert "Rain" in two.walk()["strip"][0][0]
    assert one.chart()["nodes"][0]["label"] == "note"


# ---- replies ------------------------------------------------------------------------------------


def requests(draw, asked):
    seq = draw.choice([0, 1, 5, -1, 10**12, 2.0, "x", None, True, [1], {"a": 1}])
    return {
        "id": draw.choice([1, "a", None, [], 2.5]),
        "ask": draw.choice([*asked._asks, "nope", None, 5, ["walk"]]),
        "seq": seq, "start": seq, "link": seq, "item": draw.choice([0, "a", None, -5, 1.5]),
        "end": draw.choice([None, 3, -3, 10**9, "y"]), "count": draw.choice([None, 0, -1, 10**9]),
        "slot": draw.choice(["answer", "value", "", None, 7, "seen", "input:0", "\ud800"]),
        "version": draw.choice([None, 0, 1, 2, 99, -1, "z"]),
        "grade": draw.choice(["value", "order", "declared", "exposure", "nope", 3]),
        "query": draw.choice(["", "half", "\ud800", "5", "#2", None, 9, "9" * 400]),
        "kinds": draw.choice([[], ["context"], ["nope"], "context", [1], None]),
        "grades": draw.choice([[], ["value"], None]),
        "verdicts": draw.choice([[], ["failed"], [None]]),
        "opened": draw.choice([[], [0, 3], [10**9], ["a"], None, 3]),
        "only": draw.choice(["run", "path", "nope", None]), "step": draw.choice([None, 0, -1, 99]),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["claims", "machine", "answering", "nothing", "refused"])
def test_no_request_makes_a_reply_raise(name):
    asked = exploring(RUNS[name]())
    draw = random.Random(5)
    kinds = set()
    for _ in range(400):
        reply = asked.reply(requests(draw, asked))
        json.dumps(reply)
        kinds.add(reply["ok"])
        assert reply["ok"] or reply["error"]
    assert kinds == {True, False}


@pytest.mark.parametrize("request_", [None, 5, "walk", [], {}, {"ask": {}}, {"id": 1}, {1: 2}])
def test_a_request_of_another_shape_is_answered_in_words(claims, request_):
    reply = claims.reply(request_)
    assert not reply["ok"]
    assert reply["error"].startswith(("A request is", "There is no question"))


def test_a_fault_of_our_own_is_a_short_line(claims, monkeypatch):
    monkeypatch.setattr(claims._inspector, "of", lambda *_, **__: {}["gone"])
    assert refused(claims, id=9, ask="inspect", seq=0) == "KeyError: 'gone'"


def everything(asked):
    """The answers to every question that a run invites."""
    scene, chart = asked.scene(), asked.chart()
    yield scene
    yield chart
    yield asked.chart(only="path")
    for each in scene["answers"]:
        yield asked.walk(each["slot"], each["version"])
    yield asked.rows(count=500)
    yield asked.rows("a")
    yield asked.timeline()
    yield asked.tree()
    yield asked.story()
    for each in scene["machines"]:
        yield asked.machine(each["link"])
    for each in scene["items"]:
        yield asked.ladder(each["item"])
    for seq in range(len(asked._material.recording)):
        yield asked.inspect(seq)


def seqs_in(answer):
    if isinstance(answer, dict):
        for key, value in answer.items():
            if key in {"seq", "link", "target"} and isinstance(value, int):
                yield value
            elif key == "seq" and isinstance(value, list):
                yield from value
            elif key != "arrows":
                yield from seqs_in(value)
    elif isinstance(answer, list):
        for each in answer:
            yield from seqs_in(each)


@pytest.mark.parametrize("name", SMALL)
def test_every_answer_is_json_of_records_that_exist_without_hidden_characters(name):
    asked = exploring(RUNS[name]())
    size = len(asked._material.recording)
    for answer in everything(asked):
        text = json.dumps(answer, ensure_ascii=False)
        assert visible(text) == text.replace("\\ud800", "")
        assert all(0 <= seq < size for seq in seqs_in(answer))


@settings(max_examples=40, deadline=None)
@given(strategies.traces())
def test_every_valid_trace_explores(trace):
    recording = Recording.of_lines(trace.lines, notes=trace.notes)
    asked = Exploration(Evidence(recording))
    for answer in everything(asked):
        json.dumps(answer)
        assert all(0 <= seq < len(recording) for seq in seqs_in(answer))
    found = covered(asked, asked.chart())
    drawn = [seq for seq in asked._material.order if asked._material.node(seq).kind != "finding"]
    assert sorted(found) == drawn
    assert all(len(boxes) == 1 for boxes in found.values())


def test_the_chart_of_a_path_follows_the_walk():
    texts = [f"{word} long sentences of their own kind." for word in
             ("Some", "Many", "Few", "Most", "Other", "Older")]  # fmt: skip
    with ek.trace("paths") as run:
        one = ek.link(name="one")(lambda text: text)
        ek.answer(" ".join(one(ek.context(f"c{at}", text)) for at, text in enumerate(texts)))
    held = Exchange(Exploration(run.evidence))
    for words in (texts[0], texts[4]):
        at = run.answer.index(words)
        held.ask("walk", start=at, end=at + len(words))
        if not held.chart:
            held.ask("chart", only="path")
        drawn = [node["label"] for node in held.chart["nodes"] if not node["members"]]
        assert held.chart["only"] == "path"
        assert f"c{texts.index(words)}" in drawn


def test_a_page_of_a_run_walks_from_its_whole_answer_once(monkeypatch):
    from explainkit.session import backtracked

    with ek.trace("once") as run:
        ek.answer(ek.context("note", "We close at 18:00 today. Ask at the desk for more."))
    walked = []
    plain = backtracked.walk

    def counted(evidence, **asked):
        walked.append(asked["span"])
        return plain(evidence, **asked)

    monkeypatch.setattr(backtracked, "walk", counted)
    repr(run)
    assert "<html" in run.to_html()
    assert walked.count(None) == 1


def test_rows_that_are_called_the_same_are_told_apart_as_a_walk_tells_them_apart():
    look = ek.link(kind="tool", name="look")(lambda number: f"Found {number}.")
    with ek.trace("alike") as run:
        ek.answer(ek.link(name="once")(lambda: " ".join(look(at) for at in range(3)))())
    rows = Exploration(run.evidence).rows()["rows"]
    looks = [(row["label"], row["seq"]) for row in rows if row["label"].startswith("look")]
    assert [label for label, _ in looks] == ["look #1", "look #2", "look #3"]
    last = run.backtrack(span="Found 2").hops[-1].source
    assert last.label == f"output of {looks[2][0]}"
    assert run.recording.raw(last.seq).get("link", last.seq) == looks[2][1]
    assert Exploration(run.evidence).rows(f"record {looks[1][1]}")["rows"][0]["label"] == "look #2"
    assert "once" in [row["label"] for row in rows]


def test_an_excerpt_of_a_search_is_in_its_own_case():
    with ek.trace("case") as run:
        ek.answer(ek.context("note", "The Museum of Linz closes at Noon."))
    rows = Exploration(run.evidence).rows("museum of linz")["rows"]
    assert any("The Museum of Linz closes at Noon." in row["found"] for row in rows)


def test_a_run_of_three_hundred_records_opens_folded():
    look = ek.link(kind="tool", name="look")(lambda number: f"Found {number}.")
    page = ek.link(kind="tool", name="page")(lambda at: [look(20 * at + n) for n in range(20)])
    with ek.trace("pages") as run:
        ek.answer(str([page(at) for at in range(15)]))
    chart = Exploration(run.evidence).chart()
    assert len(chart["nodes"]) <= 120
    assert sum(node["members"] for node in chart["nodes"]) > 100
