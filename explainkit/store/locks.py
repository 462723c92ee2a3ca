"""Locks that the system drops with the process that held them, so none can ever be stale."""

import os

try:
    import fcntl

    _LOCKS = True
except ImportError:  # a system without flock: a second writer is not noticed there
    _LOCKS = False


def try_lock(file: int) -> bool:
    """Take the exclusive lock of an open file; False when somebody else holds it."""
    if not _LOCKS:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def wait_for_lock(file: int) -> None:
    """Take the exclusive lock of an open file, after whoever holds it now."""
    if _LOCKS:
        fcntl.flock(file, fcntl.LOCK_EX)


def is_being_written(path: str | os.PathLike[str]) -> bool:
    """Whether a writer holds the file's lock at this moment."""
    if not _LOCKS:
        return False
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False
