"""Tests on several ranks of a program of `import unisono`: `pytest --ranks 1,2,3,5 ranks_unisono.py`."""

import pytest
import unisono


@pytest.mark.ranks
def test_all_meet():
    assert unisono.gather(unisono.rank()) == list(range(unisono.size()))


def test_one_process():
    assert unisono.size() == 1
