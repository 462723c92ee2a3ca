"""The page is one harmless, self-contained document, whatever was recorded."""

import base64
import hashlib
import json
import re

import pytest

from explainkit.graph import Evidence
from explainkit.session import Run
from explainkit.store import Recording
from explainkit.view.chart import KIND_WORDS
from explainkit.view.compose import board_of
from explainkit.view.page import LARGEST, json_for_script, page_of
from explainkit.view.palette import TINTS
from explainkit.view.skin import BARE, STYLES
from explainkit.view.words import GRADES
from tests.view.bigger import chat
from tests.view.claims import claims_recording, recorded_prompt, recorded_suspects, recorded_walk
from tests.view.explorer.explored import RUNS
from tests.view.hostile import ATTACKS, HUGE, spoiled
from tests.view.parsed import parsed

ATTRIBUTES = {
    "class", "d", "data-edge", "data-node", "data-seq", "height", "id", "marker-end", "orient",
    "refX", "refY", "role", "transform", "viewBox", "width", "x", "y", "lang", "charset", "content",
    "http-equiv", "name", "type", "hidden", "aria-label", "aria-live", "aria-hidden", "tabindex",
    "markerWidth", "markerHeight", "markerUnits",
}  # fmt: skip


def claims_page(text=None):
    recording, seqs = claims_recording()
    found = recorded_walk(seqs), recorded_prompt(seqs), recorded_suspects(seqs)
    walk, prompt, suspects = found if text is None else (spoiled(each, text) for each in found)
    return page_of(
        Evidence(recording),
        walk,
        board=board_of(recording, walk, prompt=prompt, suspects=suspects),
    )


def block(page, kind):
    return re.search(rf"<{kind}>(.*?)</{kind.split()[0]}>", page, re.DOTALL)[1]


def data_of(page):
    return json.loads(block(page, 'script type="application/json"'))


@pytest.fixture(scope="module")
def page():
    return claims_page()


def test_the_policy_allows_its_own_style_and_script_and_nothing_else(page):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; base-uri 'none'; form-action 'none'; ")
    for kind, directive in (("style", "style-src"), ('script type="module"', "script-src")):
        digest = hashlib.sha256(block(page, kind).encode()).digest()
        assert f"{directive} 'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert "unsafe" not in policy
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_the_page_asks_nothing_of_any_network(page):
    named = page.replace('"http://www.w3.org/2000/svg"', "")  # a name, and nothing to load
    assert not re.search(
        r"https?:|\bsrc=|\bhref=|@import|url\((?!#)|fetch\(|XMLHttp|import\(", named
    )


@pytest.mark.parametrize("attack", ["as recorded", *ATTACKS], ids=str)
def test_recorded_text_is_text_whatever_it_says(attack):
    page = claims_page(ATTACKS.get(attack))
    found = parsed(page.removeprefix("<!DOCTYPE html>"))
    assert {name for _, name, _ in found.attributes} <= {each.lower() for each in ATTRIBUTES}
    assert not any(name.startswith("on") or name == "style" for _, name, _ in found.attributes)
    for banned in ("form", "input", "img", "link", "animate", "math", "iframe", "button"):
        assert banned not in found.tags
    assert found.tags.count("script") == 2
    assert found.tags.count("style") == 1
    ids = {value for _, name, value in found.attributes if name == "id"}
    assert ids == {"ek-arrow", "ek-arrow-lit"}
    assert data_of(page)["chart"]["nodes"]


def test_data_cannot_end_its_block():
    assert (
        json_for_script("</script><!-- &\u2028")
        == '"\\u003c/script\\u003e\\u003c!-- \\u0026\\u2028"'
    )
    assert json.loads(json_for_script("</script>\ud800")) == "</script>\ud800"


def test_the_board_stands_in_the_page_without_any_script(page):
    text = " ".join(
        parsed(page.split('<script type="application/json">')[0] + "</body></html>").text.split()
    )
    for words in (
        "goes back to campaign-note", "failed, says reviewer", "The trail, from the answer back",
        "What the model saw in ask", "Rank 1", "cut by rank", "the words start here",
        "placed by", "declared wired by the engine or the author; exact",
    ):  # fmt: skip
        assert words in text


def held(page, label):
    """What the page holds of the record with a label."""
    data = data_of(page)
    seq = next(node["seq"] for node in data["chart"]["nodes"] if node["label"] == label)
    return data["replies"][f'["inspect",{seq}]']


def test_the_inspector_holds_values_marks_origins_and_the_difference(page):
    note = held(page, "campaign-note")
    assert ["why", "customer wrote about a delay before"] in note["lines"]
    assert ["half of the fare", "span", 0] in note["texts"][0]["pieces"]
    seen = held(page, "ask")["texts"][0]
    assert seen["title"] == "what the model saw"
    assert [name for _, name, _, _ in seen["origins"]] == [
        "tariff",
        "campaign-note",
        "question (asked)",
    ]
    before, after = held(page, "by redactor")["texts"]
    assert ["Ms Keller", "removed", 0] in before["pieces"]
    assert ["the passenger", "added", 0] in after["pieces"]


def test_the_page_opens_on_its_walk_and_holds_others_of_the_same_answer(page):
    data = data_of(page)
    assert data["shown"]["selected"] == "half of the fare"
    assert data["walks"][0] == data["shown"]
    selected = [walk["selected"] for walk in data["walks"]]
    assert None in selected
    assert "40 minutes" in selected or "40" in selected
    assert {walk["at"]["version"] for walk in data["walks"]} == {1, 2}
    assert f"Walks from {len(selected)} stretches" in " ".join(data["scene"]["missing"])


def test_every_panel_of_the_page_has_its_answer(page):
    data = data_of(page)
    asked = {json.loads(key)[0] for key in data["replies"]}
    assert {"chart", "inspect", "story", "timeline", "tree"} <= asked
    assert len(data["rows"]) == len(data["chart"]["nodes"])
    assert data["replies"]['["chart",[],"path"]']["only"] == "path"


def test_a_page_says_its_size(page):
    (line,) = [line for line in data_of(page)["scene"]["missing"] if "KB" in line]
    size = int(re.search(r"([\d,]+) KB", line)[1].replace(",", ""))
    assert 0.97 * len(page) < size * 1_000 < 1.03 * len(page)
    assert line in " ".join(parsed(page.split("<script")[0] + "</body></html>").text.split())


def test_the_same_input_gives_the_same_bytes(page):
    assert claims_page() == page


def test_a_page_of_a_large_run_is_bounded_and_says_what_it_folds():
    recording = chat(1_500)
    _, seqs = claims_recording()
    walk = spoiled(recorded_walk(seqs), HUGE)
    page = page_of(Evidence(recording), walk)
    assert len(page) < LARGEST
    assert page.count('data-node="') <= 240
    assert re.search(r"[\d,]+ records of [\d,]+ folded into", page)


def test_every_role_has_its_class_in_the_style_sheet(page):
    style = block(page, "style")
    plain = {"line", "number", "verdict", "kicker", "template", "details", "summary", "columns"}
    for role in {*STYLES, *BARE} - plain - {"column"}:
        assert f".ek-{role}" in style, role


@pytest.mark.parametrize("name", ["claims", "answering", "no_context", "links_100"])
def test_the_legend_of_the_picture_holds_what_is_drawn_and_nothing_else(name):
    page = RUNS[name]().to_html()
    (legend,) = re.findall(r'<ul class="ek-legend".*?</ul>', page)
    pane = page[page.index('<div class="ek-pane">') : page.index(legend)]
    kinds = set(re.findall(r"ek-node ek-kind-(\w+)", pane))
    entries = re.findall(r"</svg>(?:<b>)?(\w[\w ]*)", legend)
    assert set(entries) & set(KIND_WORDS.values()) == {KIND_WORDS[each] for each in kinds}
    grades = set(re.findall(r"ek-edge ek-grade-(\w+)", pane))
    assert set(entries) & set(GRADES) == grades
    marks = {"left out": "ek-absent", "on the path": "ek-lit", "the words start here": "ek-source"}
    for words, mark in marks.items():
        assert (words in entries) == bool(re.search(rf'class="ek-node[^"]*{mark}', pane)), words


def test_the_tints_of_the_page_are_those_of_the_notebook(page):
    style = block(page, "style")
    for index, (ground, ink) in enumerate(TINTS):
        assert f"--ground{index}:{ground};--ink{index}:{ink};" in style


@pytest.mark.parametrize("name", [name for name in RUNS if name != "links_10000"])
def test_every_run_becomes_a_page_that_says_what_the_run_lacks(name):
    run = RUNS[name]()
    page = run.to_html()
    assert len(page) < LARGEST
    data = data_of(page)
    static = page.split('<script type="application/json">')[0] + "</body></html>"
    text = " ".join(parsed(static.removeprefix("<!DOCTYPE html>")).text.split())
    for line in data["scene"]["missing"]:
        assert " ".join(line.split()) in text
    assert data["shown"]["headline"]
    assert data["walks"]
    assert set(data["scene"]["panels"]) >= {"graph", "outline", "story"}


def test_the_same_records_give_the_same_page_when_they_are_read_again():
    run = RUNS["links_100"]()
    again = Run.loaded(Recording.of_lines(list(run.recording.lines())))
    assert run.to_html() == again.to_html()


def test_a_page_of_a_run_without_an_answer_opens_on_what_it_ended_on():
    data = data_of(RUNS["refused"]().to_html())
    assert data["shown"]["ended"]["title"] == "▲ Ended on ValueError"
    assert data["walks"][0]["at"]["version"] == 0
    assert "This run has no answer." in data["scene"]["missing"]


def test_a_page_holds_each_step_of_a_machine_and_each_ladder():
    data = data_of(RUNS["machine"]().to_html())
    (found,) = data["scene"]["machines"]
    keys = {f'["machine",{found["link"]},{step}]' for step in range(found["steps"])}
    assert keys <= set(data["replies"])
    answering = data_of(RUNS["answering"]().to_html())
    assert {'["ladder",0]', '["ladder",1]'} <= set(answering["replies"])
    slots = {walk["at"]["slot"] for walk in answering["walks"]}
    assert {"item:a", "item:b"} <= slots
