"""Of a recording whose program is elsewhere: that nothing can be run again, and what would help."""

from typing import TYPE_CHECKING, Final

from explainkit.whatif.named_functions import function_at

if TYPE_CHECKING:
    from explainkit.session.asking import AskedRun

IMPORTED: Final = (
    "This is a recording of somebody else's program, read from the file of another tool: the "
    "program is not here.\nIn code, run.whatif(model=...) asks a model of yours in the place of "
    "its last one."
)
LOADED: Final = "This is a recording whose program is not here."
BLOCK: Final = (
    "It was a block of code. Where you have it, put it into a function with @ek.traced and record "
    "it anew, or open run.explore(call=...) with a function that makes the run again."
)


def program_away(run: "AskedRun", refusal: str) -> str:
    """Why a run cannot be run again, for a person; the given words where its program is here.

    Args:
        run: The run.
        refusal: Why the engine refuses to run it again.
    """
    started = next(run.recording.rows("run_started"), {})
    if not run.is_loaded or started.get("origin"):
        return refusal
    if started.get("source"):
        return IMPORTED
    path = started.get("callable")
    if not path:
        return f"{LOADED}\n{BLOCK}"
    return f"{LOADED}\n{refusal}" if function_at(str(path)) is None else refusal
