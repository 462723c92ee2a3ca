"""Programs whose links share something beside what they are given."""

import contextlib
import contextvars
import functools
import sqlite3
from collections import deque
from pathlib import Path

import explainkit as ek
from tests.whatif import sharing_module
from tests.whatif.programs import HALF
from tests.whatif.sharing_module import NOTES as ALIAS
from tests.whatif.sharing_module import STORE, begin, keep

MEMORY: dict[str, str] = {}
NOTES: list[str] = []
LAST = ""
RECENT: deque[str] = deque(maxlen=2)
VARIABLE = contextvars.ContextVar("variable", default="")
BASE = sqlite3.connect(":memory:", check_same_thread=False)
BASE.execute("create table notes (text)")
FILE = Path("notes.txt")
SETTINGS = {"half": "half of the fare"}


def reads(text):
    return "Half is paid back." if SETTINGS["half"] in text else "Nothing is paid back."


def contexts():
    ek.context("other", "Our office is in Oslo.")
    return ek.context("note", HALF)


class Holder:
    rules = ""


class Desk:
    def __init__(self):
        self.seen = ""

    @ek.link(deterministic=True)
    def learn(self, note):
        self.seen = note

    @ek.link(kind="model", deterministic=True)
    def tell(self, question):
        return reads(self.seen)


class Memory:
    def __init__(self):
        self.texts = []

    def remember(self, text):
        self.texts.append(text)

    def forget(self):
        self.texts.clear()

    def text(self):
        return " ".join(self.texts)


def pair(put, get):
    """Two links, one that leaves a note somewhere, and a model that finds it there."""
    put = ek.link(name="put", deterministic=True)(put)
    return put, ek.link(kind="model", name="get", deterministic=True)(get)


def _put_global(note):
    global LAST
    LAST = note


put_table, get_table = pair(
    lambda note: MEMORY.update(note=note), lambda question: reads(MEMORY.get("note", ""))
)
put_list, get_list = pair(NOTES.append, lambda question: "")
put_list, get_list = pair(lambda note: NOTES.append(note), lambda question: reads(" ".join(NOTES)))
put_name, get_name = pair(_put_global, lambda question: reads(LAST))
put_class, get_class = pair(
    lambda note: setattr(Holder, "rules", note), lambda question: reads(Holder.rules)
)
put_helper, get_helper = pair(lambda note: keep(note), lambda question: reads(" ".join(ALIAS)))
put_object, get_object = pair(
    lambda note: STORE.put("note", note), lambda question: reads(STORE.get("note"))
)
put_recent, get_recent = pair(lambda note: RECENT.append(note), lambda question: reads(RECENT[-1]))
put_variable, get_variable = pair(
    lambda note: VARIABLE.set(note) and None, lambda question: reads(VARIABLE.get())
)
put_file, get_file = pair(
    lambda note: FILE.write_text(note) and None, lambda question: reads(FILE.read_text())
)


@ek.link(deterministic=True)
def put_module(note):
    sharing_module.LAST = note


@ek.link(kind="model", deterministic=True)
def get_module(question):
    return reads(sharing_module.LAST)


@ek.link
def put_base(note):
    BASE.execute("insert into notes values (?)", (note,))


@ek.link(kind="retrieval")
def get_base(question):
    return reads(" ".join(text for (text,) in BASE.execute("select text from notes")))


def program(put, get, *, begins=lambda: None):
    def run(question):
        begins()
        put(contexts())
        return get(question)

    return run


def makes_an_object(question):
    note = contexts()
    desk = Desk()
    desk.learn(note)
    return desk.tell(question)


def makes_a_class(question):
    class Local:
        def learn(self, note):
            self.seen = note

        @ek.link(kind="model", deterministic=True)
        def tell(self, asked):
            return reads(self.seen)

    local = Local()
    local.learn(contexts())
    return local.tell(question)


def makes_a_list(question):
    box = []
    put, get = pair(lambda note: box.append(note), lambda asked: reads(" ".join(box)))
    put(contexts())
    return get(question)


def makes_a_base(question):
    with contextlib.closing(sqlite3.connect(":memory:", check_same_thread=False)) as base:
        base.execute("create table notes (text)")

        @ek.link
        def put(note):
            base.execute("insert into notes values (?)", (note,))

        @ek.link(kind="retrieval")
        def get(asked):
            return reads(" ".join(text for (text,) in base.execute("select text from notes")))

        put(contexts())
        return get(question)


def makes_a_link(question):
    note = contexts()

    @ek.link(kind="model", deterministic=True)
    def get(asked):
        return reads(note)

    return get(question)


def makes_a_default(question):
    note = contexts()

    @ek.link(kind="model", deterministic=True)
    def get(asked, rules=note):
        return reads(rules)

    return get(question)


def asks_inside(question):
    box = {}
    put, get = pair(lambda note: box.update(a=note), lambda asked: reads(box["a"]))
    outer = ek.link(name="outer", deterministic=True)(lambda asked: get(asked))
    put(contexts())
    return outer(question)


def counts_in_a_generator(question):
    box = []
    put, _ = pair(lambda note: box.append(note), lambda asked: "")

    @ek.link(kind="model", deterministic=True)
    def get(asked):
        yield from reads(" ".join(box)).split(" ")

    put(contexts())
    return " ".join(get(question))


def is_given_an_object(question, memory):
    memory.forget()
    put, get = pair(lambda note: memory.remember(note), lambda asked: reads(memory.text()))
    put(contexts())
    return get(question)


def leaves_it_around(question):
    MEMORY.clear()
    MEMORY["note"] = contexts()
    return get_table(question)


FRESH = {
    "table": program(put_table, get_table, begins=MEMORY.clear),
    "list": program(put_list, get_list, begins=lambda: NOTES.clear()),
    "module": program(put_module, get_module),
    "name": program(put_name, get_name),
    "class": program(put_class, get_class),
    "alias and helper": program(put_helper, get_helper, begins=begin),
    "object": program(put_object, get_object),
    "recent": program(put_recent, get_recent),
    "variable": program(put_variable, get_variable),
    "file": program(put_file, get_file),
    "database": program(put_base, get_base, begins=lambda: BASE.execute("delete from notes")),
    "an object of its own": makes_an_object,
    "a class of its own": makes_a_class,
    "a list of its own": makes_a_list,
    "a database of its own": makes_a_base,
    "a link of its own": makes_a_link,
    "a default": makes_a_default,
    "inside of a link": asks_inside,
    "a generator": counts_in_a_generator,
    "around": leaves_it_around,
    "given": functools.partial(is_given_an_object, memory=Memory()),
}
