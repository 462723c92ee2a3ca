"""64-bit keys of byte runs, computed for a whole text at once and equal in every process.

Runs of up to eight bytes are mapped one to one (a bijection of their bytes); longer ones are
mixed word by word; very long ones take BLAKE2b. The mixer is the finalizer of SplitMix64
(Steele, Lea, Flood 2014).
"""

from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

_MASKS: Final = np.array([(1 << (8 * size)) - 1 for size in range(9)], np.uint64)
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_LONG: Final = 64


def mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble each word one to one."""
    words = words + _STEP
    words ^= words >> np.uint64(30)
    words *= np.uint64(0xBF58476D1CE4E5B9)
    words ^= words >> np.uint64(27)
    words *= np.uint64(0x94D049BB133111EB)
    words ^= words >> np.uint64(31)
    return words


def _load(
    words: NDArray[np.uint64], at: NDArray[np.int64], size: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Load up to eight bytes from any byte position through aligned reads."""
    index = at >> 3
    shift = ((at & 7) << 3).astype(np.uint64)
    low = words[index] >> shift
    # Shifting by 64 is undefined, so the high part is shifted in two steps.
    high = (words[index + 1] << np.uint64(1)) << (np.uint64(63) - shift)
    loaded: NDArray[np.uint64] = (low | high) & _MASKS[np.minimum(size, 8)]
    return loaded


def run_keys(data: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a key for each run `data[start:end]`.

    Args:
        data: The bytes; no run may hold a NUL byte.
        starts: Byte offsets, int64[n].
        ends: Byte offsets after each run, int64[n].

    Returns:
        Keys, uint64[n]; equal runs have equal keys.
    """
    padded = data + bytes(24 - len(data) % 8)
    words = np.frombuffer(padded, "<u8")
    size = ends - starts
    keys = mix(_load(words, starts, size))
    rest = np.flatnonzero(size > 8)
    huge = rest[size[rest] > _LONG]
    rest = rest[size[rest] <= _LONG]
    done = 8
    while len(rest):
        keys[rest] = mix(keys[rest] * _STEP + _load(words, starts[rest] + done, size[rest] - done))
        done += 8
        rest = rest[size[rest] > done]
    for at in huge.tolist():
        digest = blake2b(data[starts[at] : ends[at]], digest_size=8).digest()
        keys[at] = int.from_bytes(digest, "little")
    return keys


def key_of(word: str) -> int:
    """Return the key of one folded word."""
    data = word.encode("utf-8", "surrogatepass")
    bounds = np.array([0, len(data)], np.int64)
    return int(run_keys(data, bounds[:1], bounds[1:])[0])
