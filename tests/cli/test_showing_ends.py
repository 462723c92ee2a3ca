"""`explainkit show` and `backtrack` tell what a run without an answer ended on."""

import json

from tests.session.ended_runs import boom, letter, refused, run_of, several, up


def test_the_end_stands_before_the_answer_with_its_path_and_what_to_do(cli, tmp_path):
    done = cli("show", refused("policy-halt", to=tmp_path).path)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    at = lines.index("Ended on policy-halt")
    assert lines[at + 2 : at + 5] == [
        "  path      letter[2] > desk",
        "  where     in agent desk (link 6), before the call of refund",
        "  raised    handed on by sequence letter (link 2); run() raises PolicyHaltError",
    ]
    assert lines[at + 5].startswith("  do        Read the proposed call.")
    assert at < lines.index("Answer: none")


def test_each_branch_that_failed_has_a_line(cli, tmp_path):
    out = cli("show", run_of(several(), to=tmp_path).path).out
    assert len([line for line in out.splitlines() if line.startswith("  branch ")]) == 3


def test_hostile_errors_stay_on_one_harmless_line(cli, tmp_path):
    run = run_of(letter(boom), "\x1b[31mred\nAnswer: forged", to=tmp_path)
    out = cli("show", run.path).out
    assert "\x1b" not in out
    assert [line for line in out.splitlines() if line.startswith("Answer")] == ["Answer: none"]


def test_an_answer_has_no_such_section(cli, tmp_path):
    assert "Ended" not in cli("show", run_of(letter(up), to=tmp_path).path).out


def test_the_shell_walks_back_from_the_end_too(cli, tmp_path):
    done = cli("backtrack", refused("policy-halt", to=tmp_path).path, "--json")
    assert done.code == 0
    answer = json.loads(done.out)["answer"]
    assert answer["ended"] == "the call that was not made"
