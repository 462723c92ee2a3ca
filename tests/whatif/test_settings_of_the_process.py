"""Settings that a link makes for the whole process, and that another link goes by."""

import decimal
import locale
import os
import random
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import explainkit as ek
from explainkit.whatif.shared_state.of_process import settings_in
from explainkit.whatif.shared_state.things import Scope
from tests.whatif.programs import HALF, executed, recorded, reused


@pytest.fixture(autouse=True)
def begin_anew(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("paid", "unpaid"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rule.txt").write_text(name)
    with decimal.localcontext(), pd.option_context("display.precision", 6):
        yield


def is_half(note):
    return "half" in note


def set_precision(note):
    decimal.getcontext().prec = 3 if is_half(note) else 9


def set_context(note):
    from decimal import Context, setcontext

    setcontext(Context(prec=3 if is_half(note) else 9))


def divided(question):
    return str(decimal.Decimal(1) / 7)


def enter(note):
    os.chdir(FOLDER[0] / ("paid" if is_half(note) else "unpaid"))


def read(question):
    return Path("rule.txt").read_text()


def seed(note):
    random.seed(len(note))


def draw(question):
    return random.random()


def set_printing(note):
    pd.set_option("display.precision", 2 if is_half(note) else 5)


def printed(question):
    return pd.Series([1 / 3]).to_string()


FOLDER: list[Path] = []
PAIRS = {
    "precision": (set_precision, divided),
    "context": (set_context, divided),
    "directory": (enter, read),
    "seed": (seed, draw),
    "printing": (set_printing, printed),
}


def program_of(first, second, *, left_out=False):
    put = ek.link(name="put", deterministic=True)(first)
    get = ek.link(name="get", deterministic=True)(second)

    @ek.traced("sets")
    def program(question):
        ek.context("other", "Our office is in Oslo.")
        note = ek.context("note", HALF)
        if note or not left_out:
            put(note)
        return get(question)

    return program


@pytest.mark.parametrize("way", PAIRS)
def test_a_cause_that_goes_by_a_setting_is_found(way, tmp_path):
    FOLDER[:] = [tmp_path]
    run = recorded(program_of(*PAIRS[way]), "Is it paid?")
    assert run.whatif(remove="note").word == "cause"
    other = run.whatif(remove="other")
    assert other.word == "not shown"


def test_a_setting_that_stays_from_the_recorded_run_hides_what_the_change_does():
    run = recorded(program_of(*PAIRS["precision"], left_out=True), "Is it paid?")
    found = run.whatif(remove="note")
    assert found.word == "inconclusive"
    assert "the context of decimal numbers may hold what the recorded run left in it" in str(found)


def test_a_setting_that_the_function_makes_anew_hides_nothing():
    def program(question):
        decimal.getcontext().prec = 28
        if ek.context("note", HALF):
            put(HALF)
        ek.context("other", "Our office is in Oslo.")
        return get(question)

    put = ek.link(name="put", deterministic=True)(set_precision)
    get = ek.link(name="get", deterministic=True)(divided)
    run = recorded(ek.traced("sets")(program), "Is it paid?")
    assert str(run.whatif(remove="note")) == "cause 1/1 vs 0/2, deterministic"
    assert str(run.whatif(remove="other")) == "not shown 0/1 vs 0/2, deterministic"


def test_links_that_no_setting_is_made_for_are_reused():
    put = ek.link(name="put", deterministic=True)(lambda note: note.upper())
    get = ek.link(name="get", deterministic=True)(divided)

    @ek.traced("sets nothing")
    def program(question):
        said = put(ek.context("note", HALF))
        return f"{get(question)} {said}"

    found = recorded(program, "Is it paid?").whatif(remove="note")
    assert (executed(found), reused(found)) == (["put"], ["get"])


SCOPE = Scope({"time": time, "locale": locale, "np": np, "decimal": decimal}, 1, "here")


@pytest.mark.parametrize(
    ("fn", "told"),
    [
        (lambda: time.tzset(), [("the time zone", False, True)]),
        (lambda: locale.setlocale(locale.LC_ALL, "C"), [("the locale", False, True)]),
        (lambda: locale.atof("1"), [("the locale", True, False)]),
        (lambda: np.set_printoptions(4), [("how tables and arrays are printed", False, True)]),
        (lambda: np.random.seed(1), [("the seed of chance", True, True)]),
        (lambda shop: shop.set_option("a"), []),
        (lambda: decimal.getcontext().prec, []),
        (lambda items: items[0], []),
        (lambda count: count + 1, [("the context of decimal numbers", True, False)]),
    ],
)
def test_settings_are_told_by_names(fn, told):
    found = [(each.word, by, makes) for each, by, makes in settings_in(fn.__code__, SCOPE)]
    assert found == told
