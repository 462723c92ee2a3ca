"""Random machines with Agents, nested Agents and effects, and whatever may happen to them."""

import asyncio

from hypothesis import strategies as st

from explainkit.flow import NO_ANSWER, answer, define_event, invoke, machine, state, to
from explainkit.flow.clocks import settled
from tests.flow.driving.acting import Puppet

SIDES = ("left", "right")
EVENTS = ("one", "two", "three")
DEFINED = [
    *(define_event(f"{side}_{name}", audience="agent") for side in SIDES for name in EVENTS),
    define_event("ping", audience="external"),
]
VALUES = ("A", None, 7, {"k": [1]}, NO_ANSWER, b"no form")


class Cast:
    """Everybody who plays in one machine; each effect says whose it is."""

    def __init__(self):
        self.agents = {f"{side}_{role}": Puppet() for side in SIDES for role in ("outer", "inner")}
        self.calls = []

    def effect(self, side):
        async def work(_):
            future = asyncio.get_running_loop().create_future()
            self.calls.append((side, future))
            return await future

        return work

    def actors(self):
        effects = {f"{side}_work": self.effect(side) for side in SIDES}
        return {**self.agents, **effects}


@st.composite
def charts(draw):
    """A function of a cast that builds one random machine; the same one each time."""
    sides = SIDES[: draw(st.integers(1, 2))]
    plans = {side: draw(_plan(side)) for side in sides}
    above = draw(_answers("at the root"))
    restarts = draw(st.booleans())

    def build(cast):
        on = {"ping": to(do=above)}
        if restarts:
            on["agent.fault"] = to(".left" if len(sides) == 1 else None, do=lambda _: None)
        regions = {side: _region(side, plans[side]) for side in sides}
        several = {"parallel": True} if len(sides) == 2 else {"initial": "left"}
        return machine(
            "random", events=DEFINED, actors=cast.actors(), on=on, states=regions, **several
        )

    return build


@st.composite
def _plan(draw, side):
    keys = [f"s{n}" for n in range(draw(st.integers(2, 4)))]
    states = []
    for key in keys:
        invoked = draw(st.sampled_from(("nobody", "work", "work", "work", "inner")))
        arrows = {
            f"{side}_{event}": (draw(st.sampled_from(keys)), draw(_answers(f"{key} {event}")))
            for event in draw(st.lists(st.sampled_from(EVENTS), min_size=1, unique=True))
        }
        states.append(
            {
                "key": key,
                "invoked": invoked,
                "holds": draw(st.integers(0, 3)) > 0,
                "done": (draw(st.sampled_from(keys)), draw(_answers(f"{key} done"))),
                "error": (draw(st.sampled_from(keys)), draw(_answers(f"{key} error"))),
                "entry": draw(_answers(f"{key} entry")),
                "on": arrows,
            }
        )
    # The name of an Agent stands for one state, and one invocation of an effect for one id.
    seen = False
    for each in states:
        if each["invoked"] == "inner":
            each["invoked"] = "nobody" if seen else "inner"
            seen = True
    return states


def _answers(site):
    def made(values):
        return [answer(lambda _, value=value: value) for value in values]

    del site
    return st.lists(st.sampled_from(VALUES), max_size=2).map(made)


def _region(side, plan):
    states = {each["key"]: _inside(side, each) for each in plan}
    return state(invoke=invoke(f"{side}_outer"), initial=plan[0]["key"], states=states)


def _inside(side, each):
    invokes = []
    if each["invoked"] == "work":
        (done, say), (error, tell) = each["done"], each["error"]
        invokes = [
            invoke(
                f"{side}_work",
                id=f"{side}_{each['key']}",
                holds=each["holds"],
                on_done=to(done, do=say),
                on_error=to(error, do=tell),
            )
        ]
    elif each["invoked"] == "inner":
        invokes = [invoke(f"{side}_inner", holds=each["holds"])]
    on = {name: to(target, do=do) for name, (target, do) in each["on"].items()}
    return state(invoke=invokes, entry=each["entry"], on=on)


class Play:
    """What happens to one machine, step by step.

    Attributes:
        picks: Every pick that was made: the Agent and the task that will have read.
    """

    def __init__(self, cast, running):
        self.cast = cast
        self.running = running
        self.picks = []

    async def step(self, number):
        """Do one of the things that can happen now."""
        choices = list(self._choices())
        name, call = choices[number % len(choices)]
        await call()
        await settled()
        return name

    def _choices(self):
        for side, future in self.cast.calls:
            if not future.done():
                yield f"{side} gives", self._giving(side, future)
        for name, agent in self._live():
            for event in agent.turn.allowed:
                yield f"{name} picks {event}", self._picking(name, agent, event)
        yield "ping", self._ping
        for side, future in self.cast.calls:
            if not future.done():
                yield f"{side} raises", self._raising(future)
        for name, task in self.picks:
            if not task.done():
                yield f"{name} gives up", self._cancelling(task)
        for name, agent in self._live():
            yield f"{name} faults", self._faulting(agent)
            if name.endswith("inner"):
                yield f"{name} returns", agent.returns

    def _live(self):
        for name, agent in self.cast.agents.items():
            if agent.turns and not agent.turn.over:
                yield name, agent

    async def _ping(self):
        self.running.send("ping")

    def _picking(self, name, agent, event):
        async def pick():
            self.picks.append((name, await agent.picks(event)))

        return pick

    def _giving(self, side, future):
        async def give():
            future.set_result({"side": side, "number": len(self.picks)})

        return give

    def _raising(self, future):
        async def fail():
            future.set_exception(RuntimeError("no"))

        return fail

    def _faulting(self, agent):
        async def fault():
            await agent.raises(ValueError("cannot go on"))

        return fault

    def _cancelling(self, task):
        async def cancel():
            task.cancel()

        return cancel
