"""The form of a Gate: what is filled in is sent, what is wrong is said, nothing is raised."""

import enum
import json
from typing import Literal

import ipywidgets
import pytest
from pydantic import BaseModel, Field

from explainkit.errors import RefusedError
from explainkit.flow.actors.gates import gate
from explainkit.flow.statecharts.event_definitions import define_event
from explainkit.view.gate_forms import gate_form


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    city: str


class Report(BaseModel):
    name: str = Field(description="Who you are.")
    count: int
    share: float = 0.5
    sure: bool = False
    colour: Colour = Colour.BLUE
    level: Literal["low", "high", 3] | None = None
    note: str | None = None
    tags: list[str] = []
    address: Address | None = None


class Tree(BaseModel):
    leaf: str = ""
    below: list["Tree"] = []


class Waiting:
    """An open Gate that checks what it is sent as a machine does."""

    def __init__(self, *events, meta=None, closes=True):
        made = gate(*events, meta=meta)
        self.name, self.accepts, self.meta = "review", made.accepts, made.meta
        self.over, self.closes, self.sent = False, closes, []

    def send(self, event, payload=None):
        if self.over:
            raise RefusedError("nobody waits")
        definition = next(each for each in self.accepts if each.name == event)
        self.sent.append((event, definition.parsed(payload)))
        self.over = self.closes


def inside(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from inside(child)


def find(form, description):
    return next(w for w in inside(form) if getattr(w, "description", None) == description)


def status(form):
    return form.children[-1].value


def filled(form, **values):
    for name, value in values.items():
        find(form, name).value = value
    return form


APPROVE = define_event("approve", "It may be merged.", audience="external")
REPORT = define_event("report", input=Report)


def test_what_is_filled_in_is_sent():
    waiting = Waiting(REPORT)
    form = filled(gate_form(waiting), name="Ada", count=" 7 ", sure=True, tags='["a", "b"]')
    filled(form, share="0.25", address='{"city": "Oslo"}', note="$x$")
    colour, level = find(form, "colour"), find(form, "level")
    assert [label for label, _ in colour.options] == ["red", "blue"]
    colour.label, level.label = "red", "3"
    find(form, "report").click()
    assert waiting.sent == [
        (
            "report",
            {
                "name": "Ada",
                "count": 7,
                "share": 0.25,
                "sure": True,
                "colour": "red",
                "level": 3,
                "note": "$x$",
                "tags": ["a", "b"],
                "address": {"city": "Oslo"},
            },
        )
    ]
    assert status(form) == '"report" was sent.'


def test_what_is_left_empty_is_left_to_the_event():
    waiting = Waiting(REPORT)
    form = filled(gate_form(waiting), name="Ada", count="7", share="")
    find(form, "report").click()
    assert waiting.sent == [("report", Report(name="Ada", count=7).model_dump(mode="json"))]


def test_a_missing_number_is_never_sent_as_zero():
    waiting = Waiting(REPORT)
    form = filled(gate_form(waiting), name="Ada")
    find(form, "report").click()
    assert waiting.sent == []
    assert "count: Field required" in status(form)


def test_a_text_with_a_default_can_be_emptied():
    class Named(BaseModel):
        name: str = "nobody"

    waiting = Waiting(define_event("named", input=Named))
    form = gate_form(waiting)
    assert find(form, "name").value == "nobody"
    find(filled(form, name=""), "named").click()
    assert waiting.sent == [("named", {"name": ""})]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("count", "seven"),
        ("count", "1.5"),
        ("count", "9" * 5_000),
        ("share", "nan"),
        ("share", "1e999"),
        ("tags", "[1,"),
        ("tags", "[NaN]"),
        ("tags", "[" * 100_000),
        ("address", '{"city": 1}'),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_sent(name, wrong):
    waiting = Waiting(REPORT)
    form = filled(gate_form(waiting), **({"name": "Ada", "count": "7"} | {name: wrong}))
    find(form, "report").click()
    assert waiting.sent == []
    assert name in status(form)
    assert len(status(form)) <= 400
    assert not find(form, "report").disabled


def test_each_event_has_a_button_and_only_its_own_fields():
    waiting = Waiting(APPROVE, REPORT, closes=False)
    form = gate_form(waiting)
    find(form, "approve").click()
    assert waiting.sent == [("approve", {})]
    find(filled(form, name="Ada", count="1"), "report").click()
    assert [event for event, _ in waiting.sent] == ["approve", "report"]
    assert not find(form, "approve").disabled


def test_a_sent_answer_that_ends_the_wait_disables_the_form():
    waiting = Waiting(APPROVE, REPORT)
    form = gate_form(waiting)
    find(form, "approve").click()
    given = [w for w in inside(form) if hasattr(w, "disabled")]
    assert len(given) == 11
    assert all(widget.disabled for widget in given)


@pytest.mark.parametrize("when", ["before it is shown", "before it is pressed"])
def test_a_form_of_a_gate_that_is_over_sends_nothing(when):
    waiting = Waiting(APPROVE)
    waiting.over = when == "before it is shown"
    form = gate_form(waiting)
    assert find(form, "approve").disabled == waiting.over
    waiting.over = True
    find(form, "approve").click()
    assert waiting.sent == []
    assert "no longer waits" in status(form)
    assert find(form, "approve").disabled


def test_a_refusal_is_said_and_a_gate_that_is_over_by_then_disables_the_form():
    class Late(Waiting):
        def send(self, event, payload=None):
            self.over = True
            super().send(event, payload)

    form = gate_form(Late(APPROVE))
    find(form, "approve").click()
    assert status(form) == "nobody waits"
    assert find(form, "approve").disabled


def test_no_fault_reaches_the_kernel():
    class Broken(Waiting):
        def send(self, event, payload=None):
            raise ZeroDivisionError

    form = gate_form(Broken(APPROVE))
    find(form, "approve").click()
    assert status(form) == "ZeroDivisionError"


@pytest.mark.parametrize(
    ("kind", "given", "sent"),
    [
        (dict[str, int], '{"a": 1}', {"a": 1}),
        (dict[str, int], "", {}),
        (Report | Address, '{"city": "Oslo"}', {"city": "Oslo"}),
    ],
)
def test_a_payload_without_known_keys_is_json_as_a_whole(kind, given, sent):
    waiting = Waiting(define_event("whole", input=kind))
    form = filled(gate_form(waiting), payload=given)
    find(form, "whole").click()
    assert waiting.sent == [("whole", sent)]


def test_a_key_that_is_called_payload_is_a_key():
    class Carried(BaseModel):
        payload: list[int]

    waiting = Waiting(define_event("carried", input=Carried))
    find(filled(gate_form(waiting), payload="[1]"), "carried").click()
    assert waiting.sent == [("carried", {"payload": [1]})]


def test_a_model_that_holds_itself_has_a_form():
    waiting = Waiting(define_event("tree", input=Tree))
    find(filled(gate_form(waiting), leaf="a", below='[{"leaf": "b"}]'), "tree").click()
    assert waiting.sent[0][1]["below"] == [{"leaf": "b", "below": []}]


HOSTILE = '<img src=x onerror="alert(1)"> $\\href{javascript:alert(1)}{x}$ \\(y\\) \u202e\x1b[31m'


def test_hostile_text_is_shown_as_text():
    class Hostile(BaseModel):
        field: str = Field(default=HOSTILE, alias=HOSTILE, description=HOSTILE)
        choice: Literal["<b>$x$</b>", "\\[y\\]"] = "<b>$x$</b>"

    event = define_event("go", HOSTILE, input=Hostile)
    meta = {"title": HOSTILE, "question": HOSTILE, HOSTILE: {HOSTILE: [HOSTILE]}}
    form = gate_form(Waiting(event, meta=meta))
    find(form, "go").click()
    widgets = list(inside(form))
    assert not any(isinstance(w, ipywidgets.HTML | ipywidgets.HTMLMath) for w in widgets)
    assert not any(getattr(w, "description_allow_html", False) for w in widgets)
    labels = [w.value for w in widgets if isinstance(w, ipywidgets.Label)]
    labels += [w.description for w in widgets if hasattr(w, "description")]
    labels += [label for w in widgets for label, _ in getattr(w, "options", ())]
    labels += [w.tooltip or "" for w in widgets if hasattr(w, "tooltip")]
    assert any("<img" in label for label in labels)
    assert not set("".join(labels)) & set("$\\\u202e\x1b")


def test_a_refusal_with_hostile_text_is_shown_as_text():
    class Hostile(Waiting):
        def send(self, event, payload=None):
            raise RefusedError(HOSTILE * 100)

    form = gate_form(Hostile(APPROVE))
    find(form, "approve").click()
    assert status(form).startswith("<img")
    assert not set(status(form)) & set("$\\\u202e\x1b")
    assert len(status(form)) <= 400


def test_the_question_is_shown_first_and_the_rest_after_it():
    meta = {"title": "Review", "diff": {"lines": 3}, "question": "Merge it?\nReally?"}
    form = gate_form(Waiting(APPROVE, meta=meta))
    title, asked = form.children[:2]
    assert title.value == "Review"
    assert asked.value == f"Merge it?\nReally?\ndiff: {json.dumps({'lines': 3})}"
    assert asked.disabled
