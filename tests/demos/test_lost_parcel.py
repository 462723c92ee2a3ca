"""The incident that the notebooks are about: the shipped files are what the demo writes."""

import pytest

from explainkit.demos import lost_parcel
from tests.repository.source_tree import ROOT


@pytest.mark.parametrize("fresh_first", [False, True])
def test_the_shipped_record_is_what_the_demo_writes(fresh_first, tmp_path):
    run = lost_parcel.incident(fresh_first=fresh_first)
    shipped = ROOT / "notebooks" / "recorded" / f"{run.name}.ek.jsonl"
    written = run.save(tmp_path / shipped.name)
    versions = b'"versions":'
    for ours, theirs in zip(
        written.read_bytes().splitlines(), shipped.read_bytes().splitlines(), strict=True
    ):
        if versions in theirs or b'"sha256"' in theirs or b"code" in theirs:
            continue  # they name the interpreter, or hang on lines that do
        assert ours == theirs


def test_the_wrong_day_is_what_the_calendar_said_and_the_right_one_was_left_out():
    run = lost_parcel.incident()
    assert "14 March" in run.answer
    left = {item.name: item.text for item in run.backtrack().left_out}
    assert "17 March" in left["calendar/2026"]
    assert run.doctor() == []
