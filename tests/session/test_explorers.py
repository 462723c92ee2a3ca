"""An explorer without a front end: what Python selects, reads, and is told."""

import re
import subprocess
import sys
import threading

import pytest

import explainkit as ek
from explainkit.demos.claims_desk import run_demo
from explainkit.errors import SpanNotFoundError
from explainkit.session.explorer import Explorer
from tests.session.ended_runs import KINDS, refused


@pytest.fixture
def run():
    return run_demo().run


@pytest.fixture
def explorer(run):
    return Explorer(run.backtrack())


def test_it_opens_on_the_whole_answer(explorer, run):
    assert explorer.span is None
    assert explorer.selection == run.answer
    assert explorer.backtrack.answer == run.answer
    assert explorer.cursor is None


@pytest.mark.parametrize(
    "span", ["half of the fare", (28, 44), re.compile("half.*fare"), "HALF of the FARE"]
)
def test_words_are_selected_as_a_backtrack_takes_them(explorer, run, span):
    assert explorer.select(span) is explorer
    assert explorer.selection == "half of the fare"
    assert explorer.span == (28, 44)
    found = [each.name for each in explorer.backtrack.contexts]
    assert found == [each.name for each in run.backtrack(span=span).contexts] == ["campaign-note"]


def test_a_selection_that_fails_changes_nothing(explorer):
    explorer.select("half of the fare")
    with pytest.raises(ek.SpanNotFoundError, match="Nearest"):
        explorer.select("a quarter of the ticket")
    with pytest.raises(ValueError, match="grade"):
        explorer.select("half", grade="sure")
    with pytest.raises(ek.UnknownRecordError):
        explorer.select(slot="pick:99")
    assert explorer.selection == "half of the fare"


def test_an_earlier_version_and_a_weaker_grade_can_be_chosen(explorer):
    explorer.select("Ms Ines Harlow", version=1, grade="exposure")
    assert explorer.backtrack.walk.version == 1
    assert explorer.backtrack.walk.grade == "exposure"
    explorer.select("half of the fare")
    assert explorer.backtrack.walk.version == 1
    assert explorer.backtrack.walk.grade == "exposure"


def test_a_cursor_stands_on_a_record_by_name_or_number(explorer, run):
    seq = next(row["seq"] for row in run.recording.rows("context") if row["name"] == "tariff")
    assert explorer.focus("tariff").cursor == seq
    assert explorer.focus(seq + 1).cursor == seq + 1


@pytest.mark.parametrize("miss", [10**6, -1, "tarif"])
def test_a_miss_leaves_the_cursor_and_says_what_there_is(explorer, miss):
    explorer.focus("tariff")
    stood = explorer.cursor
    with pytest.raises(ek.UnknownRecordError) as caught:
        explorer.focus(miss)
    assert explorer.cursor == stood
    assert explorer.status == str(caught.value)
    assert "nearest is record" in explorer.status or "'tariff'" in explorer.status


class Unprintable:
    def __repr__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize("wrong", [5.0, True, None, [5], b"tariff", Unprintable()])
def test_a_cursor_of_a_wrong_type_is_refused_and_the_explorer_goes_on(explorer, wrong):
    explorer.focus("tariff")
    stood = explorer.cursor
    with pytest.raises(TypeError, match=f"not by {type(wrong).__name__}.*context.seq"):
        explorer.focus(wrong)
    assert explorer.cursor == stood
    assert explorer.select("half").selection == "half"


def test_a_number_out_of_a_table_names_its_record(explorer, run):
    stood = run.contexts.seq.iloc[0]
    assert type(stood) is not int
    assert explorer.focus(stood).cursor == stood


@pytest.mark.parametrize(
    ("name", "instead"),
    [("span", "select"), ("selection", "select"), ("cursor", "focus")],
)
def test_what_a_person_chose_is_not_set_and_the_message_says_how_to_choose(explorer, name, instead):
    before = getattr(explorer, name)
    with pytest.raises(AttributeError, match=rf"read only.*explorer\.{instead}\("):
        setattr(explorer, name, 5)
    assert getattr(explorer, name) == before


def test_what_cannot_be_called_is_no_listener(explorer):
    with pytest.raises(TypeError, match="takes a function"):
        explorer.on_select(5)
    assert explorer.select("half").selection == "half"


@pytest.mark.parametrize("wrong", ["x", 5.5, True, [1], 10**6, 10**400])
def test_a_front_end_that_sets_a_wrong_cursor_is_told_and_nothing_moves(explorer, wrong):
    explorer.focus("tariff")
    canvas, stood = explorer._widgets().canvas, explorer.cursor
    canvas.set_state({"cursor": wrong})
    assert (canvas.cursor, explorer.cursor) == (stood, stood)
    assert "cursor that is none" in explorer.status or "no record" in explorer.status
    assert explorer.focus("campaign-note").cursor == canvas.cursor
    explorer.close()


def test_a_listener_hears_each_selection(explorer):
    heard = []

    @explorer.on_select
    def listen(told):
        heard.append(told.selection)

    explorer.select("half")
    explorer.select("fare")
    assert heard == ["half", "fare"]


def test_a_listener_that_fails_is_named_in_the_status_and_stops_nobody(explorer):
    heard = []

    @explorer.on_select
    def fails(told):
        raise KeyError("x\x1b[31m")

    explorer.on_select(lambda told: heard.append(told.selection))
    explorer.select("half")
    assert heard == ["half"]
    assert explorer.status.startswith("on_select: fails raised KeyError")
    assert "\x1b" not in explorer.status


@pytest.mark.parametrize("fault", [SystemExit("bye"), GeneratorExit("bye")])
def test_a_listener_that_would_end_the_process_is_said_too(explorer, fault):
    @explorer.on_select
    def leaves(told):
        raise fault

    assert explorer.select("half").selection == "half"
    assert explorer.status == f"on_select: leaves raised {type(fault).__name__}: bye"


def test_an_interrupt_of_a_person_goes_through_a_listener(explorer):
    @explorer.on_select
    def interrupted(told):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explorer.select("half")


def test_a_run_without_an_answer_has_no_selection():
    with ek.trace("none") as run:
        ek.context("note", "half of it")
    explorer = Explorer(run.backtrack())
    assert explorer.selection is None
    assert "on no answer" in repr(explorer)
    with pytest.raises(SpanNotFoundError, match="gave no answer"):
        explorer.select("half")
    with ek.trace("empty") as run:
        ek.answer("")
    assert Explorer(run.backtrack()).selection == ""


def test_what_a_listener_selects_is_not_told_again(explorer):
    heard = []

    @explorer.on_select
    def listen(told):
        heard.append(told.selection)
        told.select("fare")

    explorer.select("half")
    assert heard == ["half"]
    assert explorer.selection == "fare"


def test_selections_from_several_threads_leave_one_whole_selection(explorer):
    spans = [(0, 4), (5, 14), (16, 18), (28, 44)]
    faults = []

    def select(span):
        try:
            for _ in range(20):
                explorer.select(span)
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=select, args=(span,)) for span in spans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert explorer.span in spans
    assert explorer.backtrack.span == explorer.span


def test_exploring_again_gives_a_new_explorer(run, capsys):
    first = run.explore()
    again = run.explore(span="half of the fare")
    assert again is not first
    assert run.explorer is again
    assert again.selection == "half of the fare"
    assert "Backtrack of “half of the fare”" in capsys.readouterr().out


def test_a_backtrack_opens_on_its_words(run, capsys):
    explorer = run.backtrack(span="half of the fare", grade="declared").explore()
    assert explorer.span == (28, 44)
    assert explorer.backtrack.walk.grade == "declared"
    assert capsys.readouterr().out


def test_in_a_script_it_prints_the_board_and_how_to_open_it(tmp_path):
    code = (
        "from explainkit.demos.claims_desk import run_demo\n"
        "explorer = run_demo().run.explore()\n"
        "import sys\n"
        "assert not {'ipywidgets', 'IPython', 'anywidget'} & set(sys.modules)\n"
        "print(explorer)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert "Question My train was 40 minutes late" in done.stdout
    assert "explainkit view FILE" in done.stdout
    assert "<explainkit explorer of run 'delay-claim' on" in done.stdout


@pytest.mark.parametrize("has_context", [False, True])
@pytest.mark.parametrize("is_over", [False, True])
def test_a_run_without_an_answer_can_be_explored(has_context, is_over, capsys):
    with ek.trace("empty") as run:
        if has_context:
            ek.context("note", "Half of the fare.")
        explorer = None if is_over else run.explore()
    explorer = explorer or run.explore()
    assert explorer.selection is None
    assert explorer.span is None
    assert explorer.backtrack.hops == ()
    assert capsys.readouterr().out


def test_a_run_that_ended_on_a_verdict_opens_on_what_it_ended_on(capsys):
    explorer = refused(KINDS[0]).explore()
    assert explorer.backtrack.walk.ended
    assert explorer.status == ""
    assert explorer.focus("desk").cursor is not None
    assert capsys.readouterr().out


def test_closing_leaves_what_was_selected(explorer):
    explorer.select("half")
    explorer.close()
    explorer.close()
    assert explorer.selection == "half"
    assert explorer.select("fare").selection == "fare"


def test_walk_records_and_chart_of_a_run_that_goes_on_speak_of_one_state():
    with ek.trace("live") as run:
        ek.answer(ek.context("first", "We pay half of the fare."))
        explorer = Explorer(run.backtrack())
        explorer._exchange.ask("chart")
        ek.answer(ek.context("second", "Zebras sleep in the long grass."))
        explorer.select("Zebras", version=2)
        seq = explorer.focus("second").cursor
        assert seq in explorer._exchange.shown["lit"]["boxes"]
        drawn = {node["label"] for node in explorer._exchange.chart["nodes"]}
        assert {"first", "second"} <= drawn
    assert explorer.backtrack.contexts[0].name == "second"
