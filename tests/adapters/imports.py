"""What the tests of imports share: a fixture file as a recording, and laws that every one obeys."""

import json
from pathlib import Path

from explainkit.adapters import detect, open_foreign
from explainkit.adapters.importing import import_run

FIXTURES = Path(__file__).parent / "fixtures"


def imported(name, run=0):
    """One run of a fixture file."""
    return open_foreign(FIXTURES / name).read(run)


def imported_data(data, run=0):
    """One run of parsed JSON."""
    reader = detect(data)
    assert reader is not None
    return import_run(reader, run, file="made.json")


def rows(recording, *kinds):
    """Parsed records of some kinds."""
    return list(recording.rows(*kinds))


def links(recording, kind=None):
    """Links as (opened, closed) rows, in the order of opening."""
    closed = {row["link"]: row for row in recording.rows("link_closed")}
    opened = recording.rows("link_opened")
    return [(row, closed[row["seq"]]) for row in opened if kind in (None, row["type"])]


def output(recording, closed):
    """The output of a closed link as a Python object."""
    return recording.values.object(closed["output"])


def slot(opened, name):
    """One input slot of a link."""
    return next(each for each in opened["inputs"] if each["slot"] == name)


def leaf(recording, occurrence):
    """What stands at an occurrence."""
    row = recording.raw(occurrence["seq"])
    name = occurrence.get("slot", "value")
    if row["kind"] == "link_opened":
        digest = slot(row, name)["value"]
    else:
        digest = row["question" if name == "question" else name]
    value = _at(recording.values.object(digest), occurrence.get("path", ""))
    start, end = occurrence.get("start"), occurrence.get("end")
    return value if start is None and end is None else value[start:end]


def check_laws(recording):
    """Gap-free, backward references, values before use, and segments that carry what they say."""
    assert [record.seq for record in recording] == list(range(len(recording)))
    assert recording.damage == ()
    closed = [row["link"] for row in recording.rows("link_closed")]
    assert sorted(closed) == [row["seq"] for row in recording.rows("link_opened")]
    for row in recording.rows():
        assert row["at"] is None or isinstance(row["at"], int)
        for occurrence in _occurrences(row):
            assert occurrence["seq"] < row["seq"], row
            leaf(recording, occurrence)
        for each in row.get("inputs", ()):
            held = recording.values.object(each["value"])
            for segment in each.get("segments", ()):
                here = _at(held, segment["path"])[segment["start"] : segment["end"]]
                there = leaf(recording, segment["origin"])
                # An object has no offsets, so the list item that holds it is named.
                assert _same(here, there) or _holds(here, there), (here, there)
    for digest in recording.values.digests:
        recording.values.data(digest)


def _holds(value, wanted):
    if _same(value, wanted):
        return True
    inside = value.values() if isinstance(value, dict) else value
    return isinstance(value, dict | list) and any(_holds(item, wanted) for item in inside)


def _same(one, other):
    return one == other or repr(one) == repr(other)  # NaN differs from itself


def texts_in(value):
    """Every text in parsed JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


def held(recording):
    """Everything that a recording holds, as one text."""
    values = recording.values
    return "\n".join(json.dumps(values.object(d), ensure_ascii=False) for d in values.digests)


def size(recording):
    """Bytes of a recording."""
    return sum(map(len, recording.lines()))


def _at(value, path):
    for token in path.split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def _occurrences(row):
    for each in row.get("inputs", ()):
        yield from each.get("from", ())
        yield from (segment["origin"] for segment in each.get("segments", ()))
    yield from row.get("uses", ())
