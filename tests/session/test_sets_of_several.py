"""Sets that flip together are found where removing everything does not make the answer right."""

import random

import pytest

import explainkit as ek

RIGHT, WRONG = "Refund: 30.", "Refund: 60."
TEXTS = {
    "tariff": "The ticket costs 40.",
    "board": "Today the ticket costs 80.",
    "hours": "The desk opens at 9.",
    "report": "The train was late by 70 minutes.",
    "terms": "Half of it is paid back from 60 minutes on.",
    "leaflet": "Whoever bought one knows: a ticket costs 80, always.",
    "dogs": "Dogs travel free.",
    "notice": "Bicycles need a card.",
}


def fares(prompt):
    """The half of the highest fare that is named, where a delay and a rule are known."""
    if "late" not in prompt or "Half" not in prompt:
        return "I do not know."
    costs = [at for at in (80, 40) if f"costs {at}" in prompt]
    return f"Refund: {costs[0] // 2}." if costs else "I do not know."


def right(answer):
    return answer == "Refund: 20."


def recorded(said, texts, *, declared=True):
    @ek.link(kind="model", deterministic=declared)
    def ask(prompt):
        return said(prompt)

    @ek.traced("claim")
    def claim(question):
        given = {name: ek.context(name, text) for name, text in texts.items()}
        template = "\n".join(f"{{{name}}}" for name in given)
        return ask(ek.assemble(template + "\n{q}", q=question, **given))

    while right(claim("How much is paid back?")):
        pass
    return ek.last()


def test_copies_in_other_words_are_found_although_nothing_is_right_without_everything():
    run = recorded(fares, TEXTS)
    found = run.smallest_cause(judge=right)
    assert (found.items, found.is_minimal) == (("board", "leaflet"), True)
    assert (found.whatif.word, found.whatif.after) == ("cause", "Refund: 20.")
    assert "so each was tried alone, then several together." in repr(found)
    roles = recorded(fares, TEXTS).cause_roles(judge=right)
    assert (roles.needed, roles.copies) == ((), ("board", "leaflet"))
    assert not roles.bystanders  # of nobody can it be said where everything does not flip
    assert "tariff" in roles.unresolved


def test_copies_of_the_same_words_are_tried_first():
    texts = TEXTS | {"leaflet": TEXTS["board"]}
    run = recorded(fares, texts)
    found = run.smallest_cause(judge=right)
    assert found.items == ("board", "leaflet")
    assert len(found.whatifs) == 1 + len(texts) + 1
    assert found.whatifs[2].word == "not shown"
    assert "also stands in context 'leaflet'" in repr(found.whatifs[2])


def test_three_copies_are_found_by_halves_and_what_is_left_of_them():
    texts = {"tariff": TEXTS["tariff"], "report": TEXTS["report"], "terms": TEXTS["terms"]}
    signs = {f"sign_{at}": f"{word} costs 80" for at, word in enumerate(("This", "It", "That"))}
    found = recorded(fares, texts | {"hours": TEXTS["hours"]} | signs).smallest_cause(judge=right)
    assert found.items == ("sign_0", "sign_1", "sign_2")
    assert found.is_minimal


def excluded(prompt):
    """Nothing is paid where strikes are excluded and there was a strike; else as the fares say."""
    if "strikes are excluded" in prompt and "was a strike" in prompt:
        return "Refund: 0."
    return fares(prompt)


JOINT = {name: TEXTS[name] for name in ("tariff", "report", "terms", "dogs")} | {
    "exclusions": "Claims after strikes are excluded.",
    "inspection": "There was a strike.",
}


def test_two_that_are_needed_together_are_told_so():
    roles = recorded(excluded, JOINT).cause_roles(judge=right)
    assert roles.needed == ("exclusions", "inspection")
    assert "needed together: exclusions, inspection" in roles.lines()


def test_two_that_each_flip_the_answer_alone_and_not_together_are_not_called_joint():
    def either_but_not_both(prompt):
        ones = [word for word in ("alpha", "beta") if word in prompt]
        return "Refund: 20." if len(ones) == 1 else "Refund: 60."

    texts = {"a": "It says alpha.", "b": "It says beta.", "c": "It says nothing."}
    roles = recorded(either_but_not_both, texts).cause_roles(judge=right)
    assert roles.needed == ("a", "b")
    assert roles.lines()[1] == "flips the answer alone: a, b"


def test_where_nothing_flips_the_lines_say_how_much_was_tried():
    def never(prompt):
        return WRONG

    found = recorded(never, TEXTS).smallest_cause(judge=right)
    assert found.items == ()
    several = sum(1 < len(one) < len(TEXTS) for one in found.to_frame()["removed"])
    assert several > len(TEXTS)
    assert f"nor were {several} sets of several" in found.lines()[0]
    assert recorded(never, TEXTS).cause_roles(judge=right).copies == ()


@pytest.mark.parametrize("seed", [1])
def test_a_flaky_model_does_not_hide_copies_and_convicts_no_other_set(seed):
    chance = random.Random(seed)

    def unsteady(prompt):
        return "Refund: 20." if chance.random() < 0.1 else fares(prompt)

    run = recorded(unsteady, TEXTS, declared=False)
    found = run.smallest_cause(judge=right, budget=5000)
    assert found.items == ("board", "leaflet")
    assert found.whatif.n >= 10


@pytest.mark.parametrize("seed", [1, 2])
def test_a_flaky_model_without_a_cause_convicts_no_set_of_several(seed):
    chance = random.Random(seed)

    def lucky(prompt):
        return "Refund: 20." if chance.random() < 1 / 3 else WRONG

    texts = dict(list(TEXTS.items())[:4])
    run = recorded(lucky, texts, declared=False)
    assert run.smallest_cause(judge=right, budget=800).items == ()


def test_one_of_many_is_found_in_blocks_and_the_words_say_so():
    others = {f"platform_{at}": f"Trains to town {at} leave from here." for at in range(40)}
    needed = {name: TEXTS[name] for name in ("tariff", "report", "terms")}
    texts = {"board": TEXTS["board"], **others, **needed}
    found = recorded(fares, texts).smallest_cause(judge=right)
    assert (found.items, found.whatif.word) == (("board",), "cause")
    assert len(found.whatifs) < 20
    assert "so smaller sets were tried." in repr(found)
    assert "tried alone." not in repr(found)
