"""Random disturbances of random jobs, each with the check of its consequences. A disturbance is a function of a
random.Random that returns a Result, or raises an AssertionError that describes the fault."""

import contextlib
import functools
import os
import re
import resource
import signal
import subprocess
import time

from disturbed import (CRASH, GRACE, MPI, Job, Result, check_refusal, check_right, check_survivors, heed_signals, some_pes,
                       some_time)
from launcher import UNISONO, launcher_processes, program

NOBODY = 65534
STARVE = os.environ.get("UNISONO_STARVE_LIBRARY")


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
