"""What surrounds the messages: the start of the run, system texts, tools, the question."""

from typing import Any

from explainkit.adapters.dialects.blocks import parts_of
from explainkit.adapters.script import Script
from explainkit.adapters.turns import Text
from explainkit.adapters.wording import inline
from explainkit.tracing.recorder import Recorder


class Surroundings:
    """Writes the first records of a run, and the slots that every model link shares."""

    def __init__(self, recorder: Recorder, script: Script) -> None:
        """Write through ``recorder`` what stands in ``script``."""
        self._recorder = recorder
        self._script = script
        self._shared: list[dict[str, Any]] = []
        self._own: dict[str, dict[str, Any]] = {}
        self.question: str | None = None
        self.started = 0
        model = script.fields.get("model")
        self.model = model if isinstance(model, str) and 0 < len(model) <= 100 else None

    def start(self) -> None:
        """Write ``run_started`` and the contexts that stand beside the messages."""
        script, recorder = self._script, self._recorder
        if script.question is not None:
            self.question = recorder.value(script.question)
        source = dict(script.source)
        if script.fields:
            source["fields"] = recorder.value(dict(script.fields))
        self.started = recorder.append(
            "run_started",
            run=script.run,
            name=inline(recorder, script.name),
            question=self.question,
            source=source,
        )
        if script.system is not None:
            self._shared.append(self._system("system", script.system))
        if script.tools:
            self._shared.append(self._tools())
        for actor, text in script.systems.items():
            name = inline(recorder, f"system prompt of {actor}")
            self._own[actor] = self._system(name, text)

    def inputs(self, actor: str | None) -> list[dict[str, Any]]:
        """The slots that a link of ``actor`` has beside its messages."""
        own = self._own.get(actor) if actor is not None else None
        return [*self._shared, own] if own is not None else list(self._shared)

    def _system(self, name: str, written: Any) -> dict[str, Any]:
        texts = [part.text for part in parts_of(written, "") if isinstance(part, Text)]
        value = self._recorder.value(texts[0] if len(texts) == 1 else written)
        seq = self._recorder.append(
            "context", name=name, type="instruction", slot="system", value=value
        )
        return {"slot": "system", "value": value, "from": [{"seq": seq, "slot": "value"}]}

    def _tools(self) -> dict[str, Any]:
        segments = []
        for index, tool in enumerate(self._script.tools):
            seq = self._recorder.append(
                "context",
                name=inline(self._recorder, _tool_name(tool) or f"tool {index}"),
                type="tool description",
                slot="tools",
                value=self._recorder.value(tool),
            )
            origin = {"seq": seq, "slot": "value"}
            segments.append({"path": "", "start": index, "end": index + 1, "origin": origin})
        value = self._recorder.value(list(self._script.tools))
        return {"slot": "tools", "value": value, "segments": segments}


def _tool_name(tool: Any) -> str | None:
    if not isinstance(tool, dict):
        return None
    inner = tool.get("function")
    name = inner.get("name") if isinstance(inner, dict) else tool.get("name")
    return name if isinstance(name, str) and name else None
