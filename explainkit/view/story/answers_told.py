"""Answers, what replaced them, and what was judged of them, in sentences."""

from typing import Any

from explainkit.view.story.material import Material, entries, mapping, text, whole
from explainkit.view.story.sentences import NOTABLE, QUIET, ROUTINE, TELLING, Happening, Manner
from explainkit.view.story.wording import called, number, quoted, series, times, value_words
from explainkit.view.words import flat

_ISSUES = 2


def answer(material: Material, row: dict[str, Any]) -> Happening | None:
    """The first version of a slot; None for what an Agent reads, which its pick tells."""
    slot = text(row.get("slot")) or "answer"
    material.slots.setdefault(slot, 1)
    if slot.startswith("pick:") and row.get("via") in ("reply", "receipt"):
        return None
    value = row.get("value")
    giver = material.outputs.get(text(value))
    item, around = slot.startswith("item:"), whole(row.get("parent"))
    drafted = item and around is not None and material.kind_of(around) == "round"
    manner = Manner(
        ("answer", slot.partition(":")[0], str(around) if item else ""),
        lambda count: _answers(slot, count),
        (lambda count: f"{_answers(slot, count)}: ") if drafted else None,
        gathered=drafted,
    )

    def tell() -> str:
        said = value_words(material.recording, value, 200)
        if slot == "answer" and giver is not None:
            short = value_words(material.recording, value, 60)
            gave = f"what {material.link_words(giver)} gave"
            return f"{gave} became the answer, version 1: {short}"
        if slot == "answer":
            return f"the answer was {said}; that is version 1"
        if slot.startswith("item:"):
            return f"for {material.slot_words(slot)} a value was {_made(drafted)}: {said}"
        return f"{material.slot_words(slot)} was {said}"

    def entry() -> str:
        said = value_words(material.recording, value, 80)
        name = called(slot.partition(":")[2])
        # What is delivered as it was drafted is told where it is delivered.
        return name if value == material.delivered(slot) else f"{name} ({said})"

    return Happening(
        "answer",
        (row["seq"],),
        manner,
        tell,
        entry if drafted else None,
        # What the fallback gave is told with the end of its item.
        NOTABLE if slot == "answer" else (QUIET if item and not drafted else ROUTINE),
    )


def _made(drafted: bool) -> str:
    return "drafted" if drafted else "given"


def _answers(slot: str, count: int) -> str:
    if slot.startswith("item:"):
        if count == 1:
            return "a value was drafted for one item"
        return f"values were drafted for {number(count, 'item')}"
    return f"{number(count, 'answer')} {'was' if count == 1 else 'were'} given"


def override(material: Material, row: dict[str, Any]) -> Happening:
    """What replaced an answer, who did it and why; or would have, and did not."""
    slot, outcome = row.get("slot", "answer"), text(row.get("outcome")) or "applied"
    by = called(row["by"]) if text(row.get("by")) else "somebody"
    version = 0
    if isinstance(slot, str) and outcome in ("applied", "cleared"):
        version = material.slots.get(slot, 1) + 1
        material.slots[slot] = version
    item = str(slot).startswith("item:") and outcome == "applied"
    manner = Manner(
        ("override", by, outcome, str(slot).partition(":")[0], str(row.get("parent"))),
        lambda count: f"{by} {_overrode(outcome)} {times(count)}",
        (lambda count: f"{by} replaced the values of {number(count, 'item')}: ") if item else None,
        gathered=item,
    )

    def entry() -> str:
        said = value_words(material.recording, row.get("value"), 80)
        return f"{called(str(slot).partition(':')[2])} by {said}"

    def tell() -> str:
        why = f". The reason given: {quoted(text(row.get('reason')))}" if row.get("reason") else ""
        return f"{_changed(material, row, by, outcome, version)}{why}"

    run_s = slot == "answer"
    return Happening(
        "override",
        (row["seq"],),
        manner,
        tell,
        entry if item else None,
        NOTABLE if run_s else TELLING,
    )


def _overrode(outcome: str) -> str:
    return {
        "applied": "replaced an answer",
        "cleared": "took back an answer",
        "unheard": "set an answer that nobody heard",
        "unread": "set an answer that nobody read",
    }.get(outcome, f"set an answer that was {flat(outcome, 30)}")


def _changed(material: Material, row: dict[str, Any], by: str, outcome: str, version: int) -> str:
    recording, slot = material.recording, row.get("slot", "answer")
    said = value_words(recording, row.get("value"), 160)
    what = material.slot_words(slot) if isinstance(slot, str) else "an answer"
    if outcome == "unheard":
        shown = f", {said}," if row.get("value") is not None else ""
        return f"{by} set an answer{shown} that nobody was waiting for{_where(row)}"
    where = _where(row)
    pick = material.pick_of(slot)
    if outcome == "applied" and pick is not None:
        reply = f"the reply ({flat(pick.chain[-1], 70)})" if pick.chain else "the receipt"
        read = f"{called(pick.agent)} read that of its pick {called(pick.event)}"
        return f"{by} put {said} in the place of {reply}{where}, and {read}"
    if outcome == "applied":
        return f"{by} replaced {what} by {said}{where}; that is version {version}"
    if outcome == "cleared":
        then = f"; what is read then is {said}" if row.get("value") is not None else ""
        return f"{by} took back what was set for {what}{where}{then}"
    if outcome == "superseded":
        return f"{by} set {what} to {said}{where}, but a later one took its place"
    if outcome == "unread":
        return f"{by} set {what} to {said}{where}, but nobody was there any more to read it"
    return f"{by} set {what} to {said}{where}; on record this is {called(outcome)}"


def _where(row: dict[str, Any]) -> str:
    return f" (in the code at {flat(text(row.get('site')), 90)})" if row.get("site") else ""


def verdict(material: Material, row: dict[str, Any]) -> Happening:
    """What a judge said of an answer or of a link, or the verdict that a link ended on."""
    if text(row.get("terminal")):
        return _terminal(material, row)
    status, judge = text(row.get("status")), text(row.get("judge"))
    slot, link = text(row.get("slot")), whole(row.get("link"))
    kind = slot.partition(":")[0] if slot else "link"
    reason, why = text(row.get("reason")), _why(row)
    if reason and reason == material.reason:
        why = ", with the same reason"
    material.reason = reason
    stale = None if kind == "item" else _stale(material, row)
    late = f"; that verdict is stale, since version {stale} took its place" if stale else ""

    def target() -> str:
        return _step(material, link) if link is not None else _version(material, row)

    def entry() -> str:
        if kind != "item":
            return target()
        name = called(slot.partition(":")[2])
        return f"{name} ({why.removeprefix('; noted: ').lstrip(':, ')})" if why else name

    final = status == "failed" and (slot == "answer" or link is not None)
    return Happening(
        "verdict",
        (row["seq"],),
        _judging(judge, status, kind, alone=bool(why or late) and kind != "item"),
        lambda: f"{_judge(judge)} {_said(status, target())}{why}{late}",
        entry,
        NOTABLE if final else (ROUTINE if status == "passed" else TELLING),
    )


def _judging(judge: str, status: str, kind: str, *, alone: bool) -> Manner:
    """How several verdicts of one judge are told: in a list, but for one that says a lot."""
    noun = {"link": "step", "item": "item"}.get(kind, "answer")

    def listed(count: int) -> str:
        return f"{_judge(judge)} {_said(status, number(count, noun))}: "

    return Manner(
        ("verdict", judge, status, kind, "alone" if alone else ""),
        lambda count: f"{_judge(judge)} {_said(status, number(count, noun))}",
        None if alone else listed,
        gathered=kind == "item",
    )


def _judge(judge: str) -> str:
    return called(judge) if judge else "somebody"


def _said(status: str, target: str) -> str:
    return {
        "passed": f"judged {target} as passed",
        "failed": f"judged {target} as failed",
        "unavailable": f"could not judge {target}",
        "not-run": f"was not run on {target}",
    }.get(status, f"said {called(status)} of {target}")


def _step(material: Material, link: int) -> str:
    """What a step gave, which is what is judged of it; the step itself where it gave nothing."""
    found = material.links.at.get(link)
    if found is None or found.output is None:
        return f"{material.link_words(link)} (record {link})"
    if found.kind == "assemble":
        return f"the prompt that was put together (record {link})"
    verb = "said" if found.kind in ("model", "agent", "guard", "check", "policy") else "gave"
    return f"what {material.link_words(link)} {verb} (record {link})"


def _version(material: Material, row: dict[str, Any]) -> str:
    slot, version = text(row.get("slot")) or "answer", whole(row.get("version"))
    words = material.slot_words(slot)
    return words if version is None else f"version {version} of {words}"


def _stale(material: Material, row: dict[str, Any]) -> int | None:
    """The version that took the place of the judged one."""
    version = whole(row.get("version"))
    final = material.final.get(text(row.get("slot")) or "answer", 0)
    return final if version is not None and row.get("link") is None and version < final else None


def _why(row: dict[str, Any]) -> str:
    reason = text(row.get("reason"))
    issues = [mapping(each) for each in entries(row.get("issues"))]
    told = [_issue(each) for each in issues if each.get("message") or each.get("code")]
    found = f"; noted: {series(told, _ISSUES)}" if told else ""
    return f"{f': {quoted(reason, 160)}' if reason else ''}{found}"


def _issue(issue: dict[str, Any]) -> str:
    code, message = text(issue.get("code")), text(issue.get("message"))
    return (
        f"{flat(code, 40)} {quoted(message, 80)}" if code and message else quoted(message or code)
    )


def _terminal(material: Material, row: dict[str, Any]) -> Happening:
    link, terminal = whole(row.get("link")), text(row.get("terminal"))
    end = material.closed.get(link) if link is not None else None
    seqs = (row["seq"],) if end is None or end["seq"] > row["seq"] else (end["seq"], row["seq"])
    manner = Manner(
        ("terminal", terminal),
        lambda count: f"the verdict {called(terminal)} ended {number(count, 'step')}",
    )

    def tell() -> str:
        reason = (
            quoted(text(row.get("reason")), 200) if row.get("reason") else "no reason on record"
        )
        return (
            f"{material.link_words(link)} ended there, on the verdict {called(terminal)}: {reason}"
        )

    return Happening("verdict", seqs, manner, tell, weight=NOTABLE)
