"""Signals to the launcher."""

import os
import pty
import signal
import subprocess
import time

import pytest

from launcher import UNISONO, Mark, program, start, strangers, to_end
from patience import HANGS, check_seconds, until

# A shell that waits for a signal hears it at once, and one that waits for a program when that has ended.
TRAP = "trap 'echo got {0}; exit 0' {0}; echo ready; sleep 1000 & wait"


def wait_for_lines(p, n, line):
    for _ in range(n):
        assert p.stdout.readline() == line + "\n"


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP", "QUIT"])
def test_forwarded_and_ended_by(name):
    number = getattr(signal, "SIG" + name)
    p = start("run", "-n", 3, "sh", "-c", TRAP.format(name))
    wait_for_lines(p, 3, "ready")
    p.send_signal(number)
    out, err = to_end(p)
    assert out == f"got {name}\n" * 3
    assert err == f"unisono run: ended by signal {number} ({signal.strsignal(number)})\n"
    assert p.returncode == -number


def test_a_shell_sees_128_and_the_signal(tmp_path):
    job = f"{UNISONO} run -n 1 sh -c 'touch here; exec sleep 100'"
    r = subprocess.run(["sh", "-c", f"{job} & until [ -e here ]; do sleep 0.01; done; kill -TERM $!; wait $!; echo $?"],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=HANGS, cwd=tmp_path)
    assert r.stdout == "143\n"


def test_usr2_is_forwarded_and_the_job_goes_on():
    p = start("run", "-n", 3, "sh", "-c", TRAP.format("USR2"))
    wait_for_lines(p, 3, "ready")
    p.send_signal(signal.SIGUSR2)
    out, err = to_end(p)
    assert (p.returncode, out, err) == (0, "got USR2\n" * 3, strangers(3))


def test_forwarded_through_a_wrapper():
    """The program that checked in receives the signal, not only the shell that started it."""
    p = start("run", "-n", 2, "sh", "-c", f"trap : USR2; {program('groups')} tell tell; echo wrapper $?")
    wait_for_lines(p, 2, "ready")
    p.send_signal(signal.SIGUSR2)
    out, _ = to_end(p)
    assert p.returncode == 0
    assert out == "wrapper 140\n" * 2


def test_grace_ends_in_kill():
    def once():
        p = start("run", "-n", 2, "sh", "-c", "trap '' INT TERM; echo ready; sleep 1000; true")
        wait_for_lines(p, 2, "ready")
        began = time.monotonic()
        p.send_signal(signal.SIGINT)
        assert p.wait(HANGS) == -signal.SIGINT
        took = time.monotonic() - began
        assert took > 0.9
        return took

    check_seconds(2, once)


def test_second_signal_kills_at_once():
    def once():
        p = start("run", "-n", 2, "sh", "-c", "trap '' INT; echo ready; sleep 1000; true")
        wait_for_lines(p, 2, "ready")
        began = time.monotonic()
        p.send_signal(signal.SIGINT)
        time.sleep(0.2)
        p.send_signal(signal.SIGINT)
        assert p.wait(HANGS) == -signal.SIGINT
        return time.monotonic() - began

    check_seconds(0.9, once)


def test_signal_to_the_whole_process_group():
    """A signal as timeout(1) sends it: it counts as one signal, and the PEs have their grace."""
    p = start("run", "-n", 2, "sh", "-c", "trap 'sleep 0.3; echo tidied; exit 0' TERM; echo ready; sleep 1000 & wait",
              start_new_session=True)
    wait_for_lines(p, 2, "ready")
    os.killpg(p.pid, signal.SIGTERM)
    out, _ = to_end(p)
    assert out == "tidied\n" * 2
    assert p.returncode == -signal.SIGTERM


def test_interrupt_from_the_terminal():
    """The terminal sends SIGINT to the whole process group: each PE has it once."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(UNISONO, [UNISONO, "run", "-n", "3", "sh", "-c",
                           "n=0; trap 'n=$((n+1))' INT; echo ready; while [ $n = 0 ]; do sleep 0.01; done; sleep 0.2; "
                           "echo $n time"])
    text = b""
    while text.count(b"ready") < 3:
        text += os.read(terminal, 1000)
    os.write(terminal, b"\x03")
    try:
        while True:
            text += os.read(terminal, 1000)
    except OSError:  # the terminal's other end is closed
        pass
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGINT
    assert text.count(b"1 time") == 3
    assert b"unisono run: ended by signal 2 (Interrupt)" in text


def test_ignored_sigchld():
    """SIGCHLD is ignored, as some daemons leave it to their children."""
    p = start("run", "-n", 2, "sh", "-c", "exit 3", preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert p.wait(HANGS) == 3


def test_ignored_sighup():
    """SIGHUP is ignored, as nohup leaves it: the job goes on."""
    p = start("run", "-n", 2, program("groups"), "tell", "tell",
              preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for_lines(p, 2, "ready")
    p.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert p.poll() is None
    p.send_signal(signal.SIGTERM)
    assert p.wait(HANGS) == -signal.SIGTERM


@pytest.mark.parametrize("limit", ["default", "ignored"])
def test_signal_masks_are_as_before(limit):
    """Those of the PEs; of SIGXFSZ too, though the command itself hears of a file that is too large as an error."""
    def given():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN if limit == "ignored" else signal.SIG_DFL)
    ignored = 1 << signal.SIGXFSZ - 1 if limit == "ignored" else 0
    r = subprocess.run([UNISONO, "run", "-n", "2", "grep", "-E", "SigBlk|SigIgn", "/proc/self/status"],
                       stdout=subprocess.PIPE, text=True, restore_signals=True, timeout=HANGS, preexec_fn=given)
    assert r.stdout == f"SigBlk:\t{0:016x}\nSigIgn:\t{ignored:016x}\n" * 2


def test_nothing_left_after_a_signal():
    mark = Mark()
    p = start("run", "-n", 4, "sh", "-c", "sleep 1000 & echo ready; sleep 1000; true", env=mark.environment)
    wait_for_lines(p, 4, "ready")
    p.send_signal(signal.SIGTERM)
    p.wait(HANGS)
    assert until(lambda: not mark.processes())
