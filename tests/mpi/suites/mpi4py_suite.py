"""mpi4py's own test modules, from its source package; the module under test is its wheel."""

import os
import re
import sys
from pathlib import Path

from debian import command
from hosts import Missing
from run import Case

VERSION = "4.1.2"
RANKS = (1, 2, 3, 5)
CALLS = re.compile(r"\.(i?barrier|i?bcast|i?reduce|i?allreduce|i?(all)?gatherv?|i?scatterv?|i?alltoall[vw]?|i?(ex)?scan|"
                   r"i?reduce_scatter(_block)?)(_init)?\(", re.IGNORECASE)


def python(work):
    """A virtual environment with mpi4py's wheel, which finds its MPI library when it starts."""
    folder = work / "venv"
    if not (folder / "done").exists():
        command(sys.executable, "-m", "venv", "--clear", folder)
        command(folder / "bin/python", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check",
                "--only-binary", ":all:", f"mpi4py=={VERSION}")
        (folder / "done").touch()
    return folder / "bin/python"


def source(work):
    folder = work / f"mpi4py-{VERSION}"
    if not folder.is_dir():
        command(python(work), "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check",
                "--no-deps", "--no-binary", "mpi4py", "-d", work, f"mpi4py=={VERSION}")
        command("tar", "xf", work / f"mpi4py-{VERSION}.tar.gz", "-C", work)
    return folder / "test"


def touches_collectives(module):
    """Return true if the module is about collectives or communicators, or calls a collective."""
    return re.match(r"test_(cco|comm)", module.stem) or CALLS.search(module.read_text(encoding="utf-8"))


def judge(ranks, needs_tests=False):
    """needs_tests: a module that skips all of its tests has not passed."""
    def failures(status, output):
        found = sorted(set(re.findall(r"^(?:FAIL|ERROR): ((?:test|setUp|tearDown)\w* \([\w.]+\))", output, re.MULTILINE)))
        passed = output.count("OK")  # the lines of several ranks may run into each other
        if not found and (status or passed < ranks):
            found = [f"exit status {status}, {passed} of {ranks} ranks passed"]
        tests, skipped = (sum(map(int, re.findall(form, output))) for form in (r"Ran (\d+) test", r"skipped=(\d+)"))
        if needs_tests and not found and tests == skipped:
            found = ["all tests were skipped"]
        return found
    return failures


def environment_of(host):
    return {"LD_LIBRARY_PATH": os.fspath(Path(host.mpirun).parent.parent / "lib"), "MPI4PY_MPIABI": host.abi}


def cases(options, host, wanted, needs_tests=False):
    """wanted: of the file of a module, whether it is run."""
    host.check()
    if not Path(host.mpirun).is_absolute():
        raise Missing("only the wheels' libraries have the names that mpi4py's wheel looks for")
    interpreter, tests, environment = python(options.work), source(options.work), environment_of(host)
    for module in filter(wanted, sorted(tests.glob("test_*.py"))):
        for ranks in options.ranks or RANKS:
            yield Case("mpi4py", host, ranks, module.stem, [interpreter, "-B", tests / "main.py", module.stem],
                       judge(ranks, needs_tests), environment)


def futures(options, host):
    """Return the cases of its tests of mpi4py.futures, whose first rank gives the others work by a thread. One rank
    alone would have to spawn them."""
    host.check()
    interpreter, tests = python(options.work), source(options.work).parent / "demo/futures"
    for ranks in [ranks for ranks in options.ranks or RANKS if ranks > 1]:
        yield Case("mpi4py", host, ranks, "futures", [interpreter, "-B", "-m", "mpi4py.futures", tests / "test_futures.py"],
                   judge(1, needs_tests=True), environment_of(host))
