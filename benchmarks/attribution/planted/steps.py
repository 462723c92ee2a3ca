"""Plants causes in what is done rather than in what is read: tools, mergers, checks, overrides."""

from benchmarks.attribution.planted.drawing import TAILS
from benchmarks.attribution.planted.facts import text_of
from benchmarks.attribution.planted.fares import UNKNOWN, Hasty
from benchmarks.attribution.planted.scenes import Piece, Scene, Truth
from benchmarks.attribution.planted.wholes import facts

FALSE = {"amount": "5.00", "german": "fünf Euro"}


def twin_tools(draw):
    """Two tools are described alike, and the one that is chosen gives last year's fare."""
    tariff, *others = facts(draw)
    twin = Piece("old_fares", f"The fare is {draw.other_fare} EUR.")
    tools = [
        ({"name": f"tool_{n}", "description": draw.another(n).value}, "No entry was found.")
        for n in range(draw.size - 2)
    ]
    own = {"name": "fares", "description": "Gives the fare of a ticket as it is today."}
    told = {"name": "old_fares", "description": "Looks for the fare of my ticket, as of last year."}
    for entry in draw.rng.sample([(own, tariff.value), (told, twin.value)], 2):
        tools.insert(draw.rng.randrange(len(tools) + 1), entry)
    at = next(n for n, (entry, _) in enumerate(tools) if entry is told)
    model, given = draw.model(), "It looks as if my ticket had a fare."
    wrong, right = (model.amount(text_of([each, *others], "")) for each in (twin, tariff))
    question = draw.asked(right, wrong, given=given)
    return Scene(
        question,
        draw.placed(others, 8),
        model,
        model(text_of([twin, *others], question)),
        model(text_of([tariff, *others], question)),
        Truth((("remove", "tools", at),)),
        planted=(told["description"],),
        catalogue=tuple(tools),
    )


def chosen(question, tools):
    """The tool whose description has most words of the question; of equal ones the first."""
    asked = _words(question)
    return max(tools, key=lambda each: len(asked & _words(each["description"])))["name"]


def bad_reducer(draw):
    """The merge of a Parallel takes the last branch's answer and not the best."""
    tariff, report, _ = facts(draw)
    form = "german" if draw.form == "yes" else draw.form
    shares = draw.rng.sample((20, 40, 60, 80), 3)
    while shares[2] == max(shares):
        shares = draw.rng.sample((20, 40, 60, 80), 3)
    rules = [
        Piece(f"terms {n}", f"From {draw.low} minutes on, {share} percent are refunded.")
        for n, share in enumerate(shares)
    ]
    question = f"{tariff.value} {report.value} {TAILS[form]}"
    model, third = draw.model(), max(draw.size // 3, 1)
    pieces = [draw.placed([rule], third) for rule in rules]
    named = [
        Piece(each.name if each.name == rules[n].name else f"{each.name} of {n}", each.value)
        for n, part in enumerate(pieces)
        for each in part
    ]
    best = shares.index(max(shares))
    decorated = bool(draw.seed % 2)
    return Scene(
        question,
        tuple(named),
        model,
        model(text_of([rules[2]], question)),
        model(text_of([rules[best]], question)),
        Truth((("swap", "pick" if decorated else "merge"),)),
        planted=(),
        reducer=lambda ends: ends["2"],
        decorated=decorated,
    )


def wrong_override(draw):
    """Something puts another answer in the place of the right one."""
    model, pieces = draw.model(), facts(draw)
    amount = model.amount(text_of(pieces, ""))
    question = draw.asked(amount, amount / 2)
    right, form = model(text_of(pieces, question)), draw.form

    def rounding(text):
        turned = {"Yes.": "No.", "No.": "Yes.", UNKNOWN: UNKNOWN}
        return turned.get(text, FALSE.get(form, text))

    return Scene(
        question,
        draw.placed(draw.rng.sample(pieces, 3)),
        model,
        rounding(right),
        right,
        Truth((("hold", "rounding"),)),
        override=rounding,
    )


def swallowed_verdict(draw):
    """A check finds the draft wrong, its error is swallowed, and the draft is delivered."""
    model, pieces = draw.model(), facts(draw)
    amount = model.amount(text_of(pieces, ""))
    question = draw.asked(amount, 0)
    text = text_of(pieces, question)
    return Scene(
        question,
        draw.placed(draw.rng.sample(pieces, 3)),
        Hasty(model),
        Hasty(model)(text),
        model(text),
        Truth((("swap", "approve"),)),
        approval=True,
        second=model,
    )


def _words(text):
    return {word.strip(".,?").lower() for word in text.split() if len(word) > 3}
