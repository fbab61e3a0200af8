"""kill -9, and kill -STOP and -CONT, of random PEs at random moments, while they run random operations whose
results they check. script/soak has more kinds of disturbances.

UNISONO_CHAOS_ROUNDS: how many rounds (200). UNISONO_CHAOS_SEED: the seed of the random choices, which a failure
shows (the time)."""

import os
import random
import time

from disturbances import kill, stop
from patience import SLOW

ROUNDS = int(os.environ.get("UNISONO_CHAOS_ROUNDS", 200))
SEED = int(os.environ.get("UNISONO_CHAOS_SEED", time.time_ns()))


def test_survivors_speak():
    """A few kills alone: every remaining PE reports the one that died."""
    for number in range(5):
        kill(random.Random(number), 4)


def test_rounds():
    seconds = []
    for number in range(ROUNDS):
        chance = random.Random(f"{SEED} {number}")
        try:
            result = chance.choice([kill, stop])(chance, chance.randint(2, 9))
            seconds += [result.seconds] * (result.outcome == "survivors name the dead")
        except BaseException:
            print(f"round {number}; replay with UNISONO_CHAOS_SEED={SEED}")
            raise
    assert not seconds or sorted(seconds)[len(seconds) // 2] < SLOW, seconds  # most of them, on a busy machine
