"""An answer flow whose checker is itself at fault: it has an old price list among its evidence."""

import re

import explainkit as ek
from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    Recovery,
    define_answer_flow,
    names_and_numbers_from,
)

PRICES = "The pool costs 7 euros. The sauna costs 18 euros. The towel costs 3 euros."
OLD = "The pool costs 5 euros. The sauna costs 12 euros."
CHECKER = names_and_numbers_from([PRICES, OLD])


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    what = re.search(r"does the (\w+) cost", prompt)[1]
    return f"The {what} costs {re.findall(rf'{what} costs (.+?) euros', prompt)[-1]} euros."


def generate(*, items, **_):
    return {
        each.id: ask(f"{each.data['source']}\n{each.data['mail']}\nQ: {each.data['question']}")
        for each in items
    }


FLOW = define_answer_flow(
    AnswerFlowDefinition(
        max_items=20,
        max_repairs=1,
        can_invoke=lambda context: True,
        generate=generate,
        check=lambda *, item, value, context: CHECKER.check(value, context),
        fallback=lambda **_: Recovery(True, "Please ask at the desk."),
    ),
    name="pool",
)


def item(name, mail=""):
    data = {"question": f"What does the {name} cost?", "source": PRICES, "mail": mail}
    return AnswerItem(name, [name], "ready", data)


def run():
    """Three items, the first of them wrong and passed by the checker."""
    items = [item("pool", OLD), item("sauna"), item("towel")]
    return FLOW.run_sync(input_ids=["pool", "sauna", "towel"], items=items).run


@ek.link(kind="tool", deterministic=True)
def price(name):
    return f"The {name} costs {7 if name == 'pool' else 18} euros."


@ek.traced("prices")
def prices(names):
    return ek.answer(" ".join(price(name) for name in names.split()))


def asked_twice():
    """A tool that was called twice, in a run that can be run again."""
    prices("pool sauna")
    return ek.last()
