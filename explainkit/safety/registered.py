"""Secrets that the user named, looked for in every form in which they travel."""

import re
from collections.abc import Iterator

from explainkit.errors import WeakSecretError
from explainkit.safety.encoded_copies import SHORTEST, copies
from explainkit.safety.shapes import gate
from explainkit.safety.spans import Span
from explainkit.safety.surrogates import has_surrogates


class Registered:
    """The registered secrets and one search for all their copies."""

    __slots__ = ("_copies", "_finder", "may_hold")

    def __init__(self) -> None:
        """Start without secrets."""
        self._copies: dict[str, str] = {}
        self._finder: re.Pattern[str] | None = None
        self.may_hold = gate("[^\\s\\S]")

    def add(self, *secrets: str) -> None:
        """Look for more secrets.

        Raises:
            WeakSecretError: A secret is too short, or no text that can be written.
        """
        for secret in secrets:
            if len(secret) < SHORTEST or not secret.strip() or has_surrogates(secret):
                raise WeakSecretError(
                    f"a secret of {len(secret)} characters cannot be looked for: "
                    f"register at least {SHORTEST} visible characters"
                )
        for secret in secrets:
            for copy in copies(secret):
                self._copies.setdefault(copy, secret)
        if secrets:
            ordered = sorted(self._copies, key=lambda copy: (-len(copy), copy))
            self._finder = re.compile("|".join(map(re.escape, ordered)))
            self.may_hold = gate("|".join(map(_escaped, ordered)))

    def __bool__(self) -> bool:
        return bool(self._copies)

    def spans(self, text: str) -> Iterator[Span]:
        """Yield where copies of registered secrets stand."""
        if self._finder is not None:
            for match in self._finder.finditer(text):
                yield Span(match.start(), match.end(), "secret", self._copies[match[0]])


def _escaped(text: str) -> str:
    """Escape for the engine in Rust, which refuses escapes that it does not know."""
    return "".join(letter if letter.isalnum() else f"\\x{{{ord(letter):x}}}" for letter in text)
