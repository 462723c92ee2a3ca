"""Draws values and stores them in every form that a trace may hold them in."""

from typing import Any

from explainkit.testing.building import TraceBuilder


def any_text(st: Any) -> Any:
    """Texts, also such as JSON and readers trip over."""
    awkward = (
        "",
        "\n",
        '{"$value":"0000"}',
        '{"kind":"note","seq":0}\n',
        "\u2028\x00",
        "🚆e\u0301",
    )
    return st.one_of(st.text(max_size=30), st.sampled_from(awkward))


def any_value(st: Any) -> Any:
    """Values that are recorded exactly."""
    whole = st.integers(-(2**70), 2**70)
    single = st.one_of(
        st.none(), st.booleans(), whole, st.floats(), any_text(st), st.binary(max_size=8)
    )
    surrogates = st.text(alphabet="a\ud800", min_size=1, max_size=3)
    return st.recursive(
        st.one_of(single, surrogates),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.tuples(inner, inner),
            st.dictionaries(any_text(st), inner, max_size=3),
        ),
        max_leaves=6,
    )


class ValueDrawing:
    """The values of one trace in the making.

    Args:
        draw: Hypothesis' draw function.
        st: Its strategies.
    """

    def __init__(self, draw: Any, st: Any) -> None:
        self._draw = draw
        self._st = st
        self._built = TraceBuilder(name=draw(any_text(st)))
        self._texts: dict[str, str] = {}
        self._lists: dict[str, list[Any]] = {}
        self._values: dict[str, Any] = {}

    def _flag(self) -> bool:
        return bool(self._draw(self._st.booleans()))

    def _one_of(self, options: Any) -> Any:
        return self._draw(self._st.sampled_from(list(options)))

    def _at(self) -> int | None:
        moment: int | None = self._one_of((None, 0, 7, 1_764_500_000_000_000_000))
        return moment

    def _span(self, length: int) -> tuple[int, int]:
        ends = sorted(self._draw(self._st.integers(0, length)) for _ in range(2))
        return ends[0], ends[1]

    def _value(self) -> str:
        forms = [self._fresh, self._text]
        if self._values:
            forms += [self._again, self._items, self._holding]
        if self._lists:
            forms.append(self._longer)
        return str(self._one_of(forms)())

    def _again(self) -> str:
        return str(self._one_of(self._values))

    def _fresh(self) -> str:
        value = self._draw(any_value(self._st))
        return self._keep(self._built.value(value), value)

    def _text(self) -> str:
        if not self._texts or self._flag():
            value = self._draw(any_text(self._st))
            return self._keep(self._built.value(value), value)
        parts: list[Any] = []
        whole = ""
        for _ in range(self._draw(self._st.integers(1, 3))):
            digest = self._one_of(self._texts)
            text = self._texts[digest]
            start, end = self._span(len(text))
            ends = {"start": start, "end": end} if self._flag() else {}
            literal = self._draw(any_text(self._st))
            parts += [{"digest": digest, **ends}, literal]
            whole += (text[start:end] if ends else text) + literal
        return self._keep(self._built.value(whole, parts=parts), whole)

    def _items(self) -> str:
        digests = [self._again() for _ in range(self._draw(self._st.integers(0, 3)))]
        value = [self._values[digest] for digest in digests]
        return self._keep(self._built.value(value, items=digests), value)

    def _longer(self) -> str:
        base, more = self._one_of(self._lists), self._again()
        value = [*self._lists[base], self._values[more]]
        return self._keep(self._built.value(value, base=base, items=[more]), value)

    def _holding(self) -> str:
        inner = self._again()
        value = {"inner": self._values[inner], "list": [1, self._values[inner]]}
        stands = {"$value": inner}
        data = {"inner": stands, "list": [1, stands]}
        return self._keep(self._built.value(value, data=data), value)

    def _keep(self, digest: str, value: Any) -> str:
        self._values.setdefault(digest, value)
        if isinstance(value, str):
            self._texts.setdefault(digest, value)
        if type(value) is list:
            self._lists.setdefault(digest, value)
        return digest
