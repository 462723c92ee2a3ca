"""The two laws of the reading model: what it used matters, what it did not use does not."""

import subprocess
import sys

from hypothesis import example, given, settings
from hypothesis import strategies as st

from explainkit.flow.models import ReadingModel
from explainkit.flow.models.reading.passages import sentence_spans

from .reading_texts import ANY_TEXT, amounts_once, facts_once, rules_once

MODEL = ReadingModel()


def without(text, span):
    return text[: span[0]] + text[span[1] :]


@given(facts_once() | rules_once() | amounts_once())
def test_removing_a_sentence_that_was_used_changes_the_answer(prompt):
    reading = MODEL.read(prompt)
    assert reading.used
    for span in reading.used:
        assert MODEL.read(without(prompt, span)).answer != reading.answer


@settings(max_examples=200)
@given(ANY_TEXT)
@example("Foo. 日。bar is red. What is bar?")
@example("The sky is blue. 1. The sky is red. What is the sky?")
@example("Answer yes or no. The boat is tin. 5 boats. Is the boat tin?")
def test_removing_a_sentence_that_was_not_used_changes_nothing(prompt):
    reading = MODEL.read(prompt)
    for span in sentence_spans(prompt):
        if not any(start < span[1] and span[0] < end for start, end in reading.used):
            assert MODEL.read(without(prompt, span)).answer == reading.answer, span


@given(ANY_TEXT, st.randoms(use_true_random=False))
def test_removing_all_sentences_that_were_not_used_at_once_changes_nothing(prompt, random):
    reading = MODEL.read(prompt)
    spare = [span for span in sentence_spans(prompt) if span not in reading.used]
    spare = [s for s in spare if not any(a < s[1] and s[0] < b for a, b in reading.used)]
    for span in sorted(random.sample(spare, len(spare)), reverse=True):
        prompt = without(prompt, span)
    assert MODEL.read(prompt).answer == reading.answer


@given(ANY_TEXT)
def test_what_was_used_are_sentences_of_the_prompt_in_order(prompt):
    used = MODEL.read(prompt).used
    assert list(used) == sorted(set(used))
    assert set(used) <= set(sentence_spans(prompt))


@settings(max_examples=200)
@given(ANY_TEXT)
def test_a_sentence_taken_out_leaves_the_others_as_they_were(text):
    spans = sentence_spans(text)
    for index, span in enumerate(spans):
        rest = without(text, span)
        expected = [text[a:b] for a, b in spans[:index] + spans[index + 1 :]]
        assert [rest[a:b] for a, b in sentence_spans(rest)] == expected


def test_the_answer_is_the_same_in_processes_with_other_hashes(repository):
    code = (
        "from explainkit.flow.models import ReadingModel\n"
        "r = ReadingModel().read('Anna has 3 apples. Ben has 4 apples. Dora has a red boat.\\n'\n"
        "    'Answer in upper case.\\nHow many apples are there in total?')\n"
        "print(r)"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True, text=True, check=True, cwd=repository,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(repository)},
        ).stdout
        for seed in ("1", "2", "77")
    }  # fmt: skip
    assert len(printed) == 1
    assert "7 APPLES" in printed.pop()
