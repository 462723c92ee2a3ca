"""A run that still goes on is looked at: nothing in it has crashed, it is only not over."""

import pytest

import explainkit as ek
from explainkit.session import Run
from explainkit.store import Recording
from tests.flow.driving.acting import Desk, Puppet, acts
from tests.flow.driving.test_case_table import chart_t


def looked_at(look, to=None):
    coder, desk = Puppet(), Desk()

    async def play(running):
        await coder.picks("run_tests")
        return look(running.record)

    return acts(chart_t(coder, desk), play, to=to)[0]


@pytest.mark.parametrize("saved", [False, True])
def test_links_of_a_live_run_are_still_open_and_not_crashed(saved, tmp_path):
    text, frame, view = looked_at(
        lambda run: (repr(run), run.links, run.machine().status), tmp_path if saved else None
    )
    assert "still running" in text
    assert "link t (" in text
    assert "is still open" in text
    assert "crashed" not in text
    assert set(frame["status"]) == {"running"}
    assert view == "running"


def test_a_node_of_an_open_link_says_running_and_that_of_a_crashed_one_says_so():
    graph, lines = looked_at(lambda run: (run.graph(), list(run.recording.lines())))
    statuses = {data["status"] for _, data in graph.nodes(data=True) if data["kind"] == "link"}
    assert statuses == {"running"}
    crashed = Run.loaded(Recording.of_lines(lines))
    assert "never closed: the run ended or crashed in it" in "\n".join(crashed.backtrack().lost)
    assert set(crashed.links["status"]) == {"crashed"}


def test_after_its_end_nothing_is_open():
    looked_at(lambda run: repr(run))
    assert "open" not in "\n".join(ek.last().backtrack().lost)
