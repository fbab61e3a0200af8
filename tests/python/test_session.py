"""PEs, groups, refused calls, and the processes and threads of a PE."""

import os
import subprocess
import sys

import pytest
from patience import HANGS


def test_one_pe_without_a_launcher():
    code = "import unisono; print(unisono.rank(), unisono.size(), unisono.reduce(5), unisono.gather(2.5), unisono.wait())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS, check=True)
    assert done.stdout == "0 1 5 [2.5] None\n"


def test_groups_nest_and_come_back(on_pes):
    on_pes(4, """
import unisono
me = unisono.rank()
if me != 3:
    with unisono.group({0, 1, 2}) as outer:
        assert unisono.mask() == 0b111 and repr(outer) == "unisono.group([0, 1, 2])"
        if me != 1:
            with unisono.group(0b101):
                assert unisono.gather(me) == [0, None, 2, None]
        try:
            with unisono.group([me]):
                raise KeyError
        except KeyError:
            pass
        assert unisono.reduce(me) == 3
assert unisono.members(unisono.mask()) == [0, 1, 2, 3] and unisono.reduce(me) == 6
""")


def test_masks_beyond_64_pes(on_pes):
    on_pes(70, """
import unisono
me = unisono.rank()
assert unisono.mask() == (1 << 70) - 1
assert unisono.match(me >= 64) == (0b111111 << 64 if me >= 64 else (1 << 64) - 1)
with unisono.group({pe for pe in range(70) if pe % 2 == me % 2}):
    assert unisono.population() == 35 and unisono.members(unisono.waitvec(True)) == list(range(me % 2, 70, 2))
""")


@pytest.mark.parametrize("call, kind, message", [
    ("unisono.reduce(1 << 63)", OverflowError, "does not fit into int64"),
    ("unisono.reduce(-1, dtype='uint8')", OverflowError, "does not fit into uint8"),
    ("unisono.reduce(300, dtype='int8')", OverflowError, "does not fit into int8"),
    ("unisono.reduce(1.5, 'or')", TypeError, "'or' is for integers"),
    ("unisono.reduce(1, 'sum')", ValueError, "there is no op 'sum'; there are 'add', 'mul', 'min', 'max', 'and', 'or'"),
    ("unisono.scan(1, 'sum')", ValueError, "there is no op 'sum'; there are 'add', 'mul', 'min', 'max', 'and', 'or'"),
    ("unisono.scan(1.5, 'or')", TypeError, "'or' is for integers"),
    ("unisono.reduce(1, dtype='int7')", TypeError, "dtype='int7' is no type"),
    ("unisono.reduce([1, 2])", TypeError, "numpy.asarray"),
    ("unisono.reduce()", TypeError, "needs the argument 'x'"),
    ("unisono.reduce(1, by='add')", TypeError, "no parameter 'by'"),
    ("unisono.reduce(1, x=1)", TypeError, "two values for parameter 'x'"),
    ("unisono.reduce(1, 'add', None, None, 1)", TypeError, "at most 4 arguments"),
    ("unisono.reduce(1, out=bytearray(8))", TypeError, "out= is for arrays"),
    ("unisono.putget(1, 1)", ValueError, "there is no PE 1"),
    ("unisono.vote(-1)", ValueError, "there is no PE -1"),
    ("unisono.bcast()", TypeError, "the root needs a value"),
    ("unisono.group({0, 1}).__enter__()", ValueError, "there is no PE 1"),
    ("unisono.group(0).__enter__()", ValueError, "PE 0 is no member"),
    ("unisono.group(-1)", ValueError, "a mask has no sign"),
    ("unisono.members(-1)", ValueError, "a mask has no sign"),
    ("unisono.run(print, n=0)", ValueError, "at least one"),
])  # fmt: skip
def test_what_one_pe_can_see_to_be_wrong_is_an_exception(call, kind, message):
    import unisono  # this process is a job of one PE

    with pytest.raises(kind, match=message):
        eval(call, {"unisono": unisono})
    assert unisono.reduce(3) == 3


def test_members_of_other_groups_are_refused(on_pes):
    on_pes(2, """
import unisono
with unisono.group({unisono.rank()}):
    for call in (lambda: unisono.putget(1, 1 - unisono.rank()), lambda: unisono.bcast(1, 1 - unisono.rank())):
        try:
            call()
        except ValueError as error:
            assert "no member of the present group" in str(error), error
        else:
            raise SystemExit("no exception")
""")


def test_a_broken_rule_is_an_exception_with_the_library_s_words(on_pes):
    said = on_pes(2, """
import unisono
try:
    unisono.wait() if unisono.rank() else unisono.any(1)
except unisono.Error as error:
    assert "p_wait" in str(error) and "p_any" in str(error) and str(error).startswith("PE "), error
    try:
        unisono.wait()
    except unisono.Error as again:
        assert "has failed before: PE " in str(again), again
        raise error
""", fails=True)
    assert said.count("unisono.Error: PE ") == 2 and "script.py\", line 4" in said, said
    assert "RuntimeError" not in said


def test_who_waits_for_a_pe_that_has_failed_gets_an_exception(on_pes):
    for array in ("1", "numpy.zeros(100)"):
        said = on_pes(3, f"""
import numpy, os, unisono
unisono.wait()
if unisono.rank() == 1:
    os._exit(7)
try:
    unisono.reduce({array})
finally:
    print("finally", flush=True)
""", fails=True)
        assert "unisono.Error: PE 0: PE 1 ended with exit status 7" in said, said


def test_an_exception_ends_the_job(on_pes):
    said = on_pes(3, """
import unisono
unisono.wait()
if unisono.rank() == 1:
    raise KeyError("mine")
unisono.wait()
""", fails=True)
    assert "KeyError: 'mine'" in said and "PE 1" in said


def test_only_one_thread_is_the_pe(on_pes):
    on_pes(2, """
import threading, unisono
unisono.wait()
said = []
def other():
    try:
        unisono.wait()
    except RuntimeError as error:
        said.append(str(error))
thread = threading.Thread(target=other)
thread.start()
thread.join()
assert "another thread" in said[0]
unisono.wait()
""")


@pytest.mark.parametrize("call", ["wait()", "reduce(memoryview(bytes(8)))", "reduce(bytes(100_000))", "recv(bytearray(1))"])
def test_other_threads_run_while_a_pe_waits(on_pes, call):
    on_pes(2, """
import pathlib, threading, time, unisono
from patience import SOON, until
counted = pathlib.Path(__file__).with_name("counted")
def work():
    for _ in range(20):
        time.sleep(0.005)
    counted.touch()
if unisono.rank() == 0:
    thread = threading.Thread(target=work)
    thread.start()
    unisono.CALL
    assert counted.exists()
    thread.join()
else:
    until(counted.exists, SOON)
    unisono.CALL
""".replace("CALL", call if "recv" not in call else f"{call} if unisono.rank() == 0 else unisono.send(b'x', 0)"))


def test_children_are_no_pes(on_pes):
    on_pes(2, """
import multiprocessing, os, subprocess, sys, unisono
def main():
    unisono.wait()
    pid = os.fork()
    if pid == 0:
        try:
            unisono.wait()
        except RuntimeError as error:
            os._exit(0 if "child of a PE" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.map(abs, [-1, -2]) == [1, 2]
    command = [sys.executable, "-c", "import unisono; print(unisono.size())"]
    assert subprocess.check_output(command, text=True) == "1\\n"
    assert unisono.reduce(1) == 2
if __name__ == "__main__":
    main()
""")


def test_import_does_not_check_in(on_pes):
    """A PE that imports the package and never calls leaves nobody waiting."""
    on_pes(2, "import unisono\n")


def test_import_is_quick():
    """A small module, and neither NumPy nor anything else that is large."""
    code = "import sys, unisono; print(sorted({'numpy', 'asyncio', 'multiprocessing'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert done.stdout == "[]\n"
