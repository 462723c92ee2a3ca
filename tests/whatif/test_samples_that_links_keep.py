"""Links that keep their own results: repeats of one sample convict nobody."""

import random

import pytest

import explainkit as ek

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
