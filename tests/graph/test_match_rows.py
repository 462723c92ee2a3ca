"""Matches asked for by atom are those of the whole table."""

from explainkit.graph.match_rows import MatchRows
from explainkit.text.matching import all_matches, build_index

TEXTS = [
    "The tariff pays nothing under 60 minutes of delay.",
    "A goodwill campaign paid half of the fare last winter.",
    "Note: the tariff pays nothing under 60 minutes, and a goodwill campaign paid half of it.",
    "Nothing in common.",
    "Again: a goodwill campaign paid half of the fare last winter, they say.",
]


def test_each_row_is_found_from_both_of_its_ends():
    table = all_matches(build_index(TEXTS))
    rows = MatchRows(table, len(TEXTS))
    every = list(table.rows())
    assert len(every) > 2
    for atom in range(len(TEXTS)):
        assert [rows.match(row) for row in rows.into(atom)] == [
            match for match in every if match.target == atom
        ]
        assert [rows.match(row) for row in rows.out_of(atom)] == [
            match for match in every if match.source == atom
        ]


def test_a_run_without_matches_has_rows_for_none():
    texts = ["One thing.", "Another matter."]
    rows = MatchRows(all_matches(build_index(texts)), len(texts))
    assert [list(rows.into(atom)) + rows.out_of(atom) for atom in range(2)] == [[], []]


def test_rows_that_touch_a_stretch_are_the_same_few_or_many():
    texts = [f"Berth {n * 7919} of hull {n * 104729} holds {n * 31} crates." for n in range(90)]
    texts.append(f"{texts[3]} {texts[4]}")
    texts.append(" ".join(texts))
    table = all_matches(build_index(texts))
    rows, last = MatchRows(table, len(texts)), len(texts) - 1
    assert len(rows.into(last)) > 64
    assert 0 < len(rows.into(last - 1)) <= 64
    for atom in (last - 1, last):
        length = len(texts[atom])
        for start, end in ((0, length), (5, 6), (length // 2, length // 2 + 30), (length, length)):
            assert list(rows.touching(atom, start, end)) == [
                row
                for row in rows.into(atom)
                if rows.match(row).target_start < end and rows.match(row).target_end > start
            ]
