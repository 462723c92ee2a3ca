"""Ways to keep one sample for a prompt, and ordinary code that looks alike and keeps none."""

import collections
import functools
import os
import random
import sqlite3
import sys
import threading
from contextvars import ContextVar

from explainkit.flow.models import Completion

KEEPING = {}
HARMLESS = {}


def draw():
    return random.choice(["yes", "no", "maybe"])


def keeping(fn):
    KEEPING[fn.__name__] = fn
    return fn


def harmless(fn):
    HARMLESS[fn.__name__] = fn
    return fn


def said(prompt):
    return "half of the fare" if "half" in prompt else "nothing at all"


class Drawing(dict):
    def __missing__(self, prompt):
        self[prompt] = draw()
        return self[prompt]


class Client:
    def __init__(self):
        self.kept = {}

    def ask(self, prompt):
        if prompt not in self.kept:
            self.kept[prompt] = draw()
        return self.kept[prompt]


class Later(Client):
    def ask(self, prompt):
        return super().ask(prompt)


class Table(dict):
    def ask(self, prompt):
        if prompt not in self:
            self[prompt] = draw()
        return self[prompt]


class UserTable(collections.UserDict):
    def ask(self, prompt):
        if prompt not in self:
            self[prompt] = draw()
        return self[prompt]


class Asked:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.__dict__[name] = draw()
        return self.__dict__[name]


class Indexed(type):
    def __getitem__(cls, prompt):
        if prompt not in cls.kept:
            cls.kept[prompt] = draw()
        return cls.kept[prompt]


class Known(metaclass=Indexed):
    kept = {}  # noqa: RUF012


class Held:
    client = Client()


def kept_by_a_decorator(fn):
    kept = {}

    @functools.wraps(fn)
    def asked(prompt):
        if prompt not in kept:
            kept[prompt] = fn(prompt)
        return kept[prompt]

    return asked


def answers():
    kept, answer = {}, None
    while True:
        prompt = yield answer
        answer = kept.setdefault(prompt, draw())


DRAWING, TABLE, USER_TABLE, ASKED = Drawing(), Table(), UserTable(), Asked()
CLIENT, LATER = Client(), Later()
DEFAULTS = collections.defaultdict(draw)
ANSWERS = answers()
next(ANSWERS)
VARIABLE = ContextVar("VARIABLE", default={})  # noqa: B039 - the form that is tested
LOCAL = threading.local()
BASE = sqlite3.connect(":memory:", check_same_thread=False)
BASE.execute("CREATE TABLE kept (prompt, answer)")
NAMED = {}


@keeping
def a_table_that_draws(prompt):
    return DRAWING[prompt]


@keeping
def a_default_that_draws(prompt):
    return DEFAULTS[prompt]


@keeping
def a_catch_all(prompt):
    return getattr(ASKED, prompt)


@keeping
def a_class_with_items(prompt):
    return Known[prompt]


@keeping
def a_client_of_a_class(prompt):
    return Held.client.ask(prompt)


@keeping
def a_method_of_a_base(prompt):
    return LATER.ask(prompt)


@keeping
def a_table_of_a_class(prompt):
    return TABLE.ask(prompt)


@keeping
def a_user_dict(prompt):
    return USER_TABLE.ask(prompt)


@keeping
@kept_by_a_decorator
def a_decorator(prompt):
    return draw()


@keeping
def a_generator(prompt):
    return ANSWERS.send(prompt)


@keeping
def a_variable_of_a_context(prompt):
    return VARIABLE.get().setdefault(prompt, draw())


@keeping
def a_variable_of_a_thread(prompt):
    if not hasattr(LOCAL, "kept"):
        LOCAL.kept = {}
    return LOCAL.kept.setdefault(prompt, draw())


@keeping
def a_base_of_rows(prompt):
    row = BASE.execute("SELECT answer FROM kept WHERE prompt = ?", (prompt,)).fetchone()
    if row is None:
        row = (draw(),)
        BASE.execute("INSERT INTO kept VALUES (?, ?)", (prompt, *row))
    return row[0]


@keeping
def a_name_of_a_module(prompt):
    return sys.modules[__name__].NAMED.setdefault(prompt, draw())


@keeping
def the_environment(prompt):
    return os.environ.setdefault(f"KEPT_{len(prompt)}_{sum(map(ord, prompt))}", draw())


class KeepingModel:
    """An object of the user's that an Agent asks."""

    def __init__(self):
        self.kept = {}

    async def complete(self, prompt, *, tools=()):
        return Completion(text=self.kept.setdefault(str(prompt), draw()))


class AroundModel:
    def __init__(self, inner):
        self.inner = inner

    async def complete(self, prompt, *, tools=()):
        return await self.inner.complete(prompt, tools=tools)


class Counting:
    def __init__(self):
        self.calls, self.log = 0, []

    def ask(self, prompt):
        self.calls += 1
        self.log.append(prompt)
        return said(prompt)


class Proxy:
    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)


class Speaking:
    client = Counting()


class Loud(Counting):
    def __init__(self):
        super().__init__()

    def ask(self, prompt):
        return super().ask(prompt).upper()


class Settings(dict):
    __getattr__ = dict.__getitem__

    def __missing__(self, name):
        return None


class Prices(type):
    def __getitem__(cls, name):
        return cls.table[name]


class Tariff(metaclass=Prices):
    table = {"half": 0.5}  # noqa: RUF012


def tried_again(fn):
    @functools.wraps(fn)
    def again(prompt):
        try:
            return fn(prompt)
        except ValueError:
            return fn(prompt)

    return again


COUNTING, LOUD = Counting(), Loud()
PROXY = Proxy(COUNTING)
SETTINGS = Settings(model="m")
INDEX = collections.defaultdict(list)
INDEX["half"].append("fare")


@harmless
def a_client_that_counts(prompt):
    return COUNTING.ask(prompt)


@harmless
def a_proxy(prompt):
    return PROXY.ask(prompt)


@harmless
def a_client_that_a_class_holds(prompt):
    return Speaking.client.ask(prompt)


@harmless
def a_method_that_goes_on_in_its_base(prompt):
    return LOUD.ask(prompt)


@harmless
def settings(prompt):
    return f"{said(prompt)} {SETTINGS.model} {SETTINGS['other']}"


@harmless
def an_index(prompt):
    return f"{said(prompt)} {len(INDEX['half'])}"


@harmless
def a_class_of_prices(prompt):
    return f"{said(prompt)} {Tariff['half']}"


@harmless
@tried_again
def a_decorator_that_keeps_nothing(prompt):
    return said(prompt)
