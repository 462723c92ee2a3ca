"""Whether a workspace is still there; not knowing is an answer of its own, and never a loss."""

import asyncio
import stat
from pathlib import Path

from explainkit.flow.workspaces.places import Provisioned

_PATIENCE = 5.0  # seconds until a disk that does not answer is unknown


async def probe(provisioned: Provisioned) -> bool | None:
    """Look whether the folders of a workspace are there.

    Args:
        provisioned: The workspace.

    Returns:
        True when all of them are, False when one is certainly gone or no folder any more, None
        when that cannot be known: a disk that does not answer, a folder that may not be read.
    """
    folders = (provisioned.path, *provisioned.repos.values())
    looked = asyncio.to_thread(lambda: [_is_folder(folder) for folder in folders])
    try:
        found = await asyncio.wait_for(looked, _PATIENCE)
    except TimeoutError:
        return None
    if False in found:
        return False
    return None if None in found else True


def _is_folder(path: Path) -> bool | None:
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return None
