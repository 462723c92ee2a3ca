"""Plants wrong facts: in a document, a memory, a tool's result, a table's row, or in its unit."""

from benchmarks.attribution.planted.drawing import TAILS
from benchmarks.attribution.planted.scenes import Piece, Scene, Truth


def poisoned_fact(draw):
    """A document states another fare than the tariff, and the model holds to it."""
    return _contradicted(draw, Piece("board", f"The fare is {draw.other_fare} EUR."))


def stale_memory(draw):
    """A memory of an old fare outlived the tariff."""
    text = f"Noted in 2021: the fare is {draw.other_fare} EUR."
    return _contradicted(draw, Piece("memory", text, "memory"))


def unit_error(draw):
    """An amount or a time is given in a wrong unit."""
    if draw.rng.random() < 0.5:
        draw.form = "yes" if draw.form == "german" else draw.form
        return _contradicted(draw, Piece("invoice", f"The fare is {draw.fare * 100} EUR."))
    fare, other = _fare(draw), Piece("log", f"The delay is {draw.low - 10} hours.")
    told = Piece("report", f"The delay is {draw.low - 10} minutes.")
    return scene(draw, [fare, *draw.ordered([told], other), _rule(draw)], other)


def wrong_tool_result(draw):
    """A tool gives a wrong fare, which nothing else states, or which the model prefers."""
    tool = Piece("look_up", f"The fare is {draw.other_fare} EUR.", "tool")
    if draw.seed % 2:
        given = f"The delay is {draw.delay} minutes. {draw.rule}"
        return scene(draw, [], tool, tool=tool, given=given, key=("swap", "look_up"))
    model_order = [_fare(draw), _delay(draw), _rule(draw)]
    return scene(draw, model_order, tool, tool=tool, key=("swap", "look_up"))


def wrong_row(draw):
    """One number of one row of a table is wrong."""
    zone = draw.rng.randrange(1, draw.size)
    rows = [
        {"zone": f"zone {n}", "fare": draw.rng.randrange(20, 99)} for n in range(1, draw.size + 1)
    ]
    rows[zone - 1]["fare"] = draw.other_fare
    table = Piece("rows", rows, "table")
    given = f"My ticket is for zone {zone}."
    key = ("remove", "rows", zone - 1)
    if draw.seed % 2:
        given = f"{given} The delay is {draw.delay} minutes. {draw.rule}"
        return scene(draw, [table], table, given=given, key=key, around=4)
    told = Piece("notice", f"The fare of zone {zone} is {draw.fare} EUR.")
    important = [*draw.ordered([told], table), _delay(draw), _rule(draw)]
    return scene(draw, important, table, given=given, key=key, around=8)


def scene(draw, important, planted, *, tool=None, given="", key=None, around=None):
    """A scene of FareModel; without a second statement of it the answer itself decides."""
    model = draw.model()
    with_it = [*important, tool] if tool and draw.prefers == "last" else [tool, *important]
    with_it = [each for each in with_it if each is not None]
    without = [each for each in with_it if each is not planted]
    wrong, right = (model.amount(text_of(each, given)) for each in (with_it, without))
    if right is None:
        tail = TAILS[draw.form].format(limit=int(wrong / 2))
        question = f"{given} {tail}".strip()
    else:
        question = draw.asked(right, wrong, given=given)
    return Scene(
        question,
        draw.placed(important, around),
        model,
        model(text_of(with_it, question)),
        model(text_of(without, question)),
        Truth((key or ("remove", planted.name),)),
        judge="same" if right is None else "right",
        planted=(str(planted.value),),
        tool=tool,
        before=draw.prefers == "first",
    )


def text_of(pieces, question):
    """What a model reads of some pieces."""
    return "\n".join([*(str(each.value) for each in pieces), question])


def _contradicted(draw, planted):
    important = [*draw.ordered([_fare(draw)], planted), _delay(draw), _rule(draw)]
    return scene(draw, important, planted)


def _fare(draw):
    return Piece("tariff", f"The fare is {draw.fare} EUR.")


def _delay(draw):
    return Piece("report", f"The delay is {draw.delay} minutes.")


def _rule(draw):
    return Piece("terms", draw.rule)
