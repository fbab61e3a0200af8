"""unisono run --debug: PEs under gdb in panes of tmux."""

import os
import shutil
import subprocess

import pytest

from launcher import UNISONO, program, run
from patience import until

pytestmark = pytest.mark.skipif(not (shutil.which("tmux") and shutil.which("gdb")), reason="skipped: there is no tmux or gdb")


@pytest.fixture(name="tmux")
def fixture_tmux(tmp_path):
    """A server of its own: tmux(COMMAND...)."""
    environment = {**os.environ, "TMUX_TMPDIR": str(tmp_path), "SHELL": "/bin/sh"}
    environment.pop("TMUX", None)

    def tmux(*words):
        return subprocess.run(["tmux", *words], env=environment, capture_output=True, text=True, check=False).stdout

    yield tmux
    tmux("kill-server")


def debug(tmux, tmp_path, *words):
    """Start a job in the first pane, whose exit status it writes to a file."""
    line = " ".join([UNISONO, "run", *words])
    tmux("new-session", "-d", "-x", "200", "-y", "60", f"{line} >{tmp_path}/out 2>&1; echo $? >{tmp_path}/status; sleep 1000")


def panes(tmux):
    return tmux("list-panes", "-s", "-F", "#{pane_id} #{pane_title}").splitlines()


def await_panes(tmux, tmp_path, *titles):
    """Wait until panes with these titles, and no others, stand beside the first one. A pane gets its title after it is
    made. Returns the panes."""
    found = []

    def complete():
        found[:] = [line.split(" ", 1) for line in panes(tmux)[1:]]
        return sorted(title for _, title in found) == sorted(titles)

    assert until(complete), (found, (tmp_path / "out").read_text())
    return [pane for pane, _ in found]


def ask(tmux, pane, line, answer):
    tmux("send-keys", "-t", pane, line, "Enter")
    assert until(lambda: answer in tmux("capture-pane", "-p", "-t", pane)), tmux("capture-pane", "-p", "-t", pane)


def test_one_of_three(tmux, tmp_path):
    """The others run as they are and wait for it; the job ends as the programs do."""
    debug(tmux, tmp_path, "-n", "3", "--debug=1", program("groups"), "add:7", "add:7", "add:7")
    pane = await_panes(tmux, tmp_path, "PE 1")[0]
    ask(tmux, pane, "print 40 + 2", "= 42")
    ask(tmux, pane, "run", "exited normally")
    tmux("send-keys", "-t", pane, "quit", "Enter")
    assert until((tmp_path / "status").exists)
    assert until(lambda: (tmp_path / "status").read_text() == "0\n"), (tmp_path / "out").read_text()


def test_each(tmux, tmp_path):
    debug(tmux, tmp_path, "-n", "2", "--debug", program("empty"))
    for pane in await_panes(tmux, tmp_path, "PE 0", "PE 1"):
        tmux("send-keys", "-t", pane, "quit", "Enter")
    assert until((tmp_path / "status").exists)
    assert until(lambda: len(panes(tmux)) == 1)


def test_programs(tmux, tmp_path):
    """Each program has its own words behind those of the script, and no more."""
    debug(tmux, tmp_path, "-n", "1", "--debug=1", "sh", "-c", "'echo words $#'", "sh", "a", ":", "-n", "1", program("empty"))
    tmux("send-keys", "-t", await_panes(tmux, tmp_path, "PE 1")[0], "quit", "Enter")
    assert until((tmp_path / "status").exists)
    assert "words 1\n" in (tmp_path / "out").read_text()


def test_closed(tmux, tmp_path):
    """A pane that is closed is a PE that has failed."""
    debug(tmux, tmp_path, "-n", "2", "--debug=0", program("groups"), "add:3", "add:3")
    tmux("kill-pane", "-t", await_panes(tmux, tmp_path, "PE 0")[0])
    assert until(lambda: (tmp_path / "status").exists() and (tmp_path / "status").read_text())
    assert (tmp_path / "status").read_text() == "1\n"


@pytest.mark.parametrize("value, message", [("--debug=2", "its value is a list of PEs of this job, as in --debug=0,2-3"),
                                            ("--debug=1-0", "its value is a list of PEs"), ("--debug=", "its value is a list"),
                                            ("--debug=0,", "its value is a list"), ("--debug=0-", "its value is a list"), ("--debug", "start it inside of tmux")])
def test_bad(value, message):
    environment = {name: text for name, text in os.environ.items() if name not in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY")}
    r = run("run", "-n", 2, value, "true", env=environment)
    assert r.returncode == 2 and r.stderr.startswith("unisono run: --debug: ") and message in r.stderr
