"""Helpers of the launcher's tests: running it, and finding what it left behind."""

import contextlib
import json
import os
import subprocess
import uuid

from patience import HANGS, until

UNISONO = os.environ["UNISONO"]
PROGRAMS = os.environ["UNISONO_PROGRAMS"]


def program(name):
    return os.path.join(PROGRAMS, name)


def run(*arguments, **options):
    """Run unisono ARGUMENTS to its end; standard output and error as text."""
    options.setdefault("stdin", None if "input" in options else subprocess.DEVNULL)
    return subprocess.run([UNISONO, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=HANGS, **options)


def start(*arguments, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([UNISONO, *map(str, arguments)], text=True, **options)


def to_end(p):
    """Return the rest of its standard output and error."""
    return p.communicate(timeout=HANGS)


def marked(mark):
    """The processes with this mark in their environment, and not yet dead."""
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and mark.encode() in open(f"/proc/{name}/environ", "rb").read():
                state = open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()[0]
                if state not in "ZX":
                    found.append(int(name))
    return found


def children(pid):
    """Return the children of this process, or none if it has ended."""
    with contextlib.suppress(OSError):
        return [int(c) for c in open(f"/proc/{pid}/task/{pid}/children").read().split()]
    return []


def parent(pid):
    return int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])


def name_of(pid):
    with contextlib.suppress(OSError):
        return open(f"/proc/{pid}/comm").read()
    return None


def launcher_processes(command):
    """Return the command itself, its guard, and the launcher, as far as they have started."""
    chain = [command]
    for _ in range(2):
        # the command may have other children, inherited by exec
        chain += [c for c in children(chain[-1]) if name_of(c) == name_of(command)][:1]
    return chain


def settled(p, *wanted, operations=()):
    """The job of p, once its PEs are in these states, and as far as given in these operations: a PE that is not run for
    long may still be in one that is complete."""
    job = []

    def reached():
        r = run("ps", "--json", p.pid)
        job[:] = json.loads(r.stdout) if r.returncode == 0 else []
        return job and [pe["state"] for pe in job[0]["pe"]] == list(wanted) and all(
            pe["seconds"] for pe in job[0]["pe"] if pe["state"] == "waiting") and all(
            (pe["operation"], pe["group"]) == now for pe, now in zip(job[0]["pe"], operations))

    assert until(reached), job
    return job[0]


def strangers(n):
    """Return the expected standard error if all have ended well, and none was a PE."""
    return f"unisono run: none of the {n} processes has checked in: each has run by itself\n"


class Mark:
    """An environment that marks every process below, whichever process starts it."""

    def __init__(self):
        self.text = "UNISONO_TEST_MARK=" + uuid.uuid4().hex
        name, value = self.text.split("=")
        self.environment = {**os.environ, name: value}

    def processes(self):
        return marked(self.text)


def shared_files():
    return [name for name in os.listdir("/dev/shm") if "unisono" in name.lower()]
