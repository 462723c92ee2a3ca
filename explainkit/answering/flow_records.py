"""What an answer flow writes down: versions of each item, verdicts on them, and how each ended."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import Any

from explainkit.answering.definitions import is_runner
from explainkit.answering.item_standings import Standing
from explainkit.flow.agents.step_records import Given, Ledger
from explainkit.flow.checks import UNSET, CheckResult, Issue
from explainkit.safety import own_frames, shorten
from explainkit.safety.pointers import token
from explainkit.safety.surrogates import has_surrogates, without_surrogates
from explainkit.tracing.active import AnswerState
from explainkit.tracing.current import Frame

ENDS = ("accepted", "fallback", "blocked")
ISSUES = 20
"""Issues of one verdict that are recorded; further ones are counted."""


class OpenLink:
    """A link that is open: its records below it, and what is to be said when it closes."""

    def __init__(
        self, records: "FlowRecords", seq: int, supplied: Any, slots: Sequence[str]
    ) -> None:
        self.seq = seq
        self.slots = tuple(slots) if seq >= 0 else ()
        self.supplied = supplied
        self.status = "answered"
        self.output: Any = UNSET
        self.error: BaseException | None = None
        self.attrs: dict[str, Any] = {}
        self.closed = -1
        self.frame = records.inside(seq) or Frame(records.run, records.parent)
        self._redactor = records.run.recorder.redactor

    def place(self, *path: str) -> list[dict[str, Any]]:
        """The occurrence of a part of what it gave; none when that is not on record."""
        if self.closed < 0 or self.output is UNSET:
            return []
        whole: dict[str, Any] = {"seq": self.closed, "slot": "output"}
        plain = not any(
            part[:1] == "$" or has_surrogates(part) or self._redactor.value(part) != part
            for part in path
        )
        return [whole | {"path": "".join(f"/{token(part)}" for part in path)} if plain else whole]


class FlowRecords(Ledger):
    """Writes the records of one answer flow, below one link of it.

    Args:
        frame: The run, and the link to stand below.
        flow: The flow's own link.
    """

    def __init__(self, frame: Frame, *, flow: int) -> None:
        super().__init__(frame, slot="answer")
        self.flow = flow

    def below(self, link: int) -> "FlowRecords":
        """The same below another link."""
        return FlowRecords(Frame(self.run, link if link >= 0 else self.parent), flow=self.flow)

    @contextmanager
    def linked(
        self, kind: str, name: str, inputs: Sequence[Given] = (), *, port: Any = None, **attrs: Any
    ) -> Iterator[OpenLink]:
        """A link around a block; it closes as the block ends, whatever ends it."""
        link = self.begin(kind, name, inputs, port=port, **attrs)
        try:
            yield link
        except Exception as error:
            link.status, link.error, link.output = "error", error, UNSET
            raise
        except BaseException:
            link.status, link.output = "cancelled", UNSET
            raise
        finally:
            self.end(link)

    def begin(
        self, kind: str, name: str, inputs: Sequence[Given], *, port: Any = None, **attrs: Any
    ) -> OpenLink:
        """Open a link; a replay may supply what one with inputs gives.

        Args:
            kind: Its type.
            name: Its name.
            inputs: What it was given.
            port: What is called in it; a runner says itself what it reads.
            attrs: Anything else, as JSON.
        """
        runs = None if is_runner(port) else port
        opened = self.open(kind, name, inputs, point=bool(inputs), runs=runs, attrs=attrs)
        return OpenLink(self, opened.seq, opened.supplied, [each.slot for each in inputs])

    def end(self, link: OpenLink) -> None:
        """Close a link with what is to be said of it."""
        link.closed = self.close(
            link.seq, link.status, output=link.output, error=link.error, **link.attrs
        )

    def version(
        self,
        standing: Standing,
        value: Any,
        *,
        by: str,
        why: str,
        uses: Sequence[dict[str, Any]],
        site: str | None = None,
    ) -> None:
        """A new value of an item: version 1 of its slot, or an override of the one before.

        Args:
            standing: The item; its version is moved on.
            value: The value.
            by: Which port gave it.
            why: Why it takes the place of the one before.
            uses: Occurrences that it was made from.
            site: Where in the code that port is.
        """
        if standing.slot is not None:
            value = self.overriding(standing.value, value, by=by)
        standing.value = value
        run = self.run

        def write() -> int:
            digest = run.recorder.value(value)
            fields: dict[str, Any] = {"value": digest, **({"uses": list(uses)} if uses else {})}
            slot = standing.slot
            if slot is None:
                slot = self._free_slot(standing.id)
                seq = self._append("answer", slot=slot, via="answer", **fields)
                standing.slot = slot
            else:
                fields |= {"by": by, "reason": why, "site": site, "outcome": "applied"}
                before = standing.version
                seq = self._append("override", slot=slot, from_version=before, **fields)
            standing.version += 1
            standing.seq, standing.digest = seq, digest
            run.answers[slot] = AnswerState(standing.version, value)
            run.pieces[digest.encode()] = seq
            return seq

        self._written(write)

    def verdict(self, standing: Standing, result: CheckResult, *, judge: str) -> None:
        """What a check or a review said of the present version."""
        if standing.slot is None:
            return
        more = len(result.issues) - ISSUES
        fields: dict[str, Any] = {
            "slot": standing.slot,
            "version": standing.version,
            "status": result.status,
            "judge": judge,
            "issues": issue_forms(result.issues[:ISSUES]) or None,
            "reason": f"and {more:,} more issues" if more > 0 else None,
        }
        self._written(lambda: self.run.recorder.append("verdict", **fields))

    def decided_end(self, standing: Standing, said: Sequence[str | None]) -> None:
        """How an item ended: what was said of each end, in the order in which they are tried."""
        reads: list[dict[str, Any]] = self.item_place(standing)
        if standing.seq >= 0:
            reads.append({"seq": standing.seq, "slot": "value"})
        assert standing.result is not None
        chosen = standing.result.status

        def write() -> int:
            return self.run.recorder.append(
                "decision",
                link=self.flow,
                options=list(ENDS),
                results=[*said, *[None] * (len(ENDS) - len(said))],
                reads=reads,
                chosen=chosen,
            )

        if self.flow >= 0:
            self._written(write)

    def item_place(self, standing: Standing) -> list[dict[str, Any]]:
        """Where an item stands in the flow's input."""
        if self.flow < 0:
            return []
        return [{"seq": self.flow, "slot": "input", "path": f"/items/{standing.index}"}]

    def item_given(self, standing: Standing) -> Given:
        """An item as the input of a link."""
        return Given("item", item_form(standing.item), {"from": self.item_place(standing)})

    def items_given(self, standings: Sequence[Standing]) -> Given:
        """Items as the input of a link, each with where it stands in the flow's input."""
        segments = [
            {
                "start": at,
                "end": at + count,
                "origin": {
                    "seq": self.flow,
                    "slot": "input",
                    "path": "/items",
                    "start": first,
                    "end": first + count,
                },
            }
            for at, first, count in _stretches([each.index for each in standings])
        ]
        more = {"segments": segments} if self.flow >= 0 else {}
        return Given("items", [item_form(each.item) for each in standings], more)

    def values_given(self, slot: str, value: Any, standings: Iterable[Standing]) -> Given:
        """Values of items as the input of a link, with the versions that they are."""
        places = [{"seq": each.seq, "slot": "value"} for each in standings if each.seq >= 0]
        return Given(slot, value, {"from": places} if places else {})

    def _free_slot(self, item: str) -> str:
        """A slot that no other answer of the run has; `item:` and the id, where that is free."""
        redacted = self.run.recorder.redactor.value(without_surrogates(f"item:{item}"))
        slot = first = str(redacted)
        count = 1
        while slot in self.run.answers:
            count += 1
            slot = f"{first} ({count})"
        return slot


def item_form(item: Any) -> dict[str, Any]:
    """An item as it is recorded."""
    return {
        "id": item.id,
        "input_ids": list(item.input_ids),
        "source_status": item.source_status,
        "data": item.data,
    }


def result_form(result: CheckResult) -> dict[str, Any]:
    """What a check said as it is recorded."""
    form: dict[str, Any] = {"status": result.status, "issues": issue_forms(result.issues)}
    return form if result.value is UNSET else form | {"value": result.value}


def issue_forms(issues: Iterable[Issue]) -> list[dict[str, Any]]:
    """Issues as they are recorded."""
    return [issue.to_json() for issue in issues]


def issue_words(issues: Sequence[Issue]) -> str:
    """Issues in one sentence."""
    told = "; ".join(issue.message or issue.code for issue in issues[:4])
    return shorten(told, 300) + (f"; and {len(issues) - 4:,} more" if len(issues) > 4 else "")


def site_of(port: Callable[..., Any]) -> str | None:
    """``file:line name`` of a function; None of anything else."""
    code = getattr(port, "__code__", None)
    if not isinstance(code, CodeType):
        return None
    return own_frames.site_of(code.co_filename, code.co_firstlineno, code.co_name)


def _stretches(indices: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Neighbours that stay neighbours: place in the list, first index, and how many."""
    start = 0
    for at in range(1, len(indices) + 1):
        if at == len(indices) or indices[at] != indices[at - 1] + 1:
            yield start, indices[start], at - start
            start = at
