"""Objects of the user's around declared links: one re-run decides while they stay as they are."""

import functools
import itertools
import random
import threading
import time
from dataclasses import dataclass, field

import pytest

import explainkit as ek
from explainkit.flow.models import CallableModel, ReadingModel
from tests.whatif.programs import ask, recorded


@dataclass
class Settings:
    limit: int = 30
    words: list = field(default_factory=lambda: ["half", "fare"])
    nested: dict = field(default_factory=dict)


class Desk:
    def __init__(self, **parts):
        self.settings = Settings()
        self.ask = ask
        self.offices = [Settings(60), Settings(90)]
        self.parts = parts

    def prompt(self, note, question):
        return f"{note} {question} {self.settings.limit} {len(self.offices)}"

    def answer(self, note, question):
        return self.ask(self.prompt(note, question))


def run_of(desk):
    @ek.traced("desk")
    def program(question):
        return desk.answer(ek.context("note", "We pay half of the fare."), question)

    return recorded(program, "And?")


def test_an_object_that_stays_as_it_is_needs_one_re_run():
    found = run_of(Desk()).whatif(remove="note")
    assert str(found) == "cause 1/1 vs 0/2, deterministic"


class Counting(Desk):
    calls = 0

    def answer(self, note, question):
        self.calls += 1
        return super().answer(note, question)


class Listing(Desk):
    def answer(self, note, question):
        self.settings.words.append(question)
        return super().answer(note, question)


class Deep(Desk):
    def answer(self, note, question):
        self.offices[1].nested[question] = len(self.offices[1].nested)
        return super().answer(note, question)


class Rebinding(Desk):
    def answer(self, note, question):
        self.settings = Settings()
        return super().answer(note, question)


class OfClass(Desk):
    seen: list = []  # noqa: RUF012 - one for all, which is the form that is tested

    def answer(self, note, question):
        self.seen.append(question)
        return super().answer(note, question)


class Drawing(Desk):
    def answer(self, note, question):
        return super().answer(note, question) + random.choice(["", " "])


class Timed(Desk):
    def answer(self, note, question):
        return super().answer(note, f"{question} {time.time() > 0}")


@functools.lru_cache
def kept(text):
    return text


@pytest.mark.parametrize(
    "desk",
    [
        Counting(),
        Listing(),
        Deep(),
        Rebinding(),
        OfClass(),
        Drawing(),
        Timed(),
        Desk(chance=random.Random(1)),
        Desk(turns=itertools.count()),
        Desk(lock=threading.Lock(), made=threading.Event()),
        Desk(helper=lambda: random.random()),
        Desk(inner=[Drawing()]),
        Desk(kept=kept),
    ],
)
def test_an_object_that_may_change_or_draw_is_met_with_repeats(desk):
    found = run_of(desk).whatif(remove="note")
    assert "deterministic" not in str(found).splitlines()[0]
    assert found.n == 0 or found.n >= 5


@pytest.mark.parametrize("seed", range(6))
def test_chance_that_an_object_holds_convicts_nobody(seed):
    class Lucky:
        def __init__(self):
            self.chance = random.Random(seed)

        def end(self):
            return self.chance.choice(["yes", "no"])

    lucky = Lucky()

    @ek.traced("lucky")
    def program(question):
        note = ek.context("note", "Ask for the ticket.")
        return ask(f"{note} {question}") + lucky.end()

    assert recorded(program, "And?").whatif(remove="note").word != "cause"


class Remembering(ReadingModel):
    def __init__(self):
        self.asked = []

    async def complete(self, prompt, *, tools=()):
        self.asked.append(prompt)
        return await super().complete(prompt, tools=tools)


CHANCE = random.Random(3)


@pytest.mark.parametrize(
    ("model", "needs_one"),
    [
        (ReadingModel(), True),
        (CallableModel(lambda prompt: prompt.upper()), True),
        (CallableModel(lambda prompt: f"{prompt} {CHANCE.random() < 2}"), False),
        (Remembering(), False),
    ],
    ids=["reader", "of a function", "of one that draws", "of an own class that keeps"],
)
def test_an_embedded_model_that_code_holds_keeps_nothing_of_its_own(model, needs_one):
    desk = Desk(model=model)

    @ek.link(deterministic=True)
    def said(prompt):
        return desk.parts["model"](prompt)

    desk.ask = said
    found = run_of(desk).whatif(remove="note")
    assert str(found).endswith("deterministic") == needs_one
