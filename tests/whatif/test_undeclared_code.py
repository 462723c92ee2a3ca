"""Code around the links that draws or keeps something: one re-run of it decides nothing."""

import functools
import itertools
import random
import re
from types import MappingProxyType

import pytest

import explainkit as ek
from explainkit.flow.agents import Agent, piece
from explainkit.flow.compositions import Conditional, Sequence, when
from explainkit.flow.models import ReadingModel
from explainkit.whatif.rerunning import CalledEntry
from explainkit.whatif.rerunning.surroundings import undeclared
from tests.whatif.programs import ask, claim, recorded

CHANCE = random.Random(4)
SERVERS = itertools.cycle(["a", "b", "a"])
SEEN = []
TABLE = {"a": {"b": 1}}
WORD = re.compile(r"\w+")
LIMITS = (30, 60)


def draws():
    return CHANCE.random() < 0.34


def helps():
    return draws()


def counts(found=[]):  # noqa: B006 - the fault that is looked for
    found.append(1)
    return len(found)


def plain(text):
    return " ".join(WORD.findall(text))[: LIMITS[1]]


@ek.traced("round robin")
def round_robin(question):
    note = ek.context("note", "words of no weight")
    said = ask(ek.assemble("{n} {q}", n=note, q=question))
    return f"{said} {next(SERVERS)}"


@pytest.mark.parametrize("turn", range(6))
def test_what_goes_round_convicts_nobody(turn):
    for _ in range(turn):
        next(SERVERS)
    assert recorded(round_robin, f"q{turn}").whatif(remove="note").word != "cause"


def test_no_rhythm_of_two_is_taken_for_a_cause():
    turns = itertools.cycle("ab")

    @ek.traced("two servers")
    def program(question, note):
        ek.context("note", note)
        said = ask(ek.assemble("{n} {q}", n=note, q=question))
        return f"{said} {next(turns)}"

    words = []
    for number in range(12):
        run = recorded(program, f"q{number}", f"words of no weight, number {number}")
        words.append(run.whatif(remove="note").word)
    assert words.count("cause") <= 1


def test_chance_in_a_helper_is_met_with_repeats():
    @ek.traced("helped")
    def program(question):
        note = ek.context("note", "words of no weight")
        said = ask(ek.assemble("{n} {q}", n=note, q=question))
        return f"{said} {helps()}"

    words = [recorded(program, f"q{each}").whatif(remove="note").word for each in range(20)]
    assert "cause" not in words


def test_a_generator_of_chance_that_is_given_is_met_with_repeats():
    @ek.traced("given")
    def program(question, rng):
        note = ek.context("note", "words of no weight")
        said = ask(ek.assemble("{n} {q}", n=note, q=question))
        return f"{said} {rng.random() < 0.34}"

    runs = [recorded(program, f"q{each}", random.Random(each)) for each in range(20)]
    assert "cause" not in [run.whatif(remove="note").word for run in runs]


def test_code_that_keeps_nothing_needs_one_rerun():
    found = recorded(claim, "Is it paid?").whatif(remove="rules")
    assert (found.word, found.trial.undeclared, len(found.trial.changed)) == ("cause", None, 1)


def keeping_closure():
    kept = {}
    return lambda text: kept.setdefault(text, len(kept))


def rebinding_closure():
    at = 0

    def step(text):
        nonlocal at
        at += 1
        return at

    return step


class Counter:
    number = 0

    def step(self, text):
        Counter.number += 1
        return self.number


class Holder:
    kept = []  # noqa: RUF012 - the fault that is looked for


COUNTER = Counter()


def own_attribute(text):
    own_attribute.number = text


def imports_inside(text):
    import secrets

    return secrets.token_hex(2)


@pytest.mark.parametrize(
    ("fn", "source"),
    [
        (lambda text: plain(text), None),
        (lambda text: [each for each in text if each], None),
        (lambda text: ek.context("a", sorted(text)), None),
        (lambda text: itertools.cycle(text), None),
        (lambda text: claim(text), None),
        (lambda text: next(SERVERS), "SERVERS"),
        (lambda text: helps(), "randomness CHANCE"),
        (lambda text: [helps() for _ in text], "randomness CHANCE"),
        (lambda text: random.random(), "randomness random"),
        (lambda text: open(text), "open"),  # noqa: PTH123, SIM115
        (lambda text: COUNTER.step(text), "Counter.number"),
        (lambda text: Counter().step(text), "Counter.number"),
        (rebinding_closure(), "closure at"),
        (own_attribute, "own_attribute.number"),
        (imports_inside, "randomness secrets"),
        (functools.lru_cache(plain), "plain"),
        (lambda text: MappingProxyType, None),
    ],
)
def test_sources_are_found_wherever_they_stand(fn, source):
    own_attribute.number = 0
    assert undeclared(CalledEntry(fn)).found() == source


@pytest.mark.parametrize(
    ("fn", "source"),
    [
        (lambda text: SEEN.append(text), "SEEN"),
        (lambda text: TABLE["a"][text], None),
        (keeping_closure(), "kept"),
        (lambda text: counts(), "a default of counts"),
        (lambda text: Holder.kept.append(text), "Holder.kept"),
    ],
)
def test_data_is_watched(fn, source):
    around = undeclared(CalledEntry(fn))
    assert around.found() is None
    fn("b")
    assert around.found() == source
    assert undeclared(CalledEntry(fn), elsewhere=True).found() is not None


def test_chance_in_a_predicate_of_a_composition_is_met_with_repeats():
    chance = random.Random(3)
    first = ek.link(name="first", deterministic=True)(lambda given: f"{given} first")
    other = ek.link(name="other", deterministic=True)(lambda given: f"{given} other")
    desk = Agent(ReadingModel(), "Read.", context=[piece("note", "a"), piece("more", "b")])
    branches = Conditional(when(lambda _: chance.random() < 0.5, first), default=other)
    words = []
    for number in range(12):
        Sequence(desk, branches).run_sync(f"What is {number}?")
        words.append(ek.last().whatif(remove="more", times=5).word)
    assert "cause" not in words


def test_a_predicate_that_only_reads_needs_no_repeats():
    branches = Conditional(when(lambda given: "Half" in given, HALF_SAID), default=OTHERWISE)
    desk = Agent(
        ReadingModel(), "Read.", context=[piece("rules", "Half is paid."), piece("a", "b")]
    )
    Sequence(desk, branches).run_sync("What is paid?")
    assert str(ek.last().whatif(remove="a")) == "not shown 0/1 vs 0/2, deterministic"


HALF_SAID = ek.link(name="half", deterministic=True)(lambda given: "half")
OTHERWISE = ek.link(name="otherwise", deterministic=True)(lambda given: "otherwise")
