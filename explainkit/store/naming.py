"""How the files of a run are named, so that notes are found beside it."""

from pathlib import Path

SUFFIX = ".ek.jsonl"
NOTES_SUFFIX = ".notes.ek.jsonl"


def notes_path(path: Path) -> Path:
    """The notes file of a run file.

    Example:
        >>> notes_path(Path("claim.ek.jsonl")).name
        'claim.notes.ek.jsonl'
    """
    return path.with_name(path.name.removesuffix(SUFFIX) + NOTES_SUFFIX)
