"""An error says where in the user's own code it was raised, however deep in libraries that was."""

import json
from contextlib import suppress

import explainkit as ek
from explainkit.cli.run_text import RunText
from explainkit.flow import Sequence
from explainkit.safety.own_frames import frames_of


def deep(_):
    return json.loads("{")


def failed(runner=None):
    with ek.trace("failing") as run, suppress(json.JSONDecodeError):
        (runner or Sequence(deep)).run_sync("x")
    return run


def test_the_table_of_links_names_the_line_of_the_users_own_code():
    run = failed()
    (said,) = set(run.links["error"])
    assert said.startswith("JSONDecodeError: Expecting property name")
    assert said.endswith("(test_errors_shown.py:13 deep)")


def test_the_text_of_a_run_names_it_too():
    lines = [line for line in RunText(failed()).lines() if "→ JSONDecodeError" in line]
    assert len(lines) == 2
    assert all(line.endswith("(test_errors_shown.py:13 deep)") for line in lines)
    run = failed(Sequence(lambda _: deep(1)))
    assert "(test_errors_shown.py:13 deep, test_errors_shown.py:" in "\n".join(RunText(run).lines())


def test_the_users_own_frames_stand_first_and_survive_the_cut():
    def again(count):
        return again(count - 1) if count else json.loads("[" * 5_000)

    try:
        again(8)
    except (RecursionError, json.JSONDecodeError) as error:
        own, every = frames_of(error.__traceback__, 2)
    assert [frame.partition(" ")[2] for frame in own] == ["again"] * 5
    assert len(every) == 2
    assert not any("test_errors_shown" in frame for frame in every)


def test_an_error_raised_for_another_tells_both():
    def wrapped(_):
        try:
            deep(1)
        except ValueError as error:
            raise LookupError("no such order") from error

    with ek.trace("two") as run, suppress(LookupError):
        Sequence(wrapped).run_sync(1)
    said = run.links["error"].iloc[0]
    assert said.startswith("LookupError: no such order (test_errors_shown.py:")
    assert "; raised for JSONDecodeError: " in said


def test_a_long_message_does_not_push_the_line_out_of_the_table():
    def loud(_):
        raise ValueError("much " * 400)

    with ek.trace("loud") as run, suppress(ValueError):
        Sequence(loud).run_sync(1)
    assert run.links["error"].str.contains(r"\(test_errors_shown\.py:\d+ loud\)$").all()
