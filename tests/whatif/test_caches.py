"""Caches that the code of links asks: a sample that is kept is no repeat."""

import functools
import random

import explainkit as ek
from explainkit.whatif.rerunning.caches import caches_in
from tests.whatif.programs import HALF, recorded


def words_of(desk, count):
    found = []
    for number in range(count):
        desk(f"question {number}")
        found.append(ek.last().whatif(remove="note").word)
    return found


def test_a_cached_client_convicts_nobody():
    chance = random.Random(3)

    @functools.lru_cache
    def complete(prompt):
        return "other" if chance.random() < 1 / 3 else "same"

    @ek.link(kind="model")
    def ask(prompt):
        return complete(prompt)

    @ek.traced
    def desk(question):
        return ask(ek.context("note", "Something about trains.") + question)

    words = words_of(desk, 40)
    assert words.count("cause") <= 5  # 40 draws at 5 % have more once in a hundred times
    assert "not shown" in words


def test_a_cause_behind_a_cached_client_is_found():
    @functools.lru_cache
    def complete(prompt):
        return "half" if "half" in prompt else "nothing"

    @ek.link(kind="model")
    def ask(prompt):
        return complete(prompt)

    @ek.traced
    def desk(question):
        return ask(ek.context("note", "We pay half.") + question)

    assert set(words_of(desk, 3)) == {"cause"}


def test_what_a_change_does_not_feed_stays_loaded():
    loaded = []

    @functools.lru_cache
    def index(path):
        loaded.append(path)
        return {"fare": "half"}

    @ek.link(kind="model")
    def ask(prompt):
        return index("tariff")["fare"] if "note" in prompt else "nothing"

    @ek.traced
    def desk(question):
        return ask(ek.context("note", "a note") + question)

    desk("?")
    assert ek.last().whatif(remove="note").word == "cause"
    assert loaded == ["tariff"]


class Client:
    @functools.lru_cache  # noqa: B019
    def complete(self, prompt):
        return prompt

    def ask(self, prompt):
        return self.complete(prompt)


CLIENT = Client()


def test_caches_are_found_through_helpers_objects_and_closures():
    kept = functools.cache(str.upper)

    def helper(prompt):
        return kept(prompt)

    def by_helper(prompt):
        return helper(prompt)

    def by_object(prompt):
        return CLIENT.complete(prompt)

    assert list(caches_in(by_helper)) == [kept]
    assert list(caches_in(by_object)) == [Client.__dict__["complete"]]
    assert list(caches_in(len)) == list(caches_in(None)) == []


@functools.lru_cache
def boxed(prompt):
    return []


def test_a_cache_that_the_code_around_the_links_asks_is_begun_anew():
    drawn = iter(range(10_000))

    @ek.traced("boxed")
    def program(question):
        kept = boxed(f"{ek.context('note', HALF)} {question}")
        if not kept:
            kept.append(next(drawn))
        return str(kept[0])

    run = recorded(program, "Is it boxed?")
    ends = [str(each.answer) for each in run.whatif(remove="note").reruns]
    assert len(set(ends)) > 1
