"""Records that no recorder writes: a typed error or a stated gap, never another exception."""

import copy

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.backtrack import prompt_of, shortlist, to_json, walk
from explainkit.errors import ExplainkitError
from explainkit.graph import Evidence
from explainkit.graph.contents import Contents
from explainkit.store import Recording
from explainkit.testing.strategies import traces

ODD = [None, -1, 10**30, "x", "", [], {}, [None], {"seq": -3}, {"digest": 7}, 1.5, True]


def spoiled(lines, draw):
    """The lines with one field of one record replaced; the hashes are left out."""
    rows = [orjson.loads(line) for line in lines]
    rows = [row for row in rows if "check" not in row and "end" not in row]
    at = draw(st.integers(1, len(rows) - 1)) if len(rows) > 1 else 0
    row = copy.deepcopy(rows[at])
    keys = [key for key in row if key not in ("kind", "seq")]
    if keys:
        row[draw(st.sampled_from(sorted(keys)))] = draw(st.sampled_from(ODD))
    rows[at] = row
    return [orjson.dumps(each) + b"\n" for each in rows]


class Rows:
    """A recording that skips the check of shapes, as a file with right hashes would."""

    def __init__(self, lines, values):
        self._rows = [orjson.loads(line) for line in lines[1:]]
        self.values = values
        self.damage = ()
        self.run, self.name, self.status = "r1", "demo", "crashed"

    def rows(self, *kinds):
        return (
            row for row in self._rows if (row["kind"] in kinds if kinds else row["kind"] != "value")
        )

    def raw(self, seq):
        return next(row for row in self._rows if row["seq"] == seq)


@given(trace=traces(steps=12), data=st.data())
def test_one_odd_field_never_makes_anything_but_a_typed_error(trace, data):
    try:
        lines = spoiled(trace.lines, data.draw)
    except TypeError:  # JSON itself refuses an integer of that size
        return
    evidence = Evidence(Rows(lines, Recording.of_lines(trace.lines).values))
    try:
        found = walk(evidence)
        assert found.run == "r1"
        shortlist(evidence, found)
        to_json(evidence, found)
        for seq in evidence.links.opened:
            prompt_of(evidence, seq)
        evidence.networkx()
    except ExplainkitError:
        pass


def test_a_text_that_doubles_forty_times_is_not_unfolded():
    rows = [{"kind": "value", "digest": "0" * 40, "data": "ha"}]
    for step in range(1, 40):
        piece = {"digest": f"{step - 1:040}"}
        rows.append({"kind": "value", "digest": f"{step:040}", "parts": [piece, piece]})
    contents = Contents(iter(rows))
    assert contents.damaged > 0
    assert max(contents.length) <= 1 << 29


def test_a_list_that_doubles_forty_times_is_not_unfolded():
    rows = [{"kind": "value", "digest": "0" * 40, "data": ["ha", "hi"]}]
    for step in range(1, 40):
        item = f"{step - 1:040}"
        rows.append({"kind": "value", "digest": f"{step:040}", "items": [item, item]})
    assert Contents(iter(rows)).damaged > 0


@pytest.mark.parametrize("levels", [3000])
def test_deep_nesting_of_stored_values_needs_no_recursion(levels):
    rows = [{"kind": "value", "digest": "0" * 40, "data": {"a": "the innermost words of all"}}]
    for step in range(1, levels):
        inner = {"$value": f"{step - 1:040}"}
        rows.append({"kind": "value", "digest": f"{step:040}", "data": {"b": inner}})
    from explainkit.graph.holding import Holding

    contents = Contents(iter(rows))
    holding = Holding(contents)
    (leaf,) = holding.leaves_of(levels - 1)
    assert holding.text(levels - 1, leaf[0], 0, leaf[1]) == "the innermost words of all"
    assert holding.leaf(levels - 1, leaf[0]) == leaf[1]
