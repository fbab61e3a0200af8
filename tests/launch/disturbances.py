"""Random disturbances of random jobs, each with the check of its consequences. A disturbance is a function of a
random.Random that returns a Result, or raises an AssertionError that describes the fault."""

import contextlib
import functools
import glob
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections import namedtuple

from launcher import UNISONO, Mark, launcher_processes, program, shared_files, start
from patience import HANGS, until

# The outcome of a disturbance, in words; and the seconds that the job took to end after it.
Result = namedtuple("Result", "outcome seconds")

GRACE = 0.45  # for so long, and a little more, the launcher lets those speak that communicate
NOBODY = 65534
SPEAKERS = 8  # that say who failed; the others are counted
STARVE = os.environ.get("UNISONO_STARVE_LIBRARY")
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


# ---- kills and stops -----------------------------------------------------------------------------------------


def kill(chance, n=None, make=Job.chaos, long=60000, computes=False):
    """computes: the PEs do more than communicate."""
    n = n or some_pes(chance)
    job = make(chance, n, long).await_processes()
    victims = chance.sample(range(n), chance.choice([1, 1, 1, chance.randint(1, n)]))
    time.sleep(some_time(chance))
    job.kill(chance, victims)
    status, out, err, took = job.end()
    assert (status, out) == (137, ""), (status, out, err)
    # one killed later may have ended before, with its message
    spoke = {int(k) for k in re.findall(r"^unisono: PE (\d+):", err, re.M)}
    check_survivors(n, [victims[0]] + [v for v in victims[1:] if v not in spoke], err, computes and took > GRACE)
    job.check_nothing_left()
    return Result("survivors name the dead", took)


def stop(chance, n=None, make=Job.chaos, short=100):
    n = n or some_pes(chance)
    job = make(chance, n, short).await_processes()
    for _ in range(chance.randint(1, 3)):
        time.sleep(chance.uniform(0, 0.03))
        pid = job.pids[chance.randrange(n)]
        try:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(chance.choice([0, chance.uniform(0, 0.03)]))
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            break  # it has done its work
    status, out, err, took = job.end()
    check_right(n, status, out, err)
    job.check_nothing_left()
    return Result("all right", took)


def stop_until_timeout(chance):
    """A PE that stays stopped: the report names it, and the timeout ends the job."""
    n = chance.randint(2, 16)
    job = Job.chaos(chance, n, 60000, options=["--timeout", round(chance.uniform(0.5, 0.8), 3)]).await_processes()
    victim = chance.randrange(n)
    with contextlib.suppress(ProcessLookupError):  # not if the machine is so slow that the time is over
        os.kill(job.pids[victim], signal.SIGSTOP)
    status, out, err, took = job.end()
    assert status == 124, (status, err)
    assert "WRONG" not in err, err
    assert re.search(rf"^  PE {victim}: (stopped by a signal|not checked in|ended)", err, re.M), err
    job.check_nothing_left()
    return Result("timeout names the stopped PE", took)


# ---- messages ------------------------------------------------------------------------------------------------

MESSAGES = 15000  # of one round that ends by itself: 10 million and more in 10,000 rounds of all kinds


def messages(chance):
    """Random traffic, and a stop now and then."""
    return stop(chance, make=Job.courier, short=MESSAGES)


def kill_messages(chance):
    return kill(chance, make=Job.courier, long=10**9)


# ---- MPI programs --------------------------------------------------------------------------------------------


def some_ranks(chance):
    """Draw a number of ranks, from one on: a rank alone has collectives and messages, too."""
    return chance.choice([1, 33, 64] + [chance.randint(2, 16)] * 17)


def mpi(chance, n=None):
    """Random calls of the MPI library, in each of which ranks wait, and a stop now and then."""
    n = n or some_ranks(chance)
    return stop(chance, n, make=Job.mpi, short=20 if n <= 16 else 4)


def kill_mpi(chance, n=None):
    return kill(chance, n or some_ranks(chance), make=Job.mpi, long=10**9, computes=True)


def threads(chance, n=None):
    """The same by several threads of each rank."""
    n = n or chance.randint(1, 8)
    return stop(chance, n, make=Job.threads, short=10)


def kill_threads(chance, n=None):
    return kill(chance, n or chance.randint(1, 8), make=Job.threads, long=10**9, computes=True)


# ---- slow PEs ------------------------------------------------------------------------------------------------


def slow(chance):
    """PEs that hardly run for a while: idle, in batches, crowded on one processor, beside busy loops."""
    n = some_pes(chance)
    processors = os.sched_getaffinity(0)
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(chance.randint(0, 3))]
    try:
        job = Job.chaos(chance, n, 100).await_processes()
        for _ in range(chance.randint(1, 6)):
            pid = job.pids[chance.randrange(n)]
            how = chance.choice([os.SCHED_IDLE, os.SCHED_BATCH, "crowd"])
            with contextlib.suppress(ProcessLookupError):
                if how == "crowd":
                    os.sched_setaffinity(pid, {chance.choice(sorted(processors))})
                else:
                    os.sched_setscheduler(pid, how, os.sched_param(0))
            time.sleep(chance.uniform(0, 0.1))
    finally:
        for loop in busy:
            loop.kill()
            loop.wait()
    for pid in job.pids.values():
        with contextlib.suppress(ProcessLookupError):
            os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0))
            os.sched_setaffinity(pid, processors)
    status, out, err, took = job.end()
    check_right(n, status, out, err)
    job.check_nothing_left()
    return Result("all right", took)


# ---- too little memory, files, processes ---------------------------------------------------------------------


def end_in_want(job, n):
    """The job either did its work, or was refused with a message; nothing in between."""
    status, out, err, took = job.end()
    job.check_nothing_left()
    if status == 0:
        assert out.count("done\n") == n and err == "", (out, err)
        return Result("all right", took)
    check_refusal(status, err)
    return Result("refused, with a message", took)


def limiter(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


@functools.lru_cache(maxsize=None)
def least_to_load(kind, expected, *command):
    """Bytes with which the system can load a program; with fewer, it ends before any of its own code."""
    low, high = 0, 1 << 30
    while high - low > 4096:
        middle = (low + high) // 2
        if subprocess.run(command, preexec_fn=limiter(kind, middle), stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == expected:
            high = middle
        else:
            low = middle
    return high


def address_space(chance):
    return memory(chance, resource.RLIMIT_AS, "-v")


def data_segment(chance):
    return memory(chance, resource.RLIMIT_DATA, "-d")


def memory(chance, kind, option):
    """Limit the memory of the launcher and its children, or of the PEs only."""
    n = chance.randint(1, 16)
    more = int(10 ** chance.uniform(3, 6.5))
    if chance.random() < 0.5:
        limit = limiter(kind, least_to_load(kind, 0, UNISONO, "--version") + more)
        return end_in_want(Job.chaos(chance, n, 30, preexec_fn=limit), n)
    chaos = program("chaos")
    kilobytes = (least_to_load(kind, 2, chaos) + more) // 1024
    limited = f'unset LD_PRELOAD; ulimit {option} {kilobytes} && exec "$0" "$@"' # what a shell's programs load besides takes more
    return end_in_want(Job(n, "sh", "-c", limited, chaos, chance.getrandbits(63), 30), n)


def open_files(chance):
    n = chance.randint(1, 16)
    limit = chance.randint(4, 2 * n + 40)
    return end_in_want(Job.chaos(chance, n, 30, preexec_fn=limiter(resource.RLIMIT_NOFILE, limit)), n)


def processes(chance):
    """The limit is for a user, and root has none."""
    n = chance.randint(1, 16)
    limit = limiter(resource.RLIMIT_NPROC, chance.randint(1, n + 4))
    return end_in_want(Job.chaos(chance, n, 30, preexec_fn=limit, user=NOBODY, group=NOBODY), n)


def starve(chance):
    """Let one or some calls for memory, files or processes fail, in the launcher or in one PE."""
    n = chance.randint(1, 8)
    who = chance.choice([-1, chance.randrange(n)])
    calls = f"{who},{chance.randint(1, 150 if who < 0 else 6)},{chance.choice([1, 1, 3, 1000000])}"
    job = Job.chaos(chance, n, 30, environment={"LD_PRELOAD": STARVE, "UNISONO_STARVE": calls})
    return end_in_want(job, n)


# ---- the launcher, and the reader of its output --------------------------------------------------------------


def kill_launcher(chance):
    """Kill some of its three processes, in any order, at any moment; also while the PEs are being started."""
    n = some_pes(chance)
    job = Job.chaos(chance, n, 60000)
    if chance.random() < 0.5:
        job.await_processes()
        time.sleep(some_time(chance))
    else:
        time.sleep(chance.uniform(0, 0.02))
    there = launcher_processes(job.p.pid)
    for pid in chance.sample(there, chance.randint(1, len(there))):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    status, _, err, took = job.end()
    assert status in (-9, 137), (status, err)
    job.check_nothing_left()
    return Result("all ended", took)


def heed_signals():
    """Restore the default signals: a process that a shell started in the background ignores SIGINT, and so would the
    launcher."""
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        signal.signal(number, signal.SIG_DFL)


def signal_launcher(chance):
    n = some_pes(chance)
    job = Job.chaos(chance, n, 60000, preexec_fn=heed_signals).await_processes()
    for _ in range(chance.randint(0, 3)):
        job.p.send_signal(signal.SIGUSR1)
        time.sleep(chance.uniform(0, 0.01))
    time.sleep(some_time(chance))
    number = chance.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    job.p.send_signal(number)
    status, out, err, took = job.end()
    assert (status, out) == (-number, ""), (status, out, err)
    assert err.splitlines()[-1].startswith(f"unisono run: ended by signal {number} "), err
    assert not CRASH.search(err) and "WRONG" not in err, err
    job.check_nothing_left()
    return Result("ended by the signal", took)


def slow_reader(chance):
    """The reader of the output stops for a while: every line arrives, and whole."""
    n, count, length = chance.randint(1, 16), chance.randint(1, 2000), chance.randint(1, 300)
    job = Job(n, program("lines"), count, length, stderr=subprocess.STDOUT)
    began = time.monotonic()
    for _ in range(chance.randint(1, 3)):
        time.sleep(chance.uniform(0, 0.1))
        job.read(chance.randint(1, 100000))
    status, out, _, _ = job.end()
    lines = out.splitlines()
    assert status == 0, (status, lines[-3:])
    for k in range(n):
        assert lines.count(chr(ord("A") + k) * length) == count, (k, count, length)
    assert len(lines) == n * count
    job.check_nothing_left()
    return Result("all lines", time.monotonic() - began)


def reader_leaves(chance):
    n, count, length = chance.randint(1, 16), chance.randint(1, 2000), chance.randint(1, 300)
    job = Job(n, program("lines"), count, length)
    job.read(chance.randint(1, 10000))
    time.sleep(chance.uniform(0, 0.02))
    job.p.stdout.close()
    job.p.stdout = None
    status, _, err, took = job.end()
    lines = {line for line in err.splitlines() if not re.fullmatch(r"([A-P])\1*", line)}
    pipe = r"unisono run: (cannot write standard output: Broken pipe|PE \d+ (was killed by signal 13 .*))"
    told = rf"unisono: PE \d+: PE \d+ was killed by signal 13 .*|{pipe}"
    assert all(re.fullmatch(told, line) for line in lines), lines
    assert (status == 0) == (not lines) and status in (0, 1, 141), (status, lines)
    job.check_nothing_left()
    return Result("ended by the broken pipe" if status else "all written before", took)


DISTURBANCES = {
    "kill": kill,
    "stop": stop,
    "messages": messages,
    "kill-messages": kill_messages,
    "mpi": mpi,
    "kill-mpi": kill_mpi,
    "threads": threads,
    "kill-threads": kill_threads,
    "timeout": stop_until_timeout,
    "slow": slow,
    "address-space": address_space,
    "data-segment": data_segment,
    "open-files": open_files,
    "processes": processes,
    "starve": starve,
    "kill-launcher": kill_launcher,
    "signal-launcher": signal_launcher,
    "slow-reader": slow_reader,
    "reader-leaves": reader_leaves,
}


def impossible(name):
    """Return why this disturbance is not possible here; or None."""
    if name in ("mpi", "kill-mpi", "threads", "kill-threads") and not (MPI and os.path.exists(MPI)):
        return "the MPI library is not built"
    if name == "starve" and not STARVE:
        return "UNISONO_STARVE_LIBRARY is not set"
    if name == "processes":
        if os.geteuid() != 0:
            return "only root can become a user who has no other processes"
        try:
            subprocess.run([UNISONO, "--version"], user=NOBODY, group=NOBODY, stdout=subprocess.DEVNULL, check=True,
                           stderr=subprocess.DEVNULL)
        except (PermissionError, subprocess.CalledProcessError):
            return "the user nobody cannot read the build folder"
    return None
