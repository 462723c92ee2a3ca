"""Tables keep their columns whatever there is, and CSV runs nothing."""

import csv
import io

import pytest

from explainkit.view import frames
from tests.view.claims import claims_recording, recorded_walk
from tests.view.hostile import ATTACKS, spoiled


@pytest.fixture(scope="module")
def recording():
    return claims_recording()[0]


TABLES = {
    "links": (frames.links, frames.LINKS),
    "contexts": (frames.contexts, frames.CONTEXTS),
    "overrides": (frames.overrides, frames.OVERRIDES),
    "verdicts": (frames.verdicts, frames.VERDICTS),
}


@pytest.mark.parametrize("name", TABLES)
def test_columns_and_types_hold_with_rows_and_without(name, recording):
    from explainkit.store import Recording

    make, columns = TABLES[name]
    empty = Recording.of_lines([b'{"explainkit":1,"run":"r","name":"n"}\n'])
    for source in (recording, empty):
        frame = make(source)
        assert list(frame.columns) == list(columns)
        assert {key: str(kind) for key, kind in frame.dtypes.items()} == columns
    assert len(make(recording)) > 0
    assert len(make(empty)) == 0


def test_links_show_inputs_outputs_and_how_they_ended(recording):
    frame = frames.links(recording).set_index("name")
    assert frame.loc["ask", "output"].startswith("Dear Ms Keller")
    assert frame.loc["assemble", "inputs"] == "tariff, note, q"
    assert frame.loc["ask", "status"] == "answered"
    assert frame["parent"].isna().all()
    assert frame["seconds"].isna().all()


def test_overrides_show_the_text_before_and_after(recording):
    row = frames.overrides(recording).iloc[0]
    assert row["before"].startswith("Dear Ms Keller")
    assert row["after"].startswith("Dear the passenger")
    assert row["by"] == "redactor"


def test_contexts_tell_what_was_left_out(recording):
    frame = frames.contexts(recording).set_index("name")
    assert list(frame.index[~frame["admitted"]]) == ["tariff-2026-note"]
    assert frame.loc["tariff-2026-note", "how"] == "cut by rank"


def test_a_verdict_on_the_last_version_is_not_stale(recording):
    frame = frames.verdicts(recording)
    assert list(frame["stale"]) == [False]
    assert list(frame["status"]) == ["failed"]


def test_hops_give_both_addresses():
    walk = recorded_walk(claims_recording()[1])
    frame = frames.hops(walk)
    assert {key: str(kind) for key, kind in frame.dtypes.items()} == frames.HOPS
    assert list(frame["verb"]) == [hop.verb for hop in walk.hops]
    assert frame.loc[0, "source_start"] == walk.hops[0].source.start


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_csv_holds_no_formula_and_no_control_character(attack):
    walk = spoiled(recorded_walk(claims_recording()[1]), ATTACKS[attack])
    text = frames.csv_of(frames.hops(walk))
    csv.field_size_limit(10_000_000)
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert not any(cell.lstrip(" ").startswith(("=", "+", "@", "|")) for cell in cells)
    assert all(c.isprintable() or c in "\n\t" for cell in cells for c in cell)
