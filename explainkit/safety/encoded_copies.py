"""The forms in which a registered secret travels: escaped, URL-encoded, base64, hex."""

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

SHORTEST = 4
"""Characters of the shortest secret that can be looked for without hiding ordinary text."""

_SHORTEST_BASE64 = 6


def copies(secret: str) -> list[str]:
    """Return the texts that betray a secret, the longest first.

    Base64 is given for all three alignments, without the letters at either end that depend on
    what stands beside the secret.
    """
    found = {secret, *_escaped(secret), *_hex(secret), *_url(secret), *_base64(secret)}
    return sorted(found, key=lambda copy: (-len(copy), copy))


def _escaped(secret: str) -> Iterator[str]:
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        yield once
        # Arguments of tool calls are JSON inside JSON.
        yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]


def _hex(secret: str) -> Iterator[str]:
    digits = secret.encode().hex()
    yield digits
    yield digits.upper()


def _url(secret: str) -> Iterator[str]:
    for encoded in (quote(secret, safe=""), quote(secret), quote_plus(secret)):
        yield encoded
        yield _PERCENT.sub(lambda match: match[0].lower(), encoded)


_PERCENT = re.compile("%[0-9A-F]{2}")


def _base64(secret: str) -> Iterator[str]:
    raw = secret.encode()
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + raw).decode().rstrip("=")
        start = (0, 2, 3)[shift]
        spare = (shift + len(raw)) % 3
        stable = whole[start : len(whole) - (1 if spare else 0)]
        if len(stable) >= _SHORTEST_BASE64:
            yield stable
            yield stable.translate(_URL_SAFE)


_URL_SAFE = str.maketrans("+/", "-_")
