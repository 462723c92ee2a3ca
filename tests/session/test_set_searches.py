"""The smallest cause, the part of each context and the shares, found by real re-runs."""

import asyncio
import random

import pytest

import explainkit as ek
from explainkit.errors import InterventionError, RerunError
from explainkit.whatif.searching import planned_size

HALF, NOTHING = "Half is paid back.", "Nothing is paid back."


def single(prompt):
    return "alpha" in prompt


def joint(prompt):
    return "alpha" in prompt and "beta" in prompt


def either(prompt):
    return "alpha" in prompt or "beta" in prompt


def steady(rule):
    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return HALF if rule(prompt) else NOTHING

    return ask


def flaky(rule, rate, seed):
    """A model that now and then does not see what decides."""
    chance = random.Random(seed)

    @ek.link(kind="model")
    def ask(prompt):
        return HALF if rule(prompt) and chance.random() >= rate else NOTHING

    return ask


def recorded(ask, count, words):
    """A run with so many notes, some of which hold a word."""

    @ek.traced("claim")
    def claim(question):
        notes = {
            f"n{at}": ek.context(f"note {at}", f"Note {at} tells of {words.get(at, 'nothing')}.")
            for at in range(count)
        }
        template = " ".join(f"{{{name}}}" for name in notes)
        return ask(ek.assemble(template + " {q}", q=question, **notes))

    while claim("40 minutes late?") != HALF:
        pass
    return ek.last()


def test_a_single_cause_among_fifty_takes_fewer_re_runs_than_leaving_each_out_once():
    run = recorded(steady(single), 50, {31: "alpha"})
    found = run.smallest_cause()
    assert found.items == ("note 31",)
    assert found.is_minimal
    assert found.whatif.word == "cause"
    # Leaving one out, without reuse: one changed re-run for each of 50, and two unchanged ones.
    assert found.reruns < 52
    assert found.calls == found.reruns
    # Two unchanged re-runs serve all sets, as every link that runs is declared deterministic.
    assert found.reruns == len(found.whatifs) + 2
    assert all(each.sizes == (1, 2) for each in found.whatifs)
    assert len(found.whatifs) == len(list(run.recording.rows("finding")))


def test_every_set_of_a_search_is_re_run_on_its_own():
    run = recorded(steady(single), 8, {3: "alpha"})
    found = run.smallest_cause()
    frame = found.to_frame()
    assert list(frame["removed"][:2]) == [
        tuple(f"note {at}" for at in range(8)),
        tuple(f"note {at}" for at in range(4)),
    ]
    assert set(frame["word"]) == {"cause", "not shown"}
    assert found.whatif.after == NOTHING
    assert "alpha" not in found.whatif.run.prompt().text


def test_of_a_joint_cause_one_is_enough_to_remove_and_all_are_needed():
    run = recorded(steady(joint), 20, {3: "alpha", 15: "beta"})
    assert run.smallest_cause().items == ("note 3",)
    roles = run.cause_roles()
    assert roles.needed == ("note 3", "note 15")
    assert not roles.copies
    assert len(roles.bystanders) == 18
    assert str(roles) == "needed together: note 3, note 15"


def test_redundant_copies_must_all_be_removed():
    run = recorded(steady(either), 20, {3: "alpha", 15: "beta"})
    found = run.smallest_cause()
    assert found.items == ("note 3", "note 15")
    assert found.is_minimal
    assert "removing all of them flips the answer" in str(found)
    roles = run.cause_roles()
    assert not roles.needed
    assert roles.copies == ("note 3", "note 15")
    assert len(roles.bystanders) == 18


def test_copies_of_the_same_words_are_copies_too():
    """Removing one is not applied: its words still reach the model by the other."""

    @ek.traced("twice")
    def twice(question):
        notes = [ek.context(name, "It tells of alpha.") for name in ("one", "two")]
        other = ek.context("three", "It tells of nothing.")
        prompt = ek.assemble("{a} {b} {c} {q}", a=notes[0], b=notes[1], c=other, q=question)
        return steady(single)(prompt)

    twice("40 minutes late?")
    run = ek.last()
    assert run.smallest_cause().items == ("one", "two")
    assert run.cause_roles().copies == ("one", "two")


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("rate", [0.1, 1 / 3])
def test_a_flaky_model_hides_neither_a_single_nor_a_joint_cause(rate, seed):
    run = recorded(flaky(single, rate, seed), 8, {5: "alpha"})
    found = run.smallest_cause(budget=2000)
    assert "note 5" in found.items
    assert found.whatif.word == "cause"
    assert found.whatif.n >= 5
    run = recorded(flaky(joint, rate, seed), 6, {1: "alpha", 4: "beta"})
    assert set(run.cause_roles(budget=2000).needed) == {"note 1", "note 4"}


@pytest.mark.parametrize("rate", [0.1, 1 / 3])
def test_a_flaky_model_does_not_hide_redundant_copies(rate):
    run = recorded(flaky(either, rate, 3), 6, {1: "alpha", 4: "beta"})
    found = run.smallest_cause(budget=3000)
    assert found.items == ("note 1", "note 4")
    assert found.whatif.word == "cause"


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_flaky_model_without_a_cause_convicts_nothing(seed):
    run = recorded(flaky(lambda prompt: True, 1 / 3, seed), 6, {})
    found = run.smallest_cause(budget=1000)
    assert found.items == ()
    assert found.whatif is None
    assert str(found).startswith("No set was found: removing everything gives ")


def test_where_removing_everything_does_not_flip_each_is_tried_alone():
    """Without any rule the answer is what the wrong rule made of it."""

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        limits = [int(word) for word in prompt.split() if word.isdigit()]
        return HALF if limits and max(limits) < 30 else NOTHING

    @ek.traced("limits")
    def limits(question):
        rules = [ek.context(f"rule {at}", f"Pay below {at} minutes.") for at in (10, 20, 40)]
        return ask(ek.assemble("{a} {b} {c} {q}", a=rules[0], b=rules[1], c=rules[2], q=question))

    limits("Is it paid back?")
    found = ek.last().smallest_cause()
    assert found.items == ("rule 40",)
    assert str(found) == "rule 40: removing it flips the answer."
    assert "Removing everything gives not shown" in repr(found)
    assert "so each was tried alone" in repr(found)


def test_where_nothing_flips_it_all_were_tried_alone_and_then_several():
    run = recorded(steady(lambda prompt: True), 4, {})
    found = run.smallest_cause()
    assert found.items == ()
    sizes = [len(each) for each in found.to_frame()["removed"]]
    assert sizes == [4, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3]
    assert "and none was shown to flip the answer alone" in str(found)


def test_sentences_items_and_rows_are_searched_as_contexts_are():
    rows = [{"zone": f"zone {at}", "fare": 10 + at} for at in range(6)]

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return HALF if "zone 4" in prompt and "alpha" in prompt and "gamma" in prompt else NOTHING

    @ek.traced("parts")
    def parts(question):
        rules = ek.context("rules", "The first is alpha. The second is nothing. Here is delta.")
        listed = ek.context("listed", ["a beta piece", "a gamma piece", "another piece"])
        table = ek.context("table", rows)
        return ask(ek.assemble("{r} {l} {t} {q}", r=rules, l=listed, t=table, q=question))

    parts("How much?")
    run = ek.last()
    sentences = run.smallest_cause([("rules", at) for at in range(3)])
    assert sentences.items == ("sentence 1 of rules (“The first is alpha.”)",)
    assert run.smallest_cause([("listed", at) for at in range(3)]).items == (
        "item 2 of listed (“a gamma piece”)",
    )
    assert run.smallest_cause([("table", at) for at in range(6)]).items == (
        "item 5 of table (“zone 4”)",
    )
    mixed = run.cause_roles([("rules", "alpha"), ("listed", 0), ("table", 4)])
    assert mixed.needed == ("'alpha' of rules", "item 5 of table (“zone 4”)")
    assert mixed.bystanders == ("item 1 of listed (“a beta piece”)",)


def test_a_tuple_is_one_target_as_in_a_what_if():
    run = recorded(steady(single), 3, {1: "alpha"})
    assert run.smallest_cause(("note 1", "alpha")).items == ("'alpha' of note 1",)
    assert run.smallest_cause("note 1").items == ("note 1",)


def test_contexts_of_the_same_name_are_told_apart():
    @ek.traced("same names")
    def same(question):
        one = ek.context("note", "It tells of nothing.")
        two = ek.context("note", "It tells of alpha.")
        return steady(single)(ek.assemble("{a} {b} {q}", a=one, b=two, q=question))

    same("40 minutes late?")
    run = ek.last()
    _, second = (row["seq"] for row in run.recording.rows("context"))
    assert run.smallest_cause().items == (f"note (record {second})",)


def test_a_run_of_which_nothing_can_be_removed_is_refused():
    @ek.traced("numbers")
    def numbers(question):
        limit = ek.context("limit", 7)
        return steady(lambda prompt: True)(ek.assemble("{l} {q}", l=limit, q=question))

    numbers("How many?")
    for search in (ek.last().smallest_cause, ek.last().cause_roles, ek.last().cause_shares):
        with pytest.raises(InterventionError, match="no context that can be removed"):
            search()


def test_a_target_that_is_not_there_is_refused_before_anything_runs():
    run = recorded(steady(single), 3, {1: "alpha"})
    with pytest.raises(LookupError):
        run.smallest_cause(["note 1", "no such note"])
    assert not list(run.recording.rows("finding"))


def test_a_part_beside_its_whole_is_refused():
    run = recorded(steady(single), 3, {1: "alpha"})
    with pytest.raises(InterventionError, match="collide"):
        run.smallest_cause(["note 1", ("note 1", "alpha")])


def test_a_budget_that_ends_in_the_middle_keeps_what_was_measured():
    run = recorded(steady(either), 20, {3: "alpha", 15: "beta"})
    found = run.smallest_cause(budget=30)
    assert found.stopped == "budget"
    assert set(found.items) > {"note 3", "note 15"}
    assert not found.is_minimal
    assert 30 <= found.calls <= 33
    assert "Whether fewer are enough is not decided" in repr(found)
    assert f"The budget was used up after {len(found.whatifs)} sets; these are kept" in repr(found)
    findings = list(run.recording.rows("finding"))
    assert len(findings) == len(found.whatifs)
    assert [row["n"] > 0 for row in findings[:-1]] == [True] * (len(findings) - 1)


def test_a_budget_that_ends_before_anything_is_shown_says_so():
    run = recorded(flaky(single, 0.1, 1), 5, {3: "alpha"})
    found = run.smallest_cause(budget=3)
    assert found.items == ()
    assert "over budget" in str(found)
    roles = run.cause_roles(budget=3)
    assert not roles.needed
    assert len(roles.unresolved) == 5


def test_an_interrupt_keeps_what_was_measured():
    run = recorded(steady(single), 20, {3: "alpha"})
    told = []

    def progress(trial):
        told.append(trial)
        if len(told) == 8:
            raise KeyboardInterrupt

    found = run.smallest_cause(progress=progress)
    assert found.stopped == "cancelled"
    assert len(told) == 8
    assert set(found.items) >= {"note 3"}
    assert "It was cancelled after 6 sets" in repr(found)


def async_run():
    @ek.link(kind="model", deterministic=True)
    async def ask(prompt):
        await asyncio.sleep(0)
        return HALF if joint(prompt) else NOTHING

    @ek.traced("claim")
    async def claim(question):
        notes = [ek.context(f"note {at}", f"It is {w}.") for at, w in enumerate(WORDS)]
        return await ask(
            ek.assemble("{a} {b} {c} {q}", a=notes[0], b=notes[1], c=notes[2], q=question)
        )

    asyncio.run(claim("40 minutes late?"))
    return ek.last()


WORDS = ("alpha", "nothing", "beta")


def test_runs_that_are_awaited_are_searched_with_await():
    run = async_run()

    async def searches():
        return (
            await run.smallest_cause_async(),
            await run.cause_roles_async(),
            await run.cause_shares_async(),
        )

    smallest, roles, shares = asyncio.run(searches())
    assert smallest.items == ("note 0",)
    assert roles.needed == ("note 0", "note 2")
    assert list(shares.shares) == ["note 0", "note 1", "note 2"]


def test_in_a_running_loop_they_are_refused_without_await():
    run = async_run()

    async def in_a_loop():
        return run.smallest_cause()

    with pytest.raises(RerunError, match="await"):
        asyncio.run(in_a_loop())


def test_shares_of_a_joint_and_of_a_redundant_cause():
    shares = recorded(steady(joint), 4, {0: "alpha", 2: "beta"}).cause_shares()
    assert shares.shares == {
        "note 0": (0.5, 0.5),
        "note 1": (0.0, 0.0),
        "note 2": (0.5, 0.5),
        "note 3": (0.0, 0.0),
    }
    assert str(shares) == "note 0: 1/2"
    rule = recorded(
        steady(lambda prompt: joint(prompt) or "delta" in prompt),
        3,
        dict(enumerate(("alpha", "beta", "delta"))),
    )
    shares = rule.cause_shares()
    assert {name: round(low, 3) for name, (low, _) in shares.shares.items()} == {
        "note 0": 0.167,
        "note 1": 0.167,
        "note 2": 0.667,
    }
    assert sum(low for low, _ in shares.shares.values()) == pytest.approx(1)


def test_shares_that_are_not_decided_are_bounds():
    run = recorded(steady(joint), 4, {0: "alpha", 2: "beta"})
    shares = run.cause_shares(budget=12)
    assert shares.stopped == "budget"
    assert any(low < high for low, high in shares.shares.values())
    assert "some sets are not decided" in repr(shares)


def test_shares_of_more_than_ten_are_refused_before_anything_runs():
    run = recorded(steady(single), 11, {3: "alpha"})
    with pytest.raises(InterventionError, match="11 have 2,047"):
        run.cause_shares()
    assert not list(run.recording.rows("finding"))
    assert len(run.cause_shares([f"note {at}" for at in range(3, 6)]).whatifs) == 7


def test_what_is_said_is_worked_out_anew_beside_everything_measured_later():
    run = recorded(flaky(single, 0, 1), 12, {3: "alpha"})
    found = run.smallest_cause(["note 3"], times=5)
    assert found.items == ("note 3",)
    assert "p = 0.0" in str(found.whatif)
    for at in range(4, 12):
        run.whatif(remove=f"note {at}", times=5)
    assert found.whatifs[0].word == "inconclusive"
    assert found.items == ()
    assert found.whatif is None
    assert "No set was found: removing everything gives inconclusive" in str(found)
    assert found.to_frame()["word"][0] == "inconclusive"


def test_a_loaded_run_is_searched_with_the_function_that_makes_it(tmp_path):
    run = recorded(steady(single), 5, {3: "alpha"})
    loaded = ek.load(run.save(tmp_path / "run.ek.jsonl"))
    ask = steady(single)

    def again(question):
        notes = {
            f"n{at}": ek.context(f"note {at}", f"Note {at} tells of {word}.")
            for at, word in enumerate(["nothing"] * 3 + ["alpha", "nothing"])
        }
        template = " ".join(f"{{{name}}}" for name in notes)
        return ask(ek.assemble(template + " {q}", q=question, **notes))

    assert loaded.smallest_cause(call=again).items == ("note 3",)
    kept = ek.load(tmp_path / "run.ek.jsonl")
    assert len(list(kept.recording.rows("finding"))) > 2
    assert kept.doctor() == []


def test_what_is_shown_is_escaped():
    @ek.traced("hostile")
    def hostile(question):
        note = ek.context("<script>alert(1)</script>", "It tells of alpha.")
        return steady(single)(ek.assemble("{n} {q}", n=note, q=question))

    hostile("40 minutes late?")
    found = ek.last().smallest_cause()
    html = found._repr_html_()
    assert "<script>" not in html
    assert "removing it flips the answer" in html
    assert "1 set measured, 3 re-runs, 3 calls" in repr(found)


@pytest.mark.parametrize("first", [1, 2, 14])
def test_however_long_a_search_goes_on_its_sets_share_one_level(first):
    assert sum(1 / planned_size(at, first=first) for at in range(5000)) <= 1


def test_nobody_is_cleared_where_removing_everything_does_not_flip_the_answer():
    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "No." if "old" in prompt or "law" not in prompt else "Yes."

    @ek.traced("rule")
    def rule(question):
        old = ek.context("note", "The old rule.")
        law = ek.context("statute", "The law.")
        return ask(ek.assemble("{a} {b}", a=old, b=law))

    rule("May I?")
    roles = ek.last().cause_roles()
    assert (roles.needed, roles.bystanders, roles.unresolved) == (("note",), (), ("statute",))
    text = repr(roles)
    assert "so each was tried alone" in text
    assert "flips the answer alone: note" in text
    assert "not decided: statute" in text


def test_a_search_in_a_loop_names_its_own_door():
    @ek.traced("awaited")
    async def awaited(question):
        return ek.context("note", question)

    async def main():
        await awaited("q")
        run = ek.last()
        for name in ("smallest_cause", "cause_roles", "cause_shares"):
            with pytest.raises(RerunError, match=rf"await run\.{name}_async"):
                getattr(run, name)()

    asyncio.run(main())


def test_a_search_over_contexts_goes_on_with_what_links_gave():
    @ek.link(kind="retrieval")
    def search(question):
        return "The old rule."

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "No." if "old" in prompt else "Yes."

    @ek.traced("desk")
    def desk(question):
        tone = ek.context("tone", "Be kind.")
        law = ek.context("law", "The law.")
        return ask(ek.assemble("{a} {b} {c}", a=tone, b=law, c=search(question)))

    desk("May I?")
    run = ek.last()
    found = run.smallest_cause()
    assert found.items == ("search",)
    assert "and then items and results of steps were tried" in repr(found)
    assert run.smallest_cause(["search"]).items == ("search",)
    asked = run.smallest_cause(["tone"])
    assert asked.items == ()
    assert "results of steps" not in repr(asked)
