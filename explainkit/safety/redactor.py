"""Replaces secrets by marks, the same secret by the same mark, before anything is hashed."""

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from itertools import chain
from threading import Lock
from typing import Any

from explainkit.safety.redacted_tree import redact_tree
from explainkit.safety.registered import Registered
from explainkit.safety.secret_names import secret_kind
from explainkit.safety.shapes import may_be_assigned, may_be_shaped, shaped
from explainkit.safety.spans import MARK, is_placed, merged
from explainkit.safety.surrogates import has_surrogates

_ROUNDS = 4
"""A replaced stretch is a new boundary, so a text is looked at again; seldom more than once."""


class Redactor:
    """Finds secrets by the names that hold them, by their shape, and by registration.

    A secret is replaced by ``[redacted:<kind>#<n>]``. Within one redactor the same secret gets
    the same mark, wherever and in whatever form it is found. The redactor keeps digests of what
    it found, never the secrets (apart from registered ones, which it must look for).

    Redacting is idempotent, and the redaction of two joined texts is the two redactions joined
    unless the joint makes or breaks a secret: one that straddles it, a name on one side and its
    value on the other, or a word boundary that only one side shows.

    Args:
        secrets: Secrets to look for in every text, encoded copies included.
        enabled: ``False`` leaves everything as it is.

    Attributes:
        enabled: Whether anything is redacted.
        searches_more: Whether the search by shape is not all: registered secrets, or disabled.

    Raises:
        WeakSecretError: A registered secret is too short to be looked for.

    Example:
        >>> redactor = Redactor()
        >>> redactor.text("password=hunter2x and again: password=hunter2x")
        'password=[redacted:password#1] and again: password=[redacted:password#1]'
        >>> redactor.named("token", "abc")
        '[redacted:token#1]'
    """

    __slots__ = ("_found", "_lock", "_marks", "_numbers", "_registered", "enabled",
                 "searches_more")  # fmt: skip

    def __init__(self, *, secrets: Sequence[str] = (), enabled: bool = True) -> None:
        self.enabled = enabled
        self._registered = Registered()
        self._registered.add(*secrets)
        self.searches_more = bool(secrets) or not enabled
        self._marks: dict[bytes, str] = {}
        self._numbers: Counter[str] = Counter()
        self._found: Counter[str] = Counter()
        self._lock = Lock()

    def register(self, *secrets: str) -> None:
        """Look for more secrets from now on.

        Raises:
            WeakSecretError: A secret is too short to be looked for.
        """
        self._registered.add(*secrets)
        self.searches_more = bool(self._registered) or not self.enabled

    @property
    def count(self) -> int:
        """How many stretches of text and values were replaced so far."""
        return sum(self._found.values())

    def report(self) -> dict[str, int]:
        """Return how often each mark was set, by mark, in order of first use."""
        with self._lock:
            return dict(self._found)

    @staticmethod
    def is_secret_name(name: str) -> bool:
        """Return whether a parameter of this name holds a secret."""
        return secret_kind(name) is not None

    def suspects(self, text: str) -> bool:
        """Return whether a text needs a closer look; ``False`` is certain for UTF-8 text."""
        if not self.enabled:
            return False
        if may_be_shaped(text) or may_be_assigned(text):
            return True
        return bool(self._registered) and self._registered.may_hold(text)

    def text(self, text: str) -> str:
        """Return the text with its secrets replaced; the same object when there are none."""
        if not self.suspects(text) and not (self.enabled and has_surrogates(text)):
            return text
        for _ in range(_ROUNDS):
            spans = merged(text, chain(self._registered.spans(text), shaped(text)))
            if not spans:
                break
            pieces: list[str] = []
            done = 0
            for span in spans:
                pieces += (text[done : span.start], self.mark(span.kind, span.secret))
                done = span.end
            text = "".join([*pieces, text[done:]])
        return text

    def mark(self, kind: str, secret: str) -> str:
        """Return the mark that stands for a secret, and count its use."""
        key = blake2b(secret.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            mark = self._marks.get(key)
            if mark is None:
                self._numbers[kind] += 1
                mark = self._marks[key] = f"{MARK}{kind}#{self._numbers[kind]}]"
            self._found[mark] += 1
        return mark

    def value(self, tree: Any) -> Any:
        """Return a tagged JSON tree with its secrets replaced; the same object when clean.

        Texts and keys are looked at; values under the name of a secret are replaced whole.
        """
        return redact_tree(tree, self, kind=None) if self.enabled else tree

    def named(self, name: str, value: Any) -> Any:
        """Return the tagged value of a parameter, replaced whole when the name is a secret's."""
        kind = secret_kind(name)
        return self.value(value) if kind is None else self.under(kind, value)

    def under(self, kind: str, tree: Any) -> Any:
        """Return a tagged tree whose every value is a secret of this kind."""
        return redact_tree(tree, self, kind=kind) if self.enabled else tree

    def secret(self, kind: str, value: Any) -> Any:
        """Return what stands for one text or number under the name of a secret.

        ``None``, booleans, empty texts, marks and numbers below four digits stay: they tell
        that there is (no) secret, and are none.
        """
        if type(value) is str:
            return value if not value or is_placed(value) else self.mark(kind, value)
        if type(value) in {int, float} and abs(value) >= 1000:
            return self.mark(kind, str(value))
        return value
