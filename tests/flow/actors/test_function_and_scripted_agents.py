"""Agents that are a function, or a script for tests of a machine."""

import asyncio
import functools

import pytest

from explainkit.errors import ChartError, RefusedError
from explainkit.flow.actors import ScriptedAgent, agent
from explainkit.flow.models import ReadingModel
from explainkit.flow.statecharts.actor_kinds import kind_of

from .turns_by_table import TableTurn


def take(worker, turn):
    return asyncio.run(worker.work(turn))


async def looks(turn):
    read = await turn.pick("look")
    await turn.pick("finished")
    return read.value


class Looks:
    async def __call__(self, turn):
        return await looks(turn)


@pytest.mark.parametrize("function", [looks, functools.partial(looks), Looks()])
def test_a_coroutine_function_takes_the_turn_and_gives_its_output(function):
    turn = TableTurn({"look": "full"})
    assert take(agent(function), turn) == "full"
    assert [name for name, _ in turn.picked] == ["look", "finished"]


def test_what_a_function_raises_is_raised_as_it_is():
    @agent
    async def lost(turn):
        raise LookupError(turn.name)

    with pytest.raises(LookupError, match="coder"):
        take(lost, TableTurn())


def test_every_agent_is_an_agent_to_a_machine():
    made = [agent(looks), agent(model=ReadingModel()), ScriptedAgent([])]
    assert [kind_of(each) for each in made] == ["agent"] * 3


@pytest.mark.parametrize("wrong", [print, lambda turn: None, "coder", ReadingModel(), object])
def test_what_is_no_coroutine_function_is_refused_when_the_agent_is_made(wrong):
    with pytest.raises(ChartError, match="coroutine function"):
        agent(wrong)


@pytest.mark.parametrize(
    "settings", [{"model": ReadingModel()}, {"instructions": "Be kind."}, {"max_picks": 3}]
)
def test_a_function_takes_none_of_a_models_settings(settings):
    with pytest.raises(ChartError, match="takes nothing else"):
        agent(looks, **settings)


def test_a_script_is_picked_step_by_step_and_keeps_what_it_read():
    worker = ScriptedAgent(["look", ("note", {"bay": 4}), "finished"])
    turn = TableTurn({"look": "full"})
    assert take(worker, turn) is None
    assert turn.picked == [("look", {}), ("note", {"bay": 4}), ("finished", {})]
    assert [(read.event, read.value, read.source) for read in worker.reads] == [
        ("look", "full", "reply"),
        ("note", None, "receipt"),
        ("finished", None, "receipt"),
    ]


def test_a_step_may_choose_from_what_was_read_in_this_turn():
    worker = ScriptedAgent(["look", lambda reads: ("note", {reads[-1].value: len(reads)})])
    turn = TableTurn({"look": ("full", "empty")}, ends=())
    take(worker, turn)
    take(worker, turn)
    assert [payload for name, payload in turn.picked if name == "note"] == [
        {"full": 1},
        {"empty": 1},
    ]
    assert len(worker.reads) == 4


def test_a_list_of_picks_is_made_at_the_same_time_and_read_in_its_order():
    worker = ScriptedAgent([["look", ("note", {"bay": 4})]])
    turn = TableTurn({"look": "full", "note": "kept"})
    take(worker, turn)
    assert turn.most_at_once == 2
    assert [read.value for read in worker.reads] == ["full", "kept"]


def test_of_picks_at_the_same_time_a_refused_one_raises_after_the_others_were_read():
    worker = ScriptedAgent([["fly", "look"]])
    with pytest.raises(RefusedError, match="fly"):
        take(worker, TableTurn({"look": "full"}))
    assert [read.value for read in worker.reads] == ["full"]


def test_a_script_stops_when_its_turn_is_over():
    worker = ScriptedAgent(["finished", "look"])
    turn = TableTurn()
    take(worker, turn)
    assert turn.picked == [("finished", {})]


@pytest.mark.parametrize("script", [["finished"], [["finished"]]])
def test_what_ended_the_turn_is_kept_when_the_agent_is_stopped_in_that_moment(script):
    class Ending(TableTurn):
        async def pick(self, event, payload=None, *, uses=()):
            read = await super().pick(event, payload, uses=uses)
            answered = asyncio.get_running_loop().create_future()
            answered.set_result(read)
            asyncio.get_running_loop().call_soon(self.worker.cancel)  # as a machine does it
            return await answered

    worker = ScriptedAgent(script)

    async def run():
        turn = Ending()
        turn.worker = asyncio.create_task(worker.work(turn))
        await asyncio.wait([turn.worker])

    asyncio.run(run())
    assert [read.event for read in worker.reads] == ["finished"]


@pytest.mark.parametrize("step", [7, None, ("look",), ("look", {}, 1), (1, {}), ["look", 7]])
def test_a_step_that_cannot_be_picked_is_refused_when_the_script_is_made(step):
    with pytest.raises(ChartError, match="cannot pick"):
        ScriptedAgent([step])


def test_a_function_that_gives_nothing_to_pick_is_refused_when_it_is_its_turn():
    with pytest.raises(ChartError, match="cannot pick None"):
        take(ScriptedAgent([lambda reads: None]), TableTurn())


def test_a_script_of_one_name_is_one_step():
    assert repr(ScriptedAgent("look")) == "ScriptedAgent(1 steps)"
