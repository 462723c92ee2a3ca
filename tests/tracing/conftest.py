"""A run in memory with a counting clock, and its records as plain dicts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

import explainkit as ek


@pytest.fixture
def traced_run() -> Callable[..., Any]:
    """Open a reproducible run: ``with traced_run() as run``."""

    @contextmanager
    def open_run(**settings: Any) -> Iterator[ek.Run]:
        ticks = count(1_000)
        with ek.trace("test", run_id="t", clock=lambda: next(ticks), **settings) as run:
            yield run

    return open_run


@pytest.fixture
def rows() -> Callable[..., list[dict[str, Any]]]:
    """The JSON objects of a run's records of some kinds."""

    def rows_of(run: ek.Run, *kinds: str) -> list[dict[str, Any]]:
        return list(run.recording.rows(*kinds))

    return rows_of


@pytest.fixture
def shown() -> Callable[..., Any]:
    """A stored value of a run as an object."""

    def value(run: ek.Run, digest: str) -> Any:
        return run.recording.values.object(digest)

    return value
