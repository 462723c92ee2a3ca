"""Names from records as file names, because a run may be called ``../../etc/passwd``."""

import re
import unicodedata
from hashlib import sha256
from pathlib import Path

from explainkit.errors import UnsafePathError

_LONGEST = 80
_HASH = 10
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_HASHED = re.compile(rf".*-[0-9a-f]{{{_HASH}}}", re.DOTALL)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def safe_name(run_name: str) -> str:
    """Return a file name for any text: no traversal, no reserved name, at most 80 characters.

    A name that is safe stays as it is; every other one is made readable and gets ten hex digits of
    its SHA-256, so that two names never share a file (short of a collision of the hash).

    Args:
        run_name: Any text, lone surrogates included.

    Example:
        >>> safe_name("delay-claim"), safe_name("../x").startswith("x-")
        ('delay-claim', True)
    """
    plain = unicodedata.normalize("NFKD", run_name).encode("ascii", "ignore").decode()
    slug = _UNSAFE.sub("-", plain).strip("-. ")
    kept = slug == run_name and 0 < len(slug) <= _LONGEST and ".." not in slug
    if kept and not _RESERVED.fullmatch(slug) and not _HASHED.fullmatch(slug):
        return slug
    mark = sha256(run_name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    head = re.sub(r"\.{2,}", ".", slug)[: _LONGEST - _HASH - 1].rstrip("-. ")
    return f"{head or 'run'}-{mark}" if not _RESERVED.fullmatch(head) else f"run-{head}-{mark}"


def inside(folder: Path, name: str) -> Path:
    """Return the path of ``name`` inside ``folder``, which may not exist yet.

    Args:
        folder: The folder that the path must stay in.
        name: A relative path with ``/`` between its parts.

    Raises:
        UnsafePathError: The name is absolute, goes up, holds NUL or a backslash, or a part of
            it is a symbolic link.
    """
    parts = name.split("/")
    bad = "\0" in name or "\\" in name or any(part in {"", ".", ".."} for part in parts)
    if bad or (len(name) > 1 and name[1] == ":"):
        raise UnsafePathError(f"{name[:80]!r} may lead out of {folder.name!r}: use a plain name")
    path = folder
    for part in parts:
        path = path / part
        if path.is_symlink():
            raise UnsafePathError(f"{part[:80]!r} in {folder.name!r} is a symbolic link: remove it")
    return path
