"""A method says what it reads of its own object, which no record holds, and nothing else."""

import asyncio
import functools
import random
from dataclasses import dataclass

import explainkit as ek
from explainkit.tracing.method_reads import MethodReads
from explainkit.tracing.own_attributes import attributes_read

PAID = "We pay half."


@dataclass
class Question:
    """What a desk is asked."""

    text: str


class Desk:
    LIMIT = 3

    def __init__(self):
        self.notes, self.rates, self.deep, self.unread = [PAID], {"SEK": 11.2}, "x", "never"
        self._fee, self.dice = 4, random.Random(1)

    @property
    def fee(self):
        return self._fee

    @functools.cached_property
    def first(self):
        return self.notes[0]

    def rate(self, name):
        return self.rates[name]

    def chance(self):
        return self.dice.random()

    def endless(self):
        return self.endless() if self.deep == "y" else self.fee

    @ek.link
    def inner(self, text):
        return self.deep

    @ek.link(kind="retrieval")
    def search(self, question, more=()):
        return [self.first, self.rate("SEK"), self.LIMIT, self.fee, self.inner(question.text), more]

    @classmethod
    @ek.link
    def limit(cls):
        return cls.LIMIT

    @staticmethod
    @ek.link
    def plain(text):
        return text

    @ek.link
    async def later(self, text):
        return [each for each in self.notes if each]

    @ek.link
    def stream(self, text):
        yield from self.notes

    @ek.traced
    def ask(self, question):
        return f"{self.search(question)} {self.rate('SEK')}"


class Other(Desk):
    def rate(self, name):
        return dict([self.tariffs])[name]

    tariffs = ("SEK", 3)


def read_in(run):
    rows = run.recording.rows("run_started", "link_opened")
    return {row["name"]: row.get("untracked") for row in rows}


def test_attributes_are_named_of_the_method_and_of_what_it_calls_on_itself():
    Desk().ask(Question("How much?"))
    run = ek.last()
    assert read_in(run) == {
        "ask": ["attribute self.rates"],
        "search": [
            "attribute self.LIMIT",
            "attribute self._fee",
            "attribute self.notes",
            "attribute self.rates",
        ],
        "inner": ["attribute self.deep"],
    }
    assert any("by search: attribute self.LIMIT" in each for each in run.backtrack().untracked)
    assert "the attribute “self.rates”" in str(run.story())


def test_each_class_is_looked_at_for_itself_and_once(monkeypatch):
    for desk, named in ((Desk(), "rates"), (Other(), "tariffs"), (Desk(), "rates")):
        desk.ask(Question("How much?"))
        assert f"attribute self.{named}" in read_in(ek.last())["search"]
    reads, desk = MethodReads(Desk.rate), Desk()
    assert reads.of(desk) is reads.of(Desk())


def test_every_kind_of_method_names_them():
    with ek.trace("kinds") as run:
        desk = Desk()
        assert (desk.limit(), desk.plain("a")) == (3, "a")
        assert asyncio.run(desk.later("a")) == [PAID]
        assert list(desk.stream("a")) == [PAID]
    assert read_in(run) == {
        "kinds": None,
        "limit": ["attribute cls.LIMIT"],
        "plain": None,
        "later": ["attribute self.notes"],
        "stream": ["attribute self.notes"],
    }


def test_chance_is_told_as_chance_and_a_circle_of_methods_ends():
    assert list(attributes_read(Desk.chance, Desk())) == ["randomness self.dice"]
    assert set(attributes_read(Desk.endless, Desk())) == {
        "attribute self.deep",
        "attribute self._fee",
    }


def test_what_a_call_is_given_is_on_record_and_not_named():
    @ek.link
    def told(question, more):
        return question.text

    with ek.trace("plain") as run:
        told(Question("a"), 1)
    assert read_in(run)["told"] is None


class Hostile:
    """Answers nothing that it is asked."""

    def __getattribute__(self, name):
        raise RuntimeError(name)

    @ek.link
    def give(self):
        return [each for each in () if self.note]


def test_an_object_that_refuses_to_be_looked_at_is_recorded_all_the_same():
    with ek.trace("hostile") as run:
        assert Hostile.give(Hostile()) == []
    assert read_in(run)["give"] is None
    assert run.doctor() == []
