"""Selected words judge answers of any language; where nobody can tell, no cause is named."""

import pytest

import explainkit as ek
from explainkit.flow import Agent, halt
from explainkit.flow.models import CallableModel, ToolCall
from tests.whatif.programs import recorded


def answering(before, after):
    """A run whose answer is `before` with its note and `after` without it."""

    @ek.link(kind="model")
    def says(note):
        return before if note else after

    @ek.traced("says")
    def program(question):
        return says(ek.context("note", "There is a note."))

    return recorded(program, "q")


@pytest.mark.parametrize(
    ("before", "span", "after", "word"),
    [
        ("הבקשה שלך אושרה.", "אושרה", "הבקשה שלך לא אושרה.", "cause"),
        ("הבקשה שלך אושרה.", "אושרה", "כן, הבקשה אושרה.", "not shown"),
        ("طلبك مقبول.", "مقبول", "طلبك غير مقبول.", "cause"),
        ("Elle est approuvée.", "approuvée", "Elle n'est pas approuvée.", "cause"),
        ("Es gibt Geld zurück.", "Geld zurück", "Es gibt kein Geld zurück.", "cause"),
        ("Está aprobada.", "aprobada", "No está aprobada.", "cause"),
        ("Заявка одобрена.", "одобрена", "Заявка не одобрена.", "cause"),
        ("申请已批准。", "批准", "申请未获批准。", "cause"),
        ("申请已批准。", "批准", "申请已非常顺利地批准。", "not shown"),
        ("申請は承認されました。", "承認", "申請は承認されません。", "cause"),
        ("You wait 60 minutes.", "60 minutes", "You wait 30 to 60 minutes.", "inconclusive"),
        ("It is approved.", "approved", "We cannot say whether it is approved.", "inconclusive"),
        ("It is approved.", "approved", "It is not only approved.", "inconclusive"),
        ("درخواست تأیید شد.", "تأیید", "درخواست تأیید نشد.", "inconclusive"),
        ("It is approved.", "approved", "I'm sorry, I can't help with that.", "cause"),
    ],
)
def test_the_sense_of_selected_words_decides(before, span, after, word):
    found = answering(before, after).whatif(remove="note", span=span)
    assert found.word == word
    if word == "inconclusive":
        assert "it cannot be told whether it still says" in found.reason
        assert found.reason.endswith('judge=lambda answer: "..." in answer')


def test_a_judge_decides_where_the_words_do_not():
    run = answering("You wait 60 minutes.", "You wait 30 to 60 minutes.")
    assert run.whatif(remove="note", span="60 minutes").word == "inconclusive"
    assert run.whatif(remove="note", judge=lambda answer: "30" in answer).word == "cause"


def test_one_answer_of_which_nobody_can_tell_among_many_convicts_nobody():
    turn = iter(range(1000))

    @ek.link(kind="model")
    def says(note):
        if note:
            return "It is approved."
        return "Approval failed." if next(turn) != 3 else "It failed to be approved."

    @ek.traced("wavers")
    def program(question):
        return says(ek.context("note", "There is a note."))

    found = recorded(program, "q").whatif(remove="note", span="approved")
    assert found.word == "inconclusive"
    assert "'It failed to be approved' it cannot be told" in found.reason


def test_an_end_without_an_answer_says_no_words():
    def model(prompt, tools=()):
        if "note" in str(prompt):
            return "It is approved."
        return ToolCall(id="1", name="pay", arguments={})

    def pay() -> str:
        "Pay."
        return "paid"

    agent = Agent(
        CallableModel(model),
        "There is a note.",
        tools=[pay],
        policy=lambda call, situation: halt("no"),
    )
    agent.run_sync("q")
    found = ek.last().whatif(remove="instructions", span="approved")
    assert (found.word, found.run.status) == ("cause", "verdict")
