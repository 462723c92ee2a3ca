"""Whatever way a note goes from one link to another, the way is seen and the cause is found."""

import os
import queue
import threading
import types

import pandas as pd
import pytest

import explainkit as ek
from tests.whatif import sharing_programs as shared
from tests.whatif.programs import executed, recorded


class Shelf(dict):
    """A table of a class of one's own."""


class Box:
    def __init__(self):
        self.rows = {}
        self._note = ""

    def __setitem__(self, key, value):
        self.rows[key] = value

    def __getitem__(self, key):
        return self.rows[key]

    @property
    def note(self):
        return self._note

    @note.setter
    def note(self, text):
        self._note = text


SHELF, BOX, LOCAL, SPACE = Shelf(), Box(), threading.local(), types.SimpleNamespace()
ROWS_OF = pd.DataFrame({"text": [""]})
BOXES = {"a": Box()}
QUEUE = queue.SimpleQueue()
DESK = None


def keep_in_registry(note):
    shared.MEMORY["note"] = note


def give_from_registry(question):
    return shared.MEMORY["note"]


TOOLS = {"keep": keep_in_registry, "give": give_from_registry}


def key_of(text):
    return text[:4]


def begin_desk(note):
    global DESK
    DESK = Proxied(note)


class Proxied:
    def __init__(self, note):
        self.seen = note


WAYS = {
    "a class made of a table": (lambda n: SHELF.update(a=n), lambda q: SHELF["a"]),
    "items of an object": (lambda n: BOX.__setitem__("a", n), lambda q: BOX["a"]),
    "a property": (lambda n: setattr(BOX, "note", n), lambda q: BOX.note),
    "what threads keep": (lambda n: setattr(LOCAL, "note", n), lambda q: LOCAL.note),
    "a namespace": (lambda n: setattr(SPACE, "note", n), lambda q: SPACE.note),
    "objects in a table": (
        lambda n: BOXES["a"].rows.update(a=n),
        lambda q: BOXES["a"]["a"],
    ),
    "functions in a table": (lambda n: TOOLS["keep"](n), lambda q: TOOLS["give"](q)),
    "the environment": (lambda n: os.environ.update(W_NOTE=n), lambda q: os.getenv("W_NOTE", "")),
    "a new object": (begin_desk, lambda q: DESK.seen),
    "a queue": (lambda n: QUEUE.put(n), lambda q: QUEUE.get()),
}


def sets_a_cell(note):
    ROWS_OF.loc[len(ROWS_OF) - 1, "text"] = note


def sets_by_a_key(note):
    shared.MEMORY[key_of("note")] = note


def sets_an_item(note):
    BOX["a"] = note


def sets_a_property(note):
    BOX.note = note


def sets_an_attribute(note):
    SPACE.note = note


WAYS |= {
    "a cell of a table": (sets_a_cell, lambda q: " ".join(ROWS_OF["text"])),
    "a key that is worked out": (sets_by_a_key, lambda q: shared.MEMORY["note"]),
    "an item": (sets_an_item, lambda q: BOX["a"]),
    "a property that is set": (sets_a_property, lambda q: BOX.note),
    "an attribute": (sets_an_attribute, lambda q: SPACE.note),
}


def traced(fn):
    return ek.traced("shares")(fn)


@pytest.mark.parametrize("way", WAYS)
def test_whatever_way_it_goes_the_cause_is_found(way):
    leave, give = WAYS[way]
    put = ek.link(name="put")(lambda note: leave(note) and None)
    get = ek.link(kind="model", name="get")(lambda question: shared.reads(give(question)))
    found = recorded(traced(shared.program(put, get)), "Is it paid?").whatif(remove="note")
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")


def made(box):
    """Two links of one code each, made anew for each box."""
    put = ek.link(name="put", deterministic=True)(lambda note: box.append(note))
    return put, ek.link(kind="model", name="get")(lambda question: shared.reads(" ".join(box)))


def test_links_that_are_made_by_one_function_are_told_apart():
    first, second = [], []
    (put, get), _ = made(first), made(second)

    def program(question):
        first.clear()
        put("A note of no weight.")
        put(shared.contexts())
        return get(question)

    found = recorded(traced(program), "Is it paid?").whatif(remove="note")
    assert (found.word, executed(found)) == ("cause", ["put", "put", "get"])


def putting(store):
    return ek.link(name="put", deterministic=True)(lambda note: store.append(note))


def giving(kept):
    return ek.link(kind="model", name="get")(lambda question: shared.reads(" ".join(kept)))


def test_one_thing_under_two_names_is_one_thing():
    def program(question):
        box = []
        put, get = putting(box), giving(box)
        put("A note of no weight.")
        put(shared.contexts())
        return get(question)

    found = recorded(traced(program), "Is it paid?").whatif(remove="note")
    assert (found.word, executed(found)) == ("cause", ["put", "put", "get"])
