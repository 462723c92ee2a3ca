"""The memory of what was built last never grows beyond its bound."""

import sys

from explainkit.store.cache import Cache


def test_what_was_not_used_for_longest_goes_first():
    one = "x" * 1000
    cache: Cache[str] = Cache(limit=3 * sys.getsizeof(one))
    for key in range(3):
        cache.put(key, one)
    assert cache.get(0) == one
    cache.put(3, one)
    assert [cache.get(key) is not None for key in range(4)] == [True, False, True, True]
    assert cache.held <= cache.limit


def test_what_is_larger_than_the_bound_is_not_kept():
    cache: Cache[bytes] = Cache(limit=100)
    cache.put(0, b"x" * 101)
    cache.put(1, b"y")
    cache.put(1, b"z")
    assert (cache.get(0), cache.get(1)) == (None, b"y")
    assert cache.held == sys.getsizeof(b"y")
