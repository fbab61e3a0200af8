"""The PEs of a job on several machines: where they run, what they find, and how soon they know each other."""

import os

import pytest

from machines import RANK, launcher, program, run, strangers
from patience import check_seconds

WHERE = f'echo ${RANK} $OMPI_COMM_WORLD_SIZE $OMPI_COMM_WORLD_LOCAL_RANK $OMPI_COMM_WORLD_LOCAL_SIZE'

# Hosts, and of each PE its number on its node, and how many that has.
PLACEMENTS = {
    "a:3": [(0, 3), (1, 3), (2, 3)],
    "a:2,b:2": [(0, 2), (1, 2), (0, 2), (1, 2)],
    "a,b:3": [(0, 1), (0, 3), (1, 3), (2, 3)],
    "a:1,b:1,a:1,b:1": [(0, 2), (0, 2), (1, 2), (1, 2)],
    "a:2,b:1,c:2,a:1": [(0, 3), (1, 3), (0, 1), (0, 2), (1, 2), (2, 3)],
    "[::1]:2,b": [(0, 2), (1, 2), (0, 1)],
}


@pytest.mark.parametrize("hosts", PLACEMENTS)
def test_numbers(hosts):
    places = PLACEMENTS[hosts]
    r = run(hosts, "sh", "-c", WHERE)
    assert sorted(r.stdout.splitlines()) == [f"{k} {len(places)} {a} {b}" for k, (a, b) in enumerate(places)]
    assert (r.returncode, r.stderr) == (0, strangers(len(places)))


def test_fewer_pes_than_slots():
    r = run("a:2,b:2", "-n", 3, "sh", "-c", WHERE)
    assert sorted(r.stdout.splitlines()) == ["0 3 0 2", "1 3 1 2", "2 3 0 1"]


def test_a_host_without_pes_is_left_alone():
    r = run("a:2,b:2", "-n", 2, "true", env={"RSH_REFUSES": "b"})
    assert (r.returncode, r.stderr) == (0, strangers(2))


def test_this_machine_needs_no_ssh():
    r = run("localhost:2,b", "sh", "-c", WHERE, env={"RSH_REFUSES": "localhost"})
    assert (r.returncode, len(r.stdout.splitlines())) == (0, 3)


def test_file(tmp_path):
    file = tmp_path / "hosts"
    file.write_text("# two machines\na slots=2  # the first\n\n  b:1\na\n")
    r = run("c", "--hostfile", file, "sh", "-c", WHERE)
    assert sorted(r.stdout.splitlines()) == ["0 5 0 1", "1 5 0 3", "2 5 1 3", "3 5 0 1", "4 5 2 3"]


WRONG = [
    (["--hosts", "a:0"], "--hosts a:0: a has 0 slots: a number from 1 is wanted"),
    (["--hosts", "a:x"], "--hosts a:x: a has x slots: a number from 1 is wanted"),
    (["--hosts", "a,,b"], "a host has no name"),
    (["--hosts", "-oProxyCommand=x"], "a host's name does not begin with a minus sign"),
    (["--hosts", "a;b"], "a host's name has letters, digits and the signs of addresses"),
    (["--hosts", "a" * 64], "63 bytes"),
    (["--hosts", "a:2,b:2", "-n", "5"], "the programs have 5 PEs, and the hosts 4 slots"),
    (["--hosts", "a:2", "--debug"], "--debug is not available in a job on several machines"),
    (["--hosts", "a:2", "--gang"], "--gang is not available in a job on several machines"),
    (["--hosts", "a:2", "--unit", "usp8"], "--unit is not available in a job on several machines"),
    (["--hosts", "a:2", "--ports", "9-5"], "--ports 9-5: two numbers from 1 to 65535 are wanted"),
    (["--hosts", "a:2", "--connect-timeout", "0"], "--connect-timeout 0: not a number of seconds"),
    (["--hosts", "a:2", "--heartbeat-timeout", "0.5"], "--heartbeat-timeout 0.5: a number of seconds is wanted, 1 or more"),
    (["-n", "2", "--rsh", "x"], "--rsh is for a job on several machines; add --hosts"),
    (["-n", "2", "--ports", "1-2"], "--ports is for a job on several machines; add --hosts"),
    (["--hostfile", "/nonexistent"], "--hostfile /nonexistent: cannot read it: No such file or directory"),
    (["--hostfile", "/dev/null"], "--hostfile /dev/null: it names no host"),
]


@pytest.mark.parametrize("arguments, message", WRONG)
def test_wrong_options(arguments, message):
    r = launcher.run("run", *arguments, "true")
    assert r.returncode == 2 and message in r.stderr and r.stderr.count("\n") <= 2, r.stderr


def test_wrong_line(tmp_path):
    file = tmp_path / "hosts"
    file.write_text("a\nb cpus=3\n")
    r = launcher.run("run", "--hostfile", file, "true")
    assert (r.returncode, r.stderr.splitlines()[0].split("hosts: ", 1)[1]) == (
        2, "line 2: cpus=3: behind a host stands slots=N, and nothing else")


def test_programs():
    """Several programs, each with its PEs, variables and folder; the first part's PEs are on both nodes."""
    r = run("a:2,b:3", "-n", 3, "--env", "WORD=one", "sh", "-c", f'echo ${RANK} $WORD "$PWD"', ":", "-n", 2, "--wdir", "/",
            "sh", "-c", f'echo ${RANK} "$WORD" "$PWD"')
    assert sorted(r.stdout.splitlines()) == [*(f"{k} one {os.getcwd()}" for k in range(3)), "3  /", "4  /"]


def test_environment():
    """That of the coordinator arrives whole, except what says something of the machine."""
    words = {"WORDS": "two\nlines 'and' \"quotes\" $HOME", "SSH_CONNECTION": "of the coordinator", "EMPTY": ""}
    r = run("a", "sh", "-c", 'printf "%s|%s|%s" "$WORDS" "$SSH_CONNECTION" "${EMPTY-unset}"', env=words)
    assert r.stdout == words["WORDS"] + "|of the coordinator|"  # the stand-in passes it on as part of its own


def test_environment_of_the_machine(tmp_path):
    rsh = tmp_path / "rsh"
    rsh.write_text(f'#!/bin/sh\nSSH_CONNECTION=there OTHER=there exec {os.environ["UNISONO_RSH"]} "$@"\n')
    rsh.chmod(0o755)
    r = launcher.run("run", "--rsh", rsh, "--hosts", "a", "sh", "-c", 'echo "$SSH_CONNECTION $OTHER"',
                     env={**os.environ, "SSH_CONNECTION": "here", "OTHER": "here"})
    assert r.stdout == "there here\n"


def test_words_of_the_program(tmp_path):
    """In files, since lines of two PEs come in any order."""
    words = ["", "a b", "'", '"', "$HOME", "\\", "*", "é", "-x", "two\nlines"]
    run("a,b", "-n", 2, "--out", tmp_path / "out", "printf", "%s|", *words)
    for k in range(2):
        assert (tmp_path / "out" / f"{k}.out").read_text() == "".join(word + "|" for word in words)


def test_large_environment():
    r = run("a,b", "sh", "-c", "echo ${#LARGE}", env={"LARGE": "x" * 100000})
    assert r.stdout == "100000\n" * 2


def test_bindings():
    r = run("a:1,b:2", "--bind", "--report-bindings", "true")
    lines = sorted(line for line in r.stderr.splitlines() if "bound" in line)
    assert [line.split(" is bound")[0] for line in lines] == [f"unisono run: PE {k}" for k in range(3)]
    assert lines[0].split()[-1] == lines[1].split()[-1]  # each is the first one of its node


@pytest.mark.parametrize("hosts", ["a:2", "a:2,b:2", "a:1,b:2,c:1,a:1"])
def test_addresses(hosts):
    r = run(hosts, program("pes"), "addresses", 0)
    assert (r.returncode, len(r.stdout.splitlines())) == (0, 1), r.stdout + r.stderr


def test_an_address_that_comes_late_is_known_at_once():
    """PE 1 comes after 350 ms, between two looks from time to time, and nobody looks for its address all the time."""
    def once():
        r = run("a:1,b:1", program("pes"), "addresses", 350)
        assert r.returncode == 0, r.stderr
        return float(r.stdout) / 1000

    check_seconds(0.002, once)
