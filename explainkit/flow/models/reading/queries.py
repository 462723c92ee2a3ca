"""What is asked, and what the asker gives along with it, found by rules that a page can list."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from explainkit.flow.models.reading.measured import Measure, measures
from explainkit.flow.models.reading.passages import Passage
from explainkit.flow.models.reading.wording import Word, content, words

_MARKER = re.compile(r"(?:q|question)\s*:\s*", re.IGNORECASE)
_ASKING = (
    "what|how|which|who|whom|whose|when|where|why|do|does|did|is|are|was|were|can|could|will|would|"
    "should|may|must"
)
_GIVEN_FIRST = re.compile(
    rf"(?P<given>.+),\s*(?:so\s+|and\s+)?(?P<asked>(?:{_ASKING})\b.+)", re.IGNORECASE | re.DOTALL
)
_GIVEN_LAST = re.compile(
    r"(?P<asked>\S.*?)\s(?P<given>(?:if|when|because|since)\s.+)", re.IGNORECASE | re.DOTALL
)
_REQUEST = re.compile(
    r"(?:please\s+)?(?:tell|give|name|list|find|show|add|say|explain|describe|calculate|compute|"
    r"count|compare|check|choose|decide|look|run|send|search|get|summari[sz]e|work\s+out)\b",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|may|must)\b",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(r"\bhow\s+(?:much|many)\b", re.IGNORECASE)

# Every limit of the context is held against each of them, so their number bounds the work.
MEASURES_AT_MOST = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question as the reader understands it.

    Attributes:
        passages: The sentences of the prompt that make it.
        asked: The text that asks.
        given: The text that comes with it ("My train was 40 minutes late."); may be empty.
        words: Content words of `asked` by meaning, without names, numbers and units.
        names: Names and ids in `asked`, by meaning.
        given_words: The same of `given`, names included.
        measures: What is measured or counted in `given` and `asked`, the first 64.
        is_request: Whether it asks for anything: marked as a question, ending as one, opening
            with a verb of request, or simply what the user says in a chat.
    """

    passages: tuple[Passage, ...]
    asked: str
    given: str
    words: dict[str, Word]
    names: dict[str, Word]
    given_words: dict[str, Word]
    measures: tuple[Measure, ...]
    is_request: bool

    @property
    def is_polar(self) -> bool:
        """Whether it can be answered by yes or no."""
        return bool(_POLAR.match(self.asked))

    @property
    def wants_amount(self) -> bool:
        """Whether it asks how much or how many."""
        return bool(_HOW_MUCH.search(self.asked))


def find_query(passages: Sequence[Passage], *, alone: bool) -> Query | None:
    """Find the question in the passages of the last user message.

    A sentence that starts with `Q:` or `Question:` wins (the last one, to the end of its line);
    else the last sentence that ends in a question mark; else the last sentence. When the user
    message is not alone in the prompt, the rest of the line belongs to the question as well.

    Args:
        passages: Its sentences, instructions left out.
        alone: Whether the prompt is this one message, which then holds the context as well.

    Returns:
        The query, or `None` if there are no sentences.
    """
    if not passages:
        return None
    marked = [at for at, passage in enumerate(passages) if _MARKER.match(passage.text)]
    if marked:
        first = marked[-1]
        chosen = _same_line(passages, first)[first - _line_start(passages, first) :]
        if not _unmarked(chosen[0].text) and len(chosen) == 1 and first + 1 < len(passages):
            chosen = [chosen[0], *_same_line(passages, first + 1)]
        return _query_of(chosen, is_request=True)
    asking = [at for at, passage in enumerate(passages) if passage.text.rstrip().endswith("?")]
    at = asking[-1] if asking else len(passages) - 1
    is_request = bool(asking) or not alone or bool(_REQUEST.match(passages[at].text))
    chosen = [passages[at]] if alone else _same_line(passages, at)
    return _query_of(chosen, is_request=is_request)


def _query_of(passages: Sequence[Passage], *, is_request: bool) -> Query:
    texts = [_unmarked(passage.text) for passage in passages]
    asked = " ".join(text for text in texts if text.endswith("?")) or " ".join(texts)
    given = (
        " ".join(text for text in texts if not text.endswith("?")) if asked.endswith("?") else ""
    )
    if not given and (split := _GIVEN_FIRST.fullmatch(asked) or _GIVEN_LAST.fullmatch(asked)):
        asked, given = split["asked"], split["given"]
    asked_measures = measures(asked)
    given_measures = measures(given)
    plain = _unmeasured(asked, asked_measures)
    opening = words(asked)[:1]
    names = {key: word for key, word in plain.items() if _is_name(word, opening)}
    return Query(
        passages=tuple(passages),
        asked=asked,
        given=given,
        words={key: word for key, word in plain.items() if key not in names},
        names=names,
        given_words=_unmeasured(given, given_measures),
        measures=(*given_measures, *asked_measures)[:MEASURES_AT_MOST],
        is_request=is_request,
    )


def _unmarked(text: str) -> str:
    return _MARKER.sub("", text, count=1).strip() if _MARKER.match(text) else text.strip()


def _unmeasured(text: str, found: Sequence[Measure]) -> dict[str, Word]:
    """Give the content words of a text that are no numbers and no units."""
    return {
        key: word
        for key, word in content(text).items()
        if not any(_belongs(word, measure) for measure in found)
    }


def _belongs(word: Word, measure: Measure) -> bool:
    inside = measure.start <= word.start < measure.end
    return inside and not (measure.counts and word.meaning == measure.unit)


def _is_name(word: Word, opening: Sequence[Word]) -> bool:
    """Whether it is an id, or capitalised and not just because it opens the question."""
    if any(character.isdigit() for character in word.text):
        return True
    return word.text[0].isupper() and word not in opening


def _line_start(passages: Sequence[Passage], at: int) -> int:
    while at and _place(passages[at - 1]) == _place(passages[at]):
        at -= 1
    return at


def _same_line(passages: Sequence[Passage], at: int) -> list[Passage]:
    start, end = _line_start(passages, at), at + 1
    while end < len(passages) and _place(passages[end]) == _place(passages[at]):
        end += 1
    return list(passages[start:end])


def _place(passage: Passage) -> tuple[int, int]:
    return passage.message, passage.line
