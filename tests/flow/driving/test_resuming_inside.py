"""A machine inside of another goes on where it stood when the outer one is resumed."""

import asyncio
import json

import pytest

import explainkit as ek
from explainkit.errors import ResumeError
from explainkit.flow import (
    Answered,
    Paused,
    answer,
    define_event,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
)
from explainkit.store.integrity import doctor
from tests.flow.driving.acting import through_json

APPROVE = define_event("approve", input=dict[str, int], audience="external")


def nested(ran, *, depth=2, leaf=lambda args: args.event.payload["n"]):
    """A machine that counts an effect and asks a person, inside of as many others."""

    async def counted(_):
        ran.append(1)

    inner = machine(
        "level 0",
        actors={"job": counted, "boss": gate(APPROVE)},
        initial="working",
        states={
            "working": state(invoke=invoke("job", on_done=to("asking"))),
            "asking": state(invoke=invoke("boss"), on={"approve": to("done")}),
            "done": final(output=leaf),
        },
    )
    for level in range(1, depth):
        inner = machine(
            f"level {level}",
            actors={"inside": inner},
            initial="a",
            states={
                "a": state(invoke=invoke("inside", on_done=to("b"))),
                "b": final(output=lambda args: args.event.output),
            },
        )
    return inner


async def approved(chart, resume):
    running = chart.begin(resume=resume)
    name = "inside." * (int(chart.id[-1])) + "boss"
    (await running.gate(name)).send("approve", {"n": 7})
    return await running.outcome()


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_what_was_done_inside_is_not_done_again_from_a_checkpoint(depth):
    ran = []
    chart = nested(ran, depth=depth)
    paused = asyncio.run(chart.outcome())
    assert isinstance(paused, Paused)

    assert asyncio.run(approved(chart, through_json(paused.checkpoint))) == Answered(7)
    assert ran == [1]
    assert not doctor(ek.last().recording)


def test_what_was_done_inside_is_not_done_again_from_a_run_file(tmp_path):
    ran = []
    chart = nested(ran)
    asyncio.run(chart.outcome(to=tmp_path))

    assert asyncio.run(approved(chart, ek.last().path)) == Answered(7)
    assert ran == [1]


def test_a_second_pause_keeps_what_happened_inside_before_the_first():
    ran = []
    chart = nested(ran)
    paused = asyncio.run(chart.outcome())
    again = asyncio.run(chart.outcome(resume=through_json(paused.checkpoint)))
    assert isinstance(again, Paused)

    assert asyncio.run(approved(chart, through_json(again.checkpoint))) == Answered(7)
    assert ran == [1]


def test_a_machine_inside_that_leads_elsewhere_now_is_refused(tmp_path):
    def charts(word):
        said = answer(lambda _: word)
        inner = machine(
            "inner",
            context=lambda _: {"n": 0},
            actors={"boss": gate(APPROVE)},
            initial="a",
            states={
                "a": state(invoke=invoke("boss"), on={"approve": to(word)}),
                "left": state(invoke=invoke("boss", id="l"), on={"approve": to(do=said)}),
                "right": state(invoke=invoke("boss", id="r"), on={"approve": to(do=said)}),
            },
        )
        return machine(
            "outer",
            actors={"inside": inner},
            initial="a",
            states={"a": state(invoke=invoke("inside"))},
        )

    async def moved():
        running = charts("left").begin(to=tmp_path)
        (await running.gate("inside.boss")).send("approve", {"n": 1})
        running.cancel()
        await running.outcome()
        return running.record.path

    path = asyncio.run(moved())
    with pytest.raises(ResumeError, match="another chart"):
        asyncio.run(charts("right").outcome(resume=path))


def test_a_checkpoint_is_plain_json():
    paused = asyncio.run(nested([]).outcome())
    assert json.loads(json.dumps(paused.checkpoint)) == paused.checkpoint
