"""`pytest --ranks 1,2,3` runs each test that asks for ranks in jobs of its own. docs/guides/ci.md is the guide."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

import pytest

from . import github, job, marks, told
from .hooks import hook

PATH = list(sys.path)  # as it was when pytest started; conftest files add to it
NUMBER = "_ranks"  # the parameter of a test that is its number of ranks
OTHERS = (NUMBER, "_nprocs")  # the second is mpi-pytest's, where that is installed: then its mark is read by itself


def numbers(text: str) -> tuple[int, ...]:
    try:
        given = tuple(int(word) for word in text.split(","))
    except ValueError:
        given = ()
    if not given or min(given) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers of ranks such as 1,2,3")
    return given


def seconds(text: str) -> float:
    try:
        given = float(text)
    except ValueError:
        given = 0
    if not given > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return given


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("unisono", "tests on several ranks")
    group.addoption("--ranks", type=numbers, metavar="N,...", default=(),
                    help="run each test that asks for ranks in a job of its own, for each of these numbers of ranks")
    group.addoption("--ranks-timeout", type=seconds, metavar="S",
                    help="end such a job after so many seconds, and tell where its ranks are")


def launched() -> str | None:
    """The number of ranks of the job of which this process is one, as its launcher tells it; None: it is in no job."""
    if os.environ.get("UNISONO_JOB") == "":  # a program that a PE has started
        return None
    tasks = os.environ.get("SLURM_STEP_NUM_TASKS")
    if tasks == "1" or os.environ.get("SLURM_STEP_ID", "").startswith("-"):  # a shell of salloc, a script of sbatch
        tasks = None
    return os.environ.get("OMPI_COMM_WORLD_SIZE") or os.environ.get("PMI_SIZE") or tasks


@hook(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", marks.MARKS[0])
    given = config.getoption("ranks")
    if not given:
        config.pluginmanager.register(Alone(), "unisono-alone")
        return
    for line in marks.MARKS[1:]:
        config.addinivalue_line("markers", line)
    # The plugin of pytest-mpi would skip the tests that are to run in jobs; its fixtures stay.
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "MPIPlugin" and not (config.getoption("with_mpi", False) or config.getoption("only_mpi", False)):
            config.pluginmanager.unregister(plugin)
    config.pluginmanager.register(Numbers(given), "unisono-numbers")
    if hasattr(config.option, job.RANK):
        return
    if launched():
        raise pytest.UsageError(f"--ranks starts the jobs itself, and this pytest is one of {launched()} ranks already: "
                                "start it without a launcher")
    job.tell_library()
    config.pluginmanager.register(Jobs(config), "unisono-jobs")
    if os.environ.get("GITHUB_ACTIONS") == "true":
        config.pluginmanager.register(github.Annotations(config), "unisono-annotations")


class Alone:
    """The plugin without --ranks: a test with the mark `ranks` runs only if pytest itself is a rank of a job of that
    size."""

    @hook(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        mark = item.get_closest_marker("ranks")
        if not mark:
            return
        asked, there = marks.asked(item, ()), launched()
        assert asked
        if not there:
            pytest.skip(f"asks for ranks: pytest --ranks {','.join(map(str, asked.numbers)) or '1,2,3'}")
        if asked.numbers and int(there) not in asked.numbers:
            pytest.skip(f"asks for {' or '.join(map(str, asked.numbers))} ranks, and this job has {there}")


class Numbers:
    """A test that asks for ranks becomes one for each of its numbers; in pytest and in each rank that it starts, so
    that the names are the same."""

    def __init__(self, given: tuple[int, ...]) -> None:
        self.given = given

    @hook(trylast=True)
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        asked = marks.asked(metafunc.definition, self.given)
        if not asked or not asked.label or set(OTHERS) & set(metafunc.fixturenames):
            return
        metafunc.fixturenames.append(NUMBER)
        metafunc.parametrize(NUMBER, asked.numbers, ids=[f"{asked.label}={n}" for n in asked.numbers])


class Jobs:
    """The tests that ask for ranks run in jobs. In this process only a shell is left of each, in which pytest sees the
    outcome: it evaluates marks, and reports, as for any test."""

    def __init__(self, config: pytest.Config) -> None:
        self.setting = job.Setting(config, PATH)
        self.limits: dict[pytest.Item, float | None] = {}  # of the tests that run in jobs

    @hook(optionalhook=True, tryfirst=True)
    def pytest_timeout_set_timer(self, item: pytest.Item, settings: Any) -> bool | None:
        """Make the limit of pytest-timeout that of the job, which then tells where its ranks are."""
        if item not in self.limits:
            return None
        limit = self.limits[item]
        self.limits[item] = settings.timeout if limit is None else min(limit, settings.timeout)
        return True

    @hook(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        for item in items:
            asked = marks.asked(item, config.getoption("ranks"))
            if not asked:
                continue
            parameters = getattr(getattr(item, "callspec", None), "params", {})
            chosen = [parameters[name] for name in OTHERS if name in parameters]
            self.hand_over(item, asked.least, tuple(chosen) or asked.numbers)
            for mark in marks.in_jobs(item):
                item.add_marker(mark)
            if item.get_closest_marker("parallel"):  # -m selects the marks below, as mpi-pytest's guide says
                for n in tuple(chosen) or asked.numbers:
                    name = f"parallel[{n}]"
                    config.addinivalue_line("markers", f"{name}: a test of mark parallel that has so many ranks")
                    item.add_marker(getattr(pytest.mark, name))

    def hand_over(self, item: pytest.Item, least: int, chosen: tuple[int, ...]) -> None:
        self.limits[item] = item.config.getoption("ranks_timeout")

        def run() -> None:
            enough = [n for n in chosen if n >= least]
            if not enough:
                raise pytest.skip.Exception(marks.too_few(least, max(chosen)), _use_item_location=True)
            for n in enough:
                told.judge(item, n, self.setting.run(item, n, self.limits[item]))

        def represent(excinfo: pytest.ExceptionInfo[BaseException], *rest: Any, **more: Any) -> Any:
            if isinstance(excinfo.value, told.RanksFailed):
                return excinfo.value.told
            return usual(excinfo, *rest, **more)

        usual = item.repr_failure
        for name, value in {"setup": lambda: None, "runtest": run, "teardown": lambda: None, "repr_failure": represent}.items():
            setattr(item, name, value)
