"""The program that each rank of a test's job is: `python -m unisono._ranks.rank FOLDER`, started by the launcher. It
runs pytest on that one test, and writes down what pytest reports. A rank that fails ends at once, without the part of
fixtures after the test, which may wait for ranks that will never come."""

from __future__ import annotations

import importlib
import os
import pickle
import sys
import time
import warnings
from collections.abc import Generator
from pathlib import Path
from typing import IO, Any

import pytest

from .. import _core
from .hooks import hook
from .job import COVERAGE, Task, Written


class Rank:
    def __init__(self, config: pytest.Config, nodeid: str, file: IO[bytes]) -> None:
        self.config = config
        self.nodeid = nodeid
        self.file = file
        self.follows = False

    def write(self, kind: str, value: Any) -> None:
        pickle.dump(Written(kind, time.monotonic(), value, self.follows), self.file)
        self.file.flush()

    def fail(self) -> None:
        """End this process without checking out, so that no other rank waits for it."""
        coverage = sys.modules.get("coverage")
        measured = coverage and coverage.Coverage.current()
        if measured:
            measured.stop()
            measured.save()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)

    @hook(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Remove the plugins that note which tests failed last: the pytest that has started this one does that."""
        for name in ("lfplugin", "nfplugin", "stepwiseplugin"):
            if config.pluginmanager.has_plugin(name):
                config.pluginmanager.unregister(name=name)

    @hook(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid == self.nodeid]
        if len(items) != 1:
            self.write("error", f"{self.nodeid} was collected here {len(items)} times; its name must be the same in every process")
            self.fail()

    @hook(hookwrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Generator[None, None, None]:
        yield
        self.follows = bool(call.excinfo and isinstance(call.excinfo.value, _core.Error))

    @hook(optionalhook=True, tryfirst=True)
    def pytest_timeout_set_timer(self) -> bool:
        """Set none: the limit of pytest-timeout is the job's."""
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if str(report.longrepr).startswith("[XPASS(strict)]"):  # the other pytest sees that the test has passed, and has the mark
            report.outcome = "passed"
        self.write("report", self.config.hook.pytest_report_to_serializable(config=self.config, report=report))
        if report.failed or (report.skipped and hasattr(report, "wasxfail")):
            self.fail()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.write("error", str(report.longrepr))
            self.fail()

    def pytest_internalerror(self, excrepr: Any) -> None:
        self.write("error", str(excrepr))
        self.fail()

    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage) -> None:
        try:
            category = pickle.dumps(warning_message.category)
        except Exception:  # an own class, say one of a function's
            category = b""
        self.write("warning", (category, str(warning_message.message), warning_message.filename, warning_message.lineno))

    @hook(trylast=True)
    def pytest_sessionfinish(self) -> None:
        self.write("end", None)


def main() -> None:
    if COVERAGE in os.environ:
        importlib.import_module("coverage").process_startup()
    folder = Path(sys.argv[1])
    rank = os.environ["UNISONO_JOB"].rpartition(",")[2]
    task: Task = pickle.loads((folder / "task").read_bytes())
    sys.path[:] = task.path
    sys.argv[:] = task.words
    if task.pythonpath is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = task.pythonpath
    arguments = [word + rank if word.startswith("--basetemp=") else word for word in task.arguments]
    with open(folder / f"rank{rank}", "wb") as file:
        config = pytest.Config.fromdictargs(task.options, arguments)
        config.pluginmanager.register(Rank(config, task.nodeid, file), "unisono-rank")
        status = config.hook.pytest_cmdline_main(config=config)
        config._ensure_unconfigure()
    # A test that fails has ended this process already; the pytest that started it judges all other outcomes.
    sys.exit(0 if status in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) else 1)


if __name__ == "__main__":
    main()
