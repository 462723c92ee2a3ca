"""Which names say that their value is a secret, because names betray more secrets than shapes."""

import re
from functools import lru_cache
from itertools import pairwise

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST = 128
_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")

_WORDS = {
    "password": "password", "passwd": "password", "passphrase": "password", "pwd": "password",
    "passcode": "password", "passwords": "password",
    "secret": "secret", "secrets": "secret",
    "apikey": "api-key", "apikeys": "api-key", "apitoken": "token",
    "accesstoken": "token", "authtoken": "token", "refreshtoken": "token",
    "authorization": "authorization",
    "cookie": "cookie", "cookies": "cookie", "setcookie": "cookie",
    "credential": "credential", "credentials": "credential", "creds": "credential",
    "privatekey": "private-key", "secretkey": "secret", "accesskey": "api-key",
    "sessionid": "session", "sessid": "session", "phpsessid": "session", "jsessionid": "session",
    "jwt": "token",
}  # fmt: skip
_PAIRS = {
    ("api", "key"): "api-key", ("api", "keys"): "api-key", ("access", "key"): "api-key",
    ("private", "key"): "private-key", ("secret", "key"): "secret", ("signing", "key"): "secret",
    ("encryption", "key"): "secret", ("session", "key"): "session", ("session", "id"): "session",
    ("pass", "phrase"): "password", ("pass", "word"): "password",
}  # fmt: skip
# Words that turn a secret's name into the name of a fact about it: `password_length`.
_FACTS = frozenset(
    "at attempts changed count created date days enabled endpoint exists expired expires expiry "
    "field format hint in kind label len length limit max min name names policy required reset "
    "size status strength ttl type types updated url usage used valid version".split()
)
# Words before `token` that name a place in a sequence or a part of speech, not a secret.
_MARKERS = frozenset(
    "bos cls continuation cursor eos end first last mask max min next num pad page pagination per "
    "prev previous prompt completion sep special start stop sync total unk input output".split()
)


def secret_kind(name: str) -> str | None:
    """Return what sort of secret a parameter, key or field of this name holds, else ``None``.

    Names are split at separators and at humps. A name about a secret (``password_length``,
    ``max_tokens``, ``token_count``, ``next_page_token``) is not the name of a secret.

    Example:
        >>> secret_kind("OPENAI_API_KEY"), secret_kind("clientSecret"), secret_kind("max_tokens")
        ('api-key', 'secret', None)
    """
    return _kind(name if len(name) <= _LONGEST else name[-_LONGEST:])


@lru_cache(maxsize=8192)
def _kind(name: str) -> str | None:
    words = [word.lower() for word in _SEPARATORS.split(_HUMP.sub("_", name)) if word]
    if not words or words[-1] in _FACTS:
        return None
    if words[-1] == "token" and not (len(words) > 1 and words[-2] in _MARKERS):
        return "token"
    for pair in pairwise(words):
        if pair in _PAIRS:
            return _PAIRS[pair]
    for word in words:
        if word in _WORDS:
            return _WORDS[word]
    return None
