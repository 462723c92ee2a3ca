"""A run that goes on, told in plain lines: for terminals, logs, and below the widgets."""

from dataclasses import dataclass

from explainkit.safety import shorten, visible
from explainkit.view.words import counted

AWAITED = "awaited"
"""The status of a run that is not open yet."""
_NAME = 60
_ANSWER = 300


@dataclass(frozen=True, slots=True)
class WatchedLink:
    """A link as it is now.

    Attributes:
        kind: What it is.
        name: Its name.
        status: How it ended; `open` while it goes on.
    """

    kind: str
    name: str
    status: str


@dataclass(frozen=True, slots=True)
class Watched:
    """A run as it is now.

    Attributes:
        name: Its name.
        status: `running`, how it ended, or `AWAITED`.
        seconds: How long it has been going on, or went on.
        records: How many records it has.
        done: Links that answered.
        open: Links that go on.
        other: Links that ended in another way.
        last: The links that opened last, the newest at the end.
        answer: The answer, once there is one.
        gates: Names of the Gates that wait for a person.
    """

    name: str
    status: str = "running"
    seconds: float = 0.0
    records: int = 0
    done: int = 0
    open: int = 0
    other: int = 0
    last: tuple[WatchedLink, ...] = ()
    answer: str | None = None
    gates: tuple[str, ...] = ()


def head_line(run: Watched) -> str:
    """How far the run is. How long it will take is not said, because nothing tells.

    Example:
        >>> print(head_line(Watched("claim", seconds=63, records=34, done=12, open=1)))
        claim is running, 1:03: 12 links done, 1 open, 0 ended otherwise; 34 records
    """
    if run.status == AWAITED:
        return "Waits for the next run to open"
    minutes, seconds = divmod(int(run.seconds), 60)
    return (
        f"{state_line(run)}, {minutes}:{seconds:02}: "
        f"{counted(run.done, 'link')} done, {run.open:,} open, {run.other:,} ended otherwise; "
        f"{counted(run.records, 'record')}"
    )


def state_line(run: Watched) -> str:
    """Whether the run goes on, and else how it ended.

    Example:
        >>> state_line(Watched("claim", status="answered"))
        'claim is over, answered'
    """
    state = "is running" if run.status == "running" else f"is over, {run.status}"
    return f"{flat(run.name, _NAME)} {state}"


def link_lines(run: Watched) -> list[str]:
    """The last links, one a line: kind, name, status."""
    return [f"{flat(each.kind, 20)} {flat(each.name, _NAME)}: {each.status}" for each in run.last]


def answer_line(run: Watched) -> str:
    """The answer; empty while there is none."""
    return "" if run.answer is None else f"Answer: {flat(run.answer, _ANSWER)}"


def gate_line(run: Watched) -> str:
    """Who is waited for; empty when nobody is."""
    names = ", ".join(flat(name, _NAME) for name in run.gates)
    return f"Waits for a person at: {names}" if names else ""


def lines_of(run: Watched) -> list[str]:
    """Everything, the progress first."""
    return [
        head_line(run),
        *(f"  {line}" for line in link_lines(run)),
        *filter(None, (gate_line(run), answer_line(run))),
    ]


def short_line(run: Watched) -> str:
    """One line: progress, the newest link, who is waited for, the answer."""
    newest = link_lines(run)[-1:]
    return "; ".join(filter(None, (head_line(run), *newest, gate_line(run), answer_line(run))))


def flat(text: str, limit: int) -> str:
    """A recorded text as a part of one line."""
    return visible(shorten(" ".join(text.split()), limit))
