"""A job that is disturbed, and what must be right of it afterwards."""

import contextlib
import glob
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import namedtuple

from launcher import Mark, program, shared_files, start
from patience import HANGS, until

# The outcome of a disturbance, in words; and the seconds that the job took to end after it.
Result = namedtuple("Result", "outcome seconds")

GRACE = 0.45  # for so long, and a little more, the launcher lets those speak that communicate
SPEAKERS = 8  # that say who failed; the others are counted
MPI = os.environ.get("UNISONO_MPI_RANDOM")

# The lines that may appear on standard error. The second alternative is from the system's loader, in a process without
# memory or files.
LINE = re.compile(r"unisono( run)?: |.*: error while loading shared libraries: |  PE \d+: |"
                  r"cannot allocate TLS data structures for initial thread$")
CRASH = re.compile(r"killed by signal (4|6|7|8|11) |signal (4|6|7|8|11) \(")


class Job:
    """A job of which every process is marked, and whose end is checked."""

    def __init__(self, n, *command, options=(), environment=None, **popen):
        self.n = n
        self.mark = Mark()
        self.memory = None
        self.folder = None
        self.pids = {}
        self.read_so_far = ""
        self.p = self.start(*options, *command, env={**self.mark.environment, **(environment or {})},
                       **popen)

    def start(self, *arguments, **popen):
        return start("run", "-n", self.n, *arguments, **popen)

    @classmethod
    def chaos(cls, chance, n, milliseconds, **options):
        """A job of random operations for so long, whose results the PEs check."""
        return cls(n, program("chaos"), chance.getrandbits(63), milliseconds, **options)

    @classmethod
    def courier(cls, chance, n, messages, **options):
        """A job of so many random messages, which the PEs check."""
        return cls(n, program("courier"), chance.getrandbits(63), messages, **options)

    @classmethod
    def mpi(cls, chance, n, rounds, *more, **options):
        """A job of so many rounds of random MPI calls on the MPI library, whose results the ranks check. Its files go
        into a folder of its own, which is removed with what killed ranks have left there. In some the kernel copies
        nothing between processes."""
        more += ("--refused", 1) if chance.randrange(3) == 0 else ()
        folder = tempfile.mkdtemp(prefix="unisono-mpi.")
        job = cls(n, MPI, "--seed", chance.getrandbits(63), "--rounds", rounds, "--tells", 1, "--folder", folder, *more,
                  **options)
        job.folder = folder
        return job

    @classmethod
    def threads(cls, chance, n, rounds, **options):
        """Such a job, of which each rank has several threads that do that."""
        return cls.mpi(chance, n, rounds, "--threads", chance.randint(1, 4), **options)

    def await_processes(self):
        """Wait until each PE has started, which may be before its p_init."""
        self.await_lines()
        *said, self.read_so_far = self.read_so_far.split("\n", self.n)
        said = [line.split() for line in said]
        self.pids = {int(job.split(",")[1]): int(pid) for job, pid in said}
        with contextlib.suppress(OSError):
            self.memory = os.stat(f"/proc/{self.pids[0]}/fd/{said[0][0].split(':')[0]}").st_ino
        return self

    def kill(self, chance, victims):
        """Kill these PEs, one soon after the other."""
        for victim in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pids[victim], signal.SIGKILL)
                time.sleep(chance.choice([0, 0, chance.uniform(0, 0.002)]))

    def await_lines(self):
        while self.read_so_far.count("\n") < self.n:
            assert self.read(4096), f"the output ended before all PEs had come up: {self.p.stderr.read()}"

    def read(self, most):
        """Read some of its output, past Python's buffers, which communicate() does not know of."""
        text = os.read(self.p.stdout.fileno(), most).decode()
        self.read_so_far += text
        return text

    def end(self):
        """Return its status, output and errors, and the seconds until it had ended."""
        began = time.monotonic()
        try:
            out, err = self.p.communicate(timeout=HANGS)
        except subprocess.TimeoutExpired:
            self.p.send_signal(signal.SIGUSR1)
            time.sleep(1)
            for pid in self.mark.processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            out, err = self.p.communicate()
            raise AssertionError(f"hangs; its output:\n{out[-2000:]}\nand errors:\n{err[-4000:]}") from None
        out = self.read_so_far + (out or "")
        return self.p.returncode, out, err, time.monotonic() - began

    def check_nothing_left(self):
        if self.folder:
            shutil.rmtree(self.folder)
        assert until(lambda: not self.mark.processes()), f"processes left: {self.mark.processes()}"
        assert not shared_files(), f"left in /dev/shm: {shared_files()}"
        # `unisono ps` in some other terminal may look at it for a moment
        assert until(lambda: not self.who_has_memory()), f"memory left: {self.who_has_memory()}"

    def who_has_memory(self):
        found = []
        for maps in glob.glob("/proc/[0-9]*/maps") if self.memory else ():
            with contextlib.suppress(OSError):
                if re.search(rf" {self.memory} +/memfd:unisono", open(maps).read()):
                    found.append(maps)
        return found


def check_right(n, status, out, err):
    assert (status, out, err) == (0, "done\n" * n, ""), (status, out, err)


def check_refusal(status, err):
    """Check that the job ended with an error, and reported it in lines of the known kinds."""
    assert status > 0, (status, err)
    lines = err.splitlines()
    strange = [line for line in lines if not LINE.match(line)]
    assert lines and not strange, (status, err)
    assert not CRASH.search(err), (status, err)
    assert "WRONG" not in err, err


def check_survivors(n, victims, err, computes=False):
    """Every PE but the victims names one of them, once, or if they are many, is counted; the last line too. computes:
    some have been busy with work of their own until the launcher ended them, and say nothing."""
    name = f"PE ({'|'.join(map(str, victims))}) was killed by signal 9 \\(Killed\\)"
    lines = err.splitlines()
    assert re.fullmatch("unisono run: " + name, lines[-1]), err
    more = re.fullmatch(r"unisono run: (\d+) more PEs have ended for the same reason", lines[-2]) if len(lines) > 1 else None
    counted = int(more[1]) if more else 0
    if more:
        del lines[-2]
    told = [re.match(rf"unisono: PE (\d+): {name}; ", line) for line in lines[:-1]]
    assert all(told), err
    speakers = [int(match[1]) for match in told]
    assert len(set(speakers)) == len(speakers), err
    silent = set(range(n)) - set(victims) - set(speakers)
    assert len(speakers) == SPEAKERS if counted else len(speakers) <= SPEAKERS, err
    # a victim that was killed later than the first may have been counted before
    assert computes or len(silent) <= counted < len(silent) + len(victims), (silent, err)


def some_pes(chance):
    return chance.choice([64] + [chance.randint(2, 16)] * 19)


def some_time(chance):
    """Draw a time, from the first steps of the PEs on."""
    return chance.choice([0, chance.uniform(0, 0.01), chance.uniform(0, 0.15)])


def heed_signals():
    """Restore the default signals: a process that a shell started in the background ignores SIGINT, and so would the
    launcher."""
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        signal.signal(number, signal.SIG_DFL)
