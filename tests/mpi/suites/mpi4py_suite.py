"""mpi4py's own test modules that touch collectives, from its source package; the module under test is its wheel."""

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


def modules(tests):
    """Those that are about collectives or communicators, and all others that call a collective."""
    return [path.stem for path in sorted(tests.glob("test_*.py"))
            if re.match(r"test_(cco|comm)", path.stem) or CALLS.search(path.read_text(encoding="utf-8"))]


def judge(ranks):
    def failures(status, output):
        found = sorted(set(re.findall(r"^(?:FAIL|ERROR): (test\w+ \([\w.]+\))", output, re.MULTILINE)))
        passed = output.count("OK")  # the lines of several ranks may run into each other
        if not found and (status or passed < ranks):
            found = [f"exit status {status}, {passed} of {ranks} ranks passed"]
        return found
    return failures


def cases(options, host):
    host.check()
    library = Path(host.mpirun).parent.parent / "lib"
    if not Path(host.mpirun).is_absolute():
        raise Missing("only the wheels' libraries have the names that mpi4py's wheel looks for")
    interpreter, tests = python(options.work), source(options.work)
    environment = {"LD_LIBRARY_PATH": os.fspath(library), "MPI4PY_MPIABI": host.abi}
    for name in modules(tests):
        for ranks in options.ranks or RANKS:
            yield Case("mpi4py", host, ranks, name, [interpreter, "-B", tests / "main.py", name], judge(ranks),
                       environment)


def about():
    return f"mpi4py {VERSION}'s test modules that touch collectives"
