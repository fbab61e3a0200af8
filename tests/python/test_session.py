"""PEs, groups, refused calls, and the processes and threads of a PE."""

import os
import re
import subprocess
import sys

import pytest
from patience import HANGS


def test_one_pe_without_a_launcher():
    code = "import unisono; print(unisono.rank(), unisono.size(), unisono.reduce(5), unisono.gather(2.5), unisono.wait())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS, check=True)
    assert done.stdout == "0 1 5 [2.5] None\n"


def test_a_group_of_high_numbers():
    """The first two and the last of 2,000 PEs; the others are programs that are none. Their calls are recorded."""
    code = """
import unisono
me, last = unisono.rank(), unisono.size() - 1
with unisono.group({0, 1, last}):
    assert unisono.mask() == 3 | 1 << last
    everybody = unisono.gather(me)
    assert [k for k in everybody if k is not None] == [0, 1, last] and everybody[last] == last
    assert unisono.reduce(me) == 1 + last
"""
    python = [sys.executable, "-c", code]
    done = subprocess.run([os.environ["UNISONO"], "run", "--stats", "-n", "2", *python, ":", "-n", "1997", "true", ":", "-n", "1", *python],
                          capture_output=True, text=True, timeout=HANGS, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert re.search(r"^ +p_gather +3 ", done.stderr, re.M), done.stderr


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
    ("unisono.reduce(1, 'sum')", ValueError,
     r"there is no op 'sum'; did you mean 'add'\?; there are 'add', 'mul', 'min', 'max', 'and', 'or'"),
    ("unisono.scan(1, 'sum')", ValueError, r"there is no op 'sum'; did you mean 'add'\?"),
    ("unisono.reduce(1, max)", ValueError, r"did you mean 'max'\?"),
    ("unisono.reduce(1, 'xyz')", ValueError, "there is no op 'xyz'; there are"),
    ("unisono.bcast({})", TypeError, "type dict is neither a number nor an array; unisono.bcast_object takes any object"),
    ("unisono.gather('x')", TypeError, "unisono.gather_object takes any object"),
    ("unisono.reduce(1, root=1)", ValueError, "there is no PE 1"),
    ("unisono.scatter([1, 2])", ValueError, "a list of 2 for 1 members"),
    ("unisono.scan(1.5, 'or')", TypeError, "'or' is for integers"),
    ("unisono.reduce(1, dtype='int7')", TypeError, "dtype='int7' is no type"),
    ("unisono.reduce([1, 2])", TypeError, "numpy.asarray"),
    ("unisono.reduce()", TypeError, "needs the argument 'x'"),
    ("unisono.reduce(1, by='add')", TypeError, "no parameter 'by'"),
    ("unisono.reduce(1, x=1)", TypeError, "two values for parameter 'x'"),
    ("unisono.reduce(1, 'add', None, None, 0, 1)", TypeError, "at most 5 arguments"),
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
    assert "is in wait of" in str(error) and "is in any of" in str(error) and str(error).startswith("PE "), error
    try:
        unisono.wait()
    except unisono.Error as again:
        assert "has failed before: PE " in str(again), again
        raise error
""", fails=True)
    assert said.count("unisono.Error: PE ") == 2 and "script.py\", line 4" in said, said
    assert "RuntimeError" not in said


@pytest.mark.parametrize("zero, one, words", [
    ("reduce(1)", "reduce(1.5)", ["reduce(op='add') of int64", "of float64", "an int", "a float", "dtype= makes them one type"]),
    ("bcast(True)", "bcast(1)", ["bcast of bool", "bcast of int64", "a bool", "an int"]),
    ("reduce(bytes(9))", "wait()", ["is in an operation on arrays of group", "is in wait of group"]),
    ("putget(1, 0)", "match_count(1)", ["is in putget of int64", "is in match_count of int64"]),
    ("alltoall(bytes(2))", "shared(1)", ["is in an operation on arrays", "is in shared of group"]),
])  # fmt: skip
def test_what_members_differ_in_is_said_in_words_of_python(ends_job, zero, one, words):
    said = ends_job(f"import unisono\nunisono.{zero} if unisono.rank() == 0 else unisono.{one}\n", words[0])
    assert all(word in said for word in words) and not re.search(r"Error: .*\bp_\w", said), said


def test_results_at_the_root_alone(on_pes):
    on_pes(3, """
import numpy, unisono
me, n = unisono.rank(), unisono.size()
for root in range(n):
    mine = me == root
    assert unisono.reduce(me, root=root) == (3 if mine else None)
    assert unisono.gather(me, root=root) == ([0, 1, 2] if mine else None)
    assert unisono.gather_object([me], root=root) == ([[0], [1], [2]] if mine else None)
    for size in (1, 2, 3, 1000):
        own = numpy.arange(size) * (me + 1)
        sum, all = unisono.reduce(own, root=root), unisono.gather(own, root=root)
        assert (sum is None) == (all is None) == (not mine)
        assert not mine or (sum == numpy.arange(size) * 6).all() and (all == [numpy.arange(size) * (pe + 1) for pe in range(n)]).all()
        out = numpy.zeros(size, int)
        assert unisono.reduce(own, "max", out=out, root=root) is (out if mine else None) and out[-1] == (mine and 3 * (size - 1))
if me != 1:
    with unisono.group({0, 2}):
        assert unisono.reduce(numpy.arange(9), root=2) is None if me == 0 else unisono.reduce(numpy.arange(9), root=2)[8] == 16
""")


def test_scatter(on_pes):
    on_pes(3, """
import numpy, unisono
me, n = unisono.rank(), unisono.size()
rows = numpy.arange(6 * 4).reshape(6, 4) if me == 1 else None
assert (unisono.scatter(rows, root=1) == numpy.arange(6 * 4).reshape(6, 4)[2 * me : 2 * me + 2]).all()
out = numpy.zeros((2, 4), int)
assert unisono.scatter(rows, root=1, out=out) is out and out[0, 0] == 8 * me
assert unisono.scatter([{"a": 1}, "b", None]) == [{"a": 1}, "b", None][me]
assert bytes(unisono.scatter(b"abcdef")) == b"abcdef"[2 * me : 2 * me + 2]
for wrong, message in ((numpy.zeros(4), "no equal blocks"), ([1], "a list of 1 for 3 members")):
    try:
        unisono.scatter(wrong)
    except ValueError as error:
        assert message in str(error)
    else:
        raise SystemExit("no exception")
try:
    unisono.scatter(rows, root=1, out=numpy.zeros(5))
except ValueError as error:
    assert "out= has the shape (5,) of float64; the block has (2, 4) of int64" in str(error)
if me:
    with unisono.group({1, 2}):
        assert unisono.scatter([10, 20], root=2) == 10 * me
assert unisono.reduce(1) == n
""")


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
    large = {"numpy", "asyncio", "multiprocessing", "subprocess", "tempfile", "threading", "typing", "logging"}
    code = f"import sys; before = set(sys.modules); import unisono; print(sorted({large} & (set(sys.modules) - before)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert done.stdout == "[]\n"
