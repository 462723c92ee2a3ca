"""Where a run that is resumed finds its workspace again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explainkit.errors import ResumeError
from explainkit.flow.driving.journals import exact_value, recording_of
from explainkit.flow.workspaces.places import Provisioned
from explainkit.safety import shorten
from explainkit.store.reader import Recording

MADE = "provision workspace"
_FORM = "explainkit workspace checkpoint 1"


def with_workspace(checkpoint: Any, place: Provisioned) -> dict[str, Any]:
    """The checkpoint of a machine together with its workspace, which stays."""
    return {"form": _FORM, "workspace": as_json(place), "body": checkpoint}


def found_in(resume: Any) -> Provisioned | None:
    """The workspace of a run that is resumed; None for a new run.

    Raises:
        ResumeError: Nothing tells where it was.
    """
    if resume is None:
        return None
    if isinstance(resume, Mapping):
        if resume.get("form") != _FORM:
            raise ResumeError(
                f"{shorten(repr(resume), 80)} is no checkpoint of a workspace. Give back what "
                "`Paused.checkpoint` holds."
            )
        return from_json(resume["workspace"])
    return _recorded(recording_of(resume))


def body_of(resume: Any) -> Any:
    """What the machine inside is resumed from."""
    return resume["body"] if isinstance(resume, Mapping) else resume


def as_json(place: Provisioned) -> dict[str, Any]:
    """A workspace as plain JSON."""
    return {
        "path": str(place.path),
        "repos": {name: str(folder) for name, folder in place.repos.items()},
        "branch": place.branch,
    }


def from_json(written: Any) -> Provisioned:
    """A workspace of plain JSON.

    Raises:
        ResumeError: It is none.
    """
    try:
        repos = {name: Path(folder) for name, folder in written["repos"].items()}
        return Provisioned(Path(written["path"]), repos, written["branch"])
    except (KeyError, TypeError, AttributeError) as problem:
        raise ResumeError(f"The checkpoint of the workspace is damaged: {problem!r}.") from problem


def _recorded(recording: Recording) -> Provisioned:
    made = {row["seq"] for row in recording.rows("link_opened") if row.get("name") == MADE}
    for row in recording.rows("link_closed"):
        if row["link"] in made and row.get("output"):
            return from_json(exact_value(recording, row["output"], "the workspace"))
    raise ResumeError(
        f'The run "{shorten(recording.name, 80)}" ended before it had a workspace. Run it again.'
    )
