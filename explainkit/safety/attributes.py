"""Which attributes our markup may have: no handlers, no addresses, no characters that break out."""

import re

_NAMES = frozenset(
    """class style role hidden open colspan rowspan scope lang tabindex width height alt src type
    d x y x1 x2 y1 y2 cx cy r rx ry points viewBox transform refX refY orient markerWidth
    markerHeight markerUnits marker-end marker-start text-anchor dominant-baseline id
    preserveAspectRatio""".split()
)
_ARIA_OR_DATA = re.compile(r"aria-[a-z]{2,20}|data-(?:seq|node|edge|kind|grade)")
_PLAIN = re.compile(r"[A-Za-z0-9 \t_.,:;#%()/+*=!?'–—-]*")
_REACHES_OUT = re.compile(
    r"url\(|script:|expression|@import|data:|//|behavior|binding", re.IGNORECASE
)
_FRAGMENT = re.compile(r"url\(#ek-[a-z-]{1,40}\)")
_PICTURE = re.compile(r"data:image/png;base64,[A-Za-z0-9+/]*={0,2}")
_OUR_ID = re.compile(r"ek-[a-z-]{1,40}")


def attribute(name: str, value: str) -> str:
    """Return ``name="value"`` for an attribute of our own.

    Recorded text never belongs here; what it could do is stopped by an allow-list of names and
    characters.

    Raises:
        ValueError: The name or the value is not one that our markup has.
    """
    if name not in _NAMES and _ARIA_OR_DATA.fullmatch(name) is None:
        raise ValueError(f"markup has no attribute {name[:40]!r}: recorded text is never a name")
    if not _allowed(name, value):
        raise ValueError(f"{name} cannot be {value[:60]!r}: recorded text belongs in children")
    return f'{name}="{value}"'


def _allowed(name: str, value: str) -> bool:
    if name == "src":
        return _PICTURE.fullmatch(value) is not None
    if name == "id":
        return _OUR_ID.fullmatch(value) is not None
    if name in {"marker-end", "marker-start"}:
        return _FRAGMENT.fullmatch(value) is not None
    return _PLAIN.fullmatch(value) is not None and _REACHES_OUT.search(value) is None
