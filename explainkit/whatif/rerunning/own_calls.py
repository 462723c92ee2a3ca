"""Which calls the user's own code makes in a re-run, so that one that stays away later is seen.

Whatever keeps a result, a table, an attribute or an object of a library, the code that fills it
makes a call the first time that it does not make again. So calls are looked at while a re-run
goes on, in the thread that makes it and in those that it starts.
"""

import dis
import gc
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

from explainkit.safety.own_frames import is_own
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.current import CURRENT
from explainkit.whatif.rerunning.surroundings import KEEP_NOTHING, root_of

_ADDING: Final = "dict.setdefault to add something"
_SILENT: Final = frozenset(("PRECALL", "CACHE", "EXTENDED_ARG", "NOP"))
_MOST_CODES: Final = 20_000
"""Code objects that are known; more are forgotten and looked at again."""
_MOST_TABLES: Final = 1_000
"""Tables of a re-run that are looked at: all of them live on until it is over."""
_IMPORTS: Final = frozenset(("importlib", "frozen_importlib"))
_QUIET: Final = (KEEP_NOTHING | _IMPORTS | {"weakref", "weakrefset"}) - {"uuid", "asyncio"}
"""Packages that give nobody's answer."""


class OwnCall(NamedTuple):
    """A call that the user's own code makes.

    Attributes:
        caller: Where it is made: the nearest own function, as `file:line name`; empty at the top.
        called: What is called: an own function likewise, else `package.name`.
        outside: Something may be asked or drawn there: code of a library that can do so.
        loads: A module is loaded there, which happens once.
    """

    caller: str
    called: str
    outside: bool
    loads: bool


OwnCalls = Mapping[OwnCall, int | None]
"""Calls of a re-run, each with the link in which it was made first."""


@dataclass(eq=False)
class Seen:
    """What was seen of a re-run until now.

    Attributes:
        calls: The calls, each with the link in which it was made first.
        places: Where they were made, so that one in a loop is looked at once.
        tables: Tables that `setdefault` was called on, with how much each held and where it was.
    """

    calls: dict[OwnCall, int | None] = field(default_factory=dict)
    places: set[tuple[Any, ...]] = field(default_factory=set)
    tables: dict[tuple[int, str], tuple[dict[Any, Any], int, int | None]] = field(
        default_factory=dict
    )

    def settled(self) -> OwnCalls:
        """The calls, with those that added what was asked or drawn to a table.

        There the call is made each time, and its result is kept the first time only.
        """
        calls = self.calls.copy()  # a thread that goes on may still add to it
        asking = {link for call, link in calls.items() if call.outside}
        for (_, caller), (table, held, link) in list(self.tables.items()):
            if len(table) > held and link in asking:
                calls[OwnCall(caller, _ADDING, outside=True, loads=False)] = link
        return calls


class _Code(NamedTuple):
    code: CodeType
    name: str
    is_own: bool
    package: str


_CODES: dict[int, _Code] = {}
_EMPTY: dict[tuple[int, int], bool] = {}
"""Places where `setdefault` is called, and whether with an empty list or such."""


class _Looking:
    """How many re-runs are looked at, in each thread: several may be awaited in one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._in_threads: Counter[int] = Counter()

    def begin(self) -> bool:
        """Look in this thread, and in those that it starts; False where another profiler does."""
        with self._lock:
            if not {sys.getprofile(), threading.getprofile()} <= {None, _look}:
                return False
            self._in_threads[threading.get_ident()] += 1
            threading.setprofile(_look)
            sys.setprofile(_look)
            return True

    def end(self) -> None:
        """End what was begun in this thread."""
        here = threading.get_ident()
        with self._lock:
            self._in_threads[here] -= 1
            if not self._in_threads[here]:
                del self._in_threads[here]
                if sys.getprofile() is _look:
                    sys.setprofile(None)
            if not self._in_threads and threading.getprofile() is _look:
                threading.setprofile(None)

    @property
    def is_over(self) -> bool:
        """Whether no re-run is looked at."""
        return not self._in_threads


_LOOKING: Final = _Looking()


def look_at(active: ActiveRun) -> None:
    """Look at the calls of a re-run from here on; not where another profiler looks already.

    Args:
        active: The run of the re-run.
    """
    if _LOOKING.begin():
        active.seen = Seen()


def look_away(active: ActiveRun) -> None:
    """End what `look_at` began.

    Args:
        active: The run of the re-run.
    """
    if active.seen is not None:
        _LOOKING.end()


def _look(frame: FrameType, event: str, called: Any) -> None:
    if _LOOKING.is_over:  # a thread that a re-run started lives on
        sys.setprofile(None)
        return
    if event == "call":
        back = frame.f_back
        if not _is_own(frame) and (back is None or not _is_own(back)):
            return
    elif event != "c_call" or not _is_own(frame):
        return
    here = CURRENT.get()
    seen: Seen | None = None if here is None else here.run.seen
    if here is None or seen is None:
        return
    try:
        if event == "c_call" and called.__name__ == "setdefault":
            _note_table(seen, frame, called.__self__, here.link)
        place = _place(frame, event, called)
        if place in seen.places:
            return
        found = _python(frame) if event == "call" else _builtin(frame, called)
        if not _is_of_collector(frame.f_code):
            seen.places.add(place)
            seen.calls.setdefault(found, here.link)
    except Exception:  # noqa: BLE001 - a fault of ours must not become one of the code that runs
        return


def _place(frame: FrameType, event: str, called: Any) -> tuple[Any, ...]:
    """What tells a call from others, as far as it is told without looking closely."""
    if event == "c_call":
        own = getattr(called, "__self__", None)
        return id(frame.f_code), frame.f_lasti, called.__name__, type(own)
    back = frame.f_back
    while back is not None and not _is_own(back):
        back = back.f_back
    return id(frame.f_code), None if back is None else id(back.f_code)


def _python(frame: FrameType) -> OwnCall:
    """A call of a function that is written in Python."""
    called, back = _known(frame), frame.f_back
    while back is not None and not _is_own(back):
        back = back.f_back
    loads = called.code.co_name == "<module>" or called.package in _IMPORTS
    outside = not called.is_own and called.package not in _QUIET
    return OwnCall("" if back is None else _known(back).name, called.name, outside, loads)


def _is_of_collector(code: CodeType) -> bool:
    """Whether code runs whenever the garbage collector comes by."""
    every = (getattr(each, "__code__", None) for each in gc.callbacks)
    return code.co_name == "__del__" or any(each is code for each in every)


def _builtin(frame: FrameType, called: Any) -> OwnCall:
    """A call of a function that is not."""
    module = getattr(called, "__module__", None)
    if module is None:
        module = type(getattr(called, "__self__", None)).__module__
    outside = str(module).startswith("numpy.random") or root_of(module) not in _QUIET
    name = f"{module}.{getattr(called, '__qualname__', '')}"
    return OwnCall(_known(frame).name, name, outside, loads=False)


def _note_table(seen: Seen, frame: FrameType, table: Any, link: int | None) -> None:
    """Keep how much a table holds before something is added, unless it is an empty list or such."""
    key = (id(table), _known(frame).name)
    if key in seen.tables or len(seen.tables) >= _MOST_TABLES or not isinstance(table, dict):
        return
    place = (
        id(frame.f_code),
        frame.f_lasti,
    )  # `_CODES` holds the code, so its number stays its own
    if place not in _EMPTY:
        _EMPTY[place] = _gives_empty(frame)
    if not _EMPTY[place]:
        seen.tables[key] = (table, len(table), link)


def _gives_empty(frame: FrameType) -> bool:
    """Whether the last thing that a call is given is made in the call, as in `f(key, [])`."""
    steps = [s for s in dis.get_instructions(frame.f_code) if s.offset < frame.f_lasti]
    given = next(each for each in reversed(steps) if each.opname not in _SILENT)
    return str(given.opname).startswith(("BUILD_", "LOAD_CONST"))


def _is_own(frame: FrameType) -> bool:
    found = _CODES.get(id(frame.f_code))
    return (_known(frame) if found is None else found).is_own


def _known(frame: FrameType) -> _Code:
    code = frame.f_code
    found = _CODES.get(id(code))
    if found is None:
        if len(_CODES) > _MOST_CODES:
            _CODES.clear()
            _EMPTY.clear()
        module = frame.f_globals.get("__name__")
        own, name = is_own(code), f"{code.co_filename}:{code.co_firstlineno} {code.co_qualname}"
        name = name if own else f"{module}.{code.co_qualname}"
        _CODES[id(code)] = found = _Code(code, name, own, root_of(module))
    return found
