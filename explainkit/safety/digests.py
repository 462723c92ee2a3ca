"""The name of a value, so that equal content is stored once and found again."""

from hashlib import sha256


def digest(data: bytes) -> str:
    """Return the first 40 hex characters of the SHA-256 of canonical bytes.

    Args:
        data: Canonical bytes of a value, as ``encode(value).data`` gives them.

    Example:
        >>> digest(b'"half of the fare"')
        '28454a79c55298391f68bffbd12459e8f122d360'
    """
    return sha256(data).hexdigest()[:40]
