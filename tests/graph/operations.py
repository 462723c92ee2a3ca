"""Counts what a call does, because growth is tested by operations and never by time."""

import sys


def operations(act):
    """Number of Python and C functions that a call enters."""
    count = 0

    def profile(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count
