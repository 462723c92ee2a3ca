"""JSON in a text has the key of the container that it was written from, and of no other."""

import json

import orjson
from hypothesis import given
from hypothesis import strategies as st

from explainkit.graph.contents import Contents
from explainkit.graph.json_reading import json_texts
from explainkit.graph.value_keys import ValueKeys
from explainkit.safety import pointers
from explainkit.safety.digests import digest

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 63), (1 << 64) - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=4).filter(
    lambda name: name[:1] != "$"
)


def containers(children):
    return st.lists(children, max_size=4) | st.dictionaries(NAMES, children, max_size=4)


TREES = containers(st.recursive(LEAVES, containers, max_leaves=12))
OPTIONS = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 2, "\t"]),
        "ensure_ascii": st.booleans(),
        "sort_keys": st.booleans(),
        "separators": st.sampled_from([None, (",", ":"), (" , ", " : ")]),
    }
)


def keys_of(value):
    """The keys of the containers of a stored value, with their paths."""
    row = {"digest": digest(orjson.dumps(value)), "data": value}
    table = ValueKeys(Contents(iter([row])), lambda: iter([row])).table
    return {(key, path) for key, places in table.items() for _, path in places}


def at(value, path):
    for step in path.split("/")[1:]:
        name = pointers.untoken(step)
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


@given(tree=TREES.filter(lambda tree: len(tree) > 0), options=OPTIONS)
def test_every_spelling_has_the_key_of_its_value_and_places_of_its_leaves(tree, options):
    text = f"said: {json.dumps(tree, **options)}\nend"
    [read] = json_texts(text)
    assert read.containers[0].start == len("said: ")
    keys = keys_of(tree)
    inside = {(each.key, each.path) for each in read.containers}
    assert {each for each in keys if at(tree, each[1])} <= inside
    for leaf in read.leaves:
        assert at(tree, leaf.path) == leaf.value
        stretch = text[leaf.start : leaf.end]
        assert json.loads(f'"{stretch}"' if isinstance(leaf.value, str) else stretch) == leaf.value


@given(one=TREES, other=TREES)
def test_keys_are_equal_exactly_when_the_json_is(one, other):
    keys = [{key for key, path in keys_of(tree) if not path} for tree in (one, other)]
    same = _plain(one) == _plain(other)
    assert (keys[0] == keys[1]) is (same or not (one or other))


def _plain(value):
    """A value in which true is no number and the order of names does not count."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return ("truth", value) if isinstance(value, bool) else value


def test_a_tagged_value_has_no_key_and_neither_has_what_holds_it():
    tagged = {"fine": {"a": 1}, "odd": {"$float": "nan"}}
    assert {path for _, path in keys_of(tagged)} == {"/fine"}


def test_bounded_reading_of_what_only_looks_like_json():
    assert json_texts('{"a": ' * 20_000) == ()
    assert json_texts("[1" * 20_000) == ()
    assert json_texts('{"a": 1, "a": 2}') == ()
