"""Every recorded run of the formats that are read, where the recordings are beside the checkout."""

import json

import pytest

from explainkit.adapters import open_foreign
from explainkit.errors import ReadError
from tests.adapters.imports import check_laws, links, rows


@pytest.fixture(scope="module")
def annotated(shared_data):
    return sorted((shared_data / "recorded" / "who_and_when").glob("*/*.json"))


def test_every_annotated_history_loads_with_its_labels(annotated):
    assert annotated
    for path in annotated:
        found = open_foreign(path)
        assert (found.format, found.count) == ("who-and-when", 1), path
        imp = found.read()
        check_laws(imp.recording)
        source = json.loads(path.read_text("utf-8"))
        assert imp.report.records_read == len(source["history"])
        assert imp.report.skipped == ()
        on_answer, on_step = rows(imp.recording, "verdict")
        assert (on_answer["slot"], on_answer["status"]) == ("answer", "failed")
        named = [row for row, _ in links(imp.recording) if row["seq"] == on_step["link"]]
        assert str(named[0]["source_index"]) == source["mistake_step"]
        [answer] = rows(imp.recording, "answer")
        assert imp.recording.values.text(answer["value"]).strip()


def test_every_message_of_an_annotated_history_is_kept_in_its_place(annotated):
    for path in annotated[::8]:
        recording = open_foreign(path).read().recording
        history = json.loads(path.read_text("utf-8"))["history"]
        said = {row["source_index"]: closed["output"] for row, closed in links(recording)} | {
            row["source_index"]: row["value"] for row in rows(recording, "event")
        }
        for index, message in enumerate(history):
            kept = recording.values.text(said[index])
            assert kept == message["content"] or "[redacted:" in kept


def test_every_tau_bench_result_loads_with_its_reward(shared_data):
    path = shared_data / "recorded" / "tau_bench" / "gpt-4o-airline-even-tasks.json"
    source = json.loads(path.read_text("utf-8"))
    found = open_foreign(path)
    assert found.count == len(source) == len(set(found.ids))
    assert found.ids[0].startswith("tau-airline-0-trial-0-")
    for run, imp in zip(source, found, strict=True):
        check_laws(imp.recording)
        assert imp.report.records_read == len(run["traj"])
        assert (imp.report.skipped, imp.report.dangling) == ((), ())
        assert imp.recording.passing == ("passing" if run["reward"] == 1 else "failing")
        tools = sum(message["role"] == "tool" for message in run["traj"])
        assert len(links(imp.recording, "tool")) >= tools


def test_files_of_other_formats_are_refused_or_read_in_words(shared_data):
    refused = []
    for path in sorted((shared_data / "recorded").rglob("*.json*")):
        if path.parts[-2] == "tau_bench" or "who_and_when" in path.parts:
            continue
        try:
            found = open_foreign(path)
        except ReadError as error:
            refused.append((path.name[:40], str(error)))
        else:
            check_laws(found.read(0).recording)
    assert refused
    assert all(name in said for name, said in refused)
