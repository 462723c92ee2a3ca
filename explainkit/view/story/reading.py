"""Reads a run's records into what happened, in their order, so that it can be told or folded."""

from dataclasses import replace
from typing import Any

from explainkit.view.story import (
    answers_told,
    choices_told,
    contexts_told,
    findings_told,
    links_told,
)
from explainkit.view.story.material import Material, whole
from explainkit.view.story.picks_followed import follow_picks
from explainkit.view.story.sentences import Happening

_ELSEWHERE = ("run_started", "run_ended", "lost", "reply")
"""Told in the opening, the end, and what is missing."""


def happenings_of(material: Material) -> list[Happening]:
    """Everything that happened between the question and the end, by first record."""
    return _Reading(material).read()


class _Reading:
    """One pass over the records."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._found: list[Happening] = []
        self._picks = follow_picks(material)

    def read(self) -> list[Happening]:
        for row in self._material.records:
            if row["kind"] not in _ELSEWHERE and not self._in_a_pick(row):
                told = self._told(row)
                if told is not None:
                    self._found.append(self._joined(told))
            self._follow(row)
        return sorted(self._found, key=lambda each: each.seq[0])

    def _told(self, row: dict[str, Any]) -> Happening | None:
        material, kind = self._material, row["kind"]
        if kind == "link_opened":
            return links_told.opened(material, row["seq"])
        if kind == "link_closed":
            known = whole(row.get("link")) in material.rows
            return links_told.closed(material, row) if known else None
        if kind == "event" and self._is_question(row):
            return None
        tellers = {
            "context": contexts_told.context,
            "event": contexts_told.event,
            "note": contexts_told.note,
            "answer": answers_told.answer,
            "override": answers_told.override,
            "verdict": answers_told.verdict,
            "decision": choices_told.decision,
            "transition": choices_told.step,
            "finding": findings_told.finding,
        }
        if kind in tellers:
            return tellers[kind](material, row)
        return choices_told.unknown(row)

    def _joined(self, told: Happening) -> Happening:
        """An answer and, beside it, the end of the runner that gave it, as one."""
        before = self._found[-1] if self._found else None
        ends = [each for each in (before, told) if each and each.manner.key[0] == "end"]
        answers = [each for each in (before, told) if each and each.kind == "answer"]
        if len(ends) != 1 or len(answers) != 1 or before is None:
            return told
        end, given = self._row(ends[0].seq[-1]), self._row(answers[0].seq[-1])
        if end.get("output") is None or end.get("output") != given.get("value"):
            return told
        self._found.pop()
        return replace(answers[0], seq=(*before.seq, *told.seq))

    def _row(self, seq: int) -> dict[str, Any]:
        return self._material.recording.raw(seq)

    def _follow(self, row: dict[str, Any]) -> None:
        output = row.get("output") if row["kind"] == "link_closed" else None
        if isinstance(output, str) and isinstance(row.get("link"), int):
            self._material.outputs[output] = row["link"]

    def _is_question(self, row: dict[str, Any]) -> bool:
        """Whether an event is the message that the opening already told."""
        return row["seq"] in self._material.asked

    def _in_a_pick(self, row: dict[str, Any]) -> bool:
        """Whether a record belongs to a pick, which tells it; the pick itself is told here."""
        material, picks, seq = self._material, self._picks, row["seq"]
        if seq in picks.told:
            seqs = tuple(sorted(picks.told[seq]))
            told = material.picks[seq]
            self._found.append(choices_told.pick(material, told, seqs, apart=seq in picks.apart))
            return True
        if seq in picks.read:
            pick, records = picks.read[seq]
            seqs = tuple(sorted(records))
            self._found.append(choices_told.read_of_pick(material, material.picks[pick], seqs))
            return True
        if seq in picks.put:
            answers_told.override(material, row)  # it is a version, though its pick tells it
            return True
        return seq in picks.within
