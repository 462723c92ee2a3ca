"""How a run began and how it ended, in sentences."""

from typing import Any

from explainkit.view.composition_ends import Ending
from explainkit.view.composition_links import ToldLink
from explainkit.view.composition_words import took_words
from explainkit.view.story.material import Material, entries, mapping, noun, text, whole
from explainkit.view.story.sentences import Sentence, finished
from explainkit.view.story.wording import called, number, quoted, series, value_words
from explainkit.view.words import flat


def opening(material: Material) -> list[Sentence]:
    """Whose question it was, and what kind of run this is."""
    recording = material.recording
    row = next(recording.rows("run_started"), None)
    name = called(recording.name)
    if row is None:
        return []
    sentences = []
    seqs = tuple(sorted((row["seq"], *material.asked)))
    asked = row.get("question")
    if asked is None:
        told = f"the run {name} began; no question is on record"
    else:
        told = f"the run {name} was asked {value_words(recording, asked, 200)}"
    sentences.append(Sentence(seqs, finished(told), "start"))
    more = _kind_of_run(row)
    if more:
        sentences.append(Sentence((row["seq"],), finished(more), "start"))
    return sentences


def _kind_of_run(row: dict[str, Any]) -> str:
    source = mapping(row.get("source"))
    if source:
        file = called(source["file"]) if text(source.get("file")) else "a file"
        form = f" of the form {called(source['format'])}" if text(source.get("format")) else ""
        return f"another tool recorded it; it was read in from {file}{form}"
    if text(row.get("resumes")):
        return f"it goes on from the run {called(row['resumes'])}"
    if text(row.get("origin")):
        changes = number(len(entries(row.get("interventions"))), "change")
        return f"it repeats the run {called(row['origin'])} with {changes}"
    if text(row.get("parent")):
        return f"it ran inside of the run {called(row['parent'])}"
    return ""


def ending(material: Material) -> list[Sentence]:
    """How it ended, and through whom."""
    recording = material.recording
    row = next(recording.rows("run_ended"), None)
    if recording.status == "running":
        told = f"the run still goes on; this is told from its {len(recording):,} records so far"
        return [Sentence(_last(material), finished(told), "end")]
    end = material.ending
    seqs = list(_last(material)) if row is None else [row["seq"]]
    seqs += [seq for link in _carriers(end) if (seq := link.closed) is not None]
    return [Sentence(tuple(sorted(set(seqs))), finished(_end(material, end, row)), "end")]


def _last(material: Material) -> tuple[int, ...]:
    """The last record that there is, where none says how the run ended."""
    length = material.recording.run_length
    return (length - 1,) if length else ()


def _carriers(end: Ending | None) -> list[ToldLink]:
    if end is None:
        return []
    return [link for each in (end, *end.branches) for link in each.carriers]


def _end(material: Material, end: Ending | None, row: dict[str, Any] | None) -> str:
    if end is None:
        return f"the run ended{_took(material, row)}{_answer(material)}"
    if end.kind == "crashed":
        return f"there the record stops, without an end{_where_open(end)}"
    if end.kind == "unanswered":
        return "there the record ends, on a message that nobody answered"
    if end.kind == "paused":
        why = f": {flat(end.message, 200)}" if end.message else ""
        return f"there the run stopped to wait{why}"
    how = f"the run ended{_took(material, row)} without an answer"
    if end.branches:
        branches = [_told(each) for each in end.branches]
        count = len(end.branches) + end.folded
        more = [f"{end.folded:,} more"] if end.folded else []
        told = series([*branches[:4], *([f"{count - 4:,} more"] if count > 4 else more)], 5)
        return f"{how}: {number(count, 'branch', 'branches')} gave none; {told}{_handed(end)}"
    return f"{how}, {_on(end)}{_handed(end)}"


def _told(end: Ending) -> str:
    who = "the code around all links" if end.link is None else noun(end.link)
    return f"{who} ended {_on(end, where=False)}"


def _on(end: Ending, *, where: bool = True) -> str:
    place = "" if end.link is None else f" in {noun(end.link)}"
    when = f", {flat(end.phase, 80)}" if end.phase else ""
    at = f"{place}{when}" if where else when
    said = f": {quoted(end.message, 160)}" if end.message else ""
    if end.kind == "verdict":
        return f"on the verdict {called(end.word)}{at}"
    if end.kind == "error":
        return f"on {flat(end.word, 60)}{at}{said}"
    if end.kind == "exhausted":
        return f"on a used-up budget{at}"
    return f"{'as it was cancelled' if end.kind == 'cancelled' else flat(end.kind, 40)}{at}"


def _handed(end: Ending) -> str:
    links = [noun(link) for link in end.carriers]
    told = [f"it was handed on by {series(links, 3)}"] if links else []
    if end.raised and end.raised != end.word:
        raised = flat(end.raised, 60)
        # Of an error the class is on record; for other ends it is what the door to a run raises.
        told.append(
            f"raised as {raised}" if end.kind == "error" else f"run() raises {raised} for it"
        )
    return "".join(f"; {each}" for each in told)


def _where_open(end: Ending) -> str:
    return "" if end.link is None else f"; {noun(end.link)} was still open"


def _took(material: Material, row: dict[str, Any] | None) -> str:
    start = next(material.recording.rows("run_started"), {})
    first, last = whole(start.get("at")), whole((row or {}).get("at"))
    if first is None or last is None or last < first:
        return ""
    return f" after {took_words((last - first) / 1e9)}"


def _answer(material: Material) -> str:
    recording = material.recording
    fold = recording.effective()
    error = next(recording.rows("run_ended"), {}).get("error")
    if recording.status == "error":
        return f" on an error: {value_words(recording, error)}" if error else " on an error"
    if recording.status not in ("answered", "crashed"):
        return f" as {called(recording.status)}"
    if fold is None:
        others = [slot for slot in material.final if not slot.startswith("pick:")]
        return " and gave no answer" if not others else f" with {number(len(others), 'answer')}"
    if fold.inferred:
        said = value_words(recording, fold.final.value, 200)
        return (
            "; nobody said which output is the answer, so that the last words of a model stand "
            f"for it: {said}"
        )
    if fold.final.value is None:
        return ", and its answer was taken back"
    versions = len(fold.versions)
    which = "that answer" if versions == 1 else f"version {versions} as its answer"
    return f" with {which}"
