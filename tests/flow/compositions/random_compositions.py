"""Random compositions of scripted children, and what a plain reading of the table says of them."""

import itertools
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    graph,
    when,
    workflow,
)
from explainkit.flow.outcomes import Answered, Cancelled, Exhausted, Failed, Paused, Refused
from explainkit.flow.runner_links import linked
from explainkit.flow.runners import Runner
from tests.flow.compositions.scripts import VERDICTS, Boom

ENDS = ("answer", "answer", "answer", "raise", "exhaust", "pause", "cancel", *range(len(VERDICTS)))
LINEAR = ("sequence", "workflow", "conditional", "loop")
WIDE = ("parallel", "graph")


@dataclass
class Node:
    """A composition or a child of one.

    Attributes:
        word: What it is: a composition, or how a child ends.
        parts: Its children.
    """

    word: Any
    parts: list["Node"] = field(default_factory=list)


def leaves(*, ends=ENDS):
    return st.builds(Node, st.sampled_from(ends))


def trees(*, ends=ENDS, kinds=LINEAR + WIDE, depth=5):
    """Compositions that nest to at most `depth`."""
    found = leaves(ends=ends)
    for _ in range(depth):
        found = leaves(ends=ends) | st.builds(
            Node, st.sampled_from(kinds), st.lists(found, min_size=1, max_size=3)
        )
    return st.builds(Node, st.sampled_from(kinds), st.lists(found, min_size=1, max_size=3))


class World:
    """Builds the runners of a tree; remembers which children ran, in order."""

    def __init__(self):
        self.ran = []
        self.merges = 0

    def built(self, node, at="r"):
        parts = [self.built(part, f"{at}.{n}") for n, part in enumerate(node.parts)]
        match node.word:
            case "sequence":
                return Sequence(*parts)
            case "workflow":
                return workflow(*parts)
            case "conditional":
                branches = [when(lambda _: False, part) for part in parts[:-1]]
                return Conditional(when(lambda _: True, parts[-1], name="yes"), *branches)
            case "loop":
                return Loop(parts[0], until=lambda value: value == ["until"], for_at_most=2)
            case "parallel":
                return Parallel({f"b{n}": p for n, p in enumerate(parts)}, merge=self._merged)
            case "graph":
                nodes = {f"n{n}": part for n, part in enumerate(parts)}
                names = list(nodes)
                return graph(nodes, list(itertools.pairwise(names)))
        return Leaf(self, node.word, at)

    def _merged(self, by):
        self.merges += 1
        return list(by)


class Leaf(Runner):
    """A child that ends as its word says; one that pauses answers when it is resumed."""

    def __init__(self, world, word, at):
        self.world, self.word, self.name = world, word, at

    async def outcome(self, given=None, *, resume=None):
        async def work(frame):
            self.world.ran.append(self.name)
            match self.word:
                case "answer":
                    return Answered(given)
                case "raise":
                    return Failed(Boom(self.name))
                case "exhaust":
                    return Exhausted(given)
                case "cancel":
                    return Cancelled()
                case "pause":
                    return Answered("resumed") if resume else Paused({"at": self.name})
            return Refused(VERDICTS[self.word])

        return await linked(work, kind="agent", label=self.name, input=given)


def expected(node, at="r"):
    """How a tree ends by the table, and which children run; pauses left out.

    Returns:
        `answer`, `raise`, `exhaust`, `cancel`, `group` or a verdict, and the names of the
        children that run, in the order of the text (branches of one level in their order).
    """
    if not node.parts:
        return node.word, [at]
    parts = [(part, f"{at}.{n}") for n, part in enumerate(node.parts)]
    if node.word == "conditional":
        return expected(*parts[-1])
    if node.word == "loop":
        end, ran = expected(*parts[0])
        return ("exhaust", ran * 2) if end == "answer" else (end, ran)
    if node.word == "parallel":
        ends = [expected(*part) for part in parts]
        return _joined([end for end, _ in ends]), [name for _, ran in ends for name in ran]
    ran: list[str] = []
    for part in parts:
        end, more = expected(*part)
        ran += more
        if end != "answer":
            return (end if node.word != "graph" else _joined([end])), ran
    return "answer", ran


def _joined(ends):
    failed = [end for end in ends if end not in ("answer", "cancel")]
    verdicts = [end for end in failed if isinstance(end, int)]
    if "cancel" in ends and not verdicts:
        return "cancel"
    return "group" if failed else "answer"


def word_of(outcome):
    match outcome:
        case Answered():
            return "answer"
        case Refused(verdict):
            return VERDICTS.index(verdict)
        case Exhausted():
            return "exhaust"
        case Cancelled():
            return "cancel"
        case Paused():
            return "pause"
        case Failed(error):
            return "group" if isinstance(error, ExceptionGroup) else "raise"
    raise AssertionError(outcome)
