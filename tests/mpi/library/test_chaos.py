"""kill -9, and kill -STOP and -CONT, of random ranks at random moments of random MPI programs whose results they check:
script/soak's kinds of MPI, some rounds of them.

UNISONO_CHAOS_ROUNDS: how many rounds. UNISONO_CHAOS_SEED: the seed of the random choices, which a failure shows (the
time)."""

import os
import random
import time

import pytest
from disturbances import kill_mpi, kill_threads, mpi, threads

ROUNDS = int(os.environ.get("UNISONO_CHAOS_ROUNDS", 8))
SEED = int(os.environ.get("UNISONO_CHAOS_SEED", time.time_ns()))


@pytest.mark.parametrize("disturb, share", [(mpi, 1), (kill_mpi, 1), (threads, 0.5), (kill_threads, 0.5)])
def test_rounds(disturb, share):
    for number in range(int(ROUNDS * share)):
        chance = random.Random(f"{SEED} {number}")
        try:
            disturb(chance, chance.randint(2, 9))
        except BaseException:
            print(f"round {number}; replay with UNISONO_CHAOS_SEED={SEED}")
            raise


@pytest.mark.parametrize("disturb", [mpi, kill_mpi])
@pytest.mark.parametrize("ranks", [1, 33])
def test_sizes(disturb, ranks):
    """A rank alone, and many more of them than processors."""
    disturb(random.Random(SEED), ranks)
