"""Where a workspace is, told so that whatever works in it or takes it away means the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PREFIX = "explainkit-workspace-"
"""Beginning of the name of every workspace's folder; nothing else is ever removed."""


@dataclass(frozen=True, slots=True)
class Provisioned:
    """A workspace that is there.

    Attributes:
        path: Its folder.
        repos: Folder of each repository by name.
        branch: The branch that was checked out in each of them.
    """

    path: Path
    repos: Mapping[str, Path]
    branch: str
