"""`explainkit ls` names every run of a folder or file, and says what cannot be read."""

from tests.cli.conftest import QUESTION, record


def test_a_folder_lists_a_line_for_each_run(cli, runs_folder):
    record(runs_folder, run_id="claim-1")
    record(runs_folder, name="quiet", run_id="claim-2", verdict=False)
    done = cli("ls", runs_folder)
    assert done.code == 0
    header, *rows = done.out.splitlines()
    assert header.split() == ["RUN", "NAME", "STATUS", "STARTED", "VERDICT", "QUESTION"]
    assert [row.split()[:5] for row in rows] == [
        ["claim-1", "delay-claim", "answered", "2026-01-01T10:00:00Z", "failing"],
        ["claim-2", "quiet", "answered", "2026-01-01T10:00:00Z", "unlabelled"],
    ]
    assert all(row.endswith(QUESTION) for row in rows)


def test_a_file_lists_its_run(cli, run_file):
    done = cli("ls", run_file)
    assert done.code == 0
    assert done.out.splitlines()[1].split()[:2] == ["claim-1", "delay-claim"]


def test_a_folder_with_a_broken_file_lists_the_rest_and_fails(cli, run_file):
    (run_file.parent / "broken.ek.jsonl").write_bytes(b"\x00\x01")
    done = cli("ls", run_file.parent)
    assert done.code == 1
    assert "claim-1" in done.out
    assert "broken.ek.jsonl cannot be read" in done.err


def test_a_folder_without_runs_says_so(cli, tmp_path):
    done = cli("ls", tmp_path)
    assert (done.code, done.out) == (0, "")
    assert "holds no runs" in done.err


def test_a_crashed_run_is_listed_as_crashed(cli, run_file):
    lines = run_file.read_bytes().splitlines(keepends=True)
    run_file.write_bytes(b"".join(lines[:8]))
    assert cli("ls", run_file).out.splitlines()[1].split()[2] == "crashed"


def test_a_file_of_many_runs_lists_them_all(cli, tau_file):
    done = cli("ls", tau_file)
    assert done.code == 0
    rows = done.out.splitlines()[1:]
    assert len(rows) == 100
    assert len({row.split()[0] for row in rows}) == 100
    assert {row.split()[4] for row in rows} == {"failing", "passing"}
