"""unisono top: a running job, in lines and on a terminal."""

import contextlib
import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import termios

import pytest

from launcher import UNISONO, program, run, settled, start, to_end
from patience import HANGS, until
from terminal import Terminal

GROUPS, PLACES = program("groups"), os.environ["UNISONO_PLACES"]
HEADINGS = "  PE      PID STATE       WAITS   ALWAYS  OTHERS  FOR          IN"


@contextlib.contextmanager
def running(*arguments, states=("waiting", "running", "waiting")):
    """A job in which PE 1 never comes to the barrier of the others, once it is there."""
    p = start("run", "-n", 3, *arguments, GROUPS, "wait:7", "run", "wait:7")
    try:
        settled(p, *states)
        yield p
    finally:
        p.send_signal(signal.SIGTERM)
        to_end(p)


def test_lines():
    with running() as p:
        r = run("top", "-n", 2, "-d", 0.2, p.pid)
        assert (r.returncode, r.stderr) == (0, "") and "\x1b" not in r.stdout
        lines = r.stdout.splitlines()
        assert len(lines) == 10 and lines[:5] != lines[5:]
        title, headings, *rows = lines[5:]
        assert title.startswith(f"PID {p.pid}: {GROUPS} ") and headings == HEADINGS
        for k in 0, 2:
            assert re.fullmatch(rf"   {k} +\d+ waiting +100 % +100 % +0\.0  PE 1 +p_wait of group \{{0-2\}}", rows[k])
        assert re.fullmatch(r"   1 +\d+ running +0 % +0 % +2\.0", rows[1])


def test_json():
    with running() as p:
        r = run("top", "--json", "-n", 2, "-d", 0.1, p.pid)
        first, last = (json.loads(line) for line in r.stdout.splitlines())
        assert first["launcher"] == p.pid and first["seconds"] < last["seconds"]
        assert [(pe["pe"], pe["state"], pe["missing"], pe["waiting_share"], pe["others_waiting"]) for pe in last["pe"]] == [
            (0, "waiting", [1], 1.0, 0.0), (1, "running", [], 0.0, 2.0), (2, "waiting", [1], 1.0, 0.0)]
        assert all(pe["call"] is None for pe in last["pe"])


def test_lines_of_the_source_where_calls_are_recorded(tmp_path):
    with running(f"--stats={tmp_path}/a.json") as p:
        pes = json.loads(run("top", "--json", "-n", 1, "-d", 0.1, p.pid).stdout)["pe"]
        assert all(re.fullmatch(r"p_wait at groups.c:\d+", pes[k]["call"]) for k in (0, 2)) and pes[1]["call"] is None


def test_end_of_the_job(tmp_path):
    """The last lines are whole, and top ends with the job."""
    with running() as p, open(tmp_path / "lines", "w+") as lines:
        top = subprocess.Popen([UNISONO, "top", "-d", "0.1", str(p.pid)], stdout=lines)
        assert until(lambda: (tmp_path / "lines").read_text().count(HEADINGS) > 1)
        p.send_signal(signal.SIGTERM)
        assert top.wait(HANGS) == 0
        text = (tmp_path / "lines").read_text()
        assert text.endswith("\n") and len(text.splitlines()) == 5 * text.count(HEADINGS)


def test_no_job_and_several():
    r = run("top", os.getpid())
    assert (r.returncode, r.stdout) == (1, "")
    assert r.stderr == f"unisono top: {os.getpid()} is no process of a job of yours; `unisono ps` shows all\n"
    with running(), running():
        r = run("top")
        assert (r.returncode, r.stdout) == (1, "")
        assert re.fullmatch(r"unisono top: \d+ jobs of yours run; name a process of one \(`unisono ps` shows all\)\n", r.stderr)


@pytest.mark.parametrize("words, why", [(["-d", "0"], "delay"), (["-d", "x"], "delay"), (["-n", "0"], "iterations"), (["x"], "not the number")])
def test_bad_words(words, why):
    r = run("top", *words)
    assert (r.returncode, r.stdout) == (2, "") and why in r.stderr


class Screen(Terminal):
    def __init__(self, *words, lines=24, columns=100):
        super().__init__([UNISONO, "top", *map(str, words)], os.environ | {"TERM": "xterm"})
        self.resize(lines, columns)

    def resize(self, lines, columns):
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def order(self, wanted):
        """Wait until the last picture has the PEs in this order."""
        def reached():
            self._read(0.05)
            picture = self._text.rpartition(b"\x1b[H")[0].rpartition(b"\x1b[H")[2].decode()  # the last one may come still
            return re.findall(r"^ +(\d+) +\d+ (?:waiting|running)", picture, re.M) == wanted
        return until(reached)

    def last(self, wanted):
        """Wait until the last picture has the PEs in this order, where no other one follows."""
        def reached():
            self._read(0.05)
            return re.findall(r"^ +(\d+) +\d+ (?:waiting|running)", self._text.rpartition(b"\x1b[H")[2].decode(), re.M) == wanted
        return until(reached)

    def raw(self):
        return self._text

    def modes(self):
        return termios.tcgetattr(self._end)[3] & (termios.ICANON | termios.ECHO)


def test_keys():
    with running() as p, Screen(p.pid, "-d", 0.1) as screen:
        assert screen.order(["0", "1", "2"]) and screen.raw().startswith(b"\x1b[?1049h") and not screen.modes()
        for key, order in ("o", "102"), ("r", "021"), ("w", "021"), ("p", "012"), ("r", "210"):
            screen.type(key)
            assert screen.order(list(order)), key
        screen.type("q")
        assert screen.to_end() and screen.raw().endswith(b"\x1b[?25h\x1b[?1049l")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_give_the_terminal_back(number):
    with running() as p, Screen(p.pid, "-d", 0.1) as screen:
        assert screen.order(["0", "1", "2"])
        os.kill(screen._pid, number)
        assert screen.to_end() and screen.raw().endswith(b"\x1b[?25h\x1b[?1049l")


def test_small_terminal():
    """The PEs that others wait for come first, and the rest is one line."""
    with running() as p, Screen(p.pid, "-d", 0.1, lines=5, columns=40) as screen:
        screen.type("o")
        assert screen.shows("     and 2 more PEs, 2 of them waiting")
        assert screen.order(["1"])
        screen.resize(24, 100)
        assert screen.order(["1", "0", "2"])


def test_keys_and_sizes_show_at_once():
    """They do not wait for the next picture, and shares stay those of the last whole interval."""
    with running() as p, Screen(p.pid, "-d", 3600) as screen:
        assert screen.shows(" PE 1 ")
        screen.type("o")
        assert screen.last(["1", "0", "2"])
        screen.resize(5, 100)
        assert screen.shows("     and 2 more PEs, 2 of them waiting")


def test_a_number_of_pictures_stays_on_the_terminal():
    with running() as p, Screen("-n", 1, "-d", 0.1, p.pid) as screen:
        assert screen.to_end() and b"\x1b" not in screen.raw() and HEADINGS in screen.text()


def test_the_job_ends_on_a_terminal():
    with running() as p, Screen(p.pid, "-d", 0.1) as screen:
        assert screen.order(["0", "1", "2"])
        p.send_signal(signal.SIGTERM)
        assert screen.to_end()
        assert screen.raw().rpartition(b"\x1b[?1049l")[2].decode().replace("\r", "").endswith("the job has ended\n")
