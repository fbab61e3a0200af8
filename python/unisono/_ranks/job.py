"""One test in a job: the launcher is started, and what the ranks have written is gathered."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from .._program import path_of_program

RANK = "unisono_rank"  # the name of an option that only the pytest of a rank has

COVERAGE = "COVERAGE_PROCESS_CONFIG"  # the variable that has the settings of coverage.process_startup()

# Values of options in the pytest of a rank: it leaves these tasks to the pytest that started it.
OVERRIDES: dict[str, Any] = {
    "xmlpath": None, "usepdb": False, "usepdb_cls": None, "trace": False, "keyword": "", "markexpr": "", "deselect": None,
    "lf": False, "failedfirst": False, "newfirst": False, "stepwise": False, "maxfail": 0, "durations": None, "collectonly": False,
    "dist": "no", "numprocesses": None, "tx": [], "no_cov": True, "setuponly": False, "setupshow": False, "setupplan": False,
}  # fmt: skip


@dataclass
class Task:
    """The record that each rank reads from the file `task`."""

    path: list[str]
    pythonpath: str | None
    words: list[str]  # sys.argv
    options: dict[str, Any]
    arguments: list[str]  # words of pytest's command line
    nodeid: str


@dataclass
class Written:
    """One of the items that a rank has written, and the time of that (CLOCK_MONOTONIC, so that ranks can be
    compared)."""

    kind: str  # "report", "warning" or "error"; "end" once the session is over
    moment: float
    value: Any
    follows: bool = False  # the exception says that the job has failed already


@dataclass
class Outcome:
    """The outcome of a job."""

    status: int
    ranks: list[list[Written]]
    printed: str  # output of the ranks that pytest has not captured
    said: str  # messages of the launcher, and of ranks that an error has ended


def tell_library() -> None:
    """Let mpi4py's wheel load Unisono's MPI library in pytest's own process too, since that imports the tests as well.
    In the ranks the launcher sees to it."""
    prefix = subprocess.run([path_of_program(), "mpi", "--prefix"], capture_output=True, text=True, check=False).stdout.strip()
    library = os.path.join(prefix, "lib", "others", "libmpi.so.12")
    if prefix and os.path.exists(library):
        os.environ.setdefault("MPI4PY_LIBMPI", library)


def plain(options: dict[str, Any]) -> dict[str, Any]:
    """The options that can be sent to another process. Plugins keep objects among them that cannot."""
    sent = {}
    for name, value in options.items():
        try:
            sent[name] = pickle.loads(pickle.dumps(value))
        except Exception:  # an object's own methods may raise anything
            continue
    return sent


def _measured(config: pytest.Config) -> dict[str, str]:
    """The variables by which coverage measures the ranks as pytest-cov measures this process. Before version 7 that has
    variables of its own, for all processes that it starts."""
    controller = getattr(config.pluginmanager.getplugin("_cov"), "cov_controller", None)
    settings = getattr(getattr(controller, "cov", None), "config", None)
    if settings is None or "COV_CORE_DATAFILE" in os.environ:
        return {}
    return {COVERAGE: settings.serialize()}


class Setting:
    """The settings that all jobs of a run of pytest have in common."""

    def __init__(self, config: pytest.Config, path: list[str]) -> None:
        self.config = config
        self.path = path
        self.live = config.getoption("capture") == "no"  # -s
        options = plain({name: value for name, value in vars(config.option).items() if name != "file_or_dir"})
        options.update({name: value for name, value in OVERRIDES.items() if name in options})
        # With capture "fd" a file in place of standard error would take the library's last words when it ends a rank.
        options.update({RANK: True, "capture": "no" if self.live else "sys"})
        self.options = options

    def arguments(self, item: pytest.Item, folder: Path) -> list[str]:
        configuration = ["-c", str(self.config.inipath)] if self.config.inipath else []
        return ["-p", "no:terminal", f"--rootdir={self.config.rootpath}", f"--basetemp={folder}/tmp",
                *configuration, str(item.path)]  # fmt: skip

    def run(self, item: pytest.Item, n: int, limit: float | None) -> Outcome:
        with tempfile.TemporaryDirectory(prefix="unisono-") as name:
            folder = Path(name)
            task = Task(self.path, os.environ.get("PYTHONPATH"), sys.argv, self.options, self.arguments(item, folder), item.nodeid)
            (folder / "task").write_bytes(pickle.dumps(task))
            command = [path_of_program(), "run", "-n", str(n), *(["--tag"] if self.live else []),
                       *(["--timeout", f"{limit:g}"] if limit else []), sys.executable, "-m", "unisono._ranks.rank", name]  # fmt: skip
            with open(folder / "printed", "w+b") as printed, open(folder / "said", "w+b") as said:
                status = self.wait(command, printed, said)
                return Outcome(status, [_read(folder / f"rank{k}") for k in range(n)], _text(printed), _text(said))

    def wait(self, command: list[str], printed: IO[bytes], said: IO[bytes]) -> int:
        package = str(Path(os.path.abspath(__file__)).parents[2])  # without following a symbolic link
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))}
        environment.update(_measured(self.config))
        with subprocess.Popen(command, env=environment, cwd=self.config.invocation_params.dir, stdin=subprocess.DEVNULL,
                              stdout=None if self.live else printed, stderr=subprocess.PIPE) as job:
            try:
                assert job.stderr
                for line in job.stderr:
                    said.write(line)
                    if self.live:
                        os.write(2, line)
                return job.wait()
            except BaseException:  # Ctrl-C, or another plugin's limit of time
                job.send_signal(signal.SIGINT)
                raise


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _read(path: Path) -> list[Written]:
    """The items that a rank has written, without the last one if the rank was ended while it wrote that."""
    found: list[Written] = []
    if not path.exists():
        return found
    with open(path, "rb") as file:
        try:
            while True:
                found.append(pickle.load(file))
        except (EOFError, pickle.UnpicklingError):
            return found
