"""`explainkit show` prints a run whole, and says when it is not."""

from tests.cli.conftest import ANSWER, NOTE, QUESTION, REPLY


def test_everything_of_a_run_is_printed(cli, run_file):
    done = cli("show", run_file)
    assert (done.code, done.err) == (0, "")
    for text in (QUESTION, ANSWER, NOTE, REPLY, "names stay inside", "40 minutes is below 60"):
        assert text in done.out
    assert "Answer (version 2, by redactor)" in done.out
    assert "failed, says reviewer (answer version 2)" in done.out
    assert "old leaflet, left out (cut by rank): rank 3" in done.out
    assert "started   2026-01-01T10:00:00Z" in done.out


def test_links_stand_below_the_link_that_called_them(cli, run_file):
    lines = cli("show", run_file).out.splitlines()
    at = next(i for i, line in enumerate(lines) if "retrieval retrieve" in line)
    inner = lines[at + 1]
    assert "tool ask_index" in inner
    assert inner.index("tool") == lines[at].index("retrieval") + 2


def test_a_cut_file_shows_its_prefix_and_fails(cli, cut_file):
    done = cli("show", cut_file)
    assert done.code == 1
    assert QUESTION in done.out
    assert "crashed" in done.out
    assert "the line is cut" in done.err


def test_a_killed_run_shows_what_was_still_open(cli, run_file):
    lines = run_file.read_bytes().splitlines(keepends=True)
    opened = next(i for i, line in enumerate(lines) if b'"link_opened"' in line)
    run_file.write_bytes(b"".join(lines[: opened + 1]))
    done = cli("show", run_file)
    assert "crashed: the record stops without an end" in done.out
    assert "still open when the record stops" in done.out


def test_the_import_report_goes_to_stderr(cli, tau_file):
    done = cli("show", tau_file, "--run", 3)
    assert done.code == 0
    assert "tau-bench" in done.err
    assert "messages read" in done.err
    assert "passed, says tau-bench reward" in done.out


def test_a_run_is_chosen_by_id_or_position(cli, tau_file):
    by_position = cli("show", tau_file, "--run", 3)
    run_id = by_position.out.splitlines()[0].removeprefix("Run ")
    assert cli("show", tau_file, "--run", run_id).out == by_position.out


def test_many_runs_without_a_choice_lists_ids(cli, tau_file):
    done = cli("show", tau_file)
    assert (done.code, done.out) == (1, "")
    assert "holds 100 runs" in done.err
    assert "--run" in done.err
    assert "tau-airline-0-trial-0" in done.err
    assert "90 more" in done.err


def test_an_unknown_run_is_refused(cli, run_file):
    for choice in ("no-such-run", "7"):
        done = cli("show", run_file, "--run", choice)
        assert (done.code, done.out) == (1, "")
        assert choice in done.err


def test_an_unknown_run_of_a_foreign_file_is_refused(cli, tau_file):
    done = cli("show", tau_file, "--run", "100")
    assert (done.code, done.out) == (1, "")
    assert "no run 100" in done.err


def test_the_only_run_can_be_named(cli, run_file):
    plain = cli("show", run_file)
    assert cli("show", run_file, "--run", "claim-1") == plain
    assert cli("show", run_file, "--run", "0") == plain
