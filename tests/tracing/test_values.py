"""What a link is given in lists and dicts: secrets are taken out, repeated items are cheap."""

import pytest

import explainkit as ek
from explainkit.tracing.recurring import identity

LONG = "half of the fare is returned from 60 minutes on. " * 8


@ek.link
def handed(given):
    return "done"


@ek.link
def opened(passwords):
    return "done"


def stored(run):
    return b"".join(run.recording.lines())


@pytest.mark.parametrize(
    "given",
    [
        {"passwords": ["hunter2zz", "other"]},
        {"passwords": ["hunter2zz"], "note": LONG},
        {"note": [LONG, LONG], "credentials": [{"user": "mia", "word": "hunter2zz"}]},
        [{"passwords": ["hunter2zz"], "note": LONG}],
        {"name": "Authorization", "value": ["hunter2zz", LONG]},
        [{"role": "user", "password": "hunter2zz"}] * 2,
    ],
)
def test_texts_in_a_list_under_the_name_of_a_secret_are_secrets(given):
    with ek.trace("secrets") as run:
        handed(given)
        handed([given])
    assert b"hunter2zz" not in stored(run)
    assert run.doctor() == []


def test_a_list_handed_over_under_the_name_of_a_secret_is_one():
    with ek.trace("secrets") as run:
        opened(["hunter2zz", "hunter3zz"])
    assert b"hunter" not in stored(run)


def test_a_message_that_stood_in_an_earlier_list_is_stored_once():
    messages = [{"role": "user", "content": f"{number} {LONG}"} for number in range(6)]
    with ek.trace("chat") as run:
        for count in range(1, 7):
            handed([dict(each) for each in messages[:count]])
    given = [run.recording.values.object(row["inputs"][0]["value"]) for row in opened_rows(run)]
    assert given == [messages[:count] for count in range(1, 7)]
    assert stored(run).count(LONG.encode()) == 6
    assert run.doctor() == []


def test_a_secret_that_is_registered_late_is_looked_for_in_messages_met_before():
    message = {"role": "user", "content": "the word is swordfish"}
    with ek.trace("late") as run:
        handed([message])
        run.active.recorder.redactor.register("swordfish")
        handed([message, {"role": "user", "content": "yes"}])
    last = [row["inputs"][0]["value"] for row in opened_rows(run)][-1]
    assert b"swordfish" not in run.recording.values.data(last)


def test_equal_numbers_of_different_types_in_messages_stay_apart():
    with ek.trace("types") as run:
        for item in ({"n": 1}, {"n": True}, {"n": 1.0}, {"n": "1"}):
            handed([item])
    kept = [run.recording.values.data(row["inputs"][0]["value"]) for row in opened_rows(run)]
    assert kept == [b'[{"n":1}]', b'[{"n":true}]', b'[{"n":1.0}]', b'[{"n":"1"}]']


@pytest.mark.parametrize("item", [{}, {"n": 1}, {1: "a"}, {"a": None}, ["a"], 1, None])
def test_only_texts_and_dicts_of_texts_are_known_by_what_they_are(item):
    assert identity(item) is None


def test_texts_of_another_class_are_not_known_by_what_they_are():
    class Name(str):
        __slots__ = ()

    assert identity(Name("a")) is None
    assert identity({"a": Name("a")}) is None
    assert identity({"a": "a"}) == (("a", "a"),)


def opened_rows(run):
    return list(run.recording.rows("link_opened"))
