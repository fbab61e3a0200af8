"""How jobs on several machines end, and that nothing of them stays."""

import contextlib
import os
import pty
import re
import signal
import subprocess
import time

import pytest

from machines import (HANGS, RANK, UNISONO, Mark, agents, launcher_processes, program, run, shared_files, start,
                      strangers)
from patience import check_seconds, until

SLEEP = "echo ready; sleep 1000; true"


def wait_for_lines(p, n):
    for _ in range(n):
        assert p.stdout.readline() == "ready\n"


def check_nothing_left(mark):
    assert until(lambda: not mark.processes()), mark.processes()
    assert not shared_files()


@pytest.mark.parametrize("script, status, how", [
    ("exit 7", 7, "ended with exit status 7"),
    ("kill -9 $$", 137, "was killed by signal 9 (Killed)"),
    ("kill -SEGV $$; sleep 9", 139, "was killed by signal 11 (Segmentation fault)"),
])
def test_a_pe_fails(script, status, how):
    mark = Mark()

    def once():
        began = time.monotonic()
        r = run("a:2,b:2,c:1", "sh", "-c", f"if [ ${RANK} = 3 ]; then {script}; fi; sleep 1000; true", env=mark.environment)
        assert (r.returncode, r.stdout, r.stderr) == (status, "", f"unisono run: PE 3 on b {how}\n")
        return time.monotonic() - began

    check_seconds(1.5, once)
    check_nothing_left(mark)


def test_the_highest_status_counts():
    r = run("a,b,c", "sh", "-c", f"exit $((${RANK} + 3))")
    assert r.returncode in (3, 4, 5) and re.fullmatch(r"unisono run: PE (\d) on (\w) ended with exit status \d\n", r.stderr)


@pytest.mark.parametrize("what, status, cause", [
    ("die", 137, "PE 0 on a was killed by signal 9 (Killed)"),
    ("fail", 1, "PE 0 ended with an error: it is enough"),
])
def test_pes_of_other_nodes_learn_the_cause(what, status, cause):
    """They sleep in the library then, and say why they end; the agents hear of it in the same words."""
    def once():
        r = run("a:1,b:2,a:2", program("pes"), what)
        took = time.monotonic() - float(r.stdout)
        lines = r.stderr.splitlines()
        assert r.returncode == status
        for k in (1, 3):
            assert any(re.fullmatch(rf"unisono: PE {k}: {re.escape(cause)}; this PE was in p_wait .*", line) for line in lines), lines
        assert lines[-1] == "unisono run: PE 0 on a " + ("was killed by signal 9 (Killed)" if what == "die" else "ended with exit status 1")
        return took

    check_seconds(1.5, once)


@pytest.mark.parametrize("node", [0, 1, 2])
def test_an_agent_is_killed(node):
    mark = Mark()

    def once():
        p = start("a:1,b:2,c:1", "sh", "-c", SLEEP, env=mark.environment)
        wait_for_lines(p, 4)
        began = time.monotonic()
        os.kill(agents(p)[node], signal.SIGKILL)
        _, err = p.communicate(timeout=HANGS)
        assert p.returncode == 1
        assert re.fullmatch(rf"unisono run: node {'abc'[node]} is gone: \S+rsh was killed by signal 9 \(Killed\)\n", err)
        return time.monotonic() - began

    check_seconds(2, once)
    check_nothing_left(mark)


def test_an_agent_is_ended_by_a_signal():
    p = start("a:1,b:2", "sh", "-c", SLEEP)
    wait_for_lines(p, 3)
    os.kill(agents(p)[1], signal.SIGTERM)
    _, err = p.communicate(timeout=HANGS)
    assert (p.returncode, err) == (1, "unisono run: node b is gone: its agent was ended by signal 15 (Terminated)\n")


def send(processes, number):
    for process in processes:
        os.kill(process, number)


def test_a_machine_stands_still():
    mark = Mark()

    def once():
        p = start("a:1,b:2,c:1", "--heartbeat-timeout", 1, "sh", "-c", SLEEP, env=mark.environment)
        wait_for_lines(p, 4)
        began = time.monotonic()
        send(launcher_processes(agents(p)[1]), signal.SIGSTOP)
        _, err = p.communicate(timeout=HANGS)
        assert (p.returncode, err) == (1, "unisono run: node b is gone: nothing comes from there any more (--heartbeat-timeout 1)\n")
        return time.monotonic() - began

    check_seconds(2, once)
    check_nothing_left(mark)


def test_the_coordinator_stands_still():
    """Its agents end their PEs and themselves, as if it were gone."""
    mark = Mark()
    p = start("a:1,b:2", "--heartbeat-timeout", 1, "sh", "-c", SLEEP, env=mark.environment)
    wait_for_lines(p, 3)
    stopped = launcher_processes(p.pid)
    send(stopped, signal.SIGSTOP)
    assert until(lambda: set(mark.processes()) <= set(stopped)), mark.processes()
    send(stopped, signal.SIGCONT)
    _, err = p.communicate(timeout=HANGS)
    assert p.returncode == 1 and re.fullmatch(r"unisono run: node [ab] is gone: .*\n", err)
    check_nothing_left(mark)


@pytest.mark.parametrize("options, number", [(["--heartbeat-timeout", 1], signal.SIGTSTP),
                                             (["--heartbeat-timeout", 0], signal.SIGSTOP)])
def test_the_coordinator_is_stopped_by_its_user(options, number):
    # In a group of its own, as a shell gives it: SIGTSTP stops no process of a group without a parent outside.
    p = start("a:1,b:2", *options, "sh", "-c", "echo ready; sleep 3; echo done", preexec_fn=os.setpgrp)
    wait_for_lines(p, 3)
    stopped = launcher_processes(p.pid)
    send(reversed(stopped), number)
    time.sleep(2)
    states = [open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()[0] for process in stopped]
    send(stopped, signal.SIGCONT)
    out, err = p.communicate(timeout=HANGS)
    assert (states, p.returncode, out, err) == (["T"] * 3, 0, "done\n" * 3, strangers(3))


@pytest.mark.parametrize("process", [0, 1, 2])
def test_the_coordinator_is_killed(process):
    mark = Mark()
    p = start("a:1,b:2", "sh", "-c", SLEEP, env=mark.environment)
    wait_for_lines(p, 3)
    os.kill(launcher_processes(p.pid)[process], signal.SIGKILL)
    p.communicate(timeout=HANGS)
    assert p.returncode in (-9, 137)
    check_nothing_left(mark)


def test_agents_end_when_their_coordinator_is_gone(tmp_path):
    """They are no descendants of it here, as on another machine, and learn it by the end of the stream alone."""
    rsh = tmp_path / "rsh"
    rsh.write_text("""#!/usr/bin/env python3
import os, subprocess, sys, time
coordinator = os.getppid()
apart = subprocess.Popen(["setsid", "--fork", "sh", "-c", sys.argv[2] + "; echo over > " + sys.argv[0] + "." + sys.argv[1]])
os.close(0), os.close(1)
apart.wait()
while os.getppid() == coordinator:
    time.sleep(0.01)
""")
    rsh.chmod(0o755)
    mark = Mark()
    p = subprocess.Popen([UNISONO, "run", "--rsh", rsh, "--hosts", "a,b", "sh", "-c", SLEEP],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=mark.environment)
    wait_for_lines(p, 2)
    for process in reversed(launcher_processes(p.pid)):
        os.kill(process, signal.SIGKILL)
    p.communicate(timeout=HANGS)
    check_nothing_left(mark)


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP", "QUIT"])
def test_signals_are_passed_on(name):
    number = getattr(signal, "SIG" + name)
    p = start("a:1,b:2", "sh", "-c", f"trap 'echo got {name}; exit 0' {name}; echo ready; sleep 1000 & wait")
    wait_for_lines(p, 3)
    p.send_signal(number)
    out, err = p.communicate(timeout=HANGS)
    assert (p.returncode, out) == (-number, f"got {name}\n" * 3)
    assert err == f"unisono run: ended by signal {number} ({signal.strsignal(number)})\n"


@pytest.mark.parametrize("host", ["a", "localhost"])
def test_from_a_terminal(host, tmp_path):
    """Ctrl-C reaches each PE once, and does not end the command that reaches the other machine, as it would ssh."""
    rsh = tmp_path / "rsh"
    rsh.write_text("""#!/usr/bin/env python3
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
sys.exit(subprocess.Popen(["sh", "-c", sys.argv[2]], start_new_session=True).wait())
""")
    rsh.chmod(0o755)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(UNISONO, [UNISONO, "run", "--rsh", str(rsh), "--hosts", f"{host}:2,b", "sh", "-c", "n=0; trap 'n=$((n+1))' INT; echo ready; "
                           "while [ $n = 0 ]; do sleep 0.01; done; sleep 0.2; echo $n time"])
    text = b""
    while text.count(b"ready") < 3:
        text += os.read(terminal, 1000)
    os.write(terminal, b"\x03")
    with contextlib.suppress(OSError):  # until the terminal's other end is closed
        while True:
            text += os.read(terminal, 1000)
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGINT
    assert text.count(b"1 time") == 3, text
    assert b"unisono run: ended by signal 2 (Interrupt)" in text


def test_usr2_ends_nothing():
    p = start("a:1,b:2", "sh", "-c", "trap 'echo got; exit 0' USR2; echo ready; sleep 1000 & wait")
    wait_for_lines(p, 3)
    p.send_signal(signal.SIGUSR2)
    out, err = p.communicate(timeout=HANGS)
    assert (p.returncode, out, err) == (0, "got\n" * 3, strangers(3))


def test_a_second_signal_kills():
    def once():
        p = start("a,b", "sh", "-c", "trap '' INT; echo ready; sleep 1000; true")
        wait_for_lines(p, 2)
        began = time.monotonic()
        p.send_signal(signal.SIGINT)
        time.sleep(0.2)
        p.send_signal(signal.SIGINT)
        assert p.wait(HANGS) == -signal.SIGINT
        p.communicate()
        return time.monotonic() - began

    check_seconds(0.8, once)


def test_the_report_names_hosts():
    p = start("a:1,b:1,a:1", "sh", "-c", "trap 'exit 0' USR2; echo ready; sleep 1000 & wait")
    wait_for_lines(p, 3)
    p.send_signal(signal.SIGUSR1)
    lines = [p.stderr.readline() for _ in range(4)]
    assert lines == ["unisono run: where the PEs are:\n", *(f"  PE {k} on {'aba'[k]}: not checked in\n" for k in range(3))]
    p.send_signal(signal.SIGUSR2)
    p.communicate(timeout=HANGS)
    assert p.returncode == 0


def test_timeout():
    """The report has the places of PEs that have checked in."""
    r = run("a:1,b:2,a:2", "--timeout", 4, program("pes"), "wait")
    lines = r.stderr.splitlines()
    assert (r.returncode, lines[0]) == (124, "unisono run: timeout after 4 s; where the PEs are:")
    assert lines[1:] == [f"  PE {k} on {'abbaa'[k]}: running" for k in range(5)]


def test_a_wrapper_that_deals_with_a_failure():
    """PE 1 is killed, and its wrapper ends well within the time in which the others may still end by themselves."""
    script = (f"if [ ${RANK} = 1 ]; then {program('pes')} wait & sleep 2; kill -9 $!; wait $!; sleep 0.1; exit 0; fi; "
              "sleep 3; echo done")
    r = run("a,b,c", "sh", "-c", script)
    assert (r.returncode, r.stdout, r.stderr) == (0, "done\n" * 2, "Killed\n")


def test_nobody_sleeps_badly():
    """A job that waits uses no processor time, neither here nor in its agents."""
    p = start("a,b", "sh", "-c", SLEEP)
    wait_for_lines(p, 2)
    processes = [*launcher_processes(p.pid), *agents(p)]
    for agent in agents(p):
        processes += launcher_processes(agent)[1:]

    def used():
        return sum(sum(map(int, open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()[11:13])) for process in processes)

    before = used()
    time.sleep(2)
    assert used() - before <= 4  # hundredths of a second
    p.terminate()
    p.communicate(timeout=HANGS)
