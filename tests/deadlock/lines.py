"""Whether reports can tell the lines of a program here."""

import contextlib
import ctypes
import os


def unknown():
    """Why not; None: they can."""
    with contextlib.suppress(OSError):
        if int(open("/proc/sys/kernel/yama/ptrace_scope").read()) > 1:
            return "this machine lets nobody look at a stack (yama)"
    try:
        ctypes.CDLL("libdw.so.1")
    except OSError:
        return "there is no libdw"
    return None if os.environ.get("UNISONO_LIBDW") == "1" else "built without libdw"
