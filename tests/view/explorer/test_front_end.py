"""The explorer in a real browser: what a hand, a keyboard and a hostile record do to it."""

from contextlib import contextmanager

import pytest

import explainkit as ek
from tests.view.browsing import low_contrast
from tests.view.explorer import explored
from tests.view.explorer.hosting import Hosted, made

pytestmark = pytest.mark.browser

WORDS = "half of the fare"
TEXT = ".ek-strip-text"


@pytest.fixture(scope="module")
def runs():
    kept = {}

    def run(name):
        if name not in kept:
            kept[name] = made(explored.RUNS[name])
        return kept[name]

    return run


@pytest.fixture
def opened(browser):
    """Opens an explorer; on the way out nothing may have been said, asked or requested."""

    @contextmanager
    def open_explorer(run, *, width=1600, height=1000, state=None, walk=None, **context):
        heard = []
        with browser.new_context(viewport={"width": width, "height": height}, **context) as held:
            page = held.new_page()
            page.on("console", lambda message: heard.append(message.text))
            page.on("pageerror", lambda error: heard.append(str(error)))
            page.on("dialog", lambda dialog: (heard.append("a dialog"), dialog.dismiss()))
            page.on("request", lambda request: heard.append(request.url))
            hosted = Hosted(run, **(walk or {}))
            hosted.into(page, state)
            yield hosted, page
        assert [each for each in heard if not each.startswith("blob:")] == []

    return open_explorer


def saying(text):
    def make():
        with ek.trace("said") as run:
            ek.answer(text)
        return run

    return made(make)


def place(page, start, end):
    """Boxes on the screen of the characters of the answer before and after a stretch of UTF-16."""
    return page.evaluate(
        """([start, end]) => {
          const node = document.querySelector(".ek-strip-text").firstChild;
          const range = document.createRange();
          range.setStart(node, start);
          range.setEnd(node, end);
          const {left, right, top, bottom} = range.getBoundingClientRect();
          return {left, right, middle: (top + bottom) / 2};
        }""",
        [start, end],
    )


def drag(page, start, end):
    at = place(page, start, end)
    page.mouse.move(at["left"] + 1, at["middle"])
    page.mouse.down()
    page.mouse.move((at["left"] + at["right"]) / 2, at["middle"])
    page.mouse.move(at["right"] - 1, at["middle"])
    page.mouse.up()


def walked(hosted, page, count=1):
    page.wait_for_function(
        "count => model.sent.filter((each) => each.ask === 'walk').length >= count", arg=count
    )
    page.wait_for_function("!document.querySelector('.ek-status').textContent.includes('…')")
    return hosted.walks()[-1]


def title(page):
    return page.locator(".ek-inspector .ek-title").inner_text()


def expect_title(page, words):
    page.locator(".ek-inspector .ek-title", has_text=words).wait_for()


def said(page):
    return page.locator(".ek-status").inner_text()


# ---- selection -------------------------------------------------------------------------------------


def test_words_dragged_over_are_walked_back_from(opened, runs):
    with opened(runs("claims")) as (hosted, page):
        text = page.locator(TEXT).inner_text()
        start = text.index(WORDS)
        drag(page, start, start + len(WORDS))
        assert walked(hosted, page) == (start, start + len(WORDS))
        assert page.locator(f"{TEXT} mark").inner_text() == WORDS
        assert WORDS in page.locator(".ek-headline").inner_text()
        assert page.locator(".ek-node.ek-source .ek-label").all_text_contents() == ["campaign-note"]
        assert page.locator(".ek-prompt mark").all_text_contents() == [WORDS]
        expect_title(page, "campaign-note")


def test_a_double_click_takes_the_word_without_its_space(opened, runs):
    with opened(runs("claims")) as (hosted, page):
        start = page.locator(TEXT).inner_text().index("half")
        at = place(page, start, start + 4)
        page.mouse.dblclick((at["left"] + at["right"]) / 2, at["middle"])
        assert walked(hosted, page) == (start, start + 4)


def test_shift_and_arrows_select_and_enter_walks(opened, runs):
    with opened(runs("claims")) as (hosted, page):
        page.locator(TEXT).focus()
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        for _ in range(9):
            page.keyboard.press("Shift+ArrowRight")
        assert "“passenger”" in said(page)
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (5, 14)
        assert page.evaluate("outside") == []


def test_words_and_lines_are_selected_by_keys_and_never_more_than_the_answer(opened, runs):
    with opened(runs("claims")) as (hosted, page):
        size = len(page.locator(TEXT).inner_text())
        page.locator(TEXT).focus()
        page.keyboard.press("Shift+End")
        for _ in range(3):
            page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (0, size)
        page.keyboard.press("Home")
        page.keyboard.press("Control+Shift+ArrowRight")
        page.keyboard.press("Enter")
        assert walked(hosted, page, 2)[1] in {4, 5}
        page.keyboard.press("Control+a")
        page.keyboard.press("Enter")
        assert walked(hosted, page, 3) == (0, size)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Gut 😀😀 bezahlt 👍🏽 heute", "bezahlt"),
        ("Gut 😀😀 bezahlt", "😀😀"),
        ("cafe\u0301 au lait", "cafe\u0301"),
        ("a\u200bb\u202ec the fare", "the fare"),
        ("a\x1b[31m red \x00 fare", "fare"),
        ("שלום עולם fare", "עולם"),
        ("𝒜𝒷𝒸 fare", "𝒷𝒸"),
    ],
)
def test_selections_are_code_points_of_the_stored_text(opened, text, word):
    with opened(saying(text)) as (hosted, page):
        start = text.index(word)
        units = len(text[:start].encode("utf-16-le")) // 2
        width = len(word.encode("utf-16-le")) // 2
        page.evaluate(
            """([start, end]) => {
              const text = document.querySelector(".ek-strip-text");
              text.focus();
              getSelection().setBaseAndExtent(text.firstChild, start, text.firstChild, end);
            }""",
            [units, units + width],
        ) if not hosted.exchange.shown["strip"][0][3] else page.evaluate(
            """([start, end]) => {
              const text = document.querySelector(".ek-strip-text"), node = text.firstChild.firstChild;
              text.focus();
              getSelection().setBaseAndExtent(node, start, node, end);
            }""",
            [units, units + width],
        )
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (start, start + len(word))


def test_half_of_a_surrogate_pair_is_never_selected(opened):
    with opened(saying("a 😀 b")) as (hosted, page):
        page.evaluate(
            """() => {
              const text = document.querySelector(".ek-strip-text");
              const node = document.createTreeWalker(text, NodeFilter.SHOW_TEXT).nextNode();
              text.focus();
              getSelection().setBaseAndExtent(node, 3, node, 5);
            }"""
        )
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (2, 4)


def test_a_stretch_whose_characters_were_replaced_is_taken_whole(opened, runs):
    state = Hosted(runs("claims")).state()
    state["shown"] = {**state["shown"], "strip": [["We pay ", 0, 7, "", 0], ["[secret]", 7, 40, "", 0], [" now", 47, 4, "", 0]]}  # fmt: skip
    with opened(runs("claims"), state=state) as (hosted, page):
        page.evaluate(
            """() => {
              const text = document.querySelector(".ek-strip-text");
              text.focus();
              getSelection().setBaseAndExtent(text.childNodes[1], 2, text.childNodes[1], 4);
            }"""
        )
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (7, 47)


def test_the_whole_answer_another_version_and_another_grade_are_a_control_away(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (hosted, page):
        page.get_by_role("button", name="Whole answer").click()
        assert walked(hosted, page) == (None, None)
        page.get_by_label("Version of the answer").select_option("0")
        walked(hosted, page, 2)
        assert "Ms Ines Harlow" in page.locator(TEXT).inner_text()
        page.get_by_label("Weakest evidence of the walk").select_option("exposure")
        walked(hosted, page, 3)
        sent = page.evaluate("model.sent.filter((each) => each.ask === 'walk').at(-1)")
        assert (sent["version"], sent["grade"]) == (1, "exposure")


def test_a_long_answer_is_read_on_and_selected_in_its_later_part(opened):
    text = "".join(f"{number:05d} " for number in range(3_000)) + "end"
    with opened(saying(text)) as (hosted, page):
        page.get_by_role("button", name="Show more of the answer").click()
        page.get_by_role("button", name="Show more of the answer").wait_for()
        page.get_by_role("button", name="Show more of the answer").click()
        page.wait_for_function(
            "document.querySelector('.ek-strip-text').textContent.endsWith('end')"
        )
        page.locator(TEXT).focus()
        page.keyboard.press("Control+End")
        for _ in range(3):
            page.keyboard.press("Shift+ArrowLeft")
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (len(text) - 3, len(text))


# ---- one cursor ------------------------------------------------------------------------------------


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
        assert page.locator(".ek-node[aria-current] .ek-label").inner_text() == "tariff"
        page.locator(".ek-neighbour", has_text="assemble").click()
        expect_title(page, "assemble")
        page.wait_for_function("seq => model.state.cursor === seq", arg=hosted.exchange.cursor)
        assert hosted.exchange.cursor == 14


def test_python_moves_the_cursor_and_a_miss_leaves_it(opened, runs):
    with opened(runs("claims")) as (hosted, page):
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
        assert page.locator(".ek-hop[aria-current] .ek-verb").first.inner_text() == "said"


# ---- keys ------------------------------------------------------------------------------------------


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
        page.keyboard.press("ArrowRight")
        assert page.get_by_role("tab", selected=True).inner_text().startswith("Overrides")
        assert page.get_by_role("tabpanel").locator("del").inner_text() == "Ms Ines Harlow"
        assert page.get_by_role("tabpanel").locator("ins").inner_text() == "passenger"


# ---- big runs --------------------------------------------------------------------------------------


def test_a_big_run_is_folded_and_a_fold_opens(opened, runs):
    with opened(runs("links_1000")) as (_, page):
        assert 100 < page.locator(".ek-node").count() <= 400
        fold = page.locator(".ek-kind-fold").last
        fold.dispatch_event("click")
        page.wait_for_function("model.state.chart.opened.length === 1")
        assert page.evaluate("model.sent.filter((each) => each.ask === 'chart').length") == 1
        page.wait_for_function(
            "document.querySelector('.ek-explorer').textContent.includes('Goes back to')"
        )


def test_a_new_walk_restyles_the_boxes_that_are_there(opened, runs):
    with opened(runs("links_1000")) as (_, page):
        page.evaluate(
            "document.querySelectorAll('.ek-node, .ek-edge').forEach((each) => { each.kept = true; })"
        )
        lit = page.evaluate(
            """() => {
              const {boxes} = model.state.shown.lit, {nodes, arrows} = model.state.chart;
              const some = nodes.map((node) => node.seq).filter((seq, at) => at % 2);
              const pairs = arrows.map((arrow) => [nodes[arrow.source].seq, nodes[arrow.target].seq, "said", "value"]);
              const shown = {...model.state.shown, lit: {boxes: some, arrows: pairs, origins: [some[0]]}};
              model.take([["shown", shown]]);
              return some.length;
            }"""
        )
        assert page.locator(".ek-pane .ek-node.ek-lit").count() == lit
        fresh = page.evaluate(
            "[...document.querySelectorAll('.ek-pane .ek-node, .ek-pane .ek-edge')].filter((each) => !each.kept).length"
        )
        assert fresh == 0


def test_ten_thousand_links_are_listed_by_the_rows_that_are_seen(opened, runs):
    with opened(runs("links_10000")) as (hosted, page):
        page.locator(".ek-entry").first.wait_for()
        assert page.locator(".ek-entry").count() < 60
        page.locator(".ek-rows").focus()
        page.keyboard.press("End")
        last = page.locator(".ek-entry.ek-active")
        last.wait_for()
        page.wait_for_function(
            "document.querySelector('.ek-entry.ek-active').getAttribute('aria-posinset') === document.querySelector('.ek-entry').getAttribute('aria-setsize')"
        )
        page.keyboard.press("Enter")
        page.wait_for_function(
            "seq => model.state.cursor === seq",
            arg=hosted.exploration.rows(start=10**6, count=1)["rows"][0]["seq"],
        )
        assert page.locator(".ek-entry").count() < 60


# ---- what can go wrong -----------------------------------------------------------------------------


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
        for tab in page.get_by_role("tab").all():
            tab.click()
            page.wait_for_function(
                "![...document.querySelectorAll('.ek-tab-body:not([hidden])')].some((each) => each.textContent === 'Asking …')"
            )
            assert page.get_by_role("tabpanel").inner_text()


def test_hostile_records_neither_run_nor_break_the_explorer(opened, runs):
    with opened(runs("hostile")) as (_, page):
        before = page.evaluate("Object.keys(window).sort()")
        boxes = page.locator(".ek-node")
        for index in range(boxes.count()):
            boxes.nth(index).dispatch_event("click")
        for tab in page.get_by_role("tab").all():
            tab.click()
        page.locator(".ek-search").fill("<img src=x onerror=alert(1)>")
        page.keyboard.press("Enter")
        assert page.evaluate("Object.keys(window).sort()") == before
        assert page.evaluate("typeof document.querySelector") == "function"
        alien = "form, iframe, img, math, script, link, style, object, input:not(.ek-search)"
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
        for tab in page.get_by_role("tab").all():
            tab.click()
        held = page.evaluate(
            """[...document.querySelectorAll(".ek-explorer, .ek-explorer *")].flatMap((element) =>
              [...element.attributes].map((each) => `${each.name}=${each.value}`)).filter((each) => each.includes("zz"))"""
        )
        assert held == []
        assert "zzvalue" in page.locator(".ek-explorer").inner_text()


def test_closing_an_explorer_leaves_nothing_that_listens(opened, runs):
    with opened(runs("claims")) as (_, page):
        page.evaluate("close_explorer()")
        assert page.locator(".ek-explorer").count() == 0
        assert page.evaluate("Object.values(model.heard).flat().length") == 0


# ---- looks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "theme"),
    [
        ("document.body.dataset.jpThemeLight = 'false'", "dark"),
        ("document.body.dataset.jpThemeLight = 'true'", "light"),
        ("document.body.className = 'vscode-dark'", "dark"),
        ("document.body.className = 'vscode-high-contrast'", "dark"),
        ("document.documentElement.setAttribute('theme', 'dark')", "dark"),
        ("document.body.className = 'dark'", "dark"),
        ("0", "light"),
    ],
)
def test_the_theme_is_that_of_the_notebook(opened, runs, mark, theme):
    with opened(runs("claims"), color_scheme="light") as (_, page):
        page.evaluate(mark)
        page.locator(f".ek-explorer[data-theme='{theme}']").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["claims", "machine", "composition", "answering", "refused"])
def test_every_text_has_its_contrast(opened, runs, scheme, name):
    with opened(runs(name), color_scheme=scheme) as (_, page):
        page.locator(".ek-entry").first.wait_for()
        for tab in page.get_by_role("tab").all():
            tab.click()
            assert low_contrast(page, ".ek-explorer") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["claims", "machine", "answering", "hostile"])
def test_the_accessibility_check_finds_nothing_serious(opened, runs, scheme, name):
    from axe_playwright_python.sync_playwright import Axe

    with opened(runs(name), color_scheme=scheme, reduced_motion="reduce") as (_, page):
        page.locator(".ek-entry").first.wait_for()
        for tab in page.get_by_role("tab").all():
            tab.click()
            found = Axe().run(page, context=".ek-explorer").response["violations"]
            told = [
                (each["id"], each["impact"], [node["html"][:200] for node in each["nodes"][:3]])
                for each in found
                if each["impact"] in {"serious", "critical"}
            ]
            assert told == []


@pytest.mark.parametrize("width", [400, 760, 1000, 1600])
@pytest.mark.parametrize("name", ["claims", "hostile"])
def test_no_width_makes_the_explorer_scroll_sideways(opened, runs, width, name):
    with opened(runs(name), width=width) as (_, page):
        page.locator(".ek-entry").first.wait_for()
        for tab in page.get_by_role("tab").all():
            tab.click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".ek-inspector").bounding_box()["width"] > 300


def test_the_wheel_over_the_graph_scrolls_what_is_around_it(opened, runs):
    with opened(runs("links_1000"), height=600) as (_, page):
        pane = page.locator(".ek-pane")
        pane.scroll_into_view_if_needed()
        inside, outside = pane.evaluate("(each) => each.scrollTop"), page.evaluate("scrollY")
        pane.hover()
        page.mouse.wheel(0, 120)
        page.wait_for_function("before => scrollY !== before", arg=outside)
        assert pane.evaluate("(each) => each.scrollTop") == inside


def test_a_drag_pans_the_graph_and_moves_no_cursor(opened, runs):
    with opened(runs("links_1000")) as (_, page):
        pane = page.locator(".ek-pane")
        pane.evaluate("(each) => each.scrollTo(0, 300)")
        box = pane.bounding_box()
        cursor = page.evaluate("model.state.cursor")
        page.mouse.move(box["x"] + 300, box["y"] + 200)
        page.mouse.down()
        page.mouse.move(box["x"] + 300, box["y"] + 120, steps=4)
        page.mouse.up()
        assert pane.evaluate("(each) => each.scrollTop") == 380
        assert page.evaluate("model.state.cursor") == cursor


def test_print_shows_the_board_in_light_and_hides_the_controls(opened, runs):
    with opened(runs("claims"), color_scheme="dark") as (_, page):
        page.emulate_media(media="print", color_scheme="dark")
        assert page.locator(".ek-prompt").is_visible()
        assert not page.locator(".ek-outline").is_visible()
        assert not page.locator(".ek-status").is_visible()
        colour = page.locator(".ek-explorer").evaluate(
            "(each) => getComputedStyle(each).backgroundColor"
        )
        assert colour == "rgb(255, 255, 255)"


def test_motion_stops_for_those_who_asked(opened, runs):
    with opened(runs("claims"), reduced_motion="reduce") as (_, page):
        lasting = page.locator(".ek-pane .ek-shape").first.evaluate(
            "(each) => getComputedStyle(each).transitionDuration"
        )
        assert lasting == "0s"
