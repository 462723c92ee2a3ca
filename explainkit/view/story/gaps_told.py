"""What a run's record does not hold, so that no story sounds more whole than its record is."""

from collections import Counter

from explainkit.graph.losing import Losses, loss_words
from explainkit.view.story.material import Material, entries, text, whole
from explainkit.view.story.sentences import Sentence, finished
from explainkit.view.story.wording import called, number, quoted, series
from explainkit.view.words import flat

_LOSSES = {
    "dropped": ("thing was dropped", "things were dropped"),
    "truncated": ("value was cut", "values were cut"),
    "redacted": ("secret or more in a value was replaced", "values had secrets replaced"),
    "denied": ("text was denied and not kept", "texts were denied and not kept"),
    "unencodable": ("value could not be kept whole", "values could not be kept whole"),
    "unlinked": ("thing was found without its place", "things were found without their place"),
}


def gaps(material: Material) -> list[Sentence]:
    """What was lost, what was read outside the record, and what of the file is damaged."""
    return [*_untracked(material), *_lost(material), *_faults(material), *_damage(material)]


def _lost(material: Material) -> list[Sentence]:
    losses = Losses()
    for row in material.recording.rows("link_closed", "run_ended"):
        losses.ended(row)
    found = [row for row in material.recording.rows("lost") if losses.counts(row)]
    if not found:
        return []
    counts: Counter[str] = Counter()
    for row in found:
        counts[text(row.get("what"))] += whole(row.get("count")) or 1
    told = [number(count, *_LOSSES.get(what, ("loss", "losses"))) for what, count in counts.items()]
    first = next((loss_words(row) for row in found if row.get("reason")), "")
    why = f" (the first: {quoted(first, 90)})" if first else ""
    line = f"not everything is on record: {series(told, 6)}{why}"
    return [Sentence(tuple(row["seq"] for row in found), finished(line), "missing", len(found) - 1)]


def _untracked(material: Material) -> list[Sentence]:
    sentences = []
    started = next(material.recording.rows("run_started"), {})
    names = [each for each in entries(started.get("untracked")) if isinstance(each, str)]
    if names:
        read = series([_source(name) for name in names])
        line = (
            f"the function also read {read} from outside its arguments; what that held is not "
            "on record"
        )
        sentences.append(Sentence((started["seq"],), finished(line), "missing"))
    unlinked = [row["seq"] for row in material.rows.values() if row.get("unlinked") is True]
    if unlinked:
        ran = f"{number(len(unlinked), 'link')} ran where the run had to be guessed"
        line = f"{ran}, such as in another thread"
        sentences.append(Sentence(tuple(unlinked), finished(line), "missing"))
    return sentences


def _source(name: str) -> str:
    """``closure rate`` as ``the closure “rate”``."""
    kind, between, known = name.partition(" ")
    return f"the {flat(kind, 30)} {called(known)}" if between else called(name)


def _faults(material: Material) -> list[Sentence]:
    row = next(material.recording.rows("run_ended"), {})
    count = whole(row.get("suppressed")) or 0
    if not count:
        return []
    line = f"the recorder kept {number(count, 'fault')} of its own from the code that it recorded"
    return [Sentence((row["seq"],), finished(line), "missing")]


def _damage(material: Material) -> list[Sentence]:
    damage = material.recording.damage
    if not damage:
        return []
    first = damage[0]
    more = f", and {number(len(damage) - 1, 'more damaged line')}" if len(damage) > 1 else ""
    line = f"the file is damaged at line {first.line:,}: {flat(first.reason, 120)}{more}"
    return [Sentence((), finished(line), "missing")]
