"""The cases of the benchmark, each made anew from its key alone."""

import random
from dataclasses import dataclass, replace

import explainkit as ek
from benchmarks.attribution.planted import facts, readings, steps, wholes
from benchmarks.attribution.planted.drawing import Drawing
from benchmarks.attribution.planted.noise import Calm, Noise
from benchmarks.attribution.planted.programs import HISTORY, STRUCTURES, built
from benchmarks.attribution.planted.scenes import Case, Scene, Truth

SIZES = (10, 50, 200)
RATES = (0.0, 0.1, 1 / 3)
SEEDS = {10: 3, 50: 2, 200: 1}
ALL = STRUCTURES
MADE = {
    "poisoned fact": (facts.poisoned_fact, ALL),
    "stale memory": (facts.stale_memory, ALL[:4]),
    "wrong tool result": (facts.wrong_tool_result, ("retrieval", "two_stage", "parallel")),
    "wrong number in a row": (facts.wrong_row, ALL[:3]),
    "twin tools": (steps.twin_tools, ("prompt", "retrieval", "chat")),
    "injected instruction": (wholes.injected_instruction, ALL),
    "truncated evidence": (wholes.truncated_evidence, ALL[:3]),
    "dropped message": (wholes.dropped_message, ("two_stage", "chat")),
    "bad reducer": (steps.bad_reducer, ("parallel",)),
    "wrong override": (steps.wrong_override, ALL),
    "swallowed verdict": (steps.swallowed_verdict, ALL),
    "unit error": (facts.unit_error, ALL),
    "joint cause": (wholes.joint_cause, ALL),
    "redundant cause": (wholes.redundant_cause, ALL),
    "ordering": (wholes.ordering, ("prompt", "two_stage", "chat")),
    "nothing planted": (wholes.nothing, ALL),
}
READ = {
    "poisoned fact": readings.poisoned_fact,
    "stale memory": readings.stale_memory,
    "injected instruction": readings.injected_instruction,
    "redundant cause": readings.redundant_cause,
    "nothing planted": readings.nothing,
}
READING = ("prompt", "retrieval", "chat")
TRIES = 60


@dataclass(frozen=True)
class Item:
    """A generated run with its truth.

    Attributes:
        case: Where it stands in the benchmark.
        scene: What it is made of.
        truth: The cause, named as a user would name it in this structure.
        call: Runs it again.
        run: The recorded run.
    """

    case: Case
    scene: Scene
    truth: Truth
    call: object
    run: object

    def judge(self):
        """The judge of the user: what `run.whatif` is given."""
        if self.scene.judge == "same":
            return {}
        right = self.scene.right
        return {"judge": lambda answer: answer == right}

    def is_flip(self, answer):
        """Whether an answer is another one under that judge."""
        scene = self.scene
        return answer == scene.right if scene.judge == "right" else answer != scene.wrong


def cases(*, kinds=tuple(MADE), sizes=SIZES, rates=RATES):
    """Every place of the benchmark, the small ones first; nulls have a seed more."""
    return [
        Case(kind, structure, size, rate, seed)
        for size in sizes
        for place, kind in enumerate(MADE)
        for at, structure in enumerate(MADE[kind][1])
        for rate in rates
        for seed in _seeds(kind, size, place + at)
        if kind in kinds
    ]


def _seeds(kind, size, place):
    """Seeds from 0; the only one of a big run is even or odd, so that both ways are met."""
    if SEEDS[size] == 1 and kind != "nothing planted":
        return [place % 2]
    return range(SEEDS[size] + (kind == "nothing planted"))


def scene_of(case):
    """What a case is made of; without its rate in the key, so that rates share their scenes."""
    key = f"{case.kind}/{case.structure}/{case.size}/{case.seed}"
    rng = random.Random(f"scene {key}")
    draw = Drawing(rng, case.size, case.structure, case.seed)
    make, _ = MADE[case.kind]
    if case.kind in READ and case.structure in READING and rng.random() < 0.5:
        make = READ[case.kind]
    return make(draw)


def generate(case):
    """Make a case's run: the first one that says what the truth is about.

    A user asks about a run that went wrong; so it is run until the flaky step does not strike.

    Raises:
        AssertionError: It never says so.
    """
    scene = scene_of(case)
    target = scene.right if scene.judge == "right" else scene.other
    way = "both" if case.seed % 2 else "lucky"
    noise = Calm()
    if case.rate:
        noise = Noise(case.rate, way, target=target, wrong=scene.wrong, key=case.key)
    call = built(scene, case.structure, noise, declared=case.rate == 0)
    for _ in range(TRIES):
        said = call(scene.question)
        if said == scene.wrong:
            truth = truth_in(scene, case.structure)
            return Item(case, scene, truth, call, ek.last())
    raise AssertionError(f"{case.key} says {said!r} and not {scene.wrong!r}")


def truth_in(scene, structure):
    """The truth, with pieces named by their place where they are messages of a chat."""
    if structure != "chat":
        return scene.truth
    at = {each.name: (HISTORY, place) for place, each in enumerate(scene.pieces)}
    found = []
    for verb, *names in scene.truth.keys:
        if verb == "remove" and names[0] in at:
            found.append((verb, *at[names[0]]))
        elif verb == "reorder":
            found.append((verb, HISTORY, *(at[name][1] for name in names)))
        else:
            found.append((verb, *names))
    return replace(scene.truth, keys=tuple(found))
