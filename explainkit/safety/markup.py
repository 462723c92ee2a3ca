"""The only maker of HTML, so that recorded text reaches a screen as text and nothing else."""

import re
from typing import Any, Self

from markupsafe import Markup
from markupsafe import escape as _entities

from explainkit.safety.attributes import attribute
from explainkit.safety.shortening import formula_safe, label, shorten
from explainkit.safety.symbols import visible

__all__ = ["Html", "element", "escape", "formula_safe", "joined", "label", "shorten", "visible"]

_KEY = object()
_TAGS = frozenset(
    """main section nav aside article header footer div p blockquote pre hr br h1 h2 h3 h4 h5 h6
    ul ol li dl dt dd table caption thead tbody tfoot tr th td details summary figure figcaption
    span bdi b strong i em u s small sub sup code kbd samp mark del ins abbr title button
    svg g defs marker path rect circle ellipse line polyline polygon text tspan img""".split()
)
_VOID = frozenset({"br", "hr", "img"})
# Elements in which MathJax does not look, or whose text must not hold other elements.
_FLAT = frozenset({"title", "text", "tspan", "code", "pre", "kbd", "samp"})
_MATH = re.compile(r"\$|\\(?=[()\[\]]|begin\b|end\b|ref\b|eqref\b)")


class Html(Markup):
    """Markup that this module made. It cannot be made from a text by anybody else.

    ``+`` and ``join`` escape what is not ``Html``; every other way to change the text is refused,
    because a cut or a replacement could open what was closed.

    Raises:
        TypeError: Made from a text, cut or changed.
    """

    __slots__ = ()

    def __new__(cls, content: Any = "", *args: object, key: object = None) -> Self:
        """Only the helpers of this module hold the key."""
        if key is _KEY and not args:
            return str.__new__(cls, content)
        raise TypeError("Html is made by element(), joined() and escape() only")

    @classmethod
    def escape(cls, s: Any, /) -> "Html":
        """Return ``s`` as Html, escaped unless it is Html."""
        return s if type(s) is Html else escape(str(s))

    def __add__(self, value: Any, /) -> "Html":
        return joined(self, value) if isinstance(value, str) else NotImplemented

    def __radd__(self, value: Any, /) -> "Html":
        return joined(value, self) if isinstance(value, str) else NotImplemented

    def join(self, iterable: Any, /) -> "Html":
        """Join pieces, escaped unless they are Html."""
        return _made(str.join(str(self), [str(self.escape(piece)) for piece in iterable]))


def _made(content: str) -> Html:
    return Html(content, key=_KEY)


def escape(text: str) -> Html:
    r"""Return a text as HTML that shows it: no markup, no controls, no mathematics.

    ``$`` and ``\(`` are set in elements of their own, because MathJax reads past entities but
    never joins text across elements.

    Example:
        >>> escape("<b>5 $</b>")
        Html('&lt;b&gt;5 <span>$</span>&lt;/b&gt;')
    """
    flat = _flat(text)
    return _made(_MATH.sub(lambda match: f"<span>{match[0]}</span>", flat))


def _flat(text: str) -> str:
    # A plain str on purpose: a foreign Markup or object with __html__ is text here.
    return str(_entities(visible(str.__str__(text))))


def joined(*parts: str) -> Html:
    """Return parts one after the other; texts are escaped, ``Html`` is kept."""
    return _made("".join([str(part) if type(part) is Html else escape(part) for part in parts]))


def element(tag: str, *children: str, **attributes: str) -> Html:
    """Return an element with escaped children.

    Args:
        tag: Name of the element; scripts, styles, links, forms and frames are not among them.
        children: Texts (escaped) and ``Html``.
        attributes: Of our own, never recorded text; see :mod:`explainkit.safety.attributes`.

    Raises:
        ValueError: The tag or an attribute is not one that our markup has.

    Example:
        >>> element("p", "a < b", **{"class": "ek-note"})
        Html('<p class="ek-note">a &lt; b</p>')
    """
    if tag not in _TAGS:
        raise ValueError(f"markup has no element {tag[:40]!r}")
    if tag in _VOID and children:
        raise ValueError(f"{tag} holds nothing")
    written = "".join(f" {attribute(name, value)}" for name, value in attributes.items())
    if tag in _VOID:
        return _made(f"<{tag}{written}>")
    if tag in _FLAT:
        inner = "".join([str(c) if type(c) is Html else _flat(c) for c in children])
    else:
        inner = str(joined(*children))
    return _made(f"<{tag}{written}>{inner}</{tag}>")
