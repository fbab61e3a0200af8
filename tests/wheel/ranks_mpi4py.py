"""Tests on several ranks of a program of mpi4py: `pytest --ranks 1,2,3,5 ranks_mpi4py.py`."""

import pytest
from mpi4py import MPI


@pytest.mark.ranks
def test_sum():
    world = MPI.COMM_WORLD
    assert world.allreduce(world.rank) == world.size * (world.size - 1) // 2
    assert MPI.Get_library_version().startswith("Unisono")


@pytest.mark.mpi(min_size=3)
def test_three_at_least():
    assert MPI.COMM_WORLD.size >= 3


def test_one_process():
    assert MPI.COMM_WORLD.size == 1
