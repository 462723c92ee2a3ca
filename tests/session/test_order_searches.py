"""An answer that depends on an order, which no removal shows: of texts, rows or messages."""

import asyncio
import random
import re

import explainkit as ek

STEPS = {
    "fare": "The fare is 20.",
    "hours": "The desk opens at 9.",
    "bonus": "Double the amount.",
    "dogs": "Dogs travel free.",
    "surcharge": "Add 8.",
    "cards": "Cards are taken.",
}
STEP = re.compile(r"fare is (\d+)|(Double)|Add (\d+)")


def counted(text):
    """Does what the text says, in its order."""
    amount = None
    for fare, doubles, added in STEP.findall(text):
        if fare:
            amount = int(fare)
        elif amount is None:
            return "I do not know."
        else:
            amount = amount * 2 if doubles else amount + int(added)
    return "I do not know." if amount is None else f"{amount} euros."


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    if isinstance(prompt, str):
        return counted(prompt)
    return counted("\n".join(each["content"] for each in prompt))


@ek.traced("texts")
def texts(question):
    given = {name: ek.context(name, text) for name, text in STEPS.items()}
    template = "\n".join(f"{{{name}}}" for name in given)
    return ask(ek.assemble(template + "\n{q}", q=question, **given))


@ek.traced("messages")
def messages(question):
    said = [{"role": "user", "content": text} for text in STEPS.values()]
    history = ek.context("history", said, kind="message")
    return ask([*history, {"role": "user", "content": question}])


@ek.link(kind="retrieval")
def search(question):
    return list(STEPS.values())


@ek.traced("pages")
def pages(question):
    note = ek.context("note", "Be brief.")
    return ask(ek.assemble("{n}\n{p}\n{q}", n=note, p="\n".join(search(question)), q=question))


def right(answer):
    return answer == "56 euros."


def recorded(fn):
    assert fn("How much is it?") == "48 euros."
    return ek.last()


def test_the_order_of_two_texts_is_found_within_the_budget_of_a_search():
    run = recorded(texts)
    found = run.smallest_cause(judge=right)
    assert (found.items, found.order) == ((), ("bonus", "surcharge"))
    assert found.whatif.word == "cause"
    assert found.whatif.after == "56 euros."
    assert found.lines()[0] == (
        "bonus before surcharge: with it behind surcharge the answer flips."
    )
    assert found.stopped is None
    assert found.calls < 200
    assert len(found.whatifs) == len(list(run.recording.rows("finding")))
    assert "orders measured" in repr(found)
    assert run.whatif(reorder=["surcharge", "bonus"], judge=right).word == "cause"


def test_the_order_of_messages_is_found():
    found = recorded(messages).smallest_cause(
        [("history", at) for at in range(len(STEPS))], judge=right
    )
    assert found.order == (
        "item 3 of history (“Double the amount.”)",
        "item 5 of history (“Add 8.”)",
    )


def test_the_order_of_what_a_link_gave_is_found():
    found = recorded(pages).smallest_cause(judge=right)
    assert found.order == (
        "item 3 of search (“Double the amount.”)",
        "item 5 of search (“Add 8.”)",
    )


def test_only_what_is_listed_changes_places():
    run = recorded(texts)
    found = run.smallest_cause(["fare", "hours", "dogs"], judge=right)
    assert (found.items, found.order) == ((), ())
    assert re.search(r"nor \d+ orders", found.lines()[0])
    moved = [row["interventions"] for row in run.recording.rows("finding")]
    names = {name for told in moved for each in told for name in each.get("names", ())}
    assert not names & {"bonus", "surcharge"}


def test_where_a_removal_flips_no_order_is_tried():
    found = recorded(texts).smallest_cause()
    assert found.items
    assert found.order == ()
    assert "order" not in repr(found)


def test_an_order_is_searched_where_the_run_has_to_be_awaited():
    @ek.link(kind="model", deterministic=True)
    async def asked(prompt):
        return counted(prompt)

    @ek.traced("awaited")
    async def awaited(question):
        given = {name: ek.context(name, text) for name, text in STEPS.items()}
        template = "\n".join(f"{{{name}}}" for name in given)
        return await asked(ek.assemble(template + "\n{q}", q=question, **given))

    async def main():
        await awaited("How much is it?")
        return await ek.last().smallest_cause_async(judge=right)

    assert asyncio.run(main()).order == ("bonus", "surcharge")


def test_a_flaky_model_without_an_order_convicts_hardly_ever():
    assert sum(map(is_convicted_by_luck, range(8))) <= 1  # stated: 5 %, so 0.4 of 8


def is_convicted_by_luck(seed):
    chance = random.Random(seed)

    @ek.link(kind="model")
    def lucky(prompt):
        return "56 euros." if chance.random() < 1 / 3 else "48 euros."

    @ek.traced("lucky")
    def flaky(question):
        given = {name: ek.context(name, text) for name, text in list(STEPS.items())[:4]}
        template = "\n".join(f"{{{name}}}" for name in given)
        return lucky(ek.assemble(template + "\n{q}", q=question, **given))

    while flaky("How much is it?") != "48 euros.":
        pass
    found = ek.last().smallest_cause(judge=right, budget=1200)
    return bool(found.items or found.order)
