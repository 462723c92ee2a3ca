"""Every function that an engine calls says what it reads from outside of the record."""

import explainkit as ek
from explainkit.answering import AnswerFlowDefinition, AnswerItem, Recovery, define_answer_flow
from explainkit.flow import (
    Agent,
    Conditional,
    Loop,
    Parallel,
    Sequence,
    admit,
    after_call,
    allow,
    deny,
    final,
    invoke,
    machine,
    piece,
    python,
    retry,
    state,
    to,
    when,
)
from explainkit.flow.models import CallableModel, ToolCall

RATES = {"SEK": 11.2}
WORDS = {"said": "It costs "}
LIMIT = 3


def exchange_rate(currency: str) -> float:
    """Rate of a currency."""
    return RATES[currency]


def reply(messages):
    results = [each["content"] for each in messages if each["role"] == "tool"]
    if results:
        return WORDS["said"] + results[-1]
    return ToolCall(id="1", name="exchange_rate", arguments={"currency": "SEK"})


class OwnModel:
    """A client of one's own."""

    def __init__(self):
        self.words = WORDS

    async def complete(self, prompt, *, tools=()):
        del tools
        return reply(prompt) if isinstance(reply(prompt), ToolCall) else self.words["said"]


def guarded(call, context):
    del call, context
    assert LIMIT
    return allow()


def read_by(run=None):
    """What the links of a run read, by type and name."""
    rows = (run or ek.last()).recording.rows("link_opened")
    return {(row["type"], row["name"]): row["untracked"] for row in rows if row.get("untracked")}


def test_tools_models_and_policies_of_an_agent_say_what_they_read():
    agent = Agent(CallableModel(reply), tools=[exchange_rate], policy=guarded, name="planner")
    assert agent.run_sync("What is the rate?") == "It costs 11.2"
    assert read_by() == {
        ("model", "planner model"): ["global WORDS"],
        ("policy", "guarded"): ["global LIMIT"],
        ("tool", "exchange_rate"): ["global RATES"],
    }
    lines = ek.last().backtrack(span="11.2").untracked
    assert "read, not recorded, by exchange_rate: global RATES (on this path)" in lines


class Doorkeeper:
    """Lets every message by that is not too long."""

    def __init__(self):
        self.words = ["late"]

    def check_message(self, message, phase):
        del phase
        return admit() if len(str(message["content"])) > LIMIT * 0 and self.words else deny("no")


class Priced:
    id = "priced"

    def check(self, value, context):
        del context
        return {"status": "passed" if WORDS and value else "failed"}


def test_rules_pieces_middleware_and_checks_of_an_agent_are_told_by_its_own_link():
    told = ["We pay half."]
    agent = Agent(
        CallableModel(lambda messages: "Half."),
        context=[piece("note", lambda: told[0])],
        rules=[after_call(lambda attempt: bool(RATES) and attempt.number > 5, retry())],
        middleware=[Doorkeeper()],
        validator=Priced(),
        name="planner",
    )
    assert agent.run_sync("How much?") == "Half."
    assert read_by() == {
        ("agent", "planner"): [
            "attribute self.words",
            "closure told",
            "global LIMIT",
            "global RATES",
            "global WORDS",
        ]
    }


def test_a_model_of_a_class_of_ones_own_says_it_and_those_of_explainkit_do_not():
    agent = Agent(OwnModel(), tools=[exchange_rate], name="planner")
    agent.run_sync("What is the rate?")
    assert read_by()["model", "planner model"] == ["attribute self.words"]
    row = next(r for r in ek.last().recording.rows("link_opened") if r["type"] == "model")
    assert row["code"]


def test_steps_branches_and_conditions_of_compositions_say_it():
    limit = [3]
    big = Conditional(
        when(lambda n: n > LIMIT, lambda n: n * RATES["SEK"], name="big"), default=str, name="size"
    )
    assert Sequence(lambda n: n + limit[0], big, name="steps").run_sync(2) == 56.0
    assert read_by()["conditional", "size"] == ["global LIMIT"]
    named = [r.get("untracked") for r in ek.last().recording.rows("link_opened")]
    assert ["closure limit"] in named
    assert ["global RATES"] in named
    Loop(lambda n: n + 1, until=lambda n: n > LIMIT, name="up").run_sync(1)
    assert read_by() == {("loop", "up"): ["global LIMIT"]}
    Parallel({"a": str, "b": str}, merge=lambda found: RATES, name="both").run_sync(1)
    assert ["global RATES"] in read_by().values()


def test_ports_of_an_answer_flow_say_it():
    seen = []

    def generate(*, items, repairs, previous, context):
        del repairs, previous, context
        return {each.id: RATES for each in items}

    flow = define_answer_flow(
        AnswerFlowDefinition(
            max_items=2,
            max_repairs=0,
            can_invoke=lambda context: LIMIT > 0,
            generate=generate,
            check=lambda *, item, value, context: {"status": "failed" if WORDS else "passed"},
            fallback=lambda *, item, issues, context: Recovery(True, WORDS["said"]),
            observe=lambda *, stage_id, results, context: seen.append(stage_id),
        ),
        name="prices",
    )
    flow.run_sync(input_ids=["q"], items=[AnswerItem("a", ["q"], "ready", None)])
    assert {name: found for (kind, name), found in read_by().items() if kind != "observe"} == {
        "can_invoke": ["global LIMIT"],
        "generate": ["global RATES"],
        "check": ["global WORDS"],
        "fallback": ["global WORDS"],
    }
    assert {tuple(found) for (kind, _), found in read_by().items() if kind == "observe"} == {
        ("closure seen",)
    }


def test_functions_of_a_machine_say_it():
    chart = machine(
        "rates",
        actors={"look": python(lambda currency: RATES[currency])},
        initial="looking",
        states={
            "looking": state(invoke=invoke("look", input="SEK", on_done=to("done"))),
            "done": final(),
        },
    )
    chart.run_sync(None)
    assert ["global RATES"] in read_by().values()


def test_models_of_other_code_are_told_apart():
    codes = set()
    for reply_of in (lambda messages: "one", lambda messages: "two"):
        Agent(CallableModel(reply_of, deterministic=True), name="planner").run_sync("Hi?")
        codes |= {r["code"] for r in ek.last().recording.rows("link_opened") if r.get("code")}
    assert len(codes) == 2
