"""A machine of a run, from its records alone: live, loaded, at any step, in words and drawn."""

import json

import pytest

import explainkit as ek
from explainkit.errors import UnknownRecordError
from explainkit.flow import always, final, invoke, machine, state, to
from explainkit.session import Run
from explainkit.store import Recording
from explainkit.view import frames
from tests.flow.driving.acting import Desk, Puppet, acts
from tests.flow.driving.test_case_table import chart_t

READY, TESTING = "t.coding.ready", "t.coding.testing"


def ran(tmp_path=None):
    """The machine T after one pick that the tests replied to and one that they did not."""
    coder, desk = Puppet(), Desk()

    async def play(running):
        await coder.picks("run_tests")
        await desk.gives("tests", 7)
        await coder.picks("run_tests")
        return running.record

    return acts(chart_t(coder, desk), play, to=tmp_path)[0]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return ran(tmp_path_factory.mktemp("runs"))


def test_a_loaded_machine_is_the_same_as_the_one_that_ran(run):
    here, loaded = run.machine(), ek.load(run.path).machine("t")
    for view in (here, loaded):
        assert view.configuration == ("t", "t.coding", TESTING)
        assert view.visited == {"t": 1, "t.coding": 1, READY: 2, TESTING: 2}
        assert (view.name, view.status, view.step) == ("t", "cancelled", 3)
    assert loaded.to_svg() == here.to_svg()
    assert loaded.to_dot() == here.to_dot()
    assert loaded.to_mermaid() == here.to_mermaid()


def test_an_earlier_step_shows_what_was_active_and_visited_then(run):
    first, second = run.machine().at(0), run.machine().at(-3)
    assert (first.event, first.visited) == ("machine.start", {"t": 1, "t.coding": 1, READY: 1})
    assert (second.event, second.configuration[-1]) == ("run_tests", TESTING)
    assert second.visited == {"t": 1, "t.coding": 1, READY: 1, TESTING: 1}
    assert "testing: active, tests (function)" in repr(second)
    assert "done (final): never entered" in repr(second)
    assert "ready: visited 1 time" in repr(second)
    for step in (4, -5):
        with pytest.raises(UnknownRecordError, match="numbered 0 to 3"):
            run.machine().at(step)


def test_the_table_of_steps_has_a_row_for_each(run):
    table = run.machine().at(1).steps
    assert list(table.columns) == list(frames.STEPS)
    assert list(table["step"]) == [0, 1, 2, 3]
    assert list(table["event"])[1:] == ["run_tests", f"done.actor.0.{TESTING}", "run_tests"]
    assert list(table["entered"])[1:] == [TESTING, READY, TESTING]


def test_a_view_of_a_run_that_goes_on_follows_it():
    coder, desk = Puppet(), Desk()

    async def play(running):
        view = running.record.machine()
        before = view.configuration, view.status
        await coder.picks("run_tests")
        return before, (view.configuration, view.status), view.at(0).configuration

    before, after, start = acts(chart_t(coder, desk), play)[0]
    assert before == (("t", "t.coding", READY), "running")
    assert after == (("t", "t.coding", TESTING), "running")
    assert start == ("t", "t.coding", READY)


def test_every_cut_of_the_file_is_shown(run):
    lines = list(run.recording.lines())
    seen = set()
    for count in range(1, len(lines)):
        cut = Run.loaded(Recording.of_lines(lines[:count]))
        assert "cannot be shown" not in repr(cut) + cut._repr_html_()
        if cut.recording.open_links:
            view = cut.machine()
            assert "cannot be shown" not in repr(view) + view._repr_html_()
            assert view.picture().svg.startswith("<svg xmlns=")
            seen.add(view.configuration[-1:])
    assert seen == {(), (READY,), (TESTING,)}


def test_the_machine_is_chosen_by_name_or_number_and_the_choice_is_told():
    inner = machine("inner", initial="a", states={"a": final(output=1)})
    outer = machine(
        "outer",
        actors={"inner": inner},
        initial="a",
        states={"a": state(invoke=invoke("inner", on_done=to("b"))), "b": final()},
    )
    outer.run_sync()
    run = ek.last()
    with pytest.raises(
        UnknownRecordError, match=r"several machines.*'outer' \(link \d+\), 'inner'"
    ):
        run.machine()
    with pytest.raises(UnknownRecordError, match="no machine 'other'"):
        run.machine("other")
    assert run.machine("inner").configuration == ("inner", "inner.a")
    link = run.machine("outer").link
    assert run.machine(link).name == "outer"
    assert "outer" in repr(run)
    with ek.trace("none") as other:
        ek.answer(1)
    with pytest.raises(UnknownRecordError, match="No machine ran"):
        other.machine()


def test_the_text_is_bounded_and_counts_what_it_leaves_out():
    states = {f"s{n}": state(on={"go": to(f"s{n + 1}")}) for n in range(120)}
    chart = machine("long", initial="s0", states={**states, "s120": state()})

    async def play(running):
        for _ in range(30):
            running.send("go")
        return running.record.machine()

    view = acts(chart, play)[0]
    text = repr(view)
    assert len(text.splitlines()) == 20
    assert "more states" in text
    assert "… 42 more states" in view._repr_html_()


def test_the_display_is_words_and_the_picture_is_asked_for(run):
    view = run.machine()
    assert set(view._repr_mimebundle_()) == {"text/plain", "text/html"}
    html = view._repr_html_()
    assert "<svg" not in html
    assert "<img" not in html
    for words in ("active, visited 2 times", "never entered", "coder (agent)", "Last steps"):
        assert words in html
    shown = view.picture()._repr_mimebundle_()
    assert set(shown) == {"text/plain", "image/svg+xml"}
    assert shown["text/plain"] == repr(view)


def test_an_eventless_chart_says_where_it_stands():
    chart = machine(
        "m", initial="a", states={"a": state(always(to("b"))), "b": final(output="there")}
    )
    chart.run_sync()
    view = ek.last().machine()
    assert view.configuration == ("m", "m.b")
    assert view.visited == {"m": 1, "m.a": 1, "m.b": 1}
    assert "m: at m.b after 1 step; answered" in repr(ek.last())


def test_records_of_a_wrong_shape_are_shown_or_refused_and_never_break_a_display(run):
    lines = list(run.recording.lines())
    tried = 0
    for place, line in enumerate(lines):
        row = json.loads(line)
        if row.get("kind") in (None, "value", "run_started", "run_ended"):
            continue
        for key in {**dict.fromkeys(row), "attrs": None}.keys() - {"kind", "seq"}:
            for wrong in ([], "x", 123):
                spoilt = json.dumps({**row, key: wrong}, separators=(",", ":")).encode() + b"\n"
                changed = [*lines[:place], spoilt, *lines[place + 1 :]]
                other = Run.loaded(Recording.of_lines(changed))
                assert list(other.picks.columns) == list(frames.PICKS)
                try:
                    view = other.machine()
                except UnknownRecordError:
                    continue
                assert "cannot be shown" not in repr(view) + view._repr_html_()
                tried += 1
    assert tried > 100
