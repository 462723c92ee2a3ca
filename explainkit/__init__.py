"""The public surface of explainkit: everything that a user imports, loaded when first used."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from explainkit.openers import (
    set_answer_presenter,
    set_chart_display,
    set_run_holder,
    set_run_opener,
    set_turn_presenter,
)

if TYPE_CHECKING:
    from explainkit.adapters.clients import instrument, uninstrument
    from explainkit.errors import (
        ExplainkitError,
        InterventionError,
        ManyRunsError,
        MissingExtraError,
        NoAnswerError,
        NoRunError,
        ReadError,
        RerunError,
        SpanNotFoundError,
        TemplateError,
        UnknownRecordError,
        WriteError,
    )
    from explainkit.session import Run, last, load, load_all, runs, trace, traced
    from explainkit.session.backtracked import Backtrack
    from explainkit.session.bisections import Bisection
    from explainkit.session.cause_searches import CauseRoles, CauseShares
    from explainkit.session.choices import Choice
    from explainkit.session.diffs import Diff, diff
    from explainkit.session.explorer import Explorer
    from explainkit.session.smallest_searches import SmallestCause
    from explainkit.session.watching import watch
    from explainkit.session.whatifs import WhatIf
    from explainkit.tracing import (
        answer,
        assemble,
        context,
        event,
        left_out,
        link,
        override,
    )

_HOMES = {
    "explainkit.adapters.clients": ("instrument", "uninstrument"),
    "explainkit.errors": (
        "ExplainkitError",
        "InterventionError",
        "ManyRunsError",
        "MissingExtraError",
        "NoAnswerError",
        "NoRunError",
        "ReadError",
        "RerunError",
        "SpanNotFoundError",
        "TemplateError",
        "UnknownRecordError",
        "WriteError",
    ),
    "explainkit.session": ("Run", "last", "load", "load_all", "runs", "trace", "traced"),
    "explainkit.session.backtracked": ("Backtrack",),
    "explainkit.session.bisections": ("Bisection",),
    "explainkit.session.cause_searches": ("CauseRoles", "CauseShares"),
    "explainkit.session.smallest_searches": ("SmallestCause",),
    "explainkit.session.choices": ("Choice",),
    "explainkit.session.watching": ("watch",),
    "explainkit.session.diffs": ("Diff", "diff"),
    "explainkit.session.explorer": ("Explorer",),
    "explainkit.session.whatifs": ("WhatIf",),
    "explainkit.tracing": (
        "answer",
        "assemble",
        "context",
        "event",
        "left_out",
        "link",
        "override",
    ),
}
_OF_A_RUN = (
    "backtrack", "bisect", "choice", "explore", "graph", "prompt", "smallest_cause", "story",
    "to_html", "to_pytest", "verdict", "whatif",
)  # fmt: skip
"""What somebody may look for here and finds at a run."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name == "__version__":
        return _version()
    home = _HOME_OF.get(name)
    if home is None:
        asked = f"; ask a run: run.{name}(...)" if name in _OF_A_RUN else ""
        raise AttributeError(f"explainkit has no attribute {name!r}{asked}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    if home != "explainkit.errors":
        _tell_cells()
    return value


def _version() -> str:
    """The installed version; of a folder of sources that was never installed, ``source``."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("explainkit-jupyter")
    except PackageNotFoundError:
        return "source"


def _tell_cells() -> None:
    """In a notebook, tell the tracer which cell runs; elsewhere nothing is imported."""
    if "IPython" in sys.modules:
        from explainkit.magics.cells import cell_of_file, running_cell
        from explainkit.tracing.cells import set_cell_provider

        set_cell_provider(running_cell, cell_of_file)


def load_ipython_extension(shell: Any) -> None:
    """Add `%%trace` and `%backtrack` to a shell: what `%load_ext explainkit` calls."""
    from explainkit.magics.extension import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Take them out again: what `%unload_ext explainkit` calls."""
    from explainkit.magics.extension import unload

    unload(shell)


def _open_run(name: str, **settings: Any) -> Any:
    """Open a run for a runner that starts outside of any; only then is a session needed."""
    from explainkit.session.running import Tracing

    return Tracing(name, **settings)


def _hold_run(recording: Any) -> Any:
    """Hand out a run that was recorded elsewhere; only then is a session needed."""
    from explainkit.session.run import Run

    return Run.loaded(recording)


def _chart_html(doc: Any) -> str:
    """Show a machine in a notebook; only then is a view needed."""
    from explainkit.session.showing import guarded_html
    from explainkit.view.chart_outline import html_of_chart

    return guarded_html(lambda: html_of_chart(doc))


def _answer_results(results: Any, **place: Any) -> Any:
    """Hand out the results of an answer flow; only then is a session needed."""
    from explainkit.session.answer_results import results_of

    return results_of(results, **place)


def _chat_turn(turn: Any) -> Any:
    """Hand out a turn of a chat; only then is a session needed."""
    from explainkit.session.chat_turns import ChatTurn

    return ChatTurn(turn)


set_run_opener(_open_run)
set_run_holder(_hold_run)
set_chart_display(_chart_html)
set_answer_presenter(_answer_results)
set_turn_presenter(_chat_turn)


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Backtrack",
    "Bisection",
    "CauseRoles",
    "CauseShares",
    "Choice",
    "Diff",
    "ExplainkitError",
    "Explorer",
    "InterventionError",
    "ManyRunsError",
    "MissingExtraError",
    "NoAnswerError",
    "NoRunError",
    "ReadError",
    "RerunError",
    "Run",
    "SmallestCause",
    "SpanNotFoundError",
    "TemplateError",
    "UnknownRecordError",
    "WhatIf",
    "WriteError",
    "answer",
    "assemble",
    "context",
    "diff",
    "event",
    "instrument",
    "last",
    "left_out",
    "link",
    "load",
    "load_all",
    "override",
    "runs",
    "trace",
    "traced",
    "uninstrument",
    "watch",
]
