"""One program of a test suite under one MPI library, alone or accelerated: how it ended, and what was accelerated."""

import json
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from hosts import ROOT, end

UNISONO = ROOT / "build" / "bin" / "unisono"
TAIL = 1500  # characters of a failed run's output that the report keeps


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


def communicate(process, seconds):
    """What the program wrote, and whether it ended within the time."""
    try:
        return process.communicate(timeout=seconds)[0], True
    except subprocess.TimeoutExpired:
        end(process)
        return process.communicate()[0], False
    except BaseException:
        end(process)
        raise


def counts(profile):
    """(collectives, accelerated ones), each counted once; None where rank 0 wrote no profile."""
    if not profile.exists() or not profile.stat().st_size:
        return None
    rows = json.loads(profile.read_text())["collectives"]
    return sum(row["operations"] for row in rows), sum(row["accelerated"] for row in rows)


def without_folders(text):
    """Files by their names alone: where they lie on this machine is nobody's business who reads the report."""
    return re.sub(r"(?<![\w.])(?:/[^\s/:;,()\[\]\"']+)+/", "", text)


def run(case, accelerated, seconds):
    """{"end": passed, failed or limit; "seconds", "failures", "output" if not passed; "operations", "accelerated"}"""
    command, environment = case.host.command(case.ranks, case.program)
    environment.update(case.environment)
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile"
        if accelerated:
            command = [str(UNISONO), "mpi", f"--profile={profile}", "--", *command]
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", env=environment, start_new_session=True,
                                   stdin=subprocess.DEVNULL)
        output, ended = communicate(process, seconds)
        taken = time.monotonic() - start
        found = counts(profile) if accelerated else None
    failures = case.judge(process.returncode, output) if ended else []
    result = {"end": "limit" if not ended else "failed" if failures else "passed", "seconds": round(taken, 2)}
    if result["end"] != "passed":
        result["output"] = without_folders(output)[-TAIL:]
    if failures:
        result["failures"] = failures
    if accelerated:
        result["operations"], result["accelerated"] = found or (0, 0)
    return result
