"""Functions of one name and one code that hold something else: none gets the result of another."""

import functools

import pytest

import explainkit as ek
from explainkit.flow import Agent, piece, router
from explainkit.flow.models import CallableModel


def say(word, mail):
    return word


class Route:
    def __init__(self, word):
        self.word = word

    def go(self, mail):
        return self.word


def closure(word):
    return lambda mail: word


def wrapped(word):
    inner = closure(word)

    @functools.wraps(inner)
    def outer(mail):
        return inner(mail)

    return outer


MAKERS = {
    "partial": lambda word: functools.partial(say, word),
    "method": lambda word: Route(word).go,
    "closure": closure,
    "wrapped": wrapped,
}


def triage():
    model = CallableModel(lambda p: "money" if "half" in str(p) else "words", deterministic=True)
    return Agent(model, context=[piece("note", "We pay half.")], name="triage")


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_branch_that_a_change_leads_to_runs_itself(make):
    desk = router(triage(), {"money": make("paid"), "words": make("refused")})
    assert desk.run_sync("late") == "paid"
    found = ek.last().whatif(remove="note")
    assert (found.word, found.after) == ("cause", "refused")


def test_links_of_one_maker_are_told_apart():
    def maker(word):
        @ek.link(kind="tool", deterministic=True)
        def send(mail):
            return word

        return send

    paid, refused = maker("paid"), maker("refused")

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "money" if "half" in prompt else "words"

    @ek.traced
    def desk(question):
        money = ask(ek.context("note", "We pay half.") + question) == "money"
        return (paid if money else refused)("late")

    desk("?")
    assert ek.last().whatif(remove="note").word == "cause"


def test_what_comes_before_a_change_is_reused_whoever_made_it():
    asked = []

    def maker(word):
        @ek.link(kind="tool", deterministic=True)
        def look(question):
            asked.append(word)
            return word

        return look

    look = maker("half")

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "paid" if "note" in prompt else "refused"

    @ek.traced
    def desk(question):
        return ask(look(question) + ek.context("n", "a note"))

    desk("?")
    assert ek.last().whatif(remove="n").word == "cause"
    assert asked == ["half"]


def test_an_effect_is_not_repeated_because_it_may_be_another_one():
    sent = []

    def mailer(address):
        @ek.link(kind="effect")
        def mail(text):
            sent.append(address)

        return mail

    mail = mailer("a@b")

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "paid" if "half" in prompt else "refused"

    @ek.traced
    def desk(question):
        said = ask(ek.context("note", "We pay half.") + question)
        mail("done")
        return said

    desk("?")
    assert ek.last().whatif(remove="note").word == "cause"
    assert sent == ["a@b"]


def test_a_reused_link_that_fills_a_list_runs_again_where_the_next_one_misses_it():
    @ek.link(kind="retrieval", deterministic=True)
    def load(rows):
        rows.append("Mail: you get half of it.")
        return 1

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "half" if "half" in prompt else "nothing"

    @ek.traced
    def desk(question):
        note, rows = ek.context("note", "We pay half."), []
        load(rows)
        return ask(note + "\n" + "\n".join(rows) + question)

    desk("?")
    run = ek.last()
    assert run.whatif(remove="note").word == "not shown"
    assert run.cause_roles().needed == ()
