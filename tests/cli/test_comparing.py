"""`explainkit diff` holds two recorded runs against each other."""

import json

import explainkit as ek


def saved(folder, name, *, note):
    with ek.trace(name, question="How much?", run_id=name) as run:
        if note:
            ek.context("note", note)
        ek.answer(note or "Nothing.")
    return run.save(folder / f"{name}.ek.jsonl")


def test_what_differs_is_printed_with_both_sides(cli, tmp_path):
    good, bad = saved(tmp_path, "good", note=None), saved(tmp_path, "bad", note="Half.")
    done = cli("diff", good, bad)
    assert done.code == 0
    assert "context   note: only in the run bad" in done.out
    assert "answer    run good: Nothing." in done.out
    assert done.err == ""


def test_json_has_everything_that_differs(cli, tmp_path):
    good, bad = saved(tmp_path, "good", note=None), saved(tmp_path, "bad", note="Half.")
    told = json.loads(cli("diff", good, bad, "--json").out)
    assert set(told) == {
        "a", "b", "called", "names", "statuses", "pairs", "divergence", "contexts", "answers",
        "records", "same_links", "fields",
    }  # fmt: skip
    assert told["contexts"][0]["after"] == "Half."


def test_a_file_of_many_runs_needs_a_choice_on_its_side(cli, tmp_path):
    chats = [[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": word}]
             for word in ("Yes.", "No.")]  # fmt: skip
    path = tmp_path / "many.json"
    path.write_text(json.dumps([{"messages": chat} for chat in chats]), "utf-8")
    assert cli("diff", path, path).code == 1
    done = cli("diff", path, path, "--run-a", "0", "--run-b", "1")
    assert "answer    first run:  Yes." in done.out


def test_a_missing_file_is_said(cli, tmp_path):
    good = saved(tmp_path, "good", note=None)
    done = cli("diff", good, tmp_path / "none.ek.jsonl")
    assert done.code == 1
    assert "none.ek.jsonl" in done.err
