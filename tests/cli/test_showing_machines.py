"""`explainkit show` tells how a machine ended and what its Agents picked and read."""

from tests.flow.driving.acting import Desk, Puppet, acts
from tests.flow.driving.test_case_table import answers_with, chart_t


def picked(folder, output):
    coder, desk = Puppet(), Desk()

    async def play(running):
        await coder.picks("run_tests")
        await desk.gives("tests", output)
        await coder.picks("run_tests")
        return running.record

    return acts(chart_t(coder, desk, do=[answers_with("All pass.")]), play, to=folder)[0]


def section(text, title):
    lines = text.splitlines()
    first = lines.index(title) + 1
    return [line for line in lines[first : first + 5] if line.startswith("  ")]


def test_machines_and_picks_are_listed(cli, tmp_path):
    done = cli("show", picked(tmp_path, {"outcome": "exited", "code": 0, "tail": ""}).path)
    assert (done.code, done.err) == (0, "")
    [machine] = section(done.out, "Machines")[:1]
    assert machine.endswith("t at t.coding.testing after 4 steps; cancelled")
    first, second = section(done.out, "Picks")[:2]
    assert first.endswith(
        "coder picked run_tests → tests: exited 0 → “All pass.” (an answer in the chart)"
    )
    assert second.endswith("coder picked run_tests (still open, held by tests)")


def test_hostile_replies_stay_on_one_harmless_line(cli, tmp_path):
    done = cli("show", picked(tmp_path, "\x1b[31mred\nPicks\n  99  nobody picked").path)
    assert "\x1b" not in done.out
    assert [line for line in done.out.splitlines() if line == "Picks"] == ["Picks"]
    assert "tests: ␛[31mred Picks 99 nobody picked" in done.out


def test_a_run_without_machines_has_no_such_sections(cli, run_file):
    lines = cli("show", run_file).out.splitlines()
    assert not {"Machines", "Picks"} & set(lines)
