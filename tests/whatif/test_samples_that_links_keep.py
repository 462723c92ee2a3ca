"""Links that keep their own results: repeats of one sample convict nobody."""

import asyncio
import random

import pytest

import explainkit as ek
from explainkit.flow import Agent, piece
from tests.whatif.keeping_programs import HARMLESS, KEEPING, AroundModel, KeepingModel

CACHE = {}
PAIRS = []


def draw():
    return random.choice(["yes", "no", "maybe"])


@ek.link(kind="model")
def in_a_table(prompt):
    if prompt not in CACHE:
        CACHE[prompt] = draw()
    return CACHE[prompt]


@ek.link(kind="model")
def in_a_default(prompt, _kept={}):  # noqa: B006 - the form that is tested
    if prompt not in _kept:
        _kept[prompt] = draw()
    return _kept[prompt]


@ek.link(kind="model")
def in_a_list(prompt):
    for known, said in PAIRS:
        if known == prompt:
            return said
    PAIRS.append((prompt, draw()))
    return PAIRS[-1][1]


@pytest.mark.parametrize("ask", [in_a_table, in_a_default, in_a_list])
def test_one_kept_sample_is_no_cause(ask):
    random.seed(1)

    @ek.traced
    def desk(q):
        return ask(ek.context("note", "Some text about trains.") + q)

    words = set()
    for i in range(12):
        desk(f"q{i}")
        words.add(ek.last().whatif(remove="note").word)
    assert words == {"inconclusive"}


def words_of(make, runs=8):
    """The words for a context of no weight, of several runs."""
    random.seed(1)
    words = set()
    for i in range(runs):
        make(f"q{i}")
        words.add(ek.last().whatif(remove="note").word)
    return words


@pytest.mark.parametrize("name", KEEPING)
def test_whatever_keeps_the_sample_convicts_nobody(name):
    ask = ek.link(kind="model")(KEEPING[name])

    @ek.traced
    def desk(q):
        return ask(ek.context("note", "Some text about trains.") + q)

    assert words_of(desk) == {"inconclusive"}


@pytest.mark.parametrize("name", HARMLESS)
def test_code_that_looks_alike_is_still_convicted(name):
    ask = ek.link(kind="model")(HARMLESS[name])

    @ek.traced
    def desk(q):
        return ask(ek.context("note", "We pay half of the fare.") + q)

    desk(" And?")
    assert ek.last().whatif(remove="note").word == "cause"


NOTE = piece("note", "Some text about trains.")


@pytest.mark.parametrize("model", [KeepingModel(), AroundModel(KeepingModel())])
def test_a_model_of_an_agent_that_keeps_its_answers_convicts_nobody(model):
    assert words_of(Agent(model, context=[NOTE]).run_sync) == {"inconclusive"}


def test_nor_does_one_that_a_traced_function_gives_to_an_agent():
    model = KeepingModel()

    @ek.traced
    def desk(q):
        return Agent(model).run_sync(ek.context("note", "Some text about trains.") + q)

    assert words_of(desk) == {"inconclusive"}


def test_nor_does_one_that_a_link_is_given():
    model = KeepingModel()

    @ek.link(kind="model")
    async def ask(asked, prompt):
        return (await asked.complete(prompt)).text

    @ek.traced
    def desk(q):
        note = ek.context("note", "Some text about trains.")
        return asyncio.run(ask(model, note + q))

    assert words_of(desk) == {"inconclusive"}


def test_one_link_that_keeps_what_another_one_finds_convicts_nobody():
    kept = {}

    @ek.link(kind="tool")
    def remember(prompt, answer):
        kept[prompt] = answer

    @ek.link(kind="tool")
    def recall(prompt):
        return kept.get(prompt)

    @ek.link(kind="model")
    def ask(prompt):
        return draw()

    @ek.traced
    def desk(q):
        prompt = ek.context("note", "Some text about trains.") + q
        if (answer := recall(prompt)) is None:
            answer = ask(prompt)
            remember(prompt, answer)
        return answer

    assert words_of(desk) == {"inconclusive"}


class Shop:
    @ek.link(kind="tool", deterministic=True)
    def quote(self, item):
        return self.price


class Euro(Shop):
    price, rate = 10.0, 1.0


class Dollar(Shop):
    price, rate = 11.0, 1.1


@ek.link(kind="model", deterministic=True)
def pick(prompt):
    return "euro" if "euro" in prompt else "dollar"


QUOTE = {
    name: ek.link(kind="tool", deterministic=True)(lambda item, price=price: price)
    for name, price in (("euro", 10.0), ("dollar", 11.0))
}


def test_a_method_of_another_class_runs_itself():
    @ek.traced
    def rated(q):
        euro = pick(ek.context("note", "Pay in euro.") + q) == "euro"
        shop = Euro() if euro else Dollar()
        return round(shop.quote("lamp") / shop.rate, 2)

    @ek.traced
    def price(q):
        euro = pick(ek.context("note", "Pay in euro.") + q) == "euro"
        return (Euro() if euro else Dollar()).quote("lamp")

    rated("?")
    assert ek.last().whatif(remove="note").word == "not shown"
    price("?")
    assert ek.last().whatif(remove="note").word == "cause"


def test_a_function_with_another_default_runs_itself():
    @ek.traced
    def desk(q):
        return QUOTE[pick(ek.context("note", "Pay in euro.") + q)]("lamp")

    desk("?")
    assert ek.last().whatif(remove="note").word == "cause"
