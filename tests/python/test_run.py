"""unisono.run(): results, arguments, exceptions, the caller's script."""

import os
import subprocess
import sys

import pytest
from patience import HANGS

import unisono


def numbers(factor):
    return unisono.rank() * factor, unisono.size(), unisono.reduce(unisono.rank())


def fails_at(pe):
    if unisono.rank() == pe:
        raise LookupError(f"not at {pe}")
    unisono.wait()


class Stubborn(Exception):
    def __init__(self, a, b):
        super().__init__(a)


def fails_stubbornly():
    raise Stubborn(1, 2)


def leaves():
    os._exit(3)


def breaks_the_rules():
    unisono.wait() if unisono.rank() else unisono.any(True)


def test_results_come_in_pe_order():
    assert unisono.run(numbers, (10,), n=3) == [(0, 3, 3), (10, 3, 3), (20, 3, 3)]
    assert unisono.run(unisono.rank, n=1) == [0]


def test_an_exception_arrives_with_its_number_and_traceback():
    with pytest.raises(unisono.PEError, match="PE 1 of 3 raised an exception") as caught:
        unisono.run(fails_at, (1,), n=3)
    assert caught.value.pe == 1 and "in fails_at" in caught.value.traceback
    assert isinstance(caught.value.__cause__, LookupError)


def test_an_exception_that_cannot_travel_arrives_as_text():
    with pytest.raises(unisono.PEError, match="Stubborn: 1") as caught:
        unisono.run(fails_stubbornly, n=1)
    assert caught.value.__cause__ is None


def test_a_broken_rule_arrives_with_the_library_s_words():
    with pytest.raises(unisono.PEError, match="p_wait") as caught:
        unisono.run(breaks_the_rules, n=2)
    assert isinstance(caught.value.__cause__, unisono.Error)


def test_a_job_that_ends_without_a_word_is_an_error():
    with pytest.raises(unisono.PEError, match="ended with status") as caught:
        unisono.run(leaves, n=2)
    assert caught.value.pe is None


def test_what_cannot_be_pickled_is_said_before_anything_starts():
    with pytest.raises(Exception, match="pickle"):
        unisono.run(lambda: (yield), n=1)


def test_a_script_calls_its_own_functions(tmp_path):
    script = tmp_path / "a script.py"
    script.write_text("""
import unisono
from beside import double

def work(x):
    return double(x) + unisono.rank()

if __name__ == "__main__":
    print(unisono.run(work, (20,), n=2))
""")
    (tmp_path / "beside.py").write_text("def double(x):\n    return 2 * x\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=HANGS, cwd="/")
    assert done.stdout == "[40, 41]\n", done.stderr


SESSION = """
import sys
sys.modules.update({})
import unisono

class Place:
    def __init__(self, pe):
        self.pe = pe

def work(factor):
    return Place(unisono.rank() * factor), (lambda: unisono.reduce(1))()
"""


def test_what_is_defined_in_a_session_travels_by_cloudpickle():
    """As in a notebook, no PE can import the definition. An instance of its class comes back as one."""
    pytest.importorskip("cloudpickle")
    code = SESSION + "print([(isinstance(place, Place), place.pe, sum) for place, sum in unisono.run(work, (10,), n=2)])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS)
    assert done.stdout == "[(True, 0, 2), (True, 10, 2)]\n", done.stderr


def test_without_cloudpickle_that_is_said():
    code = SESSION.replace("{}", "{'cloudpickle': None}") + "print(unisono.run(unisono.rank, n=2))\nunisono.run(work, (10,))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS)
    assert done.stdout == "[0, 1]\n" and "travels by cloudpickle, which is not installed" in done.stderr, done.stderr


def test_a_pe_may_run_a_job_of_its_own():
    assert unisono.run(nested, n=2) == [[0, 1], [0, 1]]


def nested():
    unisono.wait()
    return unisono.run(unisono.rank, n=2)
