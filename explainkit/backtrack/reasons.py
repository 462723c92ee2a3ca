"""The reasons that make a record a suspect, each with the places that show it.

The rule is fixed in ``docs/decisions/0006-shortlist.md``. It reads the words of the run and never
its verdicts or labels.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from typing import Final, NamedTuple

from explainkit.backtrack.claims import claims_of, shown_at
from explainkit.backtrack.facts import FACTS, facts_in, holds_words, introducers_of
from explainkit.backtrack.makers import is_judging, is_saying
from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Place, Reason, Walk
from explainkit.backtrack.routed_errors import unreached_errors
from explainkit.backtrack.shown_values import Shown
from explainkit.backtrack.supporting import stands_upstream
from explainkit.graph.stretches import REST, Stretch
from explainkit.safety import visible
from explainkit.text.telling_words import share_words

FIRST_FACT, NEXT_FACT, MOST_NEXT = 4, 1, 3
WORDS, OWN_WORDS, CALLER, FAILED, TAKEN_BACK, CARRIED = 3, 2, 2, 2, 2, 1
_HEAD: Final = 400
_READ: Final = 20_000
"""Code points of an answer in which words of what it was made from are looked for."""
_SUSPECTS: Final = ("context", "event", "output", "error", "override")
MESSAGE: Final = "/$exception/message"
"""Where an error's message stands in its value."""
_SAID: Final = "said words that no earlier text holds as they stand"
_SAID_TOO: Final = "said words that stand earlier too, too few to show a copy"
_SAID_AGAIN: Final = "said again what a draft had said that did not stand"
_SAID_BEFORE: Final = "said before, in a draft that did not stand"
_QUOTED: Final = "quoted a draft that did not stand"
_MADE_FROM: Final = "is what the answer was made from, as was declared"
_INTRODUCED: Final = "introduced words of the answer"
_PUT_IN: Final = "put in words of the answer"
_HELD: Final = ("said", "introduced words", "carried", "could have mattered")
_FAILURE: Final = re.compile(
    r"exitcode: [1-9]|execution failed|Traceback \(most recent call last\)"
    r"|(?:^|\n)\s*(?:[A-Z]\w*)?(?:Error|Exception)\b[:(]|\b(?:HTTP|status)[ :]*[45]\d\d\b",
)
_FAILING: Final = (
    "exitcode: ", "execution failed", "Traceback", "Error", "Exception", "HTTP", "status",
)  # fmt: skip
"""One of these stands in every text that tells of a failure, and is looked for much faster."""
_CORRECTION: Final = re.compile(
    r"\b(?:apologi[sz]e|mistake|incorrect|correction|was wrong|is wrong|not correct|misread"
    r"|let(?:'s| me| us) correct|should have been|contrary to)\b",
    re.IGNORECASE,
)


class Points(NamedTuple):
    """A reason and what it counts for."""

    points: int
    reason: Reason


class Evidenced:
    """Collects reasons by record."""

    def __init__(self, names: Names, walk: Walk) -> None:
        self.names = names
        self.walk = walk
        self.found: dict[int, list[Points]] = defaultdict(list)
        self.candidates = _candidates(names, walk)
        self._nodes = list(self.candidates)  # ascending, as _candidates finds them
        self._models = self._once(
            "models", lambda: [node for node in self._nodes if self._is_model(node)]
        )

    def collect(self) -> dict[int, list[Points]]:
        """The reasons of each candidate place, by its number."""
        self._facts()
        self._words()
        self._failures()
        self._corrections()
        self._carried()
        return self.found

    def _once(self, what: str, found: Callable[[], list[int]]) -> list[int]:
        """Places that are the same for all words of one answer, found once."""
        memo, key = self.names.evidence.memo, (what, self.walk.answer_seq)
        if key not in memo:
            memo[key] = found()
        known: list[int] = memo[key]
        return known

    def _add(self, node: int | None, points: int, word: str, places: tuple[Place, ...]) -> None:
        if node is not None and node in self.candidates:
            self.found[node].append(Points(points, Reason(word, places)))

    def _facts(self) -> None:
        """Who introduced the numbers, names, dates, ids and quotes of the answer."""
        held: dict[int, dict[str, Place]] = defaultdict(dict)
        count = len(facts_of(self.names, self.walk))
        every = "the answer's facts"
        if count > FACTS:
            every = f"the first {FACTS} of the answer's {count:,} facts"
        for word, introducers in _facts_of(self.names, self.walk).items():
            for place in introducers:
                node = self._node(place)
                if node is not None:
                    held[node].setdefault(word, place)
        for node in sorted(held):
            places = tuple(held[node].values())[: MOST_NEXT + 1]
            count = len(held[node])
            points = FIRST_FACT + min(count - 1, MOST_NEXT) * NEXT_FACT
            shown = ", ".join(quoted(place.text) for place in places)
            self._add(node, points, f"introduced {count} of {every}: {shown}", places)
            self._caller(node, places)

    def _caller(self, node: int, places: tuple[Place, ...]) -> None:
        """A tool's result comes from its call: whoever wrote the call stands beside it."""
        evidence = self.names.evidence
        link = evidence.link_of(node)
        if link is None or evidence.links.type_of(link) == "model":
            return
        caller = self._wrote_call(link)
        if caller is not None:
            name = evidence.links.name_of(link)
            word = f"wrote what {name} ran, whose result is in the answer"
            self._add(caller, CALLER, word, places)

    def _wrote_call(self, link: int) -> int | None:
        evidence = self.names.evidence
        first = evidence.links.first[link]
        for node in range(first, first + evidence.links.inputs[link]):
            for edge in evidence.base.edges_into(node):
                if edge.grade == "declared" and edge.source in self.candidates:
                    return edge.source
        # In a chat that was read in, a tool runs what was said last; code may run one unasked.
        return self._model_before(first) if self._is_read_in else None

    @property
    def _is_read_in(self) -> bool:
        started = next(self.names.evidence.recording.rows("run_started"), {})
        return isinstance(started.get("source"), dict)

    def _model_before(self, node: int) -> int | None:
        at = bisect_left(self._models, node)
        return self._models[at - 1] if at else None

    def _is_model(self, node: int) -> bool:
        link = self.names.evidence.link_of(node)
        return link is not None and self.names.evidence.links.type_of(link) == "model"

    def _is_override(self, node: int) -> bool:
        return self.names.evidence.places.kind_of(node) == "override"

    def _words(self) -> None:
        """Who introduced words of the answer, found at the end of the walk."""
        held: dict[int, list[Place]] = defaultdict(list)
        exposed: dict[int, str] = {}
        drafts: set[int] = set()
        for use in self.walk.contexts:
            for place in use.places:
                node = self._node(place)
                if node is not None and not use.asked:
                    held[node].append(place)
                    if use.refused is not None:
                        drafts.add(node)
                    if use.grade not in ("declared", "value"):
                        exposed[node] = use.grade
        for node in sorted(held):
            places = sorted(held[node], key=lambda each: (-len(each.text), each.start))[:3]
            if not any(map(str.isalnum, places[0].text)):
                continue  # a full stop is no word, and everybody has one
            if node in exposed:
                word = f"could have mattered, at grade {exposed[node]}: {quoted(places[0].text)}"
                self._add(node, CARRIED, word, tuple(places))
                continue
            points, word = self._origin(node, places[0], is_draft=node in drafts)
            self._add(node, points, f"{word}: {quoted(places[0].text)}", tuple(places))

    def _origin(self, node: int, place: Place, *, is_draft: bool) -> tuple[int, str]:
        """What it counts that words end the walk there, and why."""
        if is_draft:
            return CARRIED, _QUOTED if is_judging(self.names, node) else _SAID_BEFORE
        if is_saying(self.names, node) or is_judging(self.names, node):
            return OWN_WORDS, self._said(node, place)
        if self._is_override(node):
            return OWN_WORDS, _PUT_IN
        said = share_words(place.text[:_HEAD], self._said_words[:_READ])
        return WORDS, _INTRODUCED if said else _MADE_FROM

    @property
    def _said_words(self) -> str:
        """The words that were walked from."""
        low, high = self.walk.span or (0, len(self.walk.answer))
        return self.walk.answer[low:high]

    def _said(self, node: int, place: Place) -> str:
        """What is so of words of a model that were not followed any further."""
        drafts = [use for use in self.walk.contexts if use.refused is not None]
        before = [each.text for use in drafts for each in use.places]
        if any(holds_words(place.text, text) or holds_words(text, place.text) for text in before):
            return _SAID_AGAIN
        stretch = Stretch(node, place.path, place.start, place.end)
        return _SAID_TOO if stands_upstream(self.names, stretch) else _SAID

    def _failures(self) -> None:
        apart = unreached_errors(self.names, answer_node(self.names, self.walk))
        failed = self._once("failed", lambda: [n for n in self._nodes if self._failure(n)])
        for node in failed:
            failure = None if node in apart else self._failure(node)
            if failure is None:
                continue
            words = quoted(self._failure_words(node, failure))
            self._add(node, FAILED, f"failed: {words}", (failure,))
            if not self._is_model(node):
                before = self._model_before(node)
                self._add(before, FAILED, f"what came next failed: {words}", (failure,))

    def _failure(self, node: int) -> Place | None:
        if self.names.evidence.places.kind_of(node) == "error":
            return self._head(node, 0, _HEAD)
        if self._is_model(node) or self._is_override(node):
            return None
        text = self.candidates[node]
        found = _FAILURE.search(text) if any(word in text for word in _FAILING) else None
        return None if found is None else self._head(node, found.start(), found.start() + 80)

    def _failure_words(self, node: int, failure: Place) -> str:
        """The words of a failed output; of an error its class with its message."""
        if self.names.evidence.places.kind_of(node) != "error":
            return failure.text
        carrying = self.names.evidence.carrying
        said = [each for each in carrying.leaves(node) if each.path == MESSAGE]
        return f"{failure.text}: {carrying.text(said[0])}" if said else failure.text

    def _corrections(self) -> None:
        """A later message takes back what the speaker before it said."""
        heads = self.candidates
        correcting = self._once(
            "correcting", lambda: [n for n in self._models if _CORRECTION.search(heads[n][:_HEAD])]
        )
        for node in correcting:
            found = _CORRECTION.search(heads[node][:_HEAD])
            before = self._model_before(node)
            if found is not None and before is not None:
                place = self._head(node, max(0, found.start() - 40), found.end() + 40)
                self._add(before, TAKEN_BACK, f"taken back: {quoted(place.text)}", (place,))

    def _carried(self) -> None:
        carried = self._carrying_nodes()
        for hop in self.walk.hops:
            if hop.grade in ("declared", "value"):
                node = self._node(hop.source)
                if node not in carried or self._is_override(node):
                    continue  # a version keeps words of the one before: that is no suspicion
                known = self.found.get(node, [])
                if not any(each.reason.word.startswith(_HELD) for each in known):
                    word = f"carried words of the answer: {quoted(hop.source.text)}"
                    self._add(node, CARRIED, word, (hop.source,))

    def _carrying_nodes(self) -> set[int]:
        """Places from which characters came all the way, with no mere exposure in between."""
        moves: dict[int, list[int]] = defaultdict(list)
        sources: set[int] = set()
        for hop in self.walk.hops:
            target, source = self._node(hop.target), self._node(hop.source)
            if target is not None and source is not None:
                sources.add(source)
                carries = hop.grade in ("declared", "value") and not hop.replaced
                moves[target] += [source] if carries else []
        found = set(moves) - sources
        for target in sorted(moves, reverse=True):  # data flows to higher numbers only
            if target in found:
                found.update(moves[target])
        return found

    def _node(self, place: Place) -> int | None:
        return self.names.evidence.places.find(place.seq, place.slot)

    def _head(self, node: int, start: int, end: int) -> Place:
        leaves = self.names.evidence.carrying.leaves(node)
        if not leaves:
            return self.names.place(Stretch(node, "", 0, REST))
        leaf = leaves[0]
        start = min(start, leaf.end)
        return self.names.place(leaf._replace(start=start, end=max(start, min(end, leaf.end))))


def _candidates(names: Names, walk: Walk) -> dict[int, str]:
    """Places that can be suspects, with how they begin: contexts, events, outputs, overrides."""
    evidence = names.evidence
    places = evidence.places
    asked = {
        places.digest[node]
        for node in range(min(len(places), _HEAD))
        if places.kind_of(node) == "question"
    }
    last = len(places) if walk.answer_seq is None else places.of_seq(walk.answer_seq).stop
    if ("candidates", last) in evidence.memo:  # the same for all words of one answer
        known: dict[int, str] = evidence.memo["candidates", last]
        return known
    found: dict[int, str] = {}
    for node in range(last):
        kind = places.kind_of(node)
        if kind not in _SUSPECTS or places.digest[node] in asked:
            continue
        link = evidence.link_of(node)
        whole = link is not None and (
            evidence.links.children[link] or evidence.links.type_of(link) in ("assemble", "run")
        )
        if not whole and node not in evidence.nearest.left_out:
            found[node] = evidence.carrying.head(node, 4 * _HEAD)
    evidence.memo["candidates", last] = found
    return found


def _facts_of(names: Names, walk: Walk) -> dict[str, tuple[Place, ...]]:
    """For each fact of the answer, or of the span, the places that introduced it."""
    node = answer_node(names, walk)
    found: dict[str, tuple[Place, ...]] = {}
    for word in facts_of(names, walk)[:FACTS]:
        if node is None:
            break
        introducers = introducers_of(names, word, before=node)
        if not any(place.label.startswith("question") for place in introducers):
            found[word] = introducers
    return found


def facts_of(names: Names, walk: Walk) -> tuple[str, ...]:
    """The facts of the answer, or of the span, each once, however many are looked up."""
    memo, key = names.evidence.memo, ("facts", walk.answer_seq, walk.slot, walk.span)
    if key not in memo:
        texts = _claims(names, walk, answer_node(names, walk))
        memo[key] = tuple(dict.fromkeys(word for text in texts for word in facts_in(text)))
    known: tuple[str, ...] = memo[key]
    return known


def _claims(names: Names, walk: Walk, node: int | None) -> list[str]:
    """The texts in which facts are looked for: the span, or the answer; of results each value."""
    if walk.span is not None:
        return [walk.answer[walk.span[0] : walk.span[1]]]
    answer = Shown("", ()) if node is None else shown_at(names.evidence, node)
    leaves = claims_of(names.evidence, node, answer)
    plain = [leaf.path for leaf in leaves] == [""] or answer.text != walk.answer
    if plain or not leaves:
        return [walk.answer]
    # The quotes around the texts of JSON quote nothing, and its keys are nobody's claim.
    return [walk.answer[leaf.start : leaf.end] for leaf in leaves]


def answer_node(names: Names, walk: Walk) -> int | None:
    """The place of the answer that was walked from."""
    if walk.answer_seq is None:
        return None
    find = names.evidence.places.find
    output = find(walk.answer_seq, "output")
    return find(walk.answer_seq, "value") if output is None else output


def quoted(text: str) -> str:
    """Words of a place as a reason shows them."""
    short = " ".join(text.split())
    short = short if len(short) <= 80 else f"{short[:79]}\u2026"
    # What is no letter or sign, such as the joiner of an emoji, is shown as everywhere else.
    return repr(short) if short.isprintable() else f"'{visible(short)}'"
