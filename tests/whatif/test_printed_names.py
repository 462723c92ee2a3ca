"""What a search or a what-if prints is taken back as a target, and names the call it means."""

import pytest

import explainkit as ek
from explainkit.errors import UnknownRecordError
from explainkit.flow import Agent, Parallel, Sequence, to_message
from explainkit.flow.models import ReadingModel
from tests.whatif.programs import recorded


@ek.link(kind="retrieval")
def search(question):
    return [{"t": "We pay half."}, {"t": "Be kind."}]


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Half." if "half" in prompt and "urgent" in prompt else "None."


@ek.traced("desk")
def desk(question):
    note = ek.context("b", "It is urgent today.")
    first, second = search(question), search(f"{question}?")
    return ask(ek.assemble("{b} {f} {s}", b=note, f=first[0]["t"], s=second[1]["t"]))


def test_items_of_a_search_are_targets_as_they_are_printed():
    run = recorded(desk, "q")
    for items in ([("b", "urgent")], [("search #1", 0)], [("search #1", 0, "half")]):
        (item,) = run.smallest_cause(items=items).items
        assert run.whatif(remove=item).word == "cause"
    with pytest.raises(UnknownRecordError):
        run.whatif(remove="'urgent' of nobody")


def test_calls_of_one_name_are_told_apart():
    told = repr(recorded(desk, "q").whatif(remove="b"))
    assert "executed: ask; reused: search #1, search #2" in told


def test_a_shortlist_prints_a_row_for_each_suspect():
    rows = recorded(desk, "q").backtrack().shortlist(3)
    assert isinstance(rows, tuple)
    assert str(rows).splitlines()[0].startswith(f"1. search #1 (record {rows[0].seq}): introduced")
    assert repr(rows) == str(rows)
    assert len(str(rows).splitlines()) == len(rows)


def find(question):
    return {
        "q": question,
        "hits": ["Dogs may not ride in the dining car.", "Cats ride free in a box."],
    }


def clean(found):
    return {**found, "hits": [hit.replace(" not ", " ") for hit in found["hits"]]}


def prompt(found):
    return "\n".join(found["hits"]) + "\n\nQ: " + found["q"]


def grade(answer):
    return f"OK: {answer}"


def test_a_full_stop_is_no_word_and_parts_that_are_all_of_the_words_are_not_called_only():
    reader = Agent(ReadingModel(), name="reader")
    checked = Parallel(
        {"tone": lambda text: {"score": 0.9, "text": text}},
        merge=lambda found: found["tone"]["text"],
    )
    steps = (find, clean, to_message(prompt), reader, checked, grade)
    Sequence(*steps, name="rides").run_sync("May dogs ride in the dining car?")
    run = ek.last()
    rows = run.backtrack().shortlist(5)
    assert not any("'.'" in reason.word for row in rows for reason in row.reasons)
    assert any(row.actor == "clean" and row.rank == 1 for row in rows)
    told = repr(run.backtrack(span="may ride"))
    assert "Of “may ride” only" not in told
    assert "in parts, “ride” and “may”" in " ".join(told.split())


def test_a_what_if_and_a_turn_may_be_compared_as_they_are():
    run = recorded(desk, "q")
    assert ek.diff(run, run.whatif(remove="b")).divergence is not None
