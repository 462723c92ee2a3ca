"""The instructions that the reader understands; every other sentence is read as context."""

import re
from dataclasses import dataclass
from enum import Enum

from explainkit.flow.models.reading.passages import Passage


class Order(Enum):
    """What an instruction asks for; `text` of its direction holds the words or the number."""

    FIXED = "always say TEXT"
    IF_MENTIONED = "if the question mentions TOPIC, say TEXT"
    IF_UNKNOWN = "if the context does not say, say TEXT"
    YES_OR_NO = "answer yes or no"
    NUMBER_ONLY = "answer with the number only"
    ONE_SENTENCE = "answer in one sentence"
    AT_MOST_WORDS = "answer in at most N words"
    UPPER_CASE = "answer in upper case"
    LOWER_CASE = "answer in lower case"
    BEGIN_WITH = "begin the answer with TEXT"
    END_WITH = "end the answer with TEXT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """One order of an instruction sentence.

    Attributes:
        order: What to do.
        text: The words to say, or the number of words; empty if the order needs none.
        topic: What the question must mention, for `IF_MENTIONED`.
        passage: The sentence that gives the order.
    """

    order: Order
    text: str = ""
    topic: str = ""
    passage: Passage


_SAY = r"(?:say|answer|reply|respond)(?:\s+with)?\s*:?"
_WORDS = r"[\"“”'‘’«»]?(?P<text>[^\"“”«»]{1,400}?)[\"“”'‘’«»]?\s*[.!]?"
_THE_ANSWER = r"(?:the|your|every|each)\s+(?:answer|reply)"
_UNKNOWN = (
    r"(?:if|when)\s+(?=[^,]{0,200}\b(?:not|no|nothing|cannot|unknown|unclear|missing|n't|n’t)\b)"
    r"[^,]{1,200}"
)
_MENTIONED = (
    r"(?:if|when)\s+(?:the\s+(?:question|user|customer)|someone|somebody)\s+"
    r"(?:mentions|asks\s+about|is\s+about|contains|says)\s+"
    r"[\"“”'‘’«»]?(?P<topic>[^,\"“”«»]{1,200}?)[\"“”'‘’«»]?"
)
_WHOLE = {
    Order.IF_MENTIONED: (
        rf"{_MENTIONED},\s*{_SAY}\s*{_WORDS}",
        rf"{_SAY}\s*{_WORDS}\s+{_MENTIONED}[.!]?",
    ),
    Order.IF_UNKNOWN: (
        rf"{_UNKNOWN},\s*{_SAY}\s*{_WORDS}",
        rf"{_SAY}\s*{_WORDS}\s+{_UNKNOWN}[.!]?",
    ),
    Order.FIXED: (rf"always\s+{_SAY}\s*[\"“«]{_WORDS}",),
    Order.BEGIN_WITH: (rf"(?:always\s+)?(?:begin|start)\s+{_THE_ANSWER}\s+with\s*:?\s*{_WORDS}",),
    Order.END_WITH: (
        rf"(?:always\s+)?(?:end|close|finish)\s+{_THE_ANSWER}\s+with\s*:?\s*{_WORDS}",
    ),
}
_FORMS = {
    Order.YES_OR_NO: r"\byes\s+or\s+no\b",
    Order.NUMBER_ONLY: (
        r"\b(?:the|a|one)\s+number\s+only\b|\bwith\s+(?:a|one)\s+number\b"
        r"|\b(?:only|just)\s+(?:with\s+)?(?:the|a|one)\s+number\b"
    ),
    Order.ONE_SENTENCE: r"\bin\s+(?:one|a\s+single)\s+sentence\b",
    Order.AT_MOST_WORDS: r"\bin\s+(?:at\s+most\s+)?(?P<text>\d{1,4})\s+words\b",
    Order.UPPER_CASE: r"\b(?:upper[\s-]?case|capital\s+letters|capitals)\b",
    Order.LOWER_CASE: r"\blower[\s-]?case\b",
}
_IMPERATIVE = re.compile(r"(?:please\s+|always\s+)?(?:answer|reply|respond|write)\b", re.IGNORECASE)
_WHOLE_RULES = [
    (order, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for order, patterns in _WHOLE.items()
    for pattern in patterns
]
_FORM_RULES = [(order, re.compile(pattern, re.IGNORECASE)) for order, pattern in _FORMS.items()]
_LONGEST = 600
_BULLET = re.compile(r"(?:[-*•]|\d{1,3}[.)])\s+")


def directions_in(passage: Passage) -> list[Direction]:
    """Read the orders of a sentence; none if it is no instruction that the reader knows.

    Only whole sentences in the imperative count, wherever they stand in the prompt, but never
    what the model said itself.
    """
    text = passage.text.strip()
    if len(text) > _LONGEST or passage.role == "assistant":
        return []
    bullet = _BULLET.match(text)
    text = text[bullet.end() :] if bullet else text
    for order, pattern in _WHOLE_RULES:
        if match := pattern.fullmatch(text):
            topic = match["topic"] if order is Order.IF_MENTIONED else ""
            return [Direction(order=order, text=match["text"], topic=topic, passage=passage)]
    if not _IMPERATIVE.match(text):
        return []
    return [
        Direction(order=order, text=match.groupdict().get("text") or "", passage=passage)
        for order, pattern in _FORM_RULES
        if (match := pattern.search(text))
    ]
