"""In an answer that is more than one text no mark of one leaf is put on another."""

import explainkit as ek


def test_what_stands_nowhere_is_marked_in_a_text_and_in_no_wrong_place_of_a_structure():
    def marks(answer):
        with ek.trace("said") as run:
            ek.answer(answer)
        return [piece.mark for piece in run.backtrack().board().answer.pieces]

    words = "Something that nobody ever wrote anywhere before."
    assert marks(words) == ["missing"]
    assert marks({"why": words, "n": 1}) == [""]


def test_an_answer_that_nobody_awaited_is_shown_whole_and_said():
    async def ask(prompt):
        return "half"

    coroutine = ask("q")
    with ek.trace("forgotten") as run:
        ek.answer(coroutine)
    coroutine.close()
    assert '{"$object": {"type": "coroutine", "repr": "<coroutine object' in repr(run)
    assert "write await ask(...)" in " ".join(repr(run).split())
