"""What is the same is not run again; an outcome counts only when all that differs was."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

import explainkit as ek
from tests.whatif.programs import HALF, ask, executed, recorded, reused


@ek.link(deterministic=True)
def double(number):
    return number * 2


@ek.link(deterministic=True)
def add(one, other):
    return one + other


def test_links_whose_inputs_stay_are_reused_and_every_link_says_which():
    @ek.traced("two branches")
    def program(question):
        left = double(ek.context("left", 3))
        right = double(ek.context("right", 4))
        return add(left, right)

    found = recorded(program, "q").whatif(replace={"left": 5})
    assert (found.word, found.after) == ("cause", 18)
    assert executed(found) == ["double", "add"]
    assert reused(found) == ["double"]
    marks = [row.get("attrs", {}).get("reused") for row in found.run.recording.rows("link_closed")]
    assert [mark is not None for mark in marks] == [False, True, False]
    assert "reused: double" in repr(found)
    assert "3 recorded results used instead of a call" in repr(found)


def test_a_reused_link_brings_what_lies_in_it_along():
    calls = []

    @ek.link(deterministic=True)
    def inner(number):
        calls.append(number)
        return number + 1

    @ek.link(deterministic=True)
    def outer(number):
        return inner(number) + inner(number + 1)

    @ek.traced("nested")
    def program(question):
        total = outer(1)
        return add(total, inner(ek.context("more", 1)))

    run = recorded(program, "q")
    calls.clear()
    found = run.whatif(replace={"more": 10})
    assert found.after == 16
    assert set(calls) == {1, 10}  # the unchanged run repeats only the last one
    assert executed(found) == ["inner", "add"]


def test_a_link_that_changes_inside_runs_again_with_the_rest_of_it_reused():
    @ek.link(deterministic=True)
    def outer(question):
        kept = double(21)
        note = ek.context("note", HALF)
        return f"{kept} {ask(note)}"

    @ek.traced("inside")
    def program(question):
        return outer(question)

    found = recorded(program, "q").whatif(remove="note")
    assert (found.word, found.after) == ("cause", "42 Nothing is paid back.")
    assert executed(found) == ["outer", "ask"]
    assert reused(found) == ["double"]


def test_the_same_call_made_twice_is_paired_in_order():
    turn = iter(range(100))

    @ek.link
    def drawn(question):
        return next(turn)

    @ek.traced("twice")
    def program(question):
        first, second = drawn("x"), drawn("x")
        return ask(ek.assemble("{a} {b} {n}", a=first, b=second, n=ek.context("note", HALF)))

    run = recorded(program, "q")
    found = run.whatif(remove="note")
    assert found.run.prompt().text.startswith("0 1")
    assert reused(found) == ["drawn", "drawn"]


@pytest.mark.parametrize("size", [1_000])
def test_a_loop_of_links_with_one_name_is_paired_without_looking_at_all_of_them(size):
    looked = []

    @ek.link(deterministic=True)
    def step(at, total):
        looked.append(at)
        return total + 1

    @ek.traced("loop")
    def program(question):
        total = 0
        for at in range(size):
            total = step(at, total)
        return ask(ek.assemble("{t} {n}", t=total, n=ek.context("note", HALF)))

    run = recorded(program, "q")
    looked.clear()
    found = run.whatif(remove="note")
    assert (found.word, looked, len(reused(found))) == ("cause", [], size)
    steps = [row["seq"] for row in run.recording.rows("link_opened") if row["name"] == "step"]
    assert run.whatif(swap={steps[size // 2]: 0}).run.prompt().text.startswith("499")
    assert min(looked) == size // 2 + 1


def test_streams_are_reused_item_by_item_and_run_again_when_they_differ():
    stepped = []

    @ek.link(deterministic=True)
    def words(text):
        for word in text.split(" "):
            stepped.append(word)
            yield f"{word} "

    @ek.traced("streams")
    def program(question):
        kept = list(words("a b"))
        return ask("".join([*kept, *words(ek.context("note", HALF))]))

    run = recorded(program, "q")
    stepped.clear()
    found = run.whatif(replace={"note": "nothing here"})
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")
    assert "b" not in stepped
    assert reused(found) == ["words"]
    numbers = [row["seq"] for row in run.recording.rows("link_opened") if row["name"] == "words"]
    assert run.whatif(swap={numbers[1]: ["half ", "of the fare"]}).word == "not shown"


def test_async_links_and_async_streams_are_reused():
    ran = []

    @ek.link(deterministic=True)
    async def fetch(name):
        ran.append(name)
        await asyncio.sleep(0)
        return f"text of {name}"

    @ek.link(deterministic=True)
    async def tokens(text):
        for word in text.split():
            ran.append(word)
            yield word

    @ek.traced("async")
    async def program(question):
        pages = await asyncio.gather(fetch("one"), fetch("two"))
        kept = [word async for word in tokens("x y")]
        return ask(ek.assemble("{p} {k} {n}", p=pages, k=kept, n=ek.context("note", HALF)))

    asyncio.run(program("q"))
    run = ek.last()
    ran.clear()
    found = asyncio.run(run.whatif_async(remove="note"))
    assert (found.word, ran) == ("cause", [])
    assert reused(found) == ["fetch", "fetch", "tokens"]


def test_links_in_threads_are_reused_whatever_their_order():
    ran = []

    @ek.link(deterministic=True)
    def fetch(name):
        ran.append(name)
        return f"text of {name}"

    @ek.traced("threads")
    def program(question):
        bound = ek.last().bind(fetch)
        with ThreadPoolExecutor(4) as pool:
            pages = list(pool.map(bound, "abcd"))
        return ask(ek.assemble("{p} {n}", p=pages, n=ek.context("note", HALF)))

    def rerun(question):
        with ThreadPoolExecutor(4) as pool:
            pages = list(pool.map(fetch, "abcd"))
        return ask(ek.assemble("{p} {n}", p=pages, n=ek.context("note", HALF)))

    run = recorded(program, "q")
    ran.clear()
    found = run.whatif(remove="note", call=rerun)
    assert (found.word, ran) == ("cause", [])


def test_a_link_that_answers_or_overrides_inside_is_run_again():
    @ek.link(deterministic=True)
    def answers(text):
        ek.answer(text)
        return ek.override(str.upper, by="shouter")

    @ek.traced("answers inside")
    def program(question):
        answers("kept")
        ask(ek.context("note", HALF))
        return

    found = recorded(program, "q").whatif(remove="note")
    assert (found.word, found.before, found.after) == ("not shown", "KEPT", "KEPT")
    assert "answers" in executed(found)


def test_a_value_that_was_not_recorded_whole_is_made_again():
    class Client:
        def send(self, text):
            return ask(text)

    made = []

    @ek.link(deterministic=True)
    def connect(name):
        made.append(name)
        return Client()

    @ek.traced("live")
    def program(question):
        client = connect("desk")
        return client.send(ek.context("note", HALF))

    run = recorded(program, "q")
    made.clear()
    found = run.whatif(remove="note")
    assert found.word == "cause"
    assert len(made) == 3


def test_a_link_whose_code_changed_is_run_again():
    def version(number):
        @ek.link(name="step", deterministic=True)
        def step(text):
            return f"{text} {number}"

        @ek.link(name="step", deterministic=True)
        def other(text):
            return f"{text} other {number}"

        return step if number == 1 else other

    steps = [version(1)]

    @ek.traced("evolving")
    def program(question):
        return ask(ek.assemble("{s} {n}", s=steps[-1]("x"), n=ek.context("note", HALF)))

    run = recorded(program, "q")
    steps.append(version(2))
    found = run.whatif(remove="note")
    assert "step" in executed(found)
    assert "other 2" in found.run.prompt().text


def test_an_outcome_counts_only_when_nothing_of_what_runs_again_was_reused():
    """A flaky link makes the one below it run now and then; the counted set has both always."""
    changed = iter(["half", *["none"] * 40])

    @ek.link
    def flaky(prompt):
        return "half" if "half of" in prompt else next(changed)

    @ek.link
    def below(reply):
        return f"{reply} is paid"

    @ek.traced("flaky")
    def program(question):
        return below(flaky(ek.assemble("{n} {q}", n=ek.context("note", HALF), q=question)))

    run = recorded(program, "q")
    found = run.whatif(replace={"note": "Bring a ticket."})
    both = {
        row["seq"] for row in run.recording.rows("link_opened") if row["name"] in ("flaky", "below")
    }
    counted = [*found.trial.changed, *found.trial.unchanged]
    assert found.trial.forced == both
    assert all(not each.done.reused & both for each in counted)
    assert (found.word, found.flips, found.n) == ("cause", (5, 0), 5)
    assert found.trial.spent.reruns > len(counted)  # those that had reused one do not count


def test_a_program_that_draws_chance_outside_of_links_is_repeated():
    chance = random.Random(3)

    @ek.traced("random outside")
    def program(question):
        mood = chance.choice(["Half", "Nothing"])
        ask(ek.context("note", HALF))
        return f"{mood} is paid back."

    assert recorded(program, "q").whatif(remove="note").word != "cause"
    found = ek.last().whatif(remove="note", times=5)
    assert not found.trial.is_deterministic


def test_a_program_without_links_is_repeated_too():
    chance = random.Random(8)

    def model(prompt):  # not decorated, so nothing says that it varies
        return "Half" if chance.random() < 0.5 else "Nothing"

    @ek.traced("no links")
    def program(question):
        return model(ek.context("note", HALF))

    words = {recorded(program, "q").whatif(remove="note").word for _ in range(5)}
    assert "cause" not in words


def test_a_call_that_may_be_any_of_its_name_is_repeated_for_each_of_them():
    """The change takes the first of two calls of one name away and alters the second."""
    chance = iter([0, 0, *[1] * 200])

    @ek.link
    def flaky(prompt):
        return f"reply {next(chance)}"

    @ek.traced("two calls")
    def program(question):
        note = ek.context("note", "Ask first.")
        if note:
            flaky("a question")
        return flaky(ek.assemble("{n} {q}", n=note, q=question))

    found = recorded(program, "q").whatif(replace={"note": ""})
    assert found.word != "cause"  # the second call differs from its record in every re-run
    assert found.flips[1] == found.n


def test_a_link_that_fills_what_it_is_given_runs_again_where_that_is_missed():
    @ek.link(kind="tool")
    def fill(table, key):
        table[key] = "We pay half of the fare."
        return "done"

    @ek.traced("fills")
    def program(question):
        table = {}
        fill(table, "rule")
        note = ek.context("note", "Ask for the ticket.")
        return ask(f"{table['rule']} {note} {question}")

    found = recorded(program, "And?").whatif(remove="note")
    assert (found.word, found.reason) == ("not shown", None)
    assert {"fill", "ask"} <= set(executed(found))
