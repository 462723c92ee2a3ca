"""Recorded text reaches HTML, DOT and CSV as text and as nothing else."""

import html
import re
import unicodedata
from html.parser import HTMLParser

import graphviz
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from explainkit.safety import shorten_at_words
from explainkit.safety.markup import (
    Html,
    element,
    escape,
    formula_safe,
    joined,
    label,
    shorten,
    visible,
)
from explainkit.safety.symbols import behind_symbols

texts = st.text(st.characters(), max_size=40) | st.lists(
    st.sampled_from(
        "<script>|</p>|<svg onload=x>|\"|'|&lt;|&|$x$|\\(|$$|\\begin{x}|<!--|]]>|=1|<b>|a".split(
            "|"
        )
        + list("\x1b\u202e\u200b\ud800\0")
    ),
    max_size=8,
).map("".join)


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, attrs))

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        raise AssertionError("a comment")

    handle_decl = handle_pi = unknown_decl = handle_comment


def read(markup):
    reader = Reader()
    reader.feed(str(markup))
    reader.close()
    return reader


@given(texts)
def test_an_escaped_text_is_read_back_as_its_visible_text(text):
    reader = read(escape(text))
    assert reader.text == visible(text)
    assert {tag for tag, _ in reader.tags} <= {"span"}
    assert all(not attrs for _, attrs in reader.tags)


@given(texts, texts)
def test_an_element_holds_texts_and_nothing_that_they_say(left, right):
    reader = read(element("p", left, element("code", right), **{"class": "ek-note"}))
    assert [tag for tag in reader.tags if tag[0] != "span"] == [
        ("p", [("class", "ek-note")]),
        ("code", []),
    ]
    assert reader.text == visible(left) + visible(right)


@given(texts)
def test_visible_text_hides_nothing_and_keeps_every_offset(text):
    shown = visible(text)
    assert len(shown) == len(text)
    assert visible(shown) == shown
    for letter in shown:
        assert letter in "\n\t" or unicodedata.category(letter) not in {"Cc", "Cs"}
        assert unicodedata.bidirectional(letter) not in {
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        }
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x07", "␛[31mred␇"),
        ("a\u202eb\u2066\u200f", "a⇄b⇄⇄"),
        ("a\u200b\u200d\ufeff\u00ad\U000e0041", "a⌀⌀⌀⌀⌀"),
        ("\r\n\tx\x7f\x85\u2028", "␍\n\tx␡␤␤"),
        ("\ud800\ufffe\x9b", "\ufffd" * 3),
        ("naïve ☕️ 你好", "naïve ☕️ 你好"),
        ("👩\u200d👧 ❤\ufe0f\u200d🔥 👩\u200d\u200d👧", "👩\u200d👧 ❤\ufe0f\u200d🔥 👩⌀⌀👧"),
        ("می\u200cخم می\u200c\u200cخ \u200cم", "می\u200cخم می⌀⌀خ ⌀م"),
        ("क्\u200dष क्\u200c क\u200dष", "क्\u200dष क्\u200c क⌀ष"),
        ("a\u200cb\u200dc 👩\u200da", "a⌀b⌀c 👩⌀a"),
    ],
)
def test_what_hides_gets_a_symbol(text, shown):
    assert visible(text) == shown


@given(texts)
def test_what_is_behind_symbols_gives_the_text_back(text):
    behind = iter(behind_symbols(text) or behind_symbols("\u200b" + text)[1:])
    own = set(visible("".join(map(chr, (*range(32), 0x7F, 0x2028, 0x200B, 0x202E, 0xD800)))))
    own -= {"\n", "\t"}
    back = "".join(chr(next(behind)) if each in own else each for each in visible(text))
    assert back == re.sub("[\ud800-\udfff]", "\ufffd", text)


@given(texts)
def test_mathematics_never_stands_in_one_piece_of_text(text):
    for piece in re.split(r"<[^>]*>", str(escape(text))):
        shown = html.unescape(piece)
        assert shown.count("$") == 0 or shown == "$"
        assert not re.search(r"\\[()\[\]]|\\begin", shown)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Html("<b>"),
        lambda: Html(Markup("<b>")),
        lambda: Html(),
        lambda: element("b", "x")[1:],
        lambda: element("b", "x").replace("x", "<"),
        lambda: element("b", "x").upper(),
        lambda: element("b", "%s") % "x",
        lambda: element("b", "{}").format("x"),
        lambda: element("b", "x") * 2,
    ],
)
def test_html_is_made_here_only(make):
    with pytest.raises(TypeError):
        make()


def test_joining_escapes_what_is_not_html():
    bold = element("b", "x")
    assert joined(bold, "<i>") == "<b>x</b>&lt;i&gt;"
    assert bold + "<" == "<b>x</b>&lt;"
    assert "<" + bold == "&lt;<b>x</b>"
    assert joined(", ").join(["<", bold]) == "&lt;, <b>x</b>"
    assert all(type(made) is Html for made in (bold + "<", "<" + bold, joined()))
    # Foreign markup is recorded text as long as this module did not make it.
    assert joined(Markup("<i>")) == "&lt;i&gt;"
    assert f"{bold}" == "<b>x</b>"


def test_titles_and_drawings_hold_no_elements_of_their_own():
    assert element("title", "5 $ < 6 $") == "<title>5 $ &lt; 6 $</title>"
    assert element("br") == "<br>"


@pytest.mark.parametrize(
    "tag", ["script", "style", "iframe", "a", "object", "form", "b onclick", "P"]
)
def test_dangerous_elements_cannot_be_made(tag):
    with pytest.raises(ValueError):
        element(tag, "x")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("onclick", "x"),
        ("href", "x"),
        ("title", "x"),
        ("srcdoc", "x"),
        ("data-commandlinker-command", "x"),
        ("class", 'x" onload="y'),
        ("class", "x>"),
        ("style", "background:url(x)"),
        ("style", "width:expression(1)"),
        ("style", "x:\\75rl(1)"),
        ("id", "document"),
        ("src", "javascript:1"),
        ("src", "data:image/svg+xml;base64,AAAA"),
        ("marker-end", "url(#x)"),
        ("class", "&quot;"),
        ("class", "x\n"),
        ("class", "\u202e"),
    ],
)
def test_attributes_that_reach_out_or_break_out_are_refused(name, value):
    with pytest.raises(ValueError):
        element("p", "x", **{name: value})


def test_attributes_of_our_own_are_written():
    made = element("img", src="data:image/png;base64,AAA=", alt="the graph")
    assert made == '<img src="data:image/png;base64,AAA=" alt="the graph">'
    assert element("details", "x", open="") == '<details open="">x</details>'


@given(texts, st.integers(min_value=0, max_value=60))
def test_a_cut_is_counted_and_the_rest_is_a_beginning_and_an_end(text, limit):
    shown = shorten(text, limit)
    text = visible(text)  # one symbol for one character, so that counts hold
    if len(text) <= limit:
        assert shown == text
        return
    found = re.fullmatch(r"(.*) … ([\d,]+) more … (.*)", shown, re.DOTALL)
    assert found is not None
    head, cut, tail = found[1], int(found[2].replace(",", "")), found[3]
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + cut + len(tail) == len(text)
    assert len(shown) <= max(limit, 20)


@given(st.text("ab \n", max_size=90), st.integers(min_value=0, max_value=60))
def test_a_quotation_is_cut_between_words_unless_one_is_longer_than_half_of_it(text, limit):
    shown = shorten_at_words(text, limit)
    if len(text) <= limit:
        assert shown == visible(text)
        return
    head, cut, tail = re.fullmatch(r"(.*) … ([\d,]+) more …(?: (.*))?", shown, re.DOTALL).groups()
    tail = tail or ""
    assert visible(text).startswith(head)
    assert visible(text).endswith(tail)
    assert len(head) + int(cut) + len(tail) == len(text)
    at, longest = len(head), max(map(len, text.split()), default=0)
    if longest < len(head) // 2:
        assert text[at].isspace()
    if longest < len(tail) // 2:
        assert text[len(text) - len(tail) - 1].isspace()


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2+3", "'-2+3"),
        ("\t=1", "'\t=1"),
        ("  =1", "'  =1"),
        ("\uff1d1", "'\uff1d1"),
        ("-12.5", "-12.5"),
        ("+3 %", "'+3 %"),
        ("12", "12"),
        ("", ""),
        ("half = of", "half = of"),
    ],
)
def test_cells_are_no_formulas(cell, safe):
    assert formula_safe(cell) == safe


@given(texts)
def test_a_label_is_one_quoted_string_without_markup(text):
    shown = label(text)
    assert not re.search(r"[<>]", shown)
    assert not re.search(r'(?<!\\)(?:\\\\)*"', shown)
    assert not re.fullmatch(r".*(?<!\\)(?:\\\\)*\\", shown, re.DOTALL)
    assert "\n" not in shown
    graph = graphviz.Digraph()
    graph.node("n", label=f"- {shown}")
    assert f'label="- {shown}"' in graph.source


def test_labels_are_short_whatever_the_text():
    assert len(label("x" * 1_000_000)) <= 120
    assert label("<b>bold</b>\\N\0") == "&lt;b&gt;bold&lt;/b&gt;\\\\N␀"
