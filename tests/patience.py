"""The time that tests wait on a machine that is busy with other tests and other programs."""

import os
import time

HANGS = 60  # seconds after which what should have ended, or come about, never will
SOON = 10  # seconds within which it happens, if what else it could wait for takes longer than HANGS
SLOW = 20 if os.environ.get("UNISONO_SANITIZE") else 1  # times as long as usual


def until(condition, seconds=HANGS):
    """Wait for the condition. Whether it came true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def check_seconds(most, once):
    """That `once`, which returns how long something took, has it within so many seconds. The least of ten counts, as
    far as they are needed."""
    times = [once()]
    while min(times) >= most * SLOW and len(times) < 10:
        times.append(once())
    assert min(times) < most * SLOW, times
