"""What capturing one value costs: encode, redact, both; per kilobyte and beside bare loops.

Run: python benchmarks/recording/primitives.py
"""

import gc
import timeit

import orjson

from explainkit.safety.digests import digest
from explainkit.safety.encoding import decode, encode, encode_text
from explainkit.safety.leaf_paths import leaves
from explainkit.safety.redaction import Redactor, capture

PROSE = "The train was 40 minutes late, and half of the fare is returned from 60 minutes on. "
LINKS = PROSE + "See https://example.org/tariff#late, user mia_li_3668. "
MESSAGES = [
    {"role": "user", "content": PROSE * 3},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "arguments": '{"a": 1}'}],
    },
    {"role": "tool", "tool_call_id": "call_1", "name": "search", "content": LINKS * 4},
]
TEXTS = {
    "prose": (PROSE * 20)[:1024],
    "prose with links": (LINKS * 20)[:1024],
    "JSON in a text": (orjson.dumps(MESSAGES).decode() * 3)[:1024],
    "not ASCII": ("Das Fahrgeld wird ab 60 Minuten Verspätung zur Hälfte erstattet. " * 20)[:1024],
}


def microseconds(call, value) -> float:
    """Best of many short rounds, because the machine is shared."""
    timer = timeit.Timer(lambda: call(value))
    rounds = max(1, int(0.002 / max(timer.timeit(5) / 5, 1e-7)))
    return min(timer.repeat(40, rounds)) / rounds * 1e6


def main() -> None:
    gc.disable()
    redactor, registered = Redactor(), Redactor(secrets=[f"s3cret-number-{i}" for i in range(20)])
    hit = TEXTS["prose"] + " password=hunter2x"
    calls = {
        "bare call": lambda value: value,
        "orjson.dumps": orjson.dumps,
        "encode_text": encode_text,
        "redact (gate)": redactor.text,
        "capture": lambda value: capture(value, redactor),
        "capture, 20 registered": lambda value: capture(value, registered),
        "digest of 1 KB": lambda value: digest(value.encode()),
    }
    print("1 KB of text, µs" + "".join(f"{name:>18}" for name in TEXTS))
    for name, call in calls.items():
        figures = [microseconds(call, text) for text in TEXTS.values()]
        print(f"{name:<23}" + "".join(f"{figure:>17.2f} " for figure in figures))
    print(f"\n1 KB with one secret: {microseconds(redactor.text, hit):.1f} µs")
    print(f"\nmessages (3 dicts, 16 values), µs: orjson {microseconds(orjson.dumps, MESSAGES):.2f}")
    shaped = {
        "plain": MESSAGES,
        "with a tuple": (MESSAGES,),
        "with a secret": [MESSAGES, {"token": "x1"}],
    }
    for name, value in shaped.items():
        both = microseconds(encode, value), microseconds(lambda x: capture(x, redactor), value)
        print(f"  {name:<15} encode {both[0]:>7.2f}   capture {both[1]:>7.2f}")
    data = encode((MESSAGES,)).data
    print(f"  decode {microseconds(decode, data):.2f}")
    print(f"  leaves {microseconds(lambda tree: list(leaves(tree)), MESSAGES):.2f}")
    large = PROSE * (10_000_000 // len(PROSE))
    both = microseconds(lambda x: capture(x, redactor), large), microseconds(orjson.dumps, large)
    print(f"\n10 MB of prose: capture {both[0] / 1e3:.1f} ms, orjson alone {both[1] / 1e3:.1f} ms")


if __name__ == "__main__":
    main()
