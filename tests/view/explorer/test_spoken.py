"""What a panel says where the engine speaks of arguments of Python."""

import ast
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import explainkit as ek
from explainkit.view.explorer.causes.spoken import ADVICE, in_panel
from tests.view.explorer.hosting import made

PACKAGE = Path(ek.__file__).parent
READ = ("whatif", "session")
ARGUMENT = re.compile(r"\b(remove|replace|restore|swap|hold|span|slot|judge|items)=")
OWN = {"given_to_runs.py", "requests.py", "choosing.py", "editing_arguments.py", "elsewhere.py"}
"""What only arguments that no panel gives are refused by."""


def told(node):
    if isinstance(node, ast.JoinedStr):
        return "".join(told(each) for each in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else "'it'"


def refusals():
    """The texts with which the engine refuses something, and those that advise in Python."""
    for path in sorted(each for folder in READ for each in (PACKAGE / folder).rglob("*.py")):
        if path.name in OWN | {"regression_tests.py", "recorded_faults.py"}:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if name in {"InterventionError", "RerunError"} and node.args:
                yield path.name, told(node.args[0])


def test_no_refusal_that_a_panel_can_show_names_an_argument_of_a_change():
    found = list(refusals())
    assert len(found) > 60
    told_in_panel = [(name, in_panel(text)) for name, text in found]
    assert [each for each in told_in_panel if ARGUMENT.search(each[1])] == []
    assert all(each for _, each in told_in_panel)


@pytest.mark.parametrize("said", [said for said, _ in ADVICE])
def test_every_advice_is_one_that_the_engine_still_gives(said):
    """What the engine words anew has to be worded anew here."""
    literals = [
        told(node)
        for folder in READ
        for path in (PACKAGE / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.JoinedStr | ast.Constant)
    ]
    hint = 'judge=lambda answer: "..." in answer'
    spoken = [each.replace("'it'", hint) if "such as 'it'" in each else each for each in literals]
    assert any(re.search(said, each) for each in [*literals, *spoken])


def museum():
    @ek.link(kind="retrieval", deterministic=True)
    def search(query):
        ek.left_out("hours", "The museum opens at 11:00.", why="rank 3")
        return [{"id": "shop", "text": "The shop sells cards."}, {"id": "old", "text": "At 10:00."}]

    @ek.link(kind="model", deterministic=True)
    def answer(prompt):
        return prompt.splitlines()[-1]

    @ek.traced("museum")
    def run(question):
        hits = search(question)
        return ek.answer(answer("\n".join(hit["text"] for hit in hits)))

    run("When?")
    return ek.last()


def run_again(hosted, page):
    before = hosted.reruns._thread
    page.get_by_role("button", name="Run it again").click()
    while hosted.reruns._thread is before:
        page.wait_for_timeout(10)
    hosted.deliver()


@pytest.mark.browser
def test_a_piece_that_cannot_come_back_says_what_to_press_until_it_is_undone(opened):
    with opened(made(museum)) as (hosted, page):
        page.get_by_role("tab", name="What if").click()
        panel = page.get_by_role("tabpanel", name="What if")
        panel.get_by_role("checkbox", name=re.compile("hours")).check()
        run_again(hosted, page)
        words = panel.locator(".ek-progress-words")
        expect(words).to_contain_text("was left out as a text, and cannot stand among items")
        expect(words).to_contain_text("Press Edit at the step that gave the list")
        assert "=" not in words.inner_text()
        panel.get_by_role("button", name="Undo the changes").click()
        expect(words).to_be_hidden()
        expect(page.locator(".ek-status")).to_have_text("Nothing is changed now.")
        panel.get_by_role("checkbox", name=re.compile("hours")).check()
        run_again(hosted, page)
        expect(words).to_be_visible()
        panel.get_by_role("checkbox", name=re.compile("hours")).uncheck()
        expect(words).to_be_hidden()
