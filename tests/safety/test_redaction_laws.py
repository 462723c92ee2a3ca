"""Laws of redaction, over texts made of the pieces that secrets are made of."""

from hypothesis import given
from hypothesis import strategies as st

from explainkit.safety.encoding import decode
from explainkit.safety.redaction import Redactor, capture
from explainkit.safety.shapes import may_be_assigned, may_be_shaped, shaped
from tests.safety.test_redaction import SHAPED
from tests.safety.values import exact_values, json_values, same

PIECES = [
    *(secret for secret, _ in SHAPED),
    *"password= api_key: token secret Cookie Authorization: Bearer :// key= \" ' = : - _".split(),
    "\\n",
    "\n",
    "\\",
    "sk-",
    "eyJ",
    "[redacted:secret#1]",
    "[redacted:",
    "#1]",
    "hunter2x",
    "Abc123Def456Ghi789Jkl012",
    "user:pw@host",
    " ",
    "é",
    "\ud800",
    "plain words",
]
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
# Ends and starts that neither make nor break a name, a value or a word.
closed = texts.map(lambda text: f"\n. {text} .\n")


@given(texts)
def test_redacting_twice_changes_nothing_more(text):
    redactor = Redactor(secrets=["hunter2x"])
    once = redactor.text(text)
    assert redactor.text(once) == once


@given(texts)
def test_the_gate_lets_every_finding_through(text):
    if any(shaped(text)) and text.isascii():
        assert may_be_shaped(text) or may_be_assigned(text)


@given(closed, closed)
def test_redaction_of_joined_texts_is_the_redactions_joined(left, right):
    # One redactor, pieces first, as a prompt is recorded: which number a mark gets is its alone.
    redactor = Redactor(secrets=["hunter2x"])
    parts = redactor.text(left) + redactor.text(right)
    assert redactor.text(left + right) == parts


@given(texts)
def test_registered_secrets_never_remain(text):
    assert "hunter2x" not in Redactor(secrets=["hunter2x"]).text(text)


@given(texts)
def test_an_untouched_text_is_the_same_object(text):
    found = Redactor().text(text)
    assert (found is text) == (found == text)


@given(texts, texts)
def test_capture_of_a_container_agrees_with_redaction_of_its_leaves(left, right):
    redactor = Redactor()
    found = decode(capture([left, (right,)], redactor).data)
    again = Redactor()
    assert found == [again.text(left), (again.text(right),)]


@given(json_values | exact_values)
def test_what_holds_no_secret_is_captured_exactly(value):
    captured = capture(value, Redactor())
    if captured.fidelity == "exact":
        assert same(decode(captured.data), value)
    assert captured == capture(value, Redactor())
