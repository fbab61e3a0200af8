"""Detects whether reports can name the lines of a program on this machine."""

import contextlib
import ctypes
import os


def unknown():
    """Return the reason why they cannot; None: they can."""
    with contextlib.suppress(OSError):
        if int(open("/proc/sys/kernel/yama/ptrace_scope").read()) > 1:
            return "this machine lets nobody look at a stack (yama)"
    try:
        ctypes.CDLL("libdw.so.1")
    except OSError:
        return "there is no libdw"
    return None if os.environ.get("UNISONO_LIBDW") == "1" else "built without libdw"
