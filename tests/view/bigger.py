"""Runs of any size recorded step by step, for layouts and folding."""

from explainkit.store import MemorySink, Recording
from explainkit.tracing.recorder import Recorder


def chat(turns: int, *, tools: int = 1) -> Recording:
    """A run of turns: a context, a step around a model call and its tool calls, a chained reply."""
    sink = MemorySink(run="chat", name="chat")
    recorder = Recorder(sink, run="chat", clock=None)
    put, value = recorder.append, recorder.value
    put("run_started", run="chat", name="chat", question=value("How many lines are there?"))
    reply = None
    for turn in range(turns):
        note = value(f"fact {turn}: line {turn} has {turn * 7} words")
        seq = put("context", name=f"fact-{turn}", type="document", value=note)
        step = put("link_opened", name="turn", type="function", inputs=[])
        origins = [{"seq": seq, "slot": "value"}, *([reply] if reply else [])]
        ask = put(
            "link_opened",
            name="ask",
            type="model",
            parent=step,
            inputs=[{"slot": "prompt", "value": value(f"prompt of turn {turn}"), "from": origins}],
        )
        for call in range(tools):
            used = put("link_opened", name="search", type="tool", parent=step, inputs=[])
            put("link_closed", link=used, status="answered", output=value(f"hit {turn}.{call}"))
        closed = put(
            "link_closed", link=ask, status="answered", output=value(f"reply of turn {turn}")
        )
        put("link_closed", link=step, status="answered", output=value(f"reply of turn {turn}"))
        reply = {"seq": closed, "slot": "output"}
    put("answer", value=value(f"reply of turn {turns - 1}"))
    recorder.close("answered")
    return Recording.of_lines(sink.lines())
