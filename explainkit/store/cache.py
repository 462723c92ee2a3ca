"""A bounded memory of what was built last, so that prompts that extend each other build quickly."""

import sys
from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Content = TypeVar("Content", str, bytes)

LIMIT = 64 << 20
"""Bytes that one cache may hold."""


class Cache(Generic[Content]):
    """The contents used last, up to a total of bytes.

    Attributes:
        held: Bytes held now.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.held = 0
        self._lock = Lock()  # a panel may read in a thread of its own
        self._kept: OrderedDict[int, Content] = OrderedDict()

    def get(self, key: int) -> Content | None:
        """What is held under a key, which then counts as just used."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: int, content: Content) -> None:
        """Hold something, and let go of what was not used for longest."""
        size = sys.getsizeof(content)
        with self._lock:
            if size > self.limit or key in self._kept:
                return
            self._kept[key] = content
            self.held += size
            while self.held > self.limit:
                _, dropped = self._kept.popitem(last=False)
                self.held -= sys.getsizeof(dropped)
