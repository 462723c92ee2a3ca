"""The tree of runners of a run: live, saved, cut and hostile, in words and drawn."""

import asyncio
import json
from xml.etree import ElementTree as ET

import pytest

import explainkit as ek
from explainkit.flow import Agent, Loop, Sequence, tool
from explainkit.flow.models import ScriptedModel, ToolCall
from explainkit.session import Run
from explainkit.store import Recording
from explainkit.view import frames
from tests.session.ended_runs import asking, boom, choosing, letter, run_of, several, up
from tests.view.hostile import ATTACKS
from tests.view.parsed import parsed

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def run():
    return run_of(several())


def ends(run):
    table = run.tree.to_frame()
    return list(zip(table["depth"], table["name"], table["end"], strict=True))


def test_every_runner_has_its_end_as_a_word_and_a_shape(run):
    assert ends(run) == [
        (0, "letter", "failed: BranchesError"),
        (1, "up", "answered"),
        (1, "Parallel", "failed: BranchesError"),
        (2, "cashier", "refused: policy-halt"),
        (2, "boom", "failed: ValueError"),
        (2, "up", "answered"),
        (2, "Loop", "exhausted"),
        (3, "up", "answered"),
        (3, "up", "answered"),
    ]
    text, html = repr(run.tree), parsed(run.tree._repr_html_()).text
    for shape, words in (
        ("●", "function up as c: answered"),
        ("■", "agent cashier as a: refused: policy-halt"),
        ("▲", "function boom as b: failed: ValueError"),
        ("◇", "loop Loop as d: exhausted"),
    ):
        assert f"{shape} {words}" in text
        assert f"{shape} {words}" in html
    assert "◆ agent desk: paused" in repr(run_of(asking()).tree)


def test_what_lies_in_an_agent_is_folded_and_counted(run):
    assert "agent cashier as a: refused: policy-halt" in repr(run.tree)
    assert "in it: 1 model, 1 policy" in repr(run.tree)
    assert "9 links and 2 folded" in repr(run.tree)


def test_a_runner_in_a_tool_of_an_agent_has_a_row():
    async def ask(text: str) -> str:
        """Ask another desk."""
        return await Sequence(up, name="inner").run(text)

    model = ScriptedModel([ToolCall(id="", name="ask", arguments={"text": "x"}), "Done."])
    found = run_of(Agent(model, tools=[tool(ask)], name="desk"))
    assert ends(found) == [(0, "desk", "answered"), (1, "inner", "answered")]
    assert "2 models, 1 tool" in repr(found.tree)


def test_a_carrier_says_from_whom_and_that_nothing_started_after_it():
    run = run_of(letter(boom))
    assert "handed on from boom; nothing started after it" in repr(run.tree)
    table = run.tree.to_frame().set_index("name")
    assert table.loc["letter", "path"] == "letter[2] > boom"
    assert table.loc["letter", "handed_on_from"] == table.loc["boom", "seq"]


def test_a_choice_names_what_was_not_started():
    assert "chose second; not started: first, third" in repr(run_of(choosing()).tree)


def test_the_text_is_bounded_and_keeps_the_way_of_the_end():
    body = Sequence(up, Sequence(up, boom_at(40), name="deep"), name="body")
    run = run_of(Loop(body, for_at_most=60))
    text = repr(run.tree)
    assert len(text.splitlines()) <= 20
    assert "boom: failed: ValueError" in text
    assert "more links: " in text
    shown = [line for line in text.splitlines() if line.lstrip()[:1] in "●▲"]
    hidden = [line for line in text.splitlines() if "more link" in line]
    counts = [int(line.split("…")[1].split()[0].replace(",", "")) for line in hidden]
    assert len(shown) - 1 + sum(counts) == len(run.tree.told.rows)


def boom_at(number):
    seen = []

    def boom(text):
        seen.append(text)
        if len(seen) == number:
            raise ValueError(text)
        return text

    return boom


def test_a_run_that_goes_on_shows_what_is_open():
    seen = []

    async def block():
        with ek.trace("block") as run:

            async def look(text):
                seen.append(repr(run.tree))
                return text

            await Sequence(up, look).run("x")

    asyncio.run(block())
    assert "▷ function look: still open" in seen[0]


def test_every_cut_of_the_file_is_shown(run):
    lines = list(run.recording.lines())
    for count in range(1, len(lines)):
        check_shown(Run.loaded(Recording.of_lines(lines[:count])))


def test_records_of_a_wrong_shape_never_break_a_display(run):
    lines = list(run.recording.lines())
    tried = 0
    for place, line in enumerate(lines):
        row = json.loads(line)
        if row.get("kind") not in ("link_opened", "link_closed", "verdict", "run_ended", "lost"):
            continue
        for key in {**dict.fromkeys(row), "attrs": None}.keys() - {"kind", "seq"}:
            for wrong in ([], "x", 7, {"from": 10**9, "path": [1, "x"]}):
                spoilt = json.dumps({**row, key: wrong}, separators=(",", ":")).encode() + b"\n"
                changed = [*lines[:place], spoilt, *lines[place + 1 :]]
                check_shown(Run.loaded(Recording.of_lines(changed)))
                tried += 1
    assert tried > 100


def check_shown(run):
    """All displays of a tree and an end; none of them may fail."""
    end = run.ended_by
    told = [repr(run.tree), run.tree._repr_html_(), run.tree.to_svg(), run.tree.to_dot()]
    told += [] if end is None else [repr(end), end._repr_html_()]
    assert not [text for text in told if "cannot be shown" in text or not text]
    assert list(run.tree.to_frame().columns) == list(frames.TREE)


def test_the_display_is_words_and_the_picture_is_asked_for(run):
    assert set(run.tree._repr_mimebundle_()) == {"text/plain", "text/html"}
    assert not {"svg", "img", "script"} & set(parsed(run.tree._repr_html_()).tags)
    picture = run.tree.picture()._repr_mimebundle_()
    assert set(picture) == {"text/plain", "image/svg+xml"}
    drawn = "".join(ET.fromstring(picture["image/svg+xml"]).itertext())
    for words in ("agent cashier", "refused: policy-halt", "▲", "Thick line"):
        assert words in drawn


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_names_answers_and_errors_stay_text(attack):
    text = ATTACKS[attack]

    def fails(_):
        raise ValueError(text)

    fails.__name__ = "fails"
    inner = Sequence(lambda _: text, fails, name=f"a{text}")
    found = run_of(Sequence(up, inner, name=f"b{text}"), "x")
    check_shown(found)
    for html in (found.tree._repr_html_(), found.ended_by._repr_html_()):
        seen = parsed(html)
        assert set(seen.tags) <= {"div", "p", "code", "ul", "li", "span", "b"}
        assert {name for _, name, _ in seen.attributes} <= {"style"}
    tags = {each.tag for each in ET.fromstring(found.tree.to_svg()).iter()}
    assert tags <= {f"{SVG}{tag}" for tag in ("svg", "title", "rect", "path", "g", "text", "tspan")}
    for plain in (repr(found.tree), repr(found.ended_by), found.tree.to_dot()):
        assert not [char for char in plain if ord(char) < 32 and char != "\n"]
        assert "\u202e" not in plain
    dot = found.tree.to_dot().splitlines()
    assert all(line.startswith(("digraph {", "  ", "}")) for line in dot)
    assert len(repr(found.tree).splitlines()) <= 20
