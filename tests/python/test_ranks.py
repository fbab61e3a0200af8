"""The plugin of pytest: which tests run on how many ranks, and the report of one that fails."""

import os
import re
import subprocess
from pathlib import Path

import pytest

# The MPI library as a program of C sees it; mpi4py is not needed to see what becomes of its ranks.
MPI = """
import ctypes
mpi = ctypes.CDLL("libmpi_abi.so.1")
mpi.MPI_Init(None, None)
world = ctypes.c_void_p(257)
number = ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(number))
"""


def section(text, name):
    """Return the section of pytest's output that shows a failure."""
    return re.search(rf"_+ {re.escape(name)} _+\n(.*?)(?=\n_{{5,}}|\n={{5,}})", text, re.S)[1]


MARKS = """
def size():
    return unisono.size()

@pytest.mark.ranks
def test_each(record_property):
    record_property("size", size())

@pytest.mark.ranks(2, 5)
def test_some():
    assert size() in (2, 5)

@pytest.mark.parallel
def test_three():
    assert size() == 3

@pytest.mark.parallel(nprocs=2)
def test_two():
    assert size() == 2

@pytest.mark.parallel([1, 2])
def test_list(request):
    assert size() == (2 if "nprocs=2" in request.node.name else 1)

@pytest.mark.mpi(min_size=2)
def test_enough():
    assert size() >= 2

@pytest.mark.mpi
@pytest.mark.mpi_skip
def test_never():
    raise AssertionError

@pytest.mark.ranks(2)
@pytest.mark.mpi_break
def test_broken():
    raise AssertionError

@pytest.mark.mpi
@pytest.mark.mpi_xfail
def test_expected():
    assert unisono.rank() > 0

@pytest.mark.mpi_skip
def test_serial():
    assert "UNISONO_JOB" not in os.environ
"""


def test_marks(tests):
    ended = tests(MARKS, "--ranks", "1,3", "--strict-markers")
    assert ended.status == 0, ended.text
    passed = {"test_each[ranks=1]", "test_each[ranks=3]", "test_some[ranks=2]", "test_some[ranks=5]", "test_three", "test_two",
              "test_list[nprocs=1]", "test_list[nprocs=2]", "test_enough[ranks=3]", "test_serial"}
    skipped = {"test_enough[ranks=1]", "test_never[ranks=1]", "test_never[ranks=3]", "test_broken[ranks=2]", "test_expected[ranks=1]",
               "test_expected[ranks=3]"}
    assert set(ended.cases) == passed | skipped
    assert {name for name in ended.cases if ended.outcome(name) == ["skipped"]} == skipped
    assert "asks for 2 ranks or more, and this job has 1" in ended.message("test_enough[ranks=1]")
    assert ended.message("test_broken[ranks=2]") == "does not work in a job of ranks (mpi_break)"
    sizes = {name: case.find("properties/property").get("value") for name, case in ended.cases.items() if case.find("properties") is not None}
    assert sizes == {"test_each[ranks=1]": "1", "test_each[ranks=3]": "3"}
    assert "10 passed, 4 skipped, 2 xfailed" in ended.text


def test_selection_as_mpi_pytest_has_it(tests):
    ended = tests(MARKS, "--ranks", "2", "-m", "parallel[2]", "--strict-markers")
    assert set(ended.cases) == {"test_two", "test_list[nprocs=2]"} and ended.status == 0, ended.text


def test_without_the_option(tests):
    """Nothing of ours changes a run of pytest, and no test passes on one rank that asks for others."""
    text = "@pytest.mark.ranks(2, 3)\ndef test_a():\n    assert unisono.size() == 2\ndef test_b():\n    pass\n"
    ended = tests(text)
    assert ended.outcome("test_b") == ["passed"] and ended.message("test_a") == "asks for ranks: pytest --ranks 2,3"
    ended = tests(text, "-k", "test_a", before=[os.environ["UNISONO"], "run", "-n", "2"])
    assert ended.text.count("1 passed") == 2, ended.text
    ended = tests(text, "-k", "test_a", before=[os.environ["UNISONO"], "run", "-n", "4"])
    assert ended.text.count("1 skipped") == 4, ended.text


@pytest.mark.parametrize("arguments, message", [
    (["--ranks", "0"], "'0' is no list of numbers of ranks such as 1,2,3"), (["--ranks", "2,x"], "'2,x' is no list"),
    (["--ranks", "2", "--ranks-timeout", "-1"], "'-1' is no number of seconds above 0")])
def test_options_that_make_no_sense(tests, arguments, message):
    ended = tests("", *arguments)
    assert ended.status == 4 and message in ended.errors


@pytest.mark.parametrize("mark", ["ranks(0)", "ranks('2')", "ranks(n=2)", "parallel(1, 2)", "parallel([])", "mpi(2)", "mpi(minsize=2)"])
def test_marks_that_make_no_sense(tests, mark):
    ended = tests(f"@pytest.mark.{mark}\ndef test_a():\n    pass\n", "--ranks", "2")
    assert ended.status != 0 and f"@pytest.mark.{mark.split('(')[0]} takes" in ended.text + ended.errors


def test_not_within_a_job(tests):
    ended = tests("", "--ranks", "2", before=[os.environ["UNISONO"], "run", "-n", "3"])
    assert ended.status == 4 and "this pytest is one of 3 ranks already: start it without a launcher" in ended.errors


RAISES = """
@pytest.mark.ranks
def test_it():
    mine = unisono.rank()
    print("hello from", mine)
    if mine == 2:
        raise LookupError("only here")
    unisono.wait()
"""


def test_one_rank_raises(tests):
    """The traceback of that rank comes first; the ranks that waited for it are reported once."""
    ended = tests(RAISES, "--ranks", "4")
    told = section(ended.text, "test_it[ranks=4]")
    assert ended.status == 1 and told.startswith("rank 2 of 4 failed first:\n"), ended.text
    assert re.search(r"ranks 0, 1 and 3:\n.*unisono\.Error: PE 0: PE 2 ended with exit status 1; this PE was in wait of group "
                     r"\{0-3\}, waiting for PE \d\n", told, re.S), told
    assert re.search(r"^E +LookupError: only here$", told, re.M).start() < told.index("unisono.Error") and told.count("LookupError") < 5
    assert told.count(">       unisono.wait()") == 1, told
    assert "FAILED test_it.py::test_it[ranks=4] - LookupError: only here" in ended.text
    for rank in range(4):
        assert f"Captured stdout of rank {rank} call" in told and f"hello from {rank}" in told
    assert ended.message("test_it[ranks=4]") == "LookupError: only here"


@pytest.mark.parametrize("step", [("1", "-6"), ("1", "0"), ("4", "-5")], ids=["a shell of salloc", "srun -n 1", "sbatch within a step"])
def test_one_process_of_slurm(tests, step):
    """It is no rank: with --ranks it starts jobs, and without it tests of ranks are skipped."""
    slurm = dict(zip(("SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"), step), SLURM_NTASKS="4")
    text = "@pytest.mark.ranks(2)\ndef test_it():\n    assert unisono.size() == 2\n"
    ended = tests(text, "--ranks", "2", **slurm)
    assert ended.status == 0 and ended.outcome("test_it[ranks=2]") == ["passed"], ended.text
    assert tests(text, **slurm).message("test_it") == "asks for ranks: pytest --ranks 2"


def test_all_ranks_raise_the_same(tests):
    ended = tests("@pytest.mark.ranks(3)\ndef test_it():\n    unisono.wait()\n    assert unisono.size() == 4\n", "--ranks", "1")
    told = section(ended.text, "test_it[ranks=3]")
    assert told.startswith("ranks 0, 1 and 2 of 3 failed:\n") and told.count("assert 3 == 4") == 1 and "the job" not in told, told


def test_ranks_that_say_something_else_at_one_place(tests):
    """The report has the messages of the other ranks, without the code again."""
    text = """
@pytest.mark.ranks(3)
def test_it():
    everybody = unisono.gather(unisono.rank())
    assert everybody == [unisono.rank()]
"""
    told = section(tests(text, "--ranks", "1").text, "test_it[ranks=3]")
    assert told.count(">       assert") == 1 and re.search(r"\nrank \d:\nE   .*", told), told


def test_a_rank_of_mpi_raises(tests):
    """The library has ended the other ranks, and its words are in the report."""
    text = MPI + """
@pytest.mark.ranks(3)
def test_it():
    if number.value == 1:
        raise LookupError("only here")
    mpi.MPI_Barrier(world)
"""
    library = subprocess.check_output([os.environ["UNISONO"], "mpi", "--prefix"], text=True).strip() + "/lib"
    told = section(tests(text, "--ranks", "1", LD_LIBRARY_PATH=library).text, "test_it[ranks=3]")
    assert told.startswith("rank 1 of 3 failed") and "LookupError: only here" in told, told
    assert re.search(r"MPI_Barrier.*\n.*PE 1 ended with exit status 1", told) or "PE 1 ended with exit status 1" in told, told
    assert "MPI_Barrier" in told.split("the job:")[1], told


def test_ranks_wait_for_each_other(tests):
    text = """
@pytest.mark.ranks(2)
def test_it():
    if unisono.rank():
        unisono.wait()
    else:
        unisono.recv(bytearray(8), source=1, tag=7)
"""
    told = section(tests(text, "--ranks", "1").text, "test_it[ranks=2]")
    assert told.startswith("the job:\n") and "deadlock: PE 0 waits for PE 1, PE 1 for PE 0" in told, told
    assert "waiting in nread from PE 1 of type 7" in told and "waiting in p_wait of group {0-1}" in told, told


def test_ranks_differ(tests):
    text = "@pytest.mark.ranks(3)\ndef test_it():\n    unisono.wait() if unisono.rank() == 1 else unisono.any(True)\n"
    told = section(tests(text, "--ranks", "1").text, "test_it[ranks=3]")
    assert "mismatch: PE 1 is in wait of group {0-2}, but PE 0 is in any of group {0-2}" in told, told


def test_a_rank_that_never_ends(tests):
    text = """
@pytest.mark.ranks(2)
def test_it():
    while unisono.rank() == 0:
        pass
    unisono.wait()
"""
    told = section(tests(text, "--ranks", "1", "--ranks-timeout", "3").text, "test_it[ranks=2]")
    assert "timeout after 3 s; where the PEs are:" in told and "PE 1: waiting in p_wait" in told, told


@pytest.mark.parametrize("how, told_of", [
    ("os.kill(os.getpid(), 11)", "PE 1 was killed by signal 11"), ("os._exit(3)", "PE 1 ended with exit status 3"),
    ("os._exit(0)", "rank 1 of 2 ended before the test did"),
    ("__import__('atexit').register(os._exit, 3)", "PE 1 ended with exit status 3")])  # after the test has passed
def test_a_rank_is_gone(tests, how, told_of):
    text = f"@pytest.mark.ranks(2)\ndef test_it():\n    if unisono.rank():\n        {how}\n"
    ended = tests(text, "--ranks", "1")
    assert ended.outcome("test_it[ranks=2]") == ["failure"] and told_of in section(ended.text, "test_it[ranks=2]"), ended.text


def test_outcomes_but_failures(tests):
    text = """
@pytest.mark.ranks(2)
def test_skipped():
    pytest.skip("because")

@pytest.mark.ranks(2)
def test_skipped_on_one():
    if unisono.rank():
        pytest.skip("because")

@pytest.mark.ranks(2)
@pytest.mark.skipif(True, reason="before it starts")
def test_not_started():
    raise AssertionError

@pytest.mark.ranks(2)
@pytest.mark.xfail(raises=LookupError)
def test_expected():
    if unisono.rank():
        raise LookupError
    unisono.wait()

@pytest.mark.ranks(2)
@pytest.mark.xfail(raises=LookupError)
def test_not_expected():
    raise ValueError

@pytest.mark.ranks(2)
@pytest.mark.xfail(strict=True)
def test_unexpectedly_well():
    pass
"""
    ended = tests(text, "--ranks", "1", "-rs")
    assert "2 failed, 1 passed, 2 skipped, 1 xfailed" in ended.text, ended.text
    assert "because" in ended.text and "before it starts" in ended.text
    assert ended.outcome("test_not_expected[ranks=2]") == ended.outcome("test_unexpectedly_well[ranks=2]") == ["failure"]


def test_fixtures_classes_and_what_is_left_alone(tests):
    """The fixtures of a module or a class are set up in each rank, and in this process for tests of one process
    only."""
    text = """
import unittest

@pytest.fixture(scope="module")
def number():
    yield unisono.size()

@pytest.mark.ranks(2)
def test_a(number, tmp_path):
    assert number == 2
    assert len(set(unisono.gather_object(str(tmp_path)))) == 2

def test_b(number):
    assert number == 1

class Case(unittest.TestCase):
    def setUp(self):
        self.size = unisono.size()

    @pytest.mark.ranks(2, 3)
    def test_c(self):
        self.assertIn(self.size, (2, 3))

def test_d(number):
    assert number == 1
"""
    ended = tests(text, "--ranks", "1", "-v")
    assert "4 passed" in ended.text, ended.text


def test_a_fixture_fails_at_the_end(tests):
    text = "@pytest.fixture\ndef f():\n    yield\n    assert unisono.rank() == 0\n\n@pytest.mark.ranks(2)\ndef test_it(f):\n    pass\n"
    told = section(tests(text, "--ranks", "1").text, "test_it[ranks=2]")
    assert told.startswith("rank 1 of 2 failed:\n"), told


def test_a_rank_cannot_import_the_test(tests):
    ended = tests("if os.environ.get('UNISONO_JOB', '').endswith(',1'):\n    import not_there\n@pytest.mark.ranks(2)\ndef test_it():\n    pass\n",
                  "--ranks", "1")
    assert "No module named 'not_there'" in section(ended.text, "test_it[ranks=2]"), ended.text


def test_warnings_and_options_reach_the_ranks_and_come_back(tests, tmp_path):
    (tmp_path / "conftest.py").write_text("def pytest_addoption(parser):\n    parser.addoption('--word')\n")
    text = """
import warnings

@pytest.mark.ranks(2)
def test_it(request):
    assert request.config.getoption("--word") == "here"
    warnings.warn("look at this")
"""
    ended = tests(text, "--ranks", "1", "--word", "here")
    assert ended.status == 0 and ended.text.count("UserWarning: look at this") == 1, ended.text


def test_warnings_of_classes_that_pytest_does_not_have(tests):
    text = """
import sys, types, warnings

@pytest.mark.ranks(2)
def test_it():
    class Local(UserWarning):
        pass
    warnings.warn("of a function", Local)
    sys.modules["elsewhere"] = types.ModuleType("elsewhere")
    sys.modules["elsewhere"].Own = Own = type("Own", (UserWarning,), {"__module__": "elsewhere"})
    warnings.warn("of a module", Own)
"""
    ended = tests(text, "--ranks", "1")
    assert ended.status == 0 and ended.text.count("UserWarning: of a function") == ended.text.count("UserWarning: of a module") == 1, ended.text


def test_output_at_once(tests):
    text = "@pytest.mark.ranks(2)\ndef test_it():\n    print('hello', unisono.rank())\n"
    assert {"[0] hello 0", "[1] hello 1"} <= set(re.findall(r"\[\d\] hello \d", tests(text, "--ranks", "1", "-s").text))


def test_annotations_for_github(tests, tmp_path):
    ended = tests(RAISES + "\ndef test_serial():\n    assert 1 == 2, '50% or, well'\n", "--ranks", "4", GITHUB_ACTIONS="true",
                  GITHUB_WORKSPACE=str(tmp_path))
    lines = [line for line in ended.text.splitlines() if line.startswith("::error ")]
    assert len(lines) == 2 and lines[0].startswith("::error file=test_it.py,line=8,title=test_it.py%3A%3Atest_it[ranks=4]::rank 2 of 4 failed first:%0A")
    assert lines[1].startswith("::error file=test_it.py,line=12,title=test_it.py%3A%3Atest_serial::") and "50%25 or, well" in lines[1]
    assert "::error" not in tests(RAISES, "--ranks", "4").text


def test_the_guide(tests):
    """The guide's tests print the lines that the guide shows, except for times, and for which rank comes first."""
    guide = (Path(__file__).resolve().parents[2] / "docs/guides/ci.md").read_text()
    program = next(block for block in re.findall(r"^```python\n(.*?)^```$", guide, re.M | re.S) if "no convergence" in block)
    shown = re.findall(r"^(?:E  |unisono run: ).*$", "\n".join(re.findall(r"^```output\n(.*?)^```$", guide, re.M | re.S)), re.M)
    for seconds in "3", "9", "27":  # until the ranks come to the lines that hang
        ended = tests(program, "--ranks", "4", "--ranks-timeout", seconds)
        # Chance decides which two ranks see first that they differ, and which of them says it.
        missing = [line for line in shown if re.sub(r"\d+", "#", line) not in re.sub(r"\d+", "#", ended.text)]
        if all("mismatch" in line for line in missing):
            break
    call = r"PE \d is in (wait|reduce\(op='add'\) of float64) of group {0-3}"
    mismatch = re.search(f"mismatch: {call}, but {call}", ended.text)
    assert len(shown) == 6 and mismatch and mismatch[1] != mismatch[2] and all("mismatch" in line for line in missing), ended.text
