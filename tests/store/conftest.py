"""Short runs to write and to damage."""

import pytest

from explainkit.testing.building import Trace, TraceBuilder


@pytest.fixture
def claim() -> Trace:
    """A finished run: context, model link, answer, override, in all forms of values."""
    built = TraceBuilder(run="claim-1", name="claim")
    built.append("run_started", at=1, run="claim-1", name="claim", question=None)
    tariff = built.value("Half of the fare after 60 minutes.")
    context = built.append("context", at=2, name="tariff", value=tariff)
    prompt = built.value(
        "Half of the fare after 60 minutes.\n\nQ: 40 minutes?",
        parts=[{"digest": tariff}, "\n\nQ: 40 minutes?"],
    )
    given = [{"slot": "prompt", "value": prompt, "from": [{"seq": context, "slot": "value"}]}]
    link = built.append("link_opened", at=3, type="model", name="ask", inputs=given)
    reply = built.value("Half of the fare, says Ms Müller.")
    built.append("link_closed", at=4, link=link, status="answered", output=reply)
    built.check()
    built.append("answer", at=5, slot="answer", value=reply, via="answer")
    calm = built.value("Half of the fare, says the passenger desk.")
    built.append("override", at=6, slot="answer", from_version=1, value=calm, by="redactor")
    return built.build("answered")
