"""Four ways to name a suspect without the product: by place, by words, and by leaving one out."""

import re

from benchmarks.attribution.planted.suspects import arguments_of
from explainkit.errors import ExplainkitError
from explainkit.whatif.rerunning import CalledEntry, Origin, rerun
from explainkit.whatif.varying import interventions_of, plan_of

TIMES = 3


def first_in_prompt(suspects, answer):
    """Parts in the order of the prompt."""
    return [[key] for key in suspects.removable]


def last_in_prompt(suspects, answer):
    """Parts from the end of the prompt."""
    return [[key] for key in suspects.removable[::-1]]


def by_words(suspects, answer):
    """Parts by how many of the answer's words they hold; equal ones share a rank."""
    said = _words(answer)
    overlap = {key: len(said & _words(text)) for key, text in suspects.texts.items()}
    return [
        [key for key in suspects.removable if overlap[key] == count]
        for count in sorted(set(overlap.values()), reverse=True)
    ]


def leave_one_out(item, suspects):
    """What flips in at least two of three re-runs, without statistics; and the re-runs made.

    Nothing is reused: every link runs again.
    """
    recording = item.run.recording
    origin = Origin(recording)
    entry = CalledEntry(item.call.__wrapped__, (item.scene.question,), name="left out")
    forced = frozenset(origin.recorded.points)
    found, calls, reruns = [], 0, 0
    for key in suspects.all:
        for value in suspects.swaps.get(key, [None]):
            try:
                change = interventions_of(**arguments_of(key, value))
                plan = plan_of(recording, origin.recorded, change)
            except ExplainkitError:
                continue
            done = [rerun(entry, origin, plan, forced=forced) for _ in range(TIMES)]
            calls += sum(each.calls for each in done)
            reruns += TIMES
            if sum(_flips(item, each) for each in done) * 2 > TIMES:
                found.append(key)
    return list(dict.fromkeys(found)), calls, reruns


def _flips(item, done):
    """Whether it says something else; a re-run that broke says nothing."""
    fold = done.recording.effective()
    return fold is not None and item.is_flip(done.recording.values.object(fold.final.value))


def _words(text):
    return set(re.findall(r"\w+", text.lower()))
