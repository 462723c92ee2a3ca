"""What an engine says of a function that it calls: its code, and what it reads unrecorded."""

import functools
import gc
import random
import time
import weakref

from explainkit.answering import non_empty
from explainkit.tracing.called_functions import known_of, values_read
from explainkit.tracing.untracked import MISSING

RATES = {"SEK": 11.2}
CHANCE = random.Random(3)


def rate(currency):
    return RATES[currency]


def drawn(currency):
    return RATES[currency] * CHANCE.random() + time.time()


class Desk:
    """Holds what it answers from."""

    fees = (1, 2)
    __slots__ = ("_private", "rates")

    def __init__(self):
        self.rates = {"SEK": 11.2}

    def rate(self, currency):
        return [self.rates[each] for each in currency], self.fees, self.half(), self.broken

    def half(self):
        return self._private

    @property
    def broken(self):
        raise ZeroDivisionError

    def __call__(self, currency):
        return lambda: self.rates[currency]


def test_globals_closures_chance_and_time_are_named():
    table = {"NOK": 11.6}
    assert known_of(rate).untracked == ("global RATES",)
    assert known_of(lambda currency: table[currency]).untracked == ("closure table",)
    assert known_of(drawn).untracked == ("global RATES", "randomness CHANCE", "time time")


def test_constants_of_any_form_are_no_names():
    assert known_of(lambda currency, more=(): (currency, (), (1, "RATES"), more)).untracked == ()


def test_what_an_object_or_a_partial_holds_is_named_too():
    desk = Desk()
    assert known_of(desk.rate).untracked == ("attribute self.fees", "attribute self.rates")
    assert known_of(desk).untracked == ("attribute self.rates",)
    assert known_of(desk.half).untracked == ()  # nothing is kept there yet
    bound = functools.partial(lambda table, currency: table[currency], {"SEK": 1})
    assert known_of(bound).untracked == ("bound argument table",)
    assert known_of(functools.lru_cache(rate)).untracked == ("global RATES",)


def test_the_values_are_those_of_now():
    desk = Desk()
    assert values_read(desk.rate) == {
        "attribute self.rates": desk.rates,
        "attribute self.fees": (1, 2),
    }
    assert values_read(drawn)["time time"] is MISSING
    assert values_read(rate) == {"global RATES": RATES}


def test_a_function_is_looked_at_once_and_let_go(monkeypatch):
    def counted(currency):
        return RATES[currency]

    first = known_of(counted)
    assert known_of(counted) is first
    assert known_of(Desk().rate) is known_of(Desk().rate)
    counted.__code__ = drawn.__code__
    assert known_of(counted).untracked == ("global RATES", "randomness CHANCE", "time time")
    gone = weakref.ref(counted)
    del counted
    gc.collect()
    assert gone() is None


def test_code_of_explainkit_and_what_has_no_code_says_nothing():
    for each in (len, print, 3, None, Desk, non_empty().check):
        assert known_of(each).fields == {}


def test_an_object_that_raises_at_every_look_breaks_nothing():
    class Hostile:
        def __getattribute__(self, name):
            raise RuntimeError(name)

    class Called(Hostile):
        def __call__(self):
            return self.anything

    assert known_of(Hostile()).fields == {}
    assert known_of(Called()).untracked == ()
