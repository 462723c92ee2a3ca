"""Small programs that are recorded and run again; their models read their prompts."""

import explainkit as ek

HALF = "For 30 minutes we pay back half of the fare."
RULES = f"{HALF} Children travel free."
ROWS = [
    {"zone": "inner city", "fare": 12},
    {"zone": "outer ring", "fare": 30},
    {"zone": "airport", "fare": 55},
]


def said(prompt):
    """What the models of these programs read: all texts of a prompt."""
    return prompt if isinstance(prompt, str) else " ".join(str(each) for each in prompt)


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    text = said(prompt)
    if "12" in text:
        return "You paid 12."
    return "Half is paid back." if "half of the fare" in text else "Nothing is paid back."


@ek.link(kind="model")
def undeclared(prompt):
    return "Half is paid back." if "half of the fare" in said(prompt) else "Nothing is paid back."


@ek.traced("claim")
def claim(question):
    rules = ek.context("rules", RULES, kind="document")
    note = ek.context("note", "Ask for the ticket.", kind="memory")
    return ask(ek.assemble("{rules}\n{note}\n{q}", rules=rules, note=note, q=question))


@ek.traced("undeclared claim")
def undeclared_claim(question):
    rules = ek.context("rules", RULES, kind="document")
    note = ek.context("note", "Ask for the ticket.", kind="memory")
    return undeclared(ek.assemble("{rules}\n{note}\n{q}", rules=rules, note=note, q=question))


def recorded(fn, *args):
    """The run of a call."""
    fn(*args)
    return ek.last()


def executed(found):
    """Names of the links that ran when the change was tried."""
    return [each.name for each in found.trial.changed[0].done.executed]


def reused(found):
    """Names of the recorded links whose results were used."""
    points = found.trial.origin.recorded.points
    return [points[seq].name for seq in sorted(found.trial.changed[0].done.reused)]
