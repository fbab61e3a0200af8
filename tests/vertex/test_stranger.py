"""A process that has got the id of a PE that was killed is not written to."""

import os

import pytest

from launcher import run


def test_stranger(tmp_path):
    verdict = tmp_path / "verdict"
    run("run", "-n", 2, os.environ["UNISONO_STRANGER"], verdict)
    if verdict.read_text() == "not allowed":
        pytest.skip("a process id cannot be chosen")
    assert verdict.read_text() == "untouched"
