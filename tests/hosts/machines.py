"""Helpers of the tests of jobs on several machines."""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "launch"))

import launcher  # noqa: E402, F401
from launcher import UNISONO, Mark, children, launcher_processes, name_of, program, shared_files, to_end  # noqa: E402, F401
from patience import HANGS  # noqa: E402

RSH = os.environ["UNISONO_RSH"]
RANK = "OMPI_COMM_WORLD_RANK"


def options(hosts, arguments):
    return [UNISONO, "run", "--rsh", RSH, "--hosts", hosts, *map(str, arguments)]


def run(hosts, *arguments, **settings):
    """Run a job on these hosts to its end; standard output and error as text. Settings of subprocess.run; those of the
    environment are added to this one's."""
    settings.setdefault("stdin", None if "input" in settings else subprocess.DEVNULL)
    settings["env"] = {**os.environ, **settings.get("env", {})}
    return subprocess.run(options(hosts, arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=HANGS, check=False, **settings)


def start(hosts, *arguments, **settings):
    for name, value in (("stdin", subprocess.DEVNULL), ("stdout", subprocess.PIPE), ("stderr", subprocess.PIPE)):
        settings.setdefault(name, value)
    settings["env"] = {**os.environ, **settings.get("env", {})}
    return subprocess.Popen(options(hosts, arguments), text=True, **settings)


def strangers(n):
    """Return the expected standard error if all have ended well, and none was a PE."""
    return f"unisono run: none of the {n} processes has checked in: each has run by itself\n"


def agents(coordinator):
    """The agents of a job, as the coordinator has started them, in the order of their nodes."""
    return [c for c in children(launcher_processes(coordinator.pid)[-1]) if re.match("unisono|sh", name_of(c) or "")]
