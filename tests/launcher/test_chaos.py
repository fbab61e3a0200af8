"""kill -9, and kill -STOP and -CONT, of random PEs at random moments, while they run random operations whose
results they check.

UNISONO_CHAOS_ROUNDS: how many rounds (200). UNISONO_CHAOS_SEED: the seed of the random choices, which a failure
shows (the time)."""

import os
import random
import signal
import time

from launcher import Mark, program, shared_files, start, until

ROUNDS = int(os.environ.get("UNISONO_CHAOS_ROUNDS", 200))
SEED = int(os.environ.get("UNISONO_CHAOS_SEED", time.time_ns()))


def begin(chance, n, milliseconds):
    """A job, and the process of each PE as it came up, which may be before its p_init."""
    mark = Mark()
    p = start("run", "-n", n, program("chaos"), chance.getrandbits(63), milliseconds, env=mark.environment)
    said = [p.stdout.readline().split() for _ in range(n)]
    return mark, p, {int(job.split(",")[1]): int(pid) for job, pid in said}


def kill_one(chance):
    n = chance.randint(2, 9)
    mark, p, pids = begin(chance, n, 60000)
    victim = chance.randrange(n)
    time.sleep(chance.choice([0, chance.uniform(0, 0.01), chance.uniform(0, 0.15)]))
    os.kill(pids[victim], signal.SIGKILL)
    killed = time.monotonic()
    out, err = p.communicate(timeout=10)
    took = time.monotonic() - killed
    assert took < 1, (took, err)
    assert p.returncode == 137, err
    assert out == ""
    lines = err.splitlines()
    assert lines[-1] == f"unisono run: PE {victim} was killed by signal 9 (Killed)", err
    for k in set(range(n)) - {victim}:
        told = f"unisono: PE {k}: PE {victim} was killed by signal 9 (Killed); "
        assert sum(line.startswith(told) for line in lines) == 1, err
    assert len(lines) == n
    return mark


def stop_some(chance):
    n = chance.randint(2, 9)
    mark, p, pids = begin(chance, n, 100)
    for _ in range(chance.randint(1, 3)):
        time.sleep(chance.uniform(0, 0.03))
        pid = pids[chance.randrange(n)]
        try:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(chance.choice([0, chance.uniform(0, 0.03)]))
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            break  # it has done its work
    out, err = p.communicate(timeout=10)
    assert (p.returncode, out, err) == (0, "done\n" * n, "")
    return mark


def test_rounds():
    for number in range(ROUNDS):
        chance = random.Random(f"{SEED} {number}")
        try:
            mark = chance.choice([kill_one, stop_some])(chance)
            assert until(lambda: not mark.processes()), mark.processes()
            assert not shared_files()
        except BaseException:
            print(f"round {number}; replay with UNISONO_CHAOS_SEED={SEED}")
            raise
