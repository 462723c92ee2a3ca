"""Take a workspace away as a whole, and never anything outside of it."""

import asyncio
import os
import shutil
import stat
from pathlib import Path

from explainkit.errors import WorkspaceError
from explainkit.flow.workspaces.places import PREFIX, Provisioned
from explainkit.safety import shorten


async def tear_down(provisioned: Provisioned) -> None:
    """Remove a workspace with everything in it, read-only folders too.

    A symbolic link is removed, never followed. A workspace that is gone already is fine. A
    cancellation waits for the removal, so that nothing is left.

    Args:
        provisioned: The workspace.

    Raises:
        WorkspaceError: Its folder is none of a workspace, or something cannot be removed.
    """
    await removed(provisioned.path)


async def removed(root: Path) -> None:
    """Remove the folder of a workspace, as `tear_down` does."""
    removal = asyncio.ensure_future(asyncio.to_thread(_remove, root))
    try:
        await asyncio.shield(removal)
    except asyncio.CancelledError:
        await asyncio.wait({removal})
        raise


def _remove(root: Path) -> None:
    if not root.is_absolute() or not root.name.startswith(PREFIX) or root.is_symlink():
        raise WorkspaceError(
            f"{shorten(repr(str(root)), 160)} is no folder of a workspace, so it is not removed. "
            "Remove it by hand if it is to go."
        )
    shutil.rmtree(root, ignore_errors=True)
    if os.path.lexists(root):  # a folder that may not be written keeps what is in it
        _make_writable(root)
        try:
            shutil.rmtree(root)
        except FileNotFoundError:
            return
        except OSError as error:
            raise WorkspaceError(
                f"The workspace {shorten(repr(str(root)), 160)} could not be removed: "
                f"{error.strerror}. End what still works in it, and remove it by hand."
            ) from error


def _make_writable(root: Path) -> None:
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            if not stat.S_ISDIR(folder.lstat().st_mode):
                continue
            folder.chmod(stat.S_IRWXU)
            waiting += [Path(entry) for entry in os.scandir(folder) if _is_own_folder(entry)]
        except OSError:
            continue  # the removal that follows tells what it was


def _is_own_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)
