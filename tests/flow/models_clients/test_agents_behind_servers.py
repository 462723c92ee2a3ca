"""An Agent whose model is behind a server: picks arrive, each call is recorded once."""

import asyncio
from itertools import count

import pytest

import explainkit as ek
from explainkit.flow.actors import agent
from explainkit.flow.models import AnthropicModel, OpenAIModel
from explainkit.flow.statecharts.event_definitions import define_event
from tests.flow.actors.turns_by_table import FINISHED, TableTurn
from tests.flow.models_clients.protocols import call, chat, message, tool_use
from tests.flow.models_clients.server import ModelServer

openai = pytest.importorskip("openai", reason="the extra openai is not installed")
anthropic = pytest.importorskip("anthropic", reason="the extra anthropic is not installed")

LOOK = define_event("desk-look", "Look at the desk.")
TEXT = "The stamp lies under the ledger."
PICKS = {
    "openai": [
        chat(None, calls=[call("c1", "desk-look", "{}")]),
        chat(None, calls=[call("c2", FINISHED.name, "{}")]),
    ],
    "anthropic": [
        message(tool_use("c1", "desk-look", {}), stop="tool_use"),
        message(tool_use("c2", FINISHED.name, {}), stop="tool_use"),
    ],
}


def client_of(kind, server):
    made = openai.AsyncOpenAI if kind == "openai" else anthropic.AsyncAnthropic
    return ek.instrument(made(base_url=server.url, api_key="key-of-a-test"))


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_turn_is_taken_through_a_server(kind):
    model = OpenAIModel if kind == "openai" else AnthropicModel
    turn = TableTurn({"desk-look": TEXT}, menu=(LOOK, FINISHED), given={"prompt": "Find it."})

    async def work(server):
        async with client_of(kind, server) as client:
            await agent(model=model("small", client=client), instructions="Look.").work(turn)

    ticks = count(1_000)
    with (
        ModelServer(*PICKS[kind]) as server,
        ek.trace("turn", run_id="r", clock=lambda: next(ticks)) as run,
    ):
        asyncio.run(work(server))
    assert [name for name, _ in turn.picked] == ["desk-look", FINISHED.name]
    assert TEXT in str(server.requests[1].body["messages"])
    assert "desk-look" in str(server.requests[1].body["tools"])
    opened = run.recording.rows("link_opened")
    assert [row["type"] for row in opened].count("model") == 2
    assert run.doctor() == []
