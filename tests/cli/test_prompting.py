"""`explainkit prompt` prints what the model saw, each stretch under its origin."""

from tests.cli.conftest import NOTE, TARIFF


def test_the_prompt_is_printed_whole_with_origins(cli, run_file):
    done = cli("prompt", run_file)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert f"│ {TARIFF}" in lines
    assert f"│ {NOTE}" in lines
    heading = lines[lines.index(f"│ {NOTE}") - 1]
    assert heading.startswith("── ")
    assert "campaign-note" in heading
    assert ", declared, " in heading or ", value, " in heading


def test_recorded_text_is_always_behind_a_bar(cli, run_file):
    first, *rest = cli("prompt", run_file).out.splitlines()
    assert first.startswith("What ask saw")
    assert all(line.startswith(("── ", "│ ")) for line in rest)


def test_a_link_is_chosen_by_its_number(cli, run_file):
    shown = cli("show", run_file).out.splitlines()
    number = next(line for line in shown if " model ask" in line).split()[0]
    assert cli("prompt", run_file, "--link", number).out == cli("prompt", run_file).out


def test_a_link_that_is_none_is_refused(cli, run_file):
    done = cli("prompt", run_file, "--link", 9_999)
    assert (done.code, done.out) == (1, "")
    assert "9999" in done.err.replace(",", "")


def test_a_link_can_be_named_by_its_name(cli, run_file):
    assert cli("prompt", run_file, "--link", "ask").out == cli("prompt", run_file).out


def test_an_unknown_name_is_answered_with_the_names_there_are(cli, run_file):
    done = cli("prompt", run_file, "--link", "aks")
    assert done.code == 1
    assert done.out == ""
    assert "no link named 'aks'" in done.err
    assert "'ask'" in done.err


def test_a_cut_file_shows_its_prompt_and_fails(cli, cut_file):
    done = cli("prompt", cut_file)
    assert done.code == 1
    assert TARIFF in done.out
    assert "the line is cut" in done.err


def test_a_foreign_run_has_a_prompt(cli, tau_file):
    done = cli("prompt", tau_file, "--run", "3")
    assert done.code == 0
    assert "Airline Agent Policy" in done.out
