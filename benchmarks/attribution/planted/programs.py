"""Puts a scene into a program of one of five structures, written as a user would write it."""

from dataclasses import dataclass, field

import explainkit as ek
from benchmarks.attribution.planted.fares import understood
from benchmarks.attribution.planted.noise import Calm, Noise
from benchmarks.attribution.planted.scenes import Scene
from benchmarks.attribution.planted.steps import chosen
from explainkit.flow import Parallel

STRUCTURES = ("prompt", "retrieval", "two_stage", "chat", "parallel")
HISTORY = "history"


@dataclass
class Program:
    """The steps that the structures share.

    Attributes:
        scene: What is asked and offered.
        noise: Makes the deciding step flaky.
        declared: Whether models are declared deterministic.
    """

    scene: Scene
    noise: Noise | Calm
    declared: bool
    ask: object = field(init=False)

    def __post_init__(self):
        scene, noise = self.scene, self.noise
        calm = scene.override or scene.reducer

        @ek.link(kind="model", deterministic=self.declared)
        def ask(prompt):
            said = scene.model(prompt)
            return said if calm else noise(said)

        @ek.link(kind="model", deterministic=self.declared)
        def ask_again(prompt):
            return scene.second(prompt)

        @ek.link
        def approve(draft):
            try:
                if draft == scene.wrong:
                    raise ValueError(draft)
            except ValueError:
                pass  # the planted fault: the verdict is swallowed
            return True

        @ek.link(kind="model", deterministic=True)
        def extract(text):
            kept = understood(text)
            return "\n".join(kept)

        @ek.link(kind="tool")
        def look_up(question):
            return scene.tool.value

        self.ask, self.ask_again, self.approve = ask, ask_again, approve
        self.extract, self.look_up = extract, look_up

    def finished(self, prompt):
        """The answer to a prompt, after the check and the override."""
        scene, noise = self.scene, self.noise
        said = self.ask(prompt)
        if scene.approval and not self.approve(said):
            return self.ask_again(prompt)
        if scene.override is None:
            return said
        ek.answer(said)
        return ek.override(
            lambda text: text if noise.strikes() else scene.override(text), by="rounding"
        )

    def tool(self, question):
        """What the tool gives, or what the chosen tool of the catalogue gives."""
        scene = self.scene
        if scene.catalogue:
            return self._from_catalogue(question)
        return self.look_up(question) if scene.tool else None

    def _from_catalogue(self, question):
        entries = ek.context("tools", [dict(entry) for entry, _ in self.scene.catalogue])

        @ek.link(kind="model", deterministic=True)
        def choose(question, tools):
            return chosen(question, tools)

        name, given = choose(question, entries), dict(self._results())

        @ek.link(kind="tool", name=name)
        def called(question):
            return given[name]

        return called(question)

    def _results(self):
        return ((entry["name"], result) for entry, result in self.scene.catalogue)

    def drop(self):
        """Record what was available and is not sent."""
        for each in self.scene.left_out:
            how = "truncated" if each.name == "terms" else "dropped"
            ek.left_out(each.name, each.value, why="no room", how=how, kind=each.kind)


def built(scene, structure, noise, *, declared):
    """A function of the question that runs the scene, traced."""
    program = Program(scene, noise, declared)
    shape = _REDUCED if scene.reducer else _SHAPES[structure]

    @ek.traced(f"{structure} run")
    def run(question):
        return shape(program, question)

    return run


def _offered(pieces):
    return [ek.context(each.name, each.value, kind=each.kind) for each in pieces]


def _joined(program, texts, question):
    """One prompt of all texts, a slot for each, the tool's result before or after them."""
    given = program.tool(question)
    slots = {f"p{at}": text for at, text in enumerate(texts)}
    order = [f"{{{slot}}}" for slot in slots]
    if given is not None:
        slots["given"] = given
        order = ["{given}", *order] if program.scene.before else [*order, "{given}"]
    return ek.assemble("\n".join([*order, "{question}"]), question=question, **slots)


def _prompt(program, question):
    texts = _offered(program.scene.pieces)
    program.drop()
    return program.finished(_joined(program, texts, question))


def _retrieval(program, question):
    scene = program.scene
    memories = _offered(each for each in scene.pieces if each.kind == "memory")

    @ek.link(kind="retrieval")
    def search(question):
        found = _offered(each for each in scene.pieces if each.kind not in ("memory", "table"))
        program.drop()
        return found

    pages = "\n".join(search(question))
    tables = _offered(each for each in scene.pieces if each.kind == "table")
    texts = [*memories, *tables, pages] if scene.before else [pages, *tables, *memories]
    return program.finished(_joined(program, texts, question))


def _two_stage(program, question):
    texts = _offered(program.scene.pieces)
    program.drop()
    notes = program.extract(_joined(program, texts, ""))
    prompt = ek.assemble("{notes}\n{question}", notes=notes, question=question)
    return program.finished(prompt)


def messages_of(pieces):
    """Pieces as the messages of a chat."""
    return [
        {
            "role": "assistant" if each.name.startswith("piece") and at % 2 else "user",
            "content": each.value,
        }
        for at, each in enumerate(pieces)
    ]


def _chat(program, question):
    scene = program.scene
    history = ek.context(HISTORY, messages_of(scene.pieces), kind="message")
    for each in scene.left_out:
        message = {"role": "user", "content": each.value}
        ek.left_out(each.name, message, why="out of the window", kind="message")
    asking = [{"role": "user", "content": question}]
    given = program.tool(question)
    if given is not None:
        asking.insert(0, {"role": "user", "content": given})
    return program.finished([*history, *asking])


def _branch(program, pieces):
    def read(question):
        texts = _offered(pieces)
        slots = {f"p{at}": text for at, text in enumerate(texts)}
        template = "\n".join(f"{{{slot}}}" for slot in slots)
        return program.extract(ek.assemble(template, **slots))

    return read


def _thirds(pieces):
    third = -(-len(pieces) // 3)
    return [pieces[at : at + third] for at in range(0, len(pieces), third)]


def _parallel(program, question):
    parts = _thirds(program.scene.pieces)
    program.drop()
    whole = Parallel(
        {str(at): _branch(program, part) for at, part in enumerate(parts)},
        merge=lambda notes: "\n".join(notes.values()),
    )
    return program.finished(_joined(program, [whole.run_sync(question)], question))


def _offer(program, pieces):
    def offer(question):
        return program.ask(_joined(program, _offered(pieces), question))

    return offer


def _reduced(program, question):
    scene, noise = program.scene, program.noise

    @ek.link
    def pick(offers):
        return noise(scene.reducer(offers))

    def merge(offers):
        return pick(offers) if scene.decorated else noise(scene.reducer(offers))

    offers = {str(at): _offer(program, part) for at, part in enumerate(_thirds(scene.pieces))}
    return Parallel(offers, merge=merge).run_sync(question)


_SHAPES = {
    "prompt": _prompt,
    "retrieval": _retrieval,
    "two_stage": _two_stage,
    "chat": _chat,
    "parallel": _parallel,
}
_REDUCED = _reduced
