"""unisono.run(): results, arguments, exceptions, the caller's script."""

import os
import re
import subprocess
import sys
import time

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
    with pytest.raises(unisono.PEError, match="is in wait of") as caught:
        unisono.run(breaks_the_rules, n=2)
    assert isinstance(caught.value.__cause__, unisono.Error)


def test_a_job_that_ends_without_a_word_is_an_error():
    with pytest.raises(unisono.PEError, match=r"ended with status 3: PE \d ended with exit status 3") as caught:
        unisono.run(leaves, n=2)
    assert caught.value.pe in (0, 1) and caught.value.__cause__ is None


def dies():
    if unisono.rank() == 1:
        os.kill(os.getpid(), 11)
    unisono.wait()


def test_what_ended_a_pe_is_in_the_exception(capfd):
    with pytest.raises(unisono.PEError, match=r"PE 1 was killed by signal 11 \(Segmentation fault\)") as caught:
        unisono.run(dies, n=2)
    assert caught.value.pe == 1 and caught.value.traceback.startswith("PE 1 was killed by signal 11")
    assert "killed" not in capfd.readouterr().err  # said once


def keywords(a, b=0, *, c):
    return a, b, c


def test_arguments_by_name():
    assert unisono.run(keywords, (1,), n=2, kwargs={"c": 3}) == [(1, 0, 3), (1, 0, 3)]


def one_waits():
    unisono.wait() if unisono.rank() == 0 else time.sleep(HANGS)


def test_a_time_limit_says_where_each_pe_was():
    for seconds in 0.5, 2, 8, 32:  # until the PE has come to wait
        with pytest.raises(unisono.PETimeout, match=f"longer than {seconds} s") as caught:
            unisono.run(one_waits, n=2, timeout=seconds)
        if "PE 0: waiting" in str(caught.value):
            break
    assert re.search(r"(?s)PE 0: waiting in p_wait.*PE 1: ", caught.value.traceback), caught.value
    assert isinstance(caught.value, TimeoutError) and isinstance(caught.value, unisono.PEError)
    for timeout in 0, -1, float("nan"):
        with pytest.raises(ValueError, match="a number of seconds greater than 0"):
            unisono.run(unisono.rank, timeout=timeout)


def variables():
    return os.environ.get("UNISONO_TEST_A"), os.environ.get("UNISONO_TEST_B")


def test_the_environment_of_the_pes(monkeypatch):
    monkeypatch.setenv("UNISONO_TEST_A", "a")
    assert unisono.run(variables, n=1, env={"UNISONO_TEST_B": "b"}) == [("a", "b")]
    assert unisono.run(variables, n=1, env={"UNISONO_TEST_A": None}) == [(None, None)]


def speaks():
    print("spoken", flush=True)
    print("progress", end="", file=sys.stderr, flush=True)
    unisono.wait()


def test_output_and_figures(capfd, tmp_path):
    unisono.run(speaks, n=1, tag=True, stats=True)
    out, err = capfd.readouterr()
    assert out == "[0] spoken\n" and "progress" in err and "p_wait" in err
    unisono.run(speaks, n=1, stats=tmp_path / "figures.json")
    assert capfd.readouterr() == ("spoken\n", "progress") and "p_wait" in (tmp_path / "figures.json").read_text()


def test_without_the_guard_one_error_names_it(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import unisono\nunisono.run(unisono.rank, n=3)\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 1 and done.stderr.count("Error: ") == 1, done.stderr
    assert f"RuntimeError: run: the PEs import {script}" in done.stderr and 'if __name__ == "__main__":' in done.stderr


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
