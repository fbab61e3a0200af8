"""One run of a program of a test suite, and how it ended."""

import re
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from hosts import ROOT, end

TAIL = 1500  # characters of a failed run's output that the report keeps

running = set()  # the processes that have been started and have not ended
stopped = threading.Event()  # nothing more is started


class Stopped(Exception):
    pass


@dataclass
class Case:
    suite: str
    host: object
    ranks: int
    name: str
    program: list
    judge: Callable  # (exit status, output) -> the names of what failed; [] is passed
    environment: dict = field(default_factory=dict)
    seconds: int = 0  # the suite's own limit; 0: none
    folder: Path = ROOT  # in which it runs


def communicate(process, seconds):
    """Return the program's output, and whether it ended within the time."""
    try:
        return process.communicate(timeout=seconds)[0], True
    except subprocess.TimeoutExpired:
        end(process)
        return process.communicate()[0], False
    except BaseException:
        end(process)
        raise


def end_all():
    """Stop all cases, which end with Stopped. Called by the thread that has other threads run them."""
    stopped.set()
    for process in list(running):
        if process.poll() is None:
            end(process)


def without_folders(text):
    """Reduce files to their names alone: a reader of the report need not know where they lie on this machine."""
    return re.sub(r"(?<![\w.])(?:/[^\s/:;,()\[\]\"']+)+/", "", text)


def run(case, command, environment, seconds):
    """{"end": passed, failed or limit; "seconds", "failures", "output" if not passed}"""
    if stopped.is_set():
        raise Stopped
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", env={**environment, **case.environment}, start_new_session=True,
                               stdin=subprocess.DEVNULL, cwd=case.folder)
    running.add(process)
    try:
        output, ended = communicate(process, seconds)
    finally:
        running.discard(process)
    taken = time.monotonic() - start
    failures = case.judge(process.returncode, output) if ended else []
    result = {"end": "limit" if not ended else "failed" if failures else "passed", "seconds": round(taken, 2)}
    if result["end"] != "passed":
        result["output"] = without_folders(output)[-TAIL:]
    if failures:
        result["failures"] = failures
    return result
