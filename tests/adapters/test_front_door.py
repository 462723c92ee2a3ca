"""The files of other tools come in by the same door as explainkit's own."""

import pytest

import explainkit as ek
from tests.adapters.imports import FIXTURES

ONE_RUN = sorted(p.name for p in FIXTURES.glob("*.json") if p.name != "tau_results.json")


@pytest.mark.parametrize("name", ONE_RUN)
def test_one_run_is_loaded_with_its_report(name):
    run = ek.load(FIXTURES / name)
    assert run.report.records_read > 0
    assert run.answer


def test_json_after_a_blank_line_is_no_empty_run(tmp_path):
    path = tmp_path / "blank.json"
    path.write_bytes(b"\n" + (FIXTURES / "openai_tools.json").read_bytes())
    assert ek.load(path).report.format == "openai-chat"


def test_many_runs_ask_for_a_choice():
    path = FIXTURES / "tau_results.json"
    with pytest.raises(ek.ManyRunsError) as caught:
        ek.load(path)
    assert caught.value.count == 3
    assert ek.load(path, run=caught.value.ids[1]).id == caught.value.ids[1]
    assert [run.id for run in ek.load_all(path)] == list(caught.value.ids)


def test_an_imported_run_is_saved_and_loaded_again(tmp_path):
    run = ek.load(FIXTURES / "group_chat.json")
    again = ek.load(run.save(tmp_path / "chat.ek.jsonl"))
    assert (again.id, again.answer) == (run.id, run.answer)
