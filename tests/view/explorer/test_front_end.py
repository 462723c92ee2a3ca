"""The explorer in a real browser: one cursor, its keys, big runs, and what can go wrong."""

import pytest

import explainkit as ek
from tests.view.explorer import explored
from tests.view.explorer.hosting import made
from tests.view.explorer.reading import TEXT, WORDS, expect_title, open_tabs, title

pytestmark = pytest.mark.browser


def test_every_panel_moves_the_one_cursor_and_follows_it(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (hosted, page):
        expect_title(page, "campaign-note")
        page.locator(".ek-node", has_text="the run's answer").click()
        expect_title(page, "the run's answer")
        page.locator(".ek-hop button", has_text="allowed").click()
        expect_title(page, "campaign-note")
        assert page.locator(".ek-hop[aria-current]").count() == 2
        page.locator(".ek-suspect button", has_text="ask").click()
        expect_title(page, "ask")
        page.get_by_role("option", name="tariff").click()
        expect_title(page, "tariff")
        assert page.locator(".ek-node[aria-current] .ek-label").text_content() == "tariff"
        page.locator(".ek-neighbour", has_text="assemble").click()
        expect_title(page, "assemble")
        page.wait_for_function("seq => model.state.cursor === seq", arg=hosted.exchange.cursor)
        assert hosted.exchange.cursor == 14


def test_python_moves_the_cursor_and_a_miss_leaves_it(opened, runs):
    with opened(runs("claims")) as (_, page):
        expect_title(page, "campaign-note")
        page.evaluate("model.take([['cursor', 17]])")
        expect_title(page, "ask")
        page.evaluate("model.take([['cursor', 4000]])")
        page.locator(".ek-status", has_text="nearest").wait_for()
        assert title(page) == "ask"
        page.wait_for_function("model.state.cursor === 17")


def test_a_hop_from_the_end_of_a_link_opens_the_link(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (_, page):
        page.locator(".ek-hop button", has_text="said").click()
        expect_title(page, "ask")
        assert page.locator(".ek-hop[aria-current] .ek-verb").all_inner_texts() == ["said", "read"]


def test_keys_walk_the_graph_light_what_fed_a_box_and_go_back(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (_, page):
        page.locator(".ek-node", has_text="ask").click()
        expect_title(page, "ask")
        page.locator(".ek-node[tabindex='0']").focus()
        page.keyboard.press("ArrowUp")
        expect_title(page, "assemble")
        page.keyboard.press("ArrowUp")
        expect_title(page, "campaign-note")
        page.keyboard.press("ArrowLeft")
        expect_title(page, "tariff")
        page.keyboard.press("ArrowDown")
        expect_title(page, "assemble")
        page.keyboard.press("Enter")
        page.locator(".ek-status", has_text="feed assemble: assemble").wait_for()
        lit = page.locator(".ek-node.ek-lit .ek-label").all_text_contents()
        assert "tariff" in lit
        assert "by redactor" not in lit
        page.keyboard.press("Escape")
        assert "by redactor" in page.locator(".ek-node.ek-lit .ek-label").all_text_contents()
        page.keyboard.press("Escape")
        expect_title(page, "tariff")
        page.keyboard.press("Home")
        expect_title(page, "campaign-note")
        assert page.evaluate("outside") == []


def test_what_a_reader_lit_is_forgotten_with_the_boxes_that_it_was_lit_in(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (_, page):
        page.locator(".ek-node", has_text="tariff").click()
        expect_title(page, "tariff")
        page.get_by_role("button", name="Light what fed this").click()
        assert page.locator(".ek-node.ek-lit .ek-label").all_text_contents() == ["tariff"]
        page.get_by_role("button", name="Draw the walked path only").click()
        page.locator(".ek-status", has_text="no box").or_(page.locator(".ek-source")).wait_for()
        assert "by redactor" in page.locator(".ek-node.ek-lit .ek-label").all_text_contents()


def test_search_reaches_any_record_in_one_step(opened, runs):
    with opened(runs("claims")) as (_, page):
        page.locator(".ek-node").first.focus()
        page.keyboard.press("/")
        page.keyboard.type("lost property")
        page.keyboard.press("Enter")
        expect_title(page, "leaflet 3")
        page.keyboard.press("Escape")
        assert page.locator(".ek-search").input_value() == ""
        page.locator(".ek-search").fill("no such words")
        page.keyboard.press("Enter")
        page.locator(".ek-status", has_text="No record matches").wait_for()
        assert title(page) == "leaflet 3"


def test_no_key_leaves_the_explorer(opened, runs):
    with opened(runs("claims")) as (_, page):
        for place_of in (TEXT, ".ek-search", ".ek-rows", ".ek-node[tabindex='0']", ".ek-tab"):
            page.locator(place_of).first.focus()
            for key in ("a", "b", "d", "x", "Enter", "Escape", "ArrowDown", "Shift+Enter", "m"):
                page.keyboard.press(key)
        assert page.evaluate("outside") == []
        assert page.locator(".ek-explorer[data-lm-suppress-shortcuts]").count() == 1


def test_tabs_are_walked_by_arrows(opened, runs):
    with opened(runs("claims")) as (_, page):
        page.locator(".ek-tab[aria-selected='true']").focus()
        for name in ("What if", "Bisect", "Overrides"):
            page.keyboard.press("ArrowRight")
            assert page.get_by_role("tab", selected=True).inner_text().startswith(name)
        assert page.get_by_role("tabpanel").locator("del").inner_text() == "Ms Ines Harlow"
        assert page.get_by_role("tabpanel").locator("ins").inner_text() == "passenger"


def test_a_big_run_is_folded_and_a_fold_opens(opened, runs):
    with opened(runs("links_1000")) as (hosted, page):
        assert 100 < page.locator(".ek-node").count() <= 400
        page.locator(".ek-node.ek-kind-fold").last.dispatch_event("click")
        page.locator(".ek-status", has_text="The fold is open").wait_for()
        chart = hosted.exchange.chart
        (first,) = chart["opened"]
        assert [node["members"] for node in chart["nodes"] if node["seq"] == first] == [0]
        assert page.locator(".ek-node").count() == len(chart["nodes"])
        assert hosted.exchange.cursor == first
        page.get_by_role("button", name="Fold again what was opened").click()
        page.wait_for_function("model.state.chart.opened.length === 0")
        assert not page.get_by_role("button", name="Fold again what was opened").is_visible()


def test_a_new_walk_restyles_the_boxes_that_are_there(opened, runs):
    with opened(runs("links_1000")) as (_, page):
        drawn = "document.querySelectorAll('.ek-pane .ek-node, .ek-pane .ek-edge')"
        page.evaluate(f"{drawn}.forEach((each) => {{ each.kept = true; }})")
        lit = page.evaluate(
            """() => {
              const {nodes, arrows} = model.state.chart;
              const some = nodes.map((node) => node.seq).filter((seq, at) => at % 2);
              const pair = ({source, target}) => [nodes[source].seq, nodes[target].seq];
              const pairs = arrows.map((arrow) => [...pair(arrow), "said", "value"]);
              const lit = {boxes: some, arrows: pairs, origins: [some[0]]};
              model.take([["shown", {...model.state.shown, lit}]]);
              return some.length;
            }"""
        )
        assert page.locator(".ek-pane .ek-node.ek-lit").count() == lit
        assert page.evaluate(f"[...{drawn}].every((each) => each.kept)")


def test_the_outline_follows_the_cursor_to_a_record_that_it_had_not_listed(opened, runs):
    with opened(runs("links_10000")) as (hosted, page):
        (row,) = hosted.exploration.rows(start=6_000, count=1)["rows"]
        page.evaluate("seq => model.take([['cursor', seq]])", row["seq"])
        found = page.locator(".ek-entry[aria-posinset='6001'][aria-selected='true']")
        assert row["label"] in found.inner_text()


def test_ten_thousand_links_are_listed_by_the_rows_that_are_seen(opened, runs):
    with opened(runs("links_10000")) as (hosted, page):
        page.locator(".ek-entry").first.wait_for()
        assert page.locator(".ek-entry").count() < 60
        page.locator(".ek-rows").focus()
        page.keyboard.press("End")
        of = hosted.exploration.rows(count=1)["total"]
        page.locator(f".ek-entry.ek-active[aria-posinset='{of}']").wait_for()
        page.keyboard.press("Enter")
        (last,) = hosted.exploration.rows(start=of - 1, count=1)["rows"]
        page.wait_for_function("seq => model.state.cursor === seq", arg=last["seq"])
        assert page.locator(".ek-entry").count() < 60


def test_a_kernel_that_keeps_silent_is_said_and_what_is_shown_stays(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (_, page):
        page.clock.install()
        page.evaluate("model.silent = true")
        page.get_by_role("button", name="Whole answer").click()
        page.clock.run_for(7_000)
        page.locator(".ek-status", has_text="has not answered").wait_for()
        assert page.locator(f"{TEXT} mark").inner_text() == WORDS


def test_a_refused_question_is_said_and_what_is_shown_stays(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (hosted, page):
        hosted.exchange.reply = lambda message: {
            "id": message["id"],
            "ok": False,
            "error": "No such words.",
        }
        page.get_by_role("button", name="Whole answer").click()
        page.locator(".ek-status", has_text="No such words.").wait_for()
        assert page.locator(f"{TEXT} mark").inner_text() == WORDS


@pytest.mark.parametrize("name", list(explored.RUNS)[:-2])
def test_every_kind_of_run_shows_something_in_every_panel(opened, runs, name):
    with opened(runs(name)) as (_, page):
        assert page.locator(".ek-headline").inner_text()
        assert page.locator(".ek-node").count() > 0
        page.locator(".ek-entry").first.wait_for()
        for _ in open_tabs(page):
            assert page.get_by_role("tabpanel").inner_text()


def test_hostile_records_neither_run_nor_break_the_explorer(opened, runs):
    with opened(runs("hostile")) as (_, page):
        before = page.evaluate("Object.keys(window).sort()")
        boxes = page.locator(".ek-node")
        for index in range(boxes.count()):
            boxes.nth(index).dispatch_event("click")
        for _ in open_tabs(page):
            pass
        page.locator(".ek-search").fill("<img src=x onerror=alert(1)>")
        page.keyboard.press("Enter")
        assert page.evaluate("Object.keys(window).sort()") == before
        assert page.evaluate("typeof document.querySelector") == "function"
        ours = ".ek-search, .ek-find, .ek-tick, .ek-calls"
        alien = f"form, iframe, img, math, script, link, style, object, input:not({ours})"
        assert page.locator(".ek-explorer").locator(alien).count() == 0


def test_no_recorded_word_stands_in_an_attribute(opened):
    def make():
        with ek.trace("zzname", question="zzquestion") as run:
            note = ek.context("zznote", "zzvalue half", source="zzsource", why="zzwhy")
            ek.answer(note)
            ek.override(lambda text: text + " zzmore", by="zzby", reason="zzreason")
        run.verdict("failed", judge="zzjudge", reason="zzverdict")
        return run

    with opened(made(make)) as (_, page):
        for node in page.locator(".ek-node").all():
            node.dispatch_event("click")
        for _ in open_tabs(page):
            pass
        held = page.evaluate(
            """[...document.querySelectorAll(".ek-explorer, .ek-explorer *")]
              .flatMap((element) => [...element.attributes])
              .map((each) => `${each.name}=${each.value}`)
              .filter((each) => each.includes("zz"))"""
        )
        assert held == []
        assert "zzvalue" in page.locator(".ek-explorer").inner_text()


def test_closing_an_explorer_leaves_nothing_that_listens(opened, runs):
    with opened(runs("claims")) as (_, page):
        page.evaluate("close_explorer()")
        assert page.locator(".ek-explorer").count() == 0
        assert page.evaluate("Object.values(model.heard).flat().length") == 0


def test_a_sentence_of_the_story_is_a_button_for_mouse_and_keys(opened, runs):
    with opened(runs("claims")) as (_, page):
        story = page.get_by_role("tabpanel", name="Story")
        sentence = story.get_by_role("button", name="The model “ask” was given")
        page.get_by_role("tab", name="Story").click()
        sentence.click()
        expect_title(page, "ask")
        story.get_by_role("button", name="The retrieval “retrieve”").press("Enter")
        expect_title(page, "retrieve")
        assert page.evaluate("outside") == []


def test_the_headline_says_the_weakest_grade_of_the_path_that_is_lit(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (_, page):
        headline = page.locator(".ek-headline")
        assert "evidence: value" in headline.inner_text()
        assert "weakest" not in headline.inner_text()
        page.get_by_label("Weakest evidence of the walk").select_option("exposure")
        page.locator(
            ".ek-headline", has_text="weakest grade on the path shown is exposure"
        ).wait_for()
        page.get_by_label("Weakest evidence of the walk").select_option("value")
        page.locator(".ek-headline", has_not_text="weakest grade").wait_for()
