"""Opens runs: ``trace`` around a block, ``traced`` around a function."""

import asyncio
import functools
import inspect
import os
import platform
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from explainkit.errors import WriteError
from explainkit.safety.labels import word
from explainkit.safety.paths import safe_name
from explainkit.safety.redaction import Redactor
from explainkit.session.arguments import Arguments, arguments_of
from explainkit.session.ids import new_run_id
from explainkit.session.recent import remember
from explainkit.session.run import Run
from explainkit.store import FileSink, MemorySink
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.answers import open_answer
from explainkit.tracing.cells import current_cell
from explainkit.tracing.current import CURRENT, Frame
from explainkit.tracing.definitions import definition_of
from explainkit.tracing.method_reads import MethodReads, first_parameters, is_method
from explainkit.tracing.opening import close_with, open_link
from explainkit.tracing.own_runs import Again, mark_traced
from explainkit.tracing.recorder import Clock, Recorder
from explainkit.tracing.seam import Rewriter, Supplier
from explainkit.tracing.spec import LinkSpec, code_hash
from explainkit.tracing.untracked import untracked_sources

P = ParamSpec("P")
R = TypeVar("R")

FOLDER_VARIABLE = "EXPLAINKIT_RUNS"
"""Environment variable that names the folder for runs whose ``to=`` is not given."""


class Tracing:
    """The context manager that ``trace`` returns; ``with`` and ``async with`` both work."""

    def __init__(
        self,
        name: str,
        *,
        to: str | os.PathLike[str] | None = None,
        question: str | None = None,
        secrets: Sequence[str] = (),
        redact: bool = True,
        clock: Clock = time.time_ns,
        run_id: str | None = None,
        strict: bool | None = None,
        supply: Supplier | None = None,
        rewrite: Rewriter | None = None,
        varies: Mapping[str, Any] | None = None,
        again: Again | None = None,
        arguments: Arguments | None = None,
        resumes: str | None = None,
        code: str | None = None,
    ) -> None:
        """Keep the settings; nothing is opened before the block is entered."""
        self._name = word(name)
        self._folder = to if to is not None or varies else os.environ.get(FOLDER_VARIABLE)
        self._question = question
        self._redactor = Redactor(secrets=tuple(secrets), enabled=redact)
        self._clock = clock
        self._id = run_id
        self._strict = strict
        self._supply = supply
        self._rewrite = rewrite
        self._varies = varies
        self._again = again
        self._arguments = arguments
        self._resumes = resumes
        self._code = code
        self._outer: tuple[ActiveRun, int] | None = None
        self._adopted = False

    def __enter__(self) -> Run:
        """Open the run and make it current; in a re-run, what it repeats is the re-run itself."""
        outer = CURRENT.get()
        if outer is not None and outer.run.steered and not outer.run.ended:
            if outer.link is None and isinstance(outer.run.host, Run):
                self._adopted, self.active, self.run = True, outer.run, outer.run.host
                outer.run.host = None
                return self.run
            self._folder, self._varies = None, {}
            self._supply = self._supply or outer.run.inner_supply
        run_id = self._id or new_run_id(self._name, self._clock())
        sink = self._sink(run_id)
        recorder = Recorder(sink, run=run_id, clock=self._clock, redactor=self._redactor)
        self.active = ActiveRun(
            recorder,
            name=self._name,
            strict=self._strict,
            supply=self._supply,
            rewrite=self._rewrite,
        )
        self._start(recorder)
        self._token = self.active.enter()
        self.run = Run.live(self.active, sink)
        self.run.again, self.run.changes = self._again, self.active.changes
        if self._varies is None:  # a what-if is not the run that a user means by the last one
            remember(self.run)
        return self.run

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close everything that is open; the exception goes on."""
        if self._adopted:
            return
        if error is None and self.active.outermost is not None:
            _default_answer(self.run, self.active.outermost[0])
        try:
            self.active.end(_status(error), error)
        finally:
            self.active.leave(self._token)
            self._close_outer(error)

    def open(self) -> Run:
        """Open the run without making it current here, for an engine that places its own links."""
        self._apart = copy_context()
        return self._apart.run(self.__enter__)

    def close(self, status: str, error: BaseException | None = None) -> None:
        """End a run that `open` opened."""
        self.active.end(status, error)
        self._apart.run(self.__exit__, None if error is None else type(error), error, None)

    async def __aenter__(self) -> Run:
        """As ``__enter__``."""
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """As ``__exit__``."""
        self.__exit__(kind, error, trace)

    def _sink(self, run_id: str) -> FileSink | MemorySink:
        if self._folder is None:
            return MemorySink(run=run_id, name=self._name)
        path = Path(self._folder) / f"{safe_name(run_id)}.ek.jsonl"
        try:
            return FileSink(path, run=run_id, name=self._name)
        except WriteError as error:  # recording must never stop the code that it watches
            warnings.warn(
                f"Run {self._name!r:.60} is kept in memory: {error}", RuntimeWarning, stacklevel=4
            )
            return MemorySink(run=run_id, name=self._name)

    def _start(self, recorder: Recorder) -> None:
        fields: dict[str, Any] = {"versions": _versions(), "cell": current_cell()}
        if self._resumes is not None:
            fields["resumes"] = self._resumes
        fields |= self._varies or {}
        if self._code is not None:
            fields["code"] = self._code
        if self._arguments is not None:
            fields |= self._arguments.fields(recorder)
        if self._question is not None:
            fields["question"] = recorder.value(self._question)
        outer = CURRENT.get()
        if outer is not None and not outer.run.ended:
            spec = LinkSpec(_nested, kind="run", name=self._name, uses=(), deterministic=False)
            self._outer = (outer.run, open_link(spec, outer, (), {"run": recorder.run}))
            fields["parent"] = outer.run.id
        self.active.start(**fields)

    def _close_outer(self, error: BaseException | None) -> None:
        if self._outer is None:
            return
        outer, seq = self._outer
        state = self.active.answers.get("answer")
        fields: dict[str, Any] = {}
        try:
            if state is not None:
                fields["output"] = outer.recorder.value(state.value)
                outer.outputs[fields["output"].encode()] = outer.recorder.seq
            if error is not None:
                fields["error"] = outer.recorder.value(error)
            close_with(outer, seq, _status(error), **fields)
        except Exception as fault:  # noqa: BLE001 - the outer run counts it
            outer.fault(fault)


def trace(
    name: str,
    *,
    to: str | os.PathLike[str] | None = None,
    question: str | None = None,
    secrets: Sequence[str] = (),
    redact: bool = True,
    clock: Clock = time.time_ns,
    run_id: str | None = None,
    strict: bool | None = None,
) -> Tracing:
    """Record a block as one run: ``with ek.trace("claim") as run:`` or ``async with``.

    Args:
        name: The run's name.
        to: Folder for the run's file, written as the run goes; ``EXPLAINKIT_RUNS`` when not
            given; without either the run is in memory until ``run.save(path)``.
        question: What was asked.
        secrets: Texts to redact wherever they appear, copies in base64 or URLs included.
        redact: Redact by name and shape (the default).
        clock: Gives nanoseconds since the epoch; give your own for reproducible records.
        run_id: The run's id; a time-ordered one is made when not given.
        strict: Raise explainkit's own faults instead of counting them.

    Returns:
        A context manager that gives the ``Run``.

    A folder that cannot be written is warned about, and the run is kept in memory.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello") as run:
        ...     _ = ek.answer("world")
        >>> run.answer
        'world'
    """
    return Tracing(
        name,
        to=to,
        question=question,
        secrets=secrets,
        redact=redact,
        clock=clock,
        run_id=run_id,
        strict=strict,
    )


def traced(
    name: str | Callable[..., Any] | None = None,
    *,
    to: str | os.PathLike[str] | None = None,
    question: str | None = None,
    secrets: Sequence[str] = (),
    redact: bool = True,
    clock: Clock = time.time_ns,
) -> Any:
    """Record every call of a function as one run, with its arguments, so that it can be re-run.

    The run's answer is what ``ek.answer`` says, else the function's value.

    Args:
        name: The run's name; the function's name when not given.
        to: Folder for the run's file, as for ``trace``.
        question: Name of the parameter that holds the question; the only text argument, else the
            last user message, when not given.
        secrets: As for ``trace``.
        redact: As for ``trace``.
        clock: As for ``trace``.

    Returns:
        The decorated function or coroutine function; its value is never changed.

    Raises:
        TypeError: What is decorated is a generator or no function.

    Example:
        >>> import explainkit as ek
        >>> @ek.traced("greeting")
        ... def greet(who: str) -> str:
        ...     return f"hello {who}"
        >>> greet("world"), ek.last().answer
        ('hello world', 'hello world')
    """
    if callable(name):
        return traced()(name)
    settings = {"to": to, "secrets": secrets, "redact": redact, "clock": clock}

    def decorate(fn: Callable[P, R]) -> Callable[P, R]:
        return _traced(fn, name or fn.__name__, question, settings)

    return decorate


def _traced(
    fn: Callable[P, R], name: str, question: str | None, settings: dict[str, Any]
) -> Callable[P, R]:
    if inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn) or not callable(fn):
        raise TypeError(
            f"@traced decorates a function that returns; {fn!r:.60} does not. "
            "Put `with ek.trace(...)` around the loop that reads the generator."
        )
    code = code_hash(fn)
    definition = definition_of(fn, code)
    # At the first call, because the globals may stand below the function.
    untracked = functools.cache(lambda: untracked_sources(fn))
    reads = MethodReads(fn) if is_method(fn, first_parameters(fn)) else None

    def opened(args: Any, kwargs: Any) -> Tracing:
        arguments = arguments_of(
            fn,
            args,
            kwargs,
            question=question,
            code=code,
            untracked=list(reads.of(args[0])) if reads is not None and args else untracked(),
            definition=definition,
        )
        kept = {key: settings[key] for key in ("secrets", "redact")}
        again = Again(fn, args, kwargs, kept)
        return Tracing(name, arguments=arguments, again=again, **settings)

    @functools.wraps(fn)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        with opened(args, kwargs) as run:
            result = fn(*args, **kwargs)
            _default_answer(run, result)
        return result

    @functools.wraps(fn)
    async def async_wrapper(*args: P.args, **kwargs: P.kwargs) -> Any:
        async with opened(args, kwargs) as run:
            result = await fn(*args, **kwargs)  # type: ignore[misc]
            _default_answer(run, result)
        return result

    made = async_wrapper if inspect.iscoroutinefunction(fn) else wrapper
    mark_traced(made)
    return made  # type: ignore[return-value]


def _default_answer(run: Run, result: object) -> None:
    active = run.active
    if active is not None and "answer" not in active.answers:
        open_answer(Frame(active), result, slot="answer", via="return", origins={})


def _status(error: BaseException | None) -> str:
    if error is None:
        return "answered"
    stopped = (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit, SystemExit)
    return "cancelled" if issubclass(type(error), stopped) else "error"


@functools.cache
def _versions() -> dict[str, str]:
    try:
        own = version("explainkit-jupyter")
    except PackageNotFoundError:
        own = "source"
    return {"explainkit": own, "python": platform.python_version()}


def _nested(run: str) -> None:
    """Stands for a nested run in the outer run's record."""
