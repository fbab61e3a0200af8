"""Rules for all tests that run under pytest."""

import contextlib
import os
import signal
import subprocess

import pytest

# A test run that is started in the background, or by nohup, ignores some of these, and so would all that it starts.
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP:
    signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def children(pid):
    with contextlib.suppress(OSError):
        return [int(child) for thread in os.listdir(f"/proc/{pid}/task")
                for child in open(f"/proc/{pid}/task/{thread}/children").read().split()]
    return []


def end_descendants():
    """End all processes that a test has started: parents first, since they would start more."""
    left = children(os.getpid())
    for pid in left:
        left += children(pid)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def pytest_runtest_makereport(call):
    """A test that fails leaves its processes as they are; nobody would end them."""
    if call.excinfo and not call.excinfo.errisinstance(pytest.skip.Exception):
        end_descendants()


def pytest_sessionfinish(session, exitstatus):
    """A file that is skipped as a whole is a skipped test of CTest's; for pytest it would be one without tests."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and reporter.stats.get("skipped"):
        session.exitstatus = 77


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """compiled(text, COMPILER, ARGUMENT...): the program that they make of C, once for all tests."""
    made = {}

    def program(text, *command):
        key = (text, *map(str, command))
        if key not in made:
            made[key] = tmp_path_factory.mktemp("compiled") / "program"
            subprocess.run([*command, "-o", made[key], "-x", "c", "-", "-x", "none"], input=text, text=True, check=True)
        return made[key]

    return program
