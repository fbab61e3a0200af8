import os
import pty
import subprocess
import sys
import time
import xml.etree.ElementTree as tree

import patience
import places
import pytest


FOLDERS = os.pathsep.join([*os.environ["PYTHONPATH"].split(os.pathsep), *(os.path.dirname(m.__file__) for m in (places, patience))])
PLUGIN = ["-p", "unisono._ranks.plugin"]  # pytest finds it by itself where the wheel is installed


class Ended:
    """The text that pytest printed, and the outcomes of its tests by the file of JUnit."""

    def __init__(self, done, junit):
        self.status, self.text, self.errors = done.returncode, done.stdout, done.stderr
        self.cases = {case.get("name"): case for case in tree.parse(junit).iter("testcase")} if junit.exists() else {}

    def outcome(self, name):
        return [part.tag for part in self.cases[name] if part.tag in ("failure", "skipped", "error")] or ["passed"]

    def message(self, name):
        return next(part.get("message") for part in self.cases[name] if part.tag in ("failure", "skipped", "error"))


@pytest.fixture
def on_pes(tmp_path):
    """Run a script on n PEs: its standard output; or with `fails`, which must be so, its standard error."""

    def start(n, text, fails=False, python=sys.executable, **environment):
        script = tmp_path / "script.py"
        script.write_text(text)
        done = subprocess.run(
            [os.environ["UNISONO"], "run", "-n", str(n), python, str(script)],
            capture_output=True, text=True, timeout=patience.HANGS,
            env={**os.environ, "PYTHONPATH": FOLDERS, **environment},
        )  # fmt: skip
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stderr if fails else done.stdout

    return start


@pytest.fixture
def refuses(on_pes):
    """Run calls on 2 PEs, each of which is an exception with the message beside it; all PEs go on after each."""

    def check(before, wrong):
        on_pes(2, before + f"""
for call, message in {wrong}:
    try:
        eval(call)
    except (TypeError, ValueError, MemoryError) as error:
        assert message in str(error), (call, error)
    else:
        raise SystemExit("no exception: " + call)
    assert unisono.reduce(1) == 2
""")

    return check


@pytest.fixture
def ends_job(on_pes):
    """Run a script on 2 PEs whose job ends by an exception of the library's with that message."""

    def check(text, message):
        said = on_pes(2, text, fails=True)
        assert "unisono.Error: PE " in said and message in said, said
        return said

    return check


@pytest.fixture
def at_terminal():
    """Run a command at a terminal of its own, whose PEs each print their process, and press Ctrl-C once they are in
    these places (places.wait_at): what it printed, how it ended as os.waitpid tells, and the seconds from Ctrl-C to the
    end."""

    def start(command, *at):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(command[0], command)
        text = b""
        try:
            while text.count(b"\n") < len(at):
                text += os.read(terminal, 1000)
            assert places.wait_at(int(text.split()[0]), *at)
            pressed = time.monotonic()
            os.write(terminal, b"\x03")
            while True:
                text += os.read(terminal, 1000)
        except OSError:  # the terminal's other end is closed
            pass
        return text.decode(), os.waitpid(pid, 0)[1], time.monotonic() - pressed

    return start


@pytest.fixture
def tests(tmp_path):
    """Run pytest on a file of tests, as outside of GitHub's actions unless the environment says otherwise."""

    def start(text, *arguments, before=(), **environment):
        (tmp_path / "test_it.py").write_text("import os, pytest, unisono\n" + text)
        junit = tmp_path / "junit.xml"
        command = [*before, sys.executable, "-m", "pytest", *PLUGIN, "-p", "no:cacheprovider", f"--junitxml={junit}", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=patience.HANGS, stdin=subprocess.DEVNULL,
                              env={**{k: v for k, v in os.environ.items() if k != "GITHUB_ACTIONS"}, **environment})
        return Ended(done, junit)

    return start
