"""What each causal door says of nulls whose unchanged run flips 1 in 3, of causes, and of nothing.

Run as `python -m benchmarks.attribution.planted.doors [decisions [whole [workers]]]`. A decision is
one call of a door on a freshly recorded run of three contexts; it is false when the door calls
anything a cause that is none. Re-runs are dealt (see `dealing`); the last table makes all of them.
"""

import asyncio
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import explainkit as ek
from benchmarks.attribution.planted.dealing import Coin, Dealer
from benchmarks.attribution.planted.tables import percent, table

RATE = 1 / 3
HERE = Path(__file__).parent
RULE = "For forty minutes we pay back half of the fare."


def program(coin, *, matters):
    """A claim with three contexts; the rule decides, or nothing does."""

    @ek.link(kind="model")
    def ask(prompt):
        said = "Half of it." if not matters or "half of the fare" in prompt else "Nothing of it."
        return "That depends." if coin.strikes() else said

    @ek.traced("claim")
    def claim(question):
        rule = ek.context("rule", RULE)
        note = ek.context("note", "Ask for the ticket at the desk.")
        aside = ek.context("aside", "The desk opens at nine.")
        return ask(ek.assemble("{r}\n{n}\n{a}\n{q}", r=rule, n=note, a=aside, q=question))

    return claim


def async_program(coin, *, matters):
    """The same, to be awaited."""

    @ek.link(kind="model")
    async def ask(prompt):
        said = "Half of it." if not matters or "half of the fare" in prompt else "Nothing of it."
        return "That depends." if coin.strikes() else said

    @ek.traced("awaited claim")
    async def claim(question):
        rule = ek.context("rule", RULE)
        note = ek.context("note", "Ask for the ticket at the desk.")
        aside = ek.context("aside", "The desk opens at nine.")
        return await ask(ek.assemble("{r}\n{n}\n{a}\n{q}", r=rule, n=note, a=aside, q=question))

    return claim


def leaking(coin):
    """The rule reaches the model by a second way, so taking the first away changes nothing."""

    @ek.link(kind="model")
    def ask(prompt):
        said = "Half of it." if "half of the fare" in prompt else "Nothing of it."
        return "That depends." if coin.strikes() else said

    @ek.traced("leaking claim")
    def claim(question):
        rule = ek.context("rule", RULE)
        poster = f"As the poster says: {RULE}"  # not recorded as a context of its own
        return ask(ek.assemble("{r}\n{p}\n{q}", r=rule, p=poster, q=question))

    return claim


def unread(coin):
    """A context that is recorded and never sent."""

    @ek.link(kind="model")
    def ask(prompt):
        return "That depends." if coin.strikes() else "Half of it."

    @ek.traced("unread claim")
    def claim(question):
        ek.context("rule", RULE)
        return ask(ek.assemble("{n}\n{q}", n=ek.context("note", "Ask at the desk."), q=question))

    return claim


def recorded(call, coin):
    """A run in which the deciding step did not strike."""
    coin.forced = False
    told = call("Forty minutes late?")
    if asyncio.iscoroutine(told):
        asyncio.run(told)
    coin.forced = None
    return ek.last()


def by_whatif(run):
    """One context is removed."""
    return {("rule",)} if run.whatif(remove="rule").word == "cause" else set()


def by_whatif_async(run):
    """The same, awaited."""
    found = asyncio.run(run.whatif_async(remove="rule"))
    return {("rule",)} if found.word == "cause" else set()


def by_three_whatifs(run):
    """Each context is removed, one call after the other; the words are read in the end."""
    asked = [(name, run.whatif(remove=name)) for name in ("rule", "note", "aside")]
    return {(name,) for name, found in asked if found.word == "cause"}


def by_three_whatifs_again(run):
    """The same; what was a cause when it was asked, and is not any more, is asked once more."""
    asked = {}
    for name in ("rule", "note", "aside"):
        found = run.whatif(remove=name)
        asked[name] = found, found.word
    for name, (found, said) in list(asked.items()):
        if said == "cause" and found.word != "cause":
            asked[name] = run.whatif(remove=name), said
    return {(name,) for name, (found, _) in asked.items() if found.word == "cause"}


def by_smallest_cause(run):
    """The smallest set."""
    found = run.smallest_cause()
    return {tuple(found.items)} if found.items else set()


def by_cause_roles(run):
    """Who is needed, who is a copy."""
    found = run.cause_roles()
    return {(name,) for name in (*found.needed, *found.copies)}


def by_cause_shares(run):
    """Whose share is certainly not nothing."""
    return {(name,) for name, (low, _) in run.cause_shares().shares.items() if low > 0}


DOORS = {
    "run.whatif": (program, by_whatif),
    "run.whatif, three calls": (program, by_three_whatifs),
    "run.whatif, three calls, lost ones again": (program, by_three_whatifs_again),
    "run.whatif_async": (async_program, by_whatif_async),
    "run.smallest_cause": (program, by_smallest_cause),
    "run.cause_roles": (program, by_cause_roles),
    "run.cause_shares": (program, by_cause_shares),
}


SLOW = {
    "run.whatif, three calls",
    "run.whatif, three calls, lost ones again",
    "run.cause_shares",
}
"""Those that take many more re-runs are only asked with re-runs that are dealt."""

UNAPPLIED = {"the text takes another way": leaking, "the context was never sent": unread}


def decided(door, decisions, *, matters, dealt=True):
    """How often a door names something, exactly the cause, and something that is none."""
    make, ask = DOORS[door]
    coin = Coin(RATE, f"{door} {matters}")
    call, dealer = make(coin, matters=matters), Dealer(coin)
    named = exact = false = 0
    with dealer.deals() if dealt else nullcontext():
        for _ in range(decisions):
            found = ask(recorded(call, coin))
            named += bool(found)
            exact += found == {("rule",)}
            false += bool(found - {("rule",)}) if matters else bool(found)
    return {
        "decisions": decisions, "named": named, "exact": exact, "false": false,
        "reruns": dealer.dealt / decisions if dealt else None,
    }  # fmt: skip


def told_not_applied(make, decisions):
    """How often a change that did not reach the model is said to be not applied, and convicted."""
    coin = Coin(RATE, make.__name__)
    call = make(coin)
    words = [recorded(call, coin).whatif(remove="rule").word for _ in range(decisions)]
    return {
        "decisions": decisions,
        "not applied": words.count("not applied"),
        "cause": words.count("cause"),
    }


def task(what):
    """One line of a table."""
    table_name, name, count = what
    if table_name == "not applied":
        return told_not_applied(UNAPPLIED[name], count)
    return decided(
        name,
        count,
        matters=table_name == "causes",
        dealt=table_name != "all re-runs made",
    )


def figures(decisions, whole, workers):
    """All of them as JSON."""
    todo = [("nulls", door, decisions) for door in DOORS]
    todo += [("causes", door, decisions // 4) for door in DOORS]
    todo += [("not applied", what, whole) for what in UNAPPLIED]
    todo += [("all re-runs made", door, whole) for door in DOORS if door not in SLOW]
    told = {"rate": RATE}
    with ProcessPoolExecutor(workers) as pool:
        for (name, line, _), found in zip(todo, pool.map(task, todo), strict=True):
            told.setdefault(name, {})[line] = found
            print(name, line, found, file=sys.stderr, flush=True)
    return told


def markdown(told):
    """The tables."""
    nulls = [
        (door, each["decisions"], f"{each['false']} ({percent(each['false'] / each['decisions'])})",
         f"{each['reruns']:.1f}")
        for door, each in told["nulls"].items()
    ]  # fmt: skip
    causes = [
        (door, each["decisions"], percent(each["named"] / each["decisions"]),
         percent(each["exact"] / each["decisions"]), each["false"], f"{each['reruns']:.1f}")
        for door, each in told["causes"].items()
    ]  # fmt: skip
    applied = [
        (what, each["decisions"], each["not applied"], each["cause"])
        for what, each in told["not applied"].items()
    ]
    whole = [
        (door, each["decisions"], f"{each['false']} ({percent(each['false'] / each['decisions'])})")
        for door, each in told["all re-runs made"].items()
    ]
    return "\n\n".join((
        "### Nulls", table(("door", "decisions", "convict", "re-runs each"), nulls),
        "### A cause that always flips", table(
            ("door", "decisions", "name something", "exactly the cause", "something else too",
             "re-runs each"), causes),
        "### Not applied", table(("what", "decisions", "not applied", "cause"), applied),
        "### Nulls, every re-run made", table(("door", "decisions", "convict"), whole),
    )) + "\n"  # fmt: skip


def main(decisions=2_000, whole=200, workers=2):
    """Print the tables, and write the figures beside this file."""
    told = figures(decisions, whole, workers)
    text = json.dumps(told, indent=1)
    (HERE / "doors.json").write_text(text + "\n", encoding="utf-8")
    print(markdown(told))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
