"""The drawing on screen: words that cover nothing, and a legend of just what is drawn."""

import pytest

from explainkit.view.chart import KIND_WORDS
from explainkit.view.words import GRADES
from tests.view.browsing import covered

pytestmark = pytest.mark.browser

SAMPLES = ("claims", "machine", "composition", "answering", "refused", "hostile", "links_1000")
TITLES = """() => [...document.querySelectorAll(".ek-pane .ek-edge.ek-lit title")]
  .map((each) => each.textContent)"""


@pytest.mark.parametrize("only", ["run", "path"])
@pytest.mark.parametrize("name", SAMPLES)
def test_no_word_of_the_drawing_covers_another_or_a_box(opened, runs, name, only):
    with opened(runs(name)) as (hosted, page):
        hosted.exchange.reply({"id": 1, "ask": "chart", "only": only})
        page.evaluate("chart => model.take([['chart', chart]])", hosted.exchange.chart)
        page.locator(".ek-node").first.wait_for()
        assert covered(page) == []


def test_verbs_without_room_are_left_out_and_stay_in_the_titles(opened, runs):
    with opened(runs("answering")) as (hosted, page):
        chart, lit = hosted.exchange.chart, hosted.exchange.shown["lit"]["arrows"]
        route = chart["arrows"][0]["route"]
        crowded = [{**arrow, "route": route} for arrow in chart["arrows"]]
        page.evaluate("chart => model.take([['chart', chart]])", {**chart, "arrows": crowded})
        page.locator(".ek-node.ek-source").first.wait_for()
        titles = page.evaluate(TITLES)
        verbs = page.locator(".ek-verb-label").all_text_contents()
        assert covered(page) == []
        assert 0 < len(verbs) < len(titles)
        assert {title.split(" (")[0] for title in titles} == {verb for _, _, verb, _ in lit}


def test_words_are_placed_in_the_same_way_again(opened, runs):
    with opened(runs("answering")) as (hosted, page):
        places = "() => document.querySelector('.ek-overlay').innerHTML"
        before = page.evaluate(places)
        page.evaluate("shown => model.take([['shown', shown]])", hosted.exchange.shown)
        assert page.evaluate(places) == before


@pytest.mark.parametrize("name", [*SAMPLES, "no_context", "one_box"])
def test_the_legend_holds_what_is_drawn_and_nothing_else(opened, runs, name):
    with opened(runs(name)) as (hosted, page):
        page.locator(".ek-node").first.wait_for()
        chart, lit = hosted.exchange.chart, hosted.exchange.shown["lit"]
        entries = page.locator(".ek-legend li").all_inner_texts()
        kinds = {node["kind"] for node in chart["nodes"]}
        words = {KIND_WORDS[kind] for kind in kinds - {"fold"}}
        assert words <= set(entries)
        assert not (set(KIND_WORDS.values()) - words) & set(entries)
        classes = page.locator(".ek-pane .ek-edge").evaluate_all(
            "(all) => all.map((each) => each.getAttribute('class'))"
        )
        grades = {grade for grade in GRADES for each in classes if f"ek-grade-{grade}" in each}
        assert [each.split()[0] for each in entries if each.split()[0] in GRADES] == [
            grade for grade in GRADES if grade in grades
        ]
        marks = {
            "left out": any(node["absent"] for node in chart["nodes"]),
            "on the path": bool(lit["boxes"]),
            "the words start here": bool(lit["origins"]),
            "folded records, counted; Enter or a click opens them": "fold" in kinds,
        }
        assert {mark: mark in entries for mark in marks} == marks


def test_the_legend_follows_what_the_reader_lights(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (_, page):
        entry = page.locator(".ek-legend li", has_text="the words start here")
        entry.wait_for()
        page.locator(".ek-node", has_text="tariff").click()
        page.get_by_role("button", name="Light what fed this").click()
        entry.wait_for(state="detached")
        assert "on the path" in page.locator(".ek-legend li").all_inner_texts()


@pytest.mark.parametrize("width", [400, 760, 1100, 1600])
def test_the_whole_path_is_in_view_from_side_to_side(opened, runs, width):
    with opened(runs("claims"), walk={"start": 28, "end": 44}, width=width) as (_, page):
        page.locator(".ek-node.ek-lit.ek-selected").wait_for()
        pane = page.locator(".ek-pane").bounding_box()
        for box in page.locator(".ek-node.ek-lit .ek-shape").all():
            room = box.bounding_box()
            assert pane["x"] <= room["x"]
            assert room["x"] + room["width"] <= pane["x"] + pane["width"]
