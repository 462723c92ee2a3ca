"""Values: rebuilt in linear time, checked, and safe to ask for in a hostile file."""

from concurrent.futures import ThreadPoolExecutor

import orjson
import pytest

from explainkit.errors import DamagedValueError, UnknownRecordError
from explainkit.safety.digests import digest
from explainkit.store import Recording
from explainkit.testing.building import TraceBuilder


def hostile(*forms, size=1000):
    """A run whose values have these forms, under made-up digests 000..., 111..., ..."""
    built = TraceBuilder()
    built.append("run_started", run="r1", name="demo")
    for number, form in enumerate(forms):
        media = form.pop("media", "text/plain")
        built.append(
            "value", digest=name(number), media=media, size=form.pop("size", size),
            fidelity="exact", **form,
        )  # fmt: skip
    return Recording.of_lines(built.build("answered").lines).values


def name(number: int) -> str:
    return f"{number:x}" * 40 if number < 16 else f"{number:040x}"


def test_a_chain_of_ten_thousand_extensions_is_rebuilt_without_recursion():
    built = TraceBuilder()
    text, texts, before = "", [], None
    items, lists, base = [], [], None
    for turn in range(10_000):
        text += f"{turn},"
        before = built.value(
            text, parts=[{"digest": before}, f"{turn},"] if before else [f"{turn},"]
        )
        texts.append((before, text))
        items = [*items, turn]
        own = built.value(turn)
        stored = {"base": base, "items": [own]} if base else {"items": [own]}
        base = built.value(items, **stored) if turn < 3000 else base
        lists.append(base)
    recording = Recording.of_lines(built.build("answered").lines)
    assert recording.values.text(texts[-1][0]) == text
    assert recording.values.object(lists[-1]) == list(range(3000))
    fresh = Recording.of_lines(built.build("answered").lines).values
    for turn in range(0, 10_000, 100):
        assert fresh.text(texts[turn][0]) == texts[turn][1]


def test_slices_of_slices_are_followed_only_where_they_are_needed():
    built = TraceBuilder()
    text = "x" * 100 + "fare" + "y" * 100
    key = built.value(text)
    for cut in range(1, 100):
        key = built.value(
            text[cut:-cut], parts=[{"digest": key, "start": 1, "end": 204 - 2 * cut + 1}]
        )
    values = Recording.of_lines(built.build("answered").lines).values
    assert values.text(key) == "xfarey"


def test_text_with_lone_surrogates_can_be_a_part():
    built = TraceBuilder()
    odd = built.value("a\ud800b")
    whole = built.value("a\ud800b!", parts=[{"digest": odd}, "!"])
    half = built.value("b", parts=[{"digest": odd, "start": 2, "end": 3}])
    values = Recording.of_lines(built.build("answered").lines).values
    assert values.text(whole) == "a\ud800b!"
    assert values.text(half) == "b"


def test_every_reader_of_a_value():
    built = TraceBuilder()
    text, number = built.value('say "no"'), built.value((1, b"x"))
    values = Recording.of_lines(built.build("answered").lines).values
    assert values.shown(text) == values.text(text) == values.object(text) == 'say "no"'
    assert values.data(text) == b'"say \\"no\\""'
    assert values.tagged(number) == {"$tuple": [1, {"$bytes": "eA=="}]}
    assert values.object(number) == (1, b"x")
    assert values.text(number) is None
    assert values.shown(number) == '{"$tuple":[1,{"$bytes":"eA=="}]}'
    assert (values.fidelity(text), values.media(number), values.size(text)) == (
        "exact", "application/json", 12,
    )  # fmt: skip
    assert values.form(text)["data"] == 'say "no"'
    assert values.seq(number) == 1


@pytest.mark.parametrize("digest_", ["0" * 40, "", "zz", "A" * 40, None, 5])
def test_a_digest_that_is_not_stored(digest_):
    built = TraceBuilder()
    built.value("x")
    values = Recording.of_lines(built.build("answered").lines).values
    assert digest_ not in values
    with pytest.raises(UnknownRecordError, match="is stored"):
        values.data(digest_)


REF = {"$value": name(0)}
DAMAGED = {
    "edited": ({"data": "x"},),
    "itself": ({"parts": [{"digest": name(0)}]},),
    "itself in data": ({"data": [REF], "media": "application/json"},),
    "itself as base": ({"base": name(0), "items": [], "media": "application/json"},),
    "forward": ({"data": [{"$value": name(1)}]}, {"data": "x"}),
    "forward text": ({"parts": [{"digest": name(1)}]}, {"data": "x"}),
    "missing": ({"parts": [{"digest": name(9)}]},),
    "missing item": ({"items": [name(9)]},),
    "no list as base": ({"data": "x"}, {"base": name(0), "items": []}),
    "no text as part": (
        {"data": [1], "media": "application/json"},
        {"parts": [{"digest": name(0)}]},
    ),
    "end beyond the text": ({"data": "x"}, {"parts": [{"digest": name(0), "start": 0, "end": 9}]}),
    "end before start": ({"data": "xyz"}, {"parts": [{"digest": name(0), "start": 2, "end": 1}]}),
    "negative start": ({"data": "xyz"}, {"parts": [{"digest": name(0), "start": -2}]}),
    "start of the wrong type": ({"data": "x"}, {"parts": [{"digest": name(0), "start": "0"}]}),
    "a digest of the wrong type": ({"parts": [{"digest": ["x"]}]},),
    "a size beyond reason": ({"data": "x", "size": 10**14},),
    "a size that is too small": ({"data": "xxxxxxxx", "size": 3},),
    "a text longer than its size": (
        {"data": "xxxx"},
        {"parts": [{"digest": name(0)}] * 9, "size": 9},
    ),
}


@pytest.mark.parametrize("forms", DAMAGED.values(), ids=DAMAGED)
def test_damaged_values_are_reported_and_never_half_returned(forms):
    values = hostile(*[dict(form) for form in forms])
    key = name(len(forms) - 1) if "forward" not in str(forms) else name(0)
    key = name(0) if len(forms) == 2 and name(1) in str(forms[0]) else key
    for read in (values.data, values.tagged, values.object, values.shown):
        with pytest.raises(DamagedValueError):
            read(key)


def test_a_bomb_is_not_built():
    texts = [{"data": "lol" * 10}]
    lists = [{"data": ["lol"], "media": "application/json"}]
    inside = [{"data": ["lol"], "media": "application/json"}]
    empty = [{"data": ""}]
    for number in range(15):
        ref = name(number)
        texts.append({"parts": [{"digest": ref}] * 10})
        lists.append({"items": [ref] * 10, "media": "application/json"})
        inside.append({"data": [{"$value": ref}] * 10, "media": "application/json"})
        empty.append({"parts": [{"digest": ref}] * 10})
    for forms in (texts, lists, inside):
        values = hostile(*[dict(form) for form in forms], size=100_000)
        with pytest.raises(DamagedValueError, match="it is not built"):
            values.data(name(15))
    with pytest.raises(DamagedValueError, match="its digest"):
        hostile(*empty).data(name(15))


def test_a_hostile_chain_of_texts_inside_texts_does_not_recurse():
    forms = [{"data": "x"}]
    for number in range(5000):
        ref = name(number)
        forms.append({"parts": [{"digest": ref}]} if number % 2 else {"data": {"$value": ref}})
    with pytest.raises(DamagedValueError):
        hostile(*forms).text(name(5000))


def test_a_hostile_chain_of_values_inside_values_does_not_recurse():
    refs = [{"data": [{"$value": name(number)}]} for number in range(5000)]
    forms = [{**form, "media": "application/json"} for form in ({"data": ["x"]}, *refs)]
    with pytest.raises(DamagedValueError):
        hostile(*forms, size=100_000).object(name(5000))


def test_threads_may_read_at_once():
    built = TraceBuilder()
    text, before, keys = "", None, []
    for turn in range(300):
        text += f"turn {turn} "
        parts = [f"turn {turn} "]
        before = built.value(text, parts=[{"digest": before}, *parts] if before else parts)
        keys.append((before, text))
    values = Recording.of_lines(built.build("answered").lines).values
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda pair: values.text(pair[0]) == pair[1], keys * 4))
    assert all(found)


def test_a_value_nested_too_deep_is_damaged():
    deep = b"[" * 500 + b"]" * 500
    built = TraceBuilder()
    facts = {"media": "application/json", "size": 1000, "fidelity": "exact"}
    built.append("value", digest=digest(deep), **facts, data=0)
    lines = [line.replace(b'"data":0', b'"data":' + deep) for line in built.build().lines]
    with pytest.raises(DamagedValueError, match="too deep"):
        Recording.of_lines(lines).values.data(digest(deep))


def test_two_records_of_one_word_are_told_apart_by_the_whole_digest():
    twins = ["ab" * 8 + "0" * 24, "ab" * 8 + "1" * 24]
    built = TraceBuilder()
    for key in twins:
        built.append(
            "value", digest=key, media="text/plain", size=3, fidelity="exact", data=key[-1]
        )
    values = Recording.of_lines(built.build().lines).values
    assert [values.seq(key) for key in twins] == [0, 1]
    assert list(values.digests) == twins
    assert "ab" * 8 + "2" * 24 not in values


def test_prompts_of_a_long_chat_read_in_any_order():
    built = TraceBuilder()
    history, keys, base = [], [], None
    for turn in range(200):
        message = {"role": "user", "content": f"question {turn} " + "x" * 50}
        history = [*history, message]
        own = built.value(message)
        base = built.value(history, items=[own], **({"base": base} if base else {}))
        keys.append((base, list(history)))
    lines = built.build("answered").lines
    for order in (keys, keys[::-1]):
        values = Recording.of_lines(lines).values
        for key, expected in order:
            assert orjson.loads(values.data(key)) == expected
