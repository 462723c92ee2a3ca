"""HTML as a parser sees it: which elements and attributes there are, and what is only text."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "meta", "link", "input"}


@dataclass
class Parsed:
    """What a document holds."""

    tags: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    text: str = ""
    open: list[str] = field(default_factory=list)
    naked: str = ""
    """Text outside of code and pre."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found = Parsed()

    def handle_starttag(self, tag, attrs):
        self.found.tags.append(tag)
        self.found.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.found.open.append(tag)

    def handle_endtag(self, tag):
        assert self.found.open, f"</{tag}> closes nothing"
        assert self.found.open.pop() == tag

    def handle_data(self, data):
        self.found.text += data
        if not {"code", "pre", "script", "style"} & set(self.found.open):
            self.found.naked += data

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data[:60]!r}")


def parsed(html: str) -> Parsed:
    """Parse, and fail on anything that is not well formed."""
    reader = _Reader()
    reader.feed(str(html))  # markup refuses to be cut, which parsers do
    reader.close()
    assert reader.found.open == [], "elements left open"
    return reader.found
