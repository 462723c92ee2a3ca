"""The boundary between a user's live objects and the record: encode, redact, bound, escape."""

from explainkit.safety.markup import Html, element, escape, joined
from explainkit.safety.shortening import formula_safe, label, shorten, shorten_at_words
from explainkit.safety.symbols import behind_symbols, visible

__all__ = [
    "Html",
    "behind_symbols",
    "element",
    "escape",
    "formula_safe",
    "joined",
    "label",
    "shorten",
    "shorten_at_words",
    "visible",
]
