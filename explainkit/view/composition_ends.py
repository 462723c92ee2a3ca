"""What a run ended on when it gave no answer: where that came about, who handed it on, as what."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from explainkit.view.composition_links import (
    FAILING,
    RUNNERS,
    WIDE,
    ToldLink,
    ToldLinks,
    links_of,
)
from explainkit.view.composition_words import (
    end_of,
    error_class,
    raised,
    shown_value,
    stopped,
    todo,
)
from explainkit.view.error_words import lines_of_error
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.store import Recording

MOST: Final = 50
"""Ends that came about side by side; further ones are counted."""
_LOOKED_AT: Final = 20
_SLOTS: Final = 4
_GROUP: Final = "BranchesError"
_STOPPED: Final = ("verdict", "error", "paused", "exhausted", "cancelled", "crashed")


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run, or a branch of it, ended without an answer.

    Attributes:
        kind: The record's word: verdict, error, paused, exhausted, cancelled or crashed.
        word: Kind of the verdict, or class of the error; else the same word.
        message: What was said, as recorded.
        link: The link that it came about in; None when that was in no link.
        phase: When in that link, where the verdict tells.
        path: The way there from the outermost runner, in words.
        carriers: The links that handed it on, innermost first; the last one raised it.
        raised: Class of the error that `run` raised for it, where the record tells.
        todo: What a person can do.
        branches: The ends that it is made of, when several came about side by side.
        folded: Ends beyond those.
        lines: Lines of the user's own code that raised it, innermost first, where no link did.
    """

    kind: str
    word: str
    message: str
    link: ToldLink | None
    phase: str | None
    path: tuple[str, ...]
    carriers: tuple[ToldLink, ...]
    raised: str | None
    todo: str
    branches: tuple["Ending", ...] = ()
    folded: int = 0
    lines: tuple[str, ...] = ()


def ending_of(recording: "Recording", links: ToldLinks | None = None) -> Ending | None:
    """What a run ended on; None when it answered, or goes on.

    Args:
        recording: The run.
        links: Its links, when they are at hand.
    """
    status = recording.status
    if status not in _STOPPED and (status != "answered" or _has_answer(recording)):
        return None
    links = links or links_of(recording)
    top = _outermost(recording, links, status)
    if top is None:
        return None if status == "answered" else _without_link(recording, status)
    return _ending(recording, links, top)


def _has_answer(recording: "Recording") -> bool:
    return any((row.get("slot") or "answer") == "answer" for row in recording.rows("answer"))


def _outermost(recording: "Recording", links: ToldLinks, status: str) -> ToldLink | None:
    """The link at the top whose end was the run's."""
    roots = [links.at[seq] for seq in links.roots]
    if status == "answered":  # whoever traced it looked at the outcome, and raised nothing
        last = roots[-1] if roots else None
        ended = last is not None and last.kind in RUNNERS and end_of(last) in _STOPPED
        return last if ended else None
    same = [root for root in roots if end_of(root) == status]
    found = max(same, key=lambda root: root.closed or 0, default=None)
    if found is None or status != "error":
        return found
    error = _run_error(recording)
    ours = None if found.error is None else raised(recording, found.error)
    return found if error is None or ours == raised(recording, error) else None


def _run_error(recording: "Recording") -> str | None:
    ended = next(recording.rows("run_ended"), {})
    found = ended.get("error")
    return found if isinstance(found, str) else None


def _is_imported(recording: "Recording") -> bool:
    """Whether another tool recorded it, which keeps no checkpoint to go on from."""
    return isinstance(next(recording.rows("run_started"), {}).get("source"), dict)


def _without_link(recording: "Recording", status: str) -> Ending:
    if status == "paused" and _is_imported(recording):
        status = "unanswered"
    error = _run_error(recording)
    word, message = (status, "") if error is None else raised(recording, error)
    name = None if error is None else word
    lines = () if error is None else tuple(lines_of_error(recording, error))
    kind = stopped(recording) if status == "crashed" else status
    inside = error is None or status == "crashed"
    told = todo(kind if inside else "error-outside", word)
    return Ending(status, word, message, None, None, (), (), name, told, lines=lines)


def _ending(recording: "Recording", links: ToldLinks, top: ToldLink) -> Ending:
    came: dict[int, ToldLink] = {}
    ends: list[ToldLink] = []
    waiting = [top]
    for link in waiting:  # grows while it is read
        sources = _sources(recording, links, link)
        came |= {source.seq: link for source in sources}
        waiting += sources
        if not sources:
            ends.append(link)
    found = [_told(recording, links, top, end, came) for end in ends[:MOST]]
    if len(found) == 1:
        return found[0]
    whole = _shared(links, ends, top)
    before = _told(recording, links, top, whole, came)
    return Ending(
        before.kind,
        before.word,
        before.message,
        whole,
        None,
        before.path,
        before.carriers,
        before.raised,
        before.todo,
        tuple(found),
        len(ends) - len(found),
    )


def _sources(recording: "Recording", links: ToldLinks, link: ToldLink) -> list[ToldLink]:
    """The links that an end came from, one step further in; none where it came about."""
    if link.terminal is not None:
        return []
    named = links.at.get(link.source) if link.source is not None else None
    if named is not None and named.seq > link.seq and link in links.around(named):
        return [named]
    inside = links.inside(link)
    if link.status == "error":
        return _raisers(recording, link, inside)
    same = [each for each in inside if end_of(each) == link.status]
    if link.status in ("paused", "crashed"):
        return same
    return same[-1:] if link.status in ("verdict", "exhausted") else []


def _raisers(recording: "Recording", link: ToldLink, inside: Sequence[ToldLink]) -> list[ToldLink]:
    """The children that an error is made of, or the one that raised the same."""
    if link.error is None:
        return []
    told = raised(recording, link.error)
    if link.kind in WIDE and told[0] == _GROUP:
        return [each for each in inside if end_of(each) in FAILING]
    errors = [each for each in inside if each.status == "error" and each.error is not None]
    for each in reversed(errors[-_LOOKED_AT:]):
        if each.error is not None and raised(recording, each.error) == told:
            return [each]
    return []


def _shared(links: ToldLinks, ends: Sequence[ToldLink], top: ToldLink) -> ToldLink:
    """The innermost link around all of some ends."""
    shared = [each.seq for each in links.around(ends[0])]
    for end in ends[1:MOST]:
        around = {each.seq for each in links.around(end)}
        shared = [seq for seq in shared if seq in around]
    return links.at[shared[0]] if shared else top


def _told(
    recording: "Recording",
    links: ToldLinks,
    top: ToldLink,
    end: ToldLink,
    came: dict[int, ToldLink],
) -> Ending:
    kind = end_of(end)
    word, message = _said(recording, end, kind)
    carriers: list[ToldLink] = []
    if end is not top:
        for each in links.around(end):
            carriers.append(each)
            if each is top:
                break
    return Ending(
        kind,
        word,
        message,
        end,
        _phase(end),
        _path(end, came),
        tuple(carriers),
        _raised(recording, top, end.terminal),
        todo(_looked_up(recording, end, kind), word),
    )


def _looked_up(recording: "Recording", end: ToldLink, kind: str) -> str:
    """Under which word it stands what to do about an end."""
    if kind == "crashed":
        return stopped(recording)
    return "agent-exhausted" if (end.kind, kind) == ("agent", "exhausted") else kind


def _raised(recording: "Recording", top: ToldLink, terminal: str | None) -> str | None:
    if top.error is not None:
        return raised(recording, top.error)[0]
    return error_class(end_of(top), terminal)


def _path(end: ToldLink, came: dict[int, ToldLink]) -> tuple[str, ...]:
    steps = [end]
    while steps[-1].seq in came:
        steps.append(came[steps[-1].seq])
    steps.reverse()
    path = [steps[0].name]
    for outer, inner in pairwise(steps):
        if outer.source == inner.seq and outer.path:
            path[-1:] = outer.path
        else:
            path.append(inner.name)
    return tuple(path)


def _said(recording: "Recording", end: ToldLink, kind: str) -> tuple[str, str]:
    if end.terminal is not None:
        return end.terminal, end.reason
    if kind == "error" and end.error is not None:
        return raised(recording, end.error)
    if kind == "exhausted":
        last = shown_value(recording, end.output, 200)
        return kind, f"the budget was used up; the last value was {last}"
    if kind == "paused":
        given = _given(recording, end)
        asked = f" ({given})" if given else ""
        return kind, f"{end.kind} {flat(end.name, 60)} waits for a person{asked}"
    return kind, ""


def _given(recording: "Recording", link: ToldLink) -> str:
    """What a link was given, on one line."""
    inputs = recording.raw(link.seq).get("inputs")
    found = []
    for each in inputs[:_SLOTS] if isinstance(inputs, list) else ():
        if isinstance(each, dict) and isinstance(each.get("value"), str):
            value = shown_value(recording, each["value"], 200)
            found.append(f"{flat(str(each.get('slot')), 40)}: {value}")
    return ", ".join(found)


def _phase(end: ToldLink) -> str | None:
    """When a verdict came about, from what it carries."""
    detail = end.detail
    if end.terminal == "policy-halt":
        calls = detail.get("sequence")
        last = calls[-1] if isinstance(calls, list) and calls else None
        name = last.get("name") if isinstance(last, dict) else None
        return f"before the call of {flat(str(name), 60)}" if name else "before a call"
    if end.terminal == "message-denied":
        return f"at the {flat(str(detail.get('phase')), 20)} message"
    if end.terminal == "reliability-fail-fast":
        return f"at {flat(str(detail.get('phase')), 20)} of attempt {detail.get('attempt')}"[:60]
    if end.terminal in ("unsupported-values", "answer-validation"):
        return "before the answer was let out"
    return "before a call" if end.terminal == "consent-pending" else None
