"""Runs written through the real recorder, for the tests of this folder."""

from explainkit.graph import Evidence
from explainkit.store import MemorySink, Recording
from explainkit.tracing import Recorder

TARIFF = "Tariff: a delay of at least 60 minutes gives a quarter of the fare. Less gives nothing."
NOTE = "Goodwill campaign, winter: for any delay the customer gets half of the fare as a voucher."
QUESTION = "My train was 40 minutes late. What do I get back?"
REPLY = "Dear Mia Li, the customer gets half of the fare as a voucher. Allow ten working days."


class Writing:
    """Writes one run."""

    def __init__(self, question=None, **started):
        self.sink = MemorySink(run="r1", name="test")
        self.recorder = Recorder(self.sink, run="r1", clock=None)
        asked = {} if question is None else {"question": self.value(question)}
        self.add("run_started", run="r1", name="test", **asked, **started)

    def value(self, item):
        return self.recorder.value(item)

    def add(self, kind, **fields):
        return self.recorder.append(kind, **fields)

    def context(self, name, value, **fields):
        return self.add("context", name=name, value=self.value(value), **fields)

    def open(self, kind, name, *, origins=None, segments=None, uses=(), parent=None, **inputs):
        slots = [{"slot": key, "value": self.value(item)} for key, item in inputs.items()]
        for slot in slots:
            if origins and slot["slot"] in origins:
                slot["from"] = origins[slot["slot"]]
            if segments and slot["slot"] in segments:
                slot["segments"] = segments[slot["slot"]]
        return self.add(
            "link_opened", type=kind, name=name, inputs=slots, uses=list(uses), parent=parent
        )

    def close(self, link, output, **fields):
        return self.add(
            "link_closed", link=link, status="answered", output=self.value(output), **fields
        )

    def link(self, kind, name, output, **inputs):
        return self.close(self.open(kind, name, **inputs), output)

    def assemble(self, template, **values):
        """Fill ``{name}`` fields and declare where each stretch came from."""
        link = self.open("assemble", "assemble", **values)
        text, segments = "", []
        for at, part in enumerate(template.replace("}", "{").split("{")):
            if at % 2:
                value = values[part]
                origin = {"seq": link, "slot": part, "start": 0, "end": len(value)}
                segments.append(
                    {"start": len(text), "end": len(text) + len(value), "origin": origin}
                )
                part = value
            text += part
        self.close(link, text, segments=segments)
        return text

    def answer(self, value, **fields):
        return self.add("answer", slot="answer", value=self.value(value), **fields)

    def override(self, value, *, version=1, by="redactor", **fields):
        fields = {"reason": "names stay inside", "outcome": "applied", **fields}
        return self.add(
            "override",
            slot="answer",
            from_version=version,
            value=self.value(value),
            by=by,
            **fields,
        )

    def recording(self, status="answered"):
        self.add("run_ended", status=status)
        self.recorder.close(status)
        return Recording.of_lines(self.sink.lines())

    def evidence(self, status="answered"):
        return Evidence(self.recording(status))


def claim():
    """The claims desk: a stale note makes a model promise too much; a redactor hides a name."""
    run = Writing(QUESTION, inputs=[])
    run.context("tariff", TARIFF, type="document", source="tariff.md", why="always on")
    run.context("note", NOTE, type="memory", source="memory/2025-12", why="wrote about a delay")
    prompt = run.assemble("{tariff}\n{note}\n\nQ: {q}", tariff=TARIFF, note=NOTE, q=QUESTION)
    run.link("model", "ask", REPLY, prompt=prompt)
    run.answer(REPLY)
    run.override(REPLY.replace("Mia Li", "passenger"))
    run.add("verdict", slot="answer", version=1, status="passed", judge="style")
    run.add(
        "verdict", slot="answer", version=2, status="failed", judge="reviewer", reason="too much"
    )
    return run
