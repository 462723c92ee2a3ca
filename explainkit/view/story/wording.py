"""Short harmless words for names, counts and recorded values, because a story quotes briefly."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ExplainkitError
from explainkit.view.words import counted, flat

if TYPE_CHECKING:
    from explainkit.store import Recording

QUOTE: Final = 110
"""Code points of a quoted value."""
_NUMBERS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
)  # fmt: skip
_UNREADABLE: Final = "a value that cannot be read"
_CALLS: Final = 2
_FIELDS: Final = 3
_LISTED: Final = 20
_LISTED_FIELDS: Final = 4
_PARSED: Final = 20_000


def called(name: object) -> str:
    """A recorded name in quotes.

    Example:
        >>> called("ask")
        '“ask”'
    """
    return f"“{flat(str(name), 60)}”"


def quoted(text: str, limit: int = QUOTE) -> str:
    """A recorded text in quotes, cut to what a sentence can carry."""
    return f"“{flat(text, limit)}”" if text.strip() else "an empty text"


def number(count: int, one: str, many: str | None = None) -> str:
    """A count in words where it is small: ``two hops``, ``312 hops``."""
    if 0 < count < len(_NUMBERS):
        return f"{_NUMBERS[count]} {one if count == 1 else many or one + 's'}"
    return counted(count, one, many)


def times(count: int) -> str:
    """``once``, ``twice``, ``312 times``."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def series(parts: Sequence[str], limit: int = 4) -> str:
    """``a, b and c``; what is beyond the limit is counted.

    Example:
        >>> series(["a", "b", "c"]), series(list("abcdef"))
        ('a, b and c', 'a, b, c, d and 2 more')
    """
    shown = [*parts[:limit], *([f"{len(parts) - limit:,} more"] if len(parts) > limit else [])]
    if not shown:
        return "nothing"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def value_of(recording: "Recording", digest: object) -> Any:
    """A stored value as plain JSON; None when there is none or it cannot be read."""
    try:
        return recording.values.tagged(digest) if isinstance(digest, str) else None
    except ExplainkitError:
        return None


def value_words(recording: "Recording", digest: object, limit: int = QUOTE) -> str:
    """A stored value in a few words: a text in quotes, a list by its number and its first item."""
    if not isinstance(digest, str):
        return "nothing"
    try:
        text = recording.values.text(digest)
        if text is not None:
            return quoted(text, limit)
        return plain_words(recording.values.tagged(digest), limit)
    except ExplainkitError:
        return _UNREADABLE


def plain_words(value: Any, limit: int = QUOTE) -> str:
    """A JSON value in a few words."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "yes", False: "no"}[value]
    if isinstance(value, int | float):
        return flat(f"{value}", 40)
    if isinstance(value, str):
        return quoted(value, limit)
    if isinstance(value, list):
        if not value:
            return "an empty list"
        return _list_words(value, plain_words(value[0], limit * 2 // 3))
    if isinstance(value, dict) and (said := _outcome_words(value, limit) or _fields(value, limit)):
        return said
    return quoted(_compact(value), limit)


def _fields(value: dict[str, Any], limit: int) -> str | None:
    """A small flat object by its fields: ``city “Linz” and night 120``; None for any other."""
    plain = all(each is None or isinstance(each, str | int | float) for each in value.values())
    if not plain or not 0 < len(value) <= _LISTED_FIELDS:
        return None
    told = [f"{flat(key, 30)} {plain_words(each, limit * 2 // 3)}" for key, each in value.items()]
    return series(told, _LISTED_FIELDS)


def _list_words(value: list[Any], first: str) -> str:
    ends = [str(each["status"]) for each in value if _is(each) and {"id", "status"} <= each.keys()]
    if len(ends) == len(value):
        counts = [f"{ends.count(end):,} {flat(end, 20)}" for end in dict.fromkeys(ends)]
        return f"{number(len(value), 'result')} ({series(counts)})"
    if len(value) == 1:
        return f"a list of one: {first}"
    has = "has" if _is(value[0]) and not first.startswith("“") else "is"
    return f"a list of {len(value):,}, of which the first {has} {first}"


def _outcome_words(value: dict[str, Any], limit: int) -> str | None:
    """What the usual results of our own engine mean."""
    match value:
        case {"id": str(name), "input_ids": list()}:
            return called(name)
        case {"handled": False}:
            return "no replacement"
        case {"handled": True, "value": replacement}:
            return f"the replacement {plain_words(replacement, limit)}"
        case {"code": str(code), "message": str(message)}:
            return f"{flat(code, 40)} {quoted(message, limit)}"
        case {"$text": str(text)}:
            return quoted(text, limit)
        case {"$exception": {"type": str(name), "message": str(message)}}:
            return f"{flat(name.rpartition('.')[2], 60)}: {quoted(message, limit)}"
        case {"outcome": "exited", "code": int(code)}:
            tail = str(value.get("tail") or "").strip()
            said = f" after printing {quoted(_last_line(tail), limit // 2)}" if tail else ""
            return f"exit code {code}{said}"
        case {"outcome": "timed-out"}:
            return "no result in time"
        case {"outcome": "not-run"}:
            return "not run"
        case {"decision": str(word)}:
            why = value.get("reason")
            return (
                f"{called(word)} ({quoted(why, limit)})" if isinstance(why, str) else called(word)
            )
        case {"status": str(word), "issues": list(issues)}:
            shown = [each for each in issues[:2] if _is(each)]
            found = [quoted(str(each.get("message") or each.get("code")), 80) for each in shown]
            return f"{called(word)} ({'; '.join(found)})" if found else called(word)
    return message_words(value, limit)


def _last_line(text: str) -> str:
    return text[-400:].splitlines()[-1]


def message_words(value: dict[str, Any], limit: int) -> str | None:
    """What a chat message says and asks for; None when it is no message."""
    parts = _message(value, limit)
    if parts is None:
        return None
    said, calls = parts
    asks = [f"a request to call {calls}"] if calls else []
    return " and ".join([*([said] if said else []), *asks]) or "an empty message"


def said_words(recording: "Recording", digest: object) -> str:
    """What a model's reply said, with its verb: ``said “…” and called for refund()``."""
    value = value_of(recording, digest)
    parts = _message(value, QUOTE) if isinstance(value, dict) else None
    if parts is None:
        return f"said {value_words(recording, digest)}"
    said, calls = parts
    told = [*([f"said {said}"] if said else []), *([f"called for {calls}"] if calls else [])]
    return " and ".join(told) or "said nothing"


def _message(value: dict[str, Any], limit: int) -> tuple[str, str] | None:
    """The text of a chat message in quotes, and the calls that it asks for."""
    calls = value.get("tool_calls")
    if "role" not in value and not isinstance(calls, list):
        return None
    text = _text_of(value.get("content"))
    asked = [call_words(each) for each in calls[:_LISTED]] if isinstance(calls, list) else []
    return quoted(text, limit) if text.strip() else "", series(asked, _CALLS) if asked else ""


def _text_of(content: Any) -> str:
    if isinstance(content, list):
        return " ".join(str(each.get("text") or "") for each in content[:20] if _is(each))
    return content if isinstance(content, str) else ""


def _is(value: Any) -> bool:
    return isinstance(value, dict)


def call_words(call: Any) -> str:
    """A call that a message asks for: ``refund(amount: 80)``."""
    if not isinstance(call, dict):
        return "something"
    inner = call.get("function")
    form = inner if isinstance(inner, dict) else call
    given = _parsed(form.get("arguments", form.get("input")))
    name = flat(str(form.get("name") or "something"), 40)
    if isinstance(given, dict):
        fields = [
            f"{flat(str(key), 30)}: {flat(_compact(item), 40)}"
            for key, item in list(given.items())[: _FIELDS + 1]
        ]
        more = ", …" if len(fields) > _FIELDS else ""
        return f"{name}({', '.join(fields[:_FIELDS])}{more})"
    return f"{name}({flat(str(given), 60)})" if given else f"{name}()"


def _parsed(given: Any) -> Any:
    """Arguments, which are often a JSON text."""
    import orjson

    if not isinstance(given, str) or len(given) > _PARSED:
        return given
    try:
        return orjson.loads(given)
    except ValueError:
        return given


def _compact(value: Any) -> str:
    import orjson

    return value if isinstance(value, str) else orjson.dumps(value).decode("utf-8")
