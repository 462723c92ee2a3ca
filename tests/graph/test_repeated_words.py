"""Selected words that an answer repeats are looked up once for each place that says them."""

import pytest

import explainkit as ek
from explainkit.graph.givers import Givers


def noted(count):
    with ek.trace("letters") as run:
        ek.context("note", "We pay back half of the fare for a delay. " * 10)
        ek.answer("".join(f"Line {at}: We pay back half of the fare. " for at in range(count)))
    return run


def read(count):
    @ek.link(kind="model")
    def ask(prompt):
        return "".join(f"Line {at}: it is yes. " for at in range(count))

    with ek.trace("letters") as run:
        ek.answer(ask("Say yes " + "or yes or no " * count))
    return run


@pytest.mark.parametrize(("told", "span"), [(noted, "half of the fare"), (read, "yes")])
def test_words_that_stand_often_are_looked_up_once_for_each_place(monkeypatch, told, span):
    asked = []
    for name in ("nearest", "stands", "may_precede"):
        plain = getattr(Givers, name)

        def counted(self, *where, plain=plain):
            asked.append(where)
            return plain(self, *where)

        monkeypatch.setattr(Givers, name, counted)

    def lookups(count):
        run = told(count)
        asked.clear()
        back = run.backtrack(span=span)
        assert back.contexts or back.introducers
        return len(asked)

    assert lookups(800) < 2.5 * lookups(400)
