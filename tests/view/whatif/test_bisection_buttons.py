"""The buttons of a bisection answer, say what is wrong, and are closed in the end."""

import pytest

import explainkit as ek
from explainkit.view.explorer import stage
from explainkit.view.whatif import bisecting, bisection_buttons


@ek.link
def step(text):
    return text + (" $x$ bad" if len(text) > 40 else " good")


def recorded():
    with ek.trace("chain") as run:
        text = "the beginning"
        for _ in range(10):
            text = step(text)
        ek.answer(text)
    return run


class Shown:
    """Stands for what IPython displays."""

    def __init__(self):
        self.bundles = []

    def display(self, bundle, *, raw, display_id=None, metadata=None):
        assert raw
        self.bundles.append(bundle)
        return self

    def update(self, bundle, *, raw):
        assert raw
        self.bundles.append(bundle)

    @property
    def texts(self):
        return [each["text/plain"] for each in self.bundles]


@pytest.fixture
def shown(monkeypatch):
    shown = Shown()
    monkeypatch.setattr(bisecting, "front_end", lambda: "jupyter")
    monkeypatch.setattr(stage, "_display", lambda data, metadata=None: shown.bundles.append(data))
    monkeypatch.setattr(bisection_buttons, "display", shown)
    return shown


def buttons(bisection):
    row = bisection._form.root.children[1]
    return {each.description: each for each in row.children}


def question(bisection):
    return bisection._form.root.children[0].value


def said(bisection):
    return bisection._form.root.children[2].value


def test_the_card_comes_first_and_the_buttons_below_it(shown):
    bisection = recorded().bisect().show()
    static, widget = shown.bundles
    assert "Question 1, if anything is wrong; then about 4 to go." in static["text/plain"]
    assert "buttons below" in static["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in widget
    assert list(buttons(bisection)) == ["Right", "Wrong", "Don't know", "Back", "Enough"]
    assert buttons(bisection)["Enough"].layout.display == "none"


def test_pressing_answers_and_the_next_question_takes_the_place(shown):
    run = recorded()
    bisection = run.bisect().show()
    first = question(bisection)
    buttons(bisection)["Don't know"].click()
    assert said(bisection) == "Question 1: don't know."
    assert question(bisection) != first
    assert "Question 2" in question(bisection)
    assert [row["status"] for row in run.recording.rows("verdict")] == ["unavailable"]


def test_the_last_answer_is_taken_back(shown):
    bisection = recorded().bisect().show()
    first = question(bisection)
    assert buttons(bisection)["Back"].disabled
    buttons(bisection)["Wrong"].click()
    assert not buttons(bisection)["Back"].disabled
    buttons(bisection)["Back"].click()
    assert question(bisection) == first
    assert said(bisection) == "Question 2: back."
    assert buttons(bisection)["Back"].disabled


def test_in_the_end_the_finding_takes_their_place_and_every_widget_is_closed(shown):
    bisection = recorded().bisect().show()
    pool = list(bisection._form._pool)
    while bisection.found is None:
        right = "bad" not in bisection.question.output
        buttons(bisection)["Right" if right else "Wrong"].click()
    assert bisection._form.root is None
    assert all(widget.comm is None for widget in pool)
    assert all(widget.layout.comm is None for widget in pool)
    assert shown.texts[-1].startswith("The first wrong link is function step")


def test_answers_given_in_code_show_on_the_buttons_too(shown):
    bisection = recorded().bisect().show()
    bisection.wrong()
    assert "Question 2" in question(bisection)


def test_what_goes_wrong_is_said_and_not_raised(shown, monkeypatch):
    run = recorded()
    bisection = run.bisect().show()
    monkeypatch.setattr(type(run), "verdict", broken)
    buttons(bisection)["Right"].click()
    assert said(bisection) == "the disk is full"
    assert bisection.question.number == 1


def broken(*_, **__):
    raise OSError("the disk is full")


def test_enough_is_offered_once_a_suspect_stands(shown):
    @ek.link(kind="model")
    def chat(messages):
        return f"Reply {len(messages)} is {'late' if len(messages) > 9 else 'early'} in the day."

    with ek.trace("chat") as run:
        history = ["Hello there, my dear model."]
        for _ in range(12):
            history = [*history, chat(history)]
        ek.answer(history[-1])
    bisection = run.bisect().show()
    while bisection.question.suspect is None:
        bisection.answer("early" in bisection.question.output)
    assert buttons(bisection)["Enough"].layout.display is None
    buttons(bisection)["Enough"].click()
    assert "presumed right" in shown.texts[-1]


def test_showing_again_closes_the_buttons_before(shown):
    bisection = recorded().bisect().show()
    first = bisection._form
    bisection.show()
    assert first.root is None
    assert bisection._form.root is not None
    assert "closed; it goes on elsewhere" in shown.texts[2]


def test_a_bisection_that_is_over_shows_no_buttons(shown):
    bisection = recorded().bisect(lambda asked: "bad" not in asked.output).show()
    assert len(shown.bundles) == 1
    assert "The first wrong link" in shown.texts[0]
    assert not hasattr(bisection._form, "root")


def test_in_a_script_it_is_printed(capsys):
    recorded().bisect().show().right()
    assert "Question 1, if anything is wrong; then about 4 to go." in capsys.readouterr().out
