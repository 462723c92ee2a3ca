"""Links that ran with other code than the one that was recorded: it is another program."""

from explainkit.safety import shorten
from explainkit.tracing.decorated import functions_named
from explainkit.whatif.continuing import codes_of, recorded_codes
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.rerunning import Origin, Rerun


def mended_links(origin: Origin, done: Rerun) -> list[str]:
    """Names of links whose code is not the recorded one.

    Args:
        origin: The run.
        done: A re-run of it.
    """
    recorded = recorded_codes(origin.recorded.points)
    return [name for name, code in codes_of(done).items() if recorded.get(name, code) != code]


def other_program(origin: Origin, done: Rerun) -> str | None:
    """Why re-runs of a run that was loaded tell of other code; None where they do not.

    Two functions may have one name: where the recorded one is there as well, it was not changed.

    Args:
        origin: The run.
        done: A re-run of it.
    """
    recorded = recorded_codes(origin.recorded.points)
    names = [n for n in mended_links(origin, done) if not functions_named(n, recorded[n])]
    if not names:
        return None
    told = listed([repr(shorten(name, 60)) for name in names])
    what = f"link {told}" if len(names) == 1 else f"links {told}"
    return (
        f"the code of {what} has changed since the run was recorded, so re-runs show something "
        "else. Record a new run, or give call= what shall run"
    )


def told_of_mended(origin: Origin, done: Rerun) -> str | None:
    """What a what-if says of links that were defined anew; None without such.

    Args:
        origin: The run.
        done: A re-run of it.
    """
    names = mended_links(origin, done)
    if not names:
        return None
    told = listed([repr(shorten(name, 60)) for name in names])
    which = f"link {told} has" if len(names) == 1 else f"links {told} have"
    return f"{which} other code now than when the run was recorded; this tells of the code of now"
