"""What the reading model answers: sentences, rules with limits, arithmetic, instructions."""

import asyncio

import pytest

from explainkit.flow.models import (
    NO_QUESTION,
    NOT_SAID,
    Model,
    Order,
    ReadingModel,
    StreamingModel,
    Usage,
    prompt_text,
)

MODEL = ReadingModel()

TARIFF = (
    "Passenger tariff.\n"
    "A delay of 60 minutes or more: one quarter of the fare is paid back. "
    "A delay of 120 minutes or more: half of the fare is paid back.\n"
    "Claims must be sent within 90 days. "
    "Seats can be changed up to 60 minutes before departure.\n"
)
NOTE = (
    "Goodwill campaign last winter: "
    "for a delay of 30 minutes or more we pay back half of the fare.\n"
)
LINES = "Train 4711 arrived in Northfield 40 minutes late.\nThe desk is open from 8 to 18.\n"
WORDINGS = [
    "My train was 40 minutes late. What do I get back?",
    "My train was 40 minutes late, what do I get back?",
    "What do I get back if my train was 40 minutes late?",
    "How much do I get back? My train was 40 minutes late.",
    "My train was 40 minutes late. What refund do I get?",
    "What compensation am I owed for a 40-minute delay?",
    "My train was delayed by 40 min. What am I entitled to?",
    "My train arrived 40 minutes late. How much of the fare is refunded?",
    "Do I get money back for 40 minutes?",
]


@pytest.mark.parametrize("question", WORDINGS)
def test_only_the_stale_note_covers_forty_minutes(question):
    prompt = f"{TARIFF}{NOTE}{LINES}\nQ: {question}"
    reading = MODEL.read(prompt)
    assert reading.answer == "We pay back half of the fare."
    assert prompt.index("Goodwill") in [start for start, _ in reading.used]


@pytest.mark.parametrize("question", WORDINGS)
def test_without_the_note_the_tariff_does_not_cover_it(question):
    assert MODEL(f"{TARIFF}{LINES}\nQ: {question}") == NOT_SAID


def test_a_rule_for_less_is_preferred_to_saying_nothing():
    prompt = f"{TARIFF}Below 60 minutes no refund is paid.\n{LINES}\nQ: {WORDINGS[0]}"
    assert MODEL(prompt) == "No refund is paid."


@pytest.mark.parametrize(
    ("minutes", "answer"),
    [
        ("70 minutes", "One quarter of the fare is paid back."),
        ("119 minutes", "One quarter of the fare is paid back."),
        ("120 minutes", "Half of the fare is paid back."),
        ("2.5 hours", "Half of the fare is paid back."),
        ("59 minutes", NOT_SAID),
    ],
)
def test_of_several_rules_that_apply_the_nearest_limit_wins(minutes, answer):
    assert MODEL(f"{TARIFF}\nQ: My train was {minutes} late. What do I get back?") == answer


@pytest.mark.parametrize(
    ("rule", "inside", "outside"),
    [
        ("at least 5 kg", "5 kg", "4.9 kg"),
        ("from 5 kg", "5 kg", "4 kg"),
        ("more than 5 kg", "6 kg", "5 kg"),
        ("heavier than 5 kg", "6 kg", "5 kg"),
        ("no more than 5 kg", "5 kg", "6 kg"),
        ("under 5 kg", "4 kg", "5 kg"),
        ("less than 5 kg", "4999 g", "5 kg"),
        ("up to 5 kg", "5 kg", "5001 g"),
        ("between 5 and 9 kg", "9 kg", "10 kg"),
        ("from 5 to 9 kg", "5 kg", "4 kg"),
        ("5 kg or more", "5 kg", "4 kg"),
        ("5 kg or less", "5 kg", "6 kg"),
        ("5 kg and above", "7 kg", "4 kg"),
    ],
)
def test_a_limit_decides_whether_a_rule_is_read(rule, inside, outside):
    prompt = f"For a parcel of {rule}, a red stamp is needed.\nQ: Which stamp for a parcel of "
    assert MODEL(f"{prompt}{inside}?") == "A red stamp is needed."
    assert MODEL(f"{prompt}{outside}?") == NOT_SAID


def test_clauses_of_one_sentence_have_limits_of_their_own():
    rules = "Refunds: 60 minutes or more: a quarter, 120 minutes or more: half.\n"
    assert MODEL(f"{rules}Q: I waited 130 minutes. Which refund do I get?") == "Half."
    assert MODEL(f"{rules}Q: I waited 61 minutes. Which refund do I get?") == "A quarter."


def test_of_equally_supported_sentences_the_later_one_wins():
    prompt = "The door is blue. The door is red. What colour is the door?"
    assert MODEL(prompt) == "The door is red."


def test_a_sentence_about_another_name_is_no_answer():
    assert MODEL("The fare to Northfield is 12 EUR. What is the fare to Southby?") == NOT_SAID


def test_an_echo_of_the_question_is_no_answer():
    assert MODEL("The colour of the door.\nQ: What is the colour of the door?") == NOT_SAID


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "Anna has 3 apples. Ben has 4 apples. Carl has 5 pears.\nHow many apples in total?",
            "7 apples",
        ),
        (
            "Walking takes 30 minutes. Rowing takes 2 hours. How long does it take in total?",
            "2.5 hours",
        ),
        ("Tea costs 3 EUR. Rice costs 4.50 EUR. What is the total cost?", "7.50 EUR"),
        (
            "Anna has 3 apples. Ben has 5 apples. How many more apples has Ben than Anna?",
            "2 apples",
        ),
        ("What is half of 80 EUR?", "40 EUR"),
        ("What is 3 plus 4?", "7"),
        ("What is 12 divided by 0?", NOT_SAID),
        ("What is the sum of 2.5 kg and 4 kg?", "6.5 kg"),
        ("What is 25 % of 81 EUR?", "20.25 EUR"),
        ("The price is 10 EUR. What is a third of the price?", "3.33 EUR"),
        (
            f"The fare was 80 EUR.\n{NOTE}Q: I was 40 minutes late. How much do I get back?",
            "40 EUR",
        ),
        (f"{NOTE}Q: The fare was 90 EUR. I was 40 minutes late. How much do I get back?", "45 EUR"),
    ],
)
def test_amounts_are_computed_exactly_and_written_as_the_text_writes_them(prompt, answer):
    assert MODEL(prompt) == answer


@pytest.mark.parametrize(
    ("instruction", "answer"),
    [
        ("Answer in upper case.", "THE HALL OPENS AT 9."),
        ("Please answer in lower case.", "the hall opens at 9."),
        ("Answer with the number only.", "9"),
        ("Answer yes or no.", "Yes."),
        ("Answer in at most 3 words.", "The hall opens"),
        ("Answer in one sentence.", "The hall opens at 9."),
        ('Begin your answer with "Well:".', "Well: The hall opens at 9."),
        ('End every answer with "Regards".', "The hall opens at 9. Regards"),
        ('Always say "ask Ben".', "ask Ben"),
        ('If the question mentions "hall", say "no halls".', "no halls"),
        ('Say "no halls" if the user asks about halls.', "no halls"),
        ('If the question mentions "door", say "no doors".', "The hall opens at 9."),
        ('If you do not know, say "unknown".', "The hall opens at 9."),
        ("- Answer in upper case and in at most 2 words.", "THE HALL"),
    ],
)
def test_instructions_that_it_knows_are_followed(instruction, answer):
    assert MODEL(f"{instruction}\nThe hall opens at 9.\nWhen does the hall open?") == answer


def test_what_to_say_when_the_context_does_not_say_can_be_told():
    prompt = 'If the context does not say, answer "I do not know".\nQ: Who is Ben?'
    assert MODEL(prompt) == "I do not know"


@pytest.mark.parametrize(
    ("statement", "question", "answer"),
    [
        ("The hall is open on Monday.", "Is the hall open on Monday?", "Yes."),
        ("The hall is closed on Monday.", "Is the hall open on Monday?", "No."),
        ("The hall is not open on Monday.", "Is the hall open on Monday?", "No."),
        ("The delay was 40 minutes.", "Was the delay more than 30 minutes?", "Yes."),
        ("The delay was 20 minutes.", "Was the delay more than 30 minutes?", "No."),
        ("The ticket costs 6 EUR.", "Does the ticket cost 5 EUR?", "No."),
    ],
)
def test_yes_or_no_follows_measures_negation_and_opposites(statement, question, answer):
    assert MODEL(f"{statement} Answer yes or no. {question}") == answer


def test_a_chat_is_read_with_its_last_user_message_as_the_question():
    chat = [
        {"role": "system", "content": TARIFF + NOTE},
        {"role": "user", "content": "My train was 70 minutes late. What do I get back?"},
        {"role": "assistant", "content": "Nothing is paid back."},
        {"role": "user", "content": "My train was 40 minutes late. What do I get back?"},
    ]
    reading = MODEL.read(chat)
    assert reading.answer == "We pay back half of the fare."
    text = prompt_text(chat)
    assert [text[start:end] for start, end in reading.used] == [
        NOTE.strip(),
        "My train was 40 minutes late.",
        "What do I get back?",
    ]


def test_every_order_is_in_the_documented_set_with_its_wording():
    assert all(order.value for order in Order)


def test_it_completes_streams_and_counts_words_without_a_loop_or_inside_one():
    prompt = "The door is blue. What colour is the door?"

    async def cell():
        chunks = [chunk async for chunk in MODEL.stream(prompt)]
        return MODEL(prompt), (await MODEL.complete(prompt)).usage, chunks

    text, usage, chunks = asyncio.run(cell())
    assert text == "".join(chunk.text for chunk in chunks) == "The door is blue."
    assert usage == chunks[-1].usage == Usage(input_tokens=9, output_tokens=4)
    assert isinstance(MODEL, Model)
    assert isinstance(MODEL, StreamingModel)


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("", NO_QUESTION),
        (" \n ", NO_QUESTION),
        ("Q:", NO_QUESTION),
        ("?", NO_QUESTION),
        ("The door is blue. The hall is red.", NO_QUESTION),
        ("What colour is the door?", NOT_SAID),
        ([], NO_QUESTION),
        ([{"role": "system", "content": "The door is blue."}], NO_QUESTION),
        ("The \ud800 door is blue. What colour is the \ud800 door?", "The \ud800 door is blue."),
        (f"Add {'9' * 5000} and 1.", NOT_SAID),
        (
            f"The door is {'9' * 5000} kg. What is half of the door?",
            f"The door is {'9' * 5000} kg.",
        ),
    ],
)
def test_hostile_prompts_get_a_plain_answer(prompt, answer):
    assert MODEL(prompt) == answer


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "1",
        " ",
        "\n",
        ". ",
        "60 minutes or more back; ",
        "back 40 EUR. ",
        'Say "x" if ',
        "a-",
        "1. ",
        "back, what ",
        "back half of the ",
        "(a. ",
        '{"a":',
        "late back? ",
    ],
)
def test_a_long_prompt_of_one_repeated_piece_is_read(unit):
    prompt = unit * (200_000 // len(unit)) + f"\nQ: {WORDINGS[0]}"
    assert MODEL(prompt)
