"""Several programs in one job, and what is said of each: its environment, its folder."""

import os

import pytest

from launcher import program, run, strangers

TELLS = "echo $OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE $A $PWD"


def lines(r):
    assert r.returncode == 0, r.stderr
    return sorted(r.stdout.splitlines())


def test_one_job_of_two_programs(tmp_path):
    r = run("run", "-n", 1, "--env", "A=one", "sh", "-c", TELLS, ":", "-n", 2, "--wdir", tmp_path, "sh", "-c", TELLS,
            env={"PATH": "/bin:/usr/bin"}, cwd="/")
    assert lines(r) == ["0/3 one /", f"1/3 {tmp_path}", f"2/3 {tmp_path}"]
    assert r.stderr == strangers(3)


def test_they_meet():
    """PEs of both parts are in the groups of one job."""
    groups = program("groups")
    r = run("run", "-n", 2, groups, "add:7", "add:7", "add:7", ":", "-n", 1, groups, "add:7", "add:7", "add:7")
    assert (r.returncode, r.stderr) == (0, "")


def test_programs_are_named():
    r = run("run", "-n", 1, "true", ":", "-n", 1, "/no/such/program")
    assert r.returncode == 127 and r.stderr == "unisono run: cannot find the program /no/such/program\n"


def test_a_variable_twice_and_with_the_library_in_front():
    r = run("run", "-n", 1, "--env", "A=1", "--env", "B=2", "--env", "LD_LIBRARY_PATH=/mine", "sh", "-c",
            "echo $A $B; echo $LD_LIBRARY_PATH")
    first, second = r.stdout.splitlines()
    assert first == "1 2" and second.endswith("/mine") and second != "/mine"


def test_a_colon_of_the_program():
    """A colon behind which there is no option is a word as others are."""
    assert run("run", "-n", 1, "echo", "a", ":", "b", ":").stdout == "a : b :\n"


def test_program_in_its_folder(tmp_path):
    (tmp_path / "here").write_text("#!/bin/sh\npwd\n")
    (tmp_path / "here").chmod(0o755)
    assert run("run", "-n", 1, "--wdir", tmp_path, "./here").stdout == f"{tmp_path}\n"


BAD = [
    (["-n", 1, "true", ":", "-n", 2], "which program? Name it after the options"),
    (["-n", 1, "true", ":", "--env", "A=1", "true"], "how many PEs of true? Say -n N"),
    (["-n", 10000, "true", ":", "-n", 10000, "true"], "the programs have 20000 PEs together, and 16384 are the most"),
    (["-n", 1, "--env", "A", "true"], "--env A: it is NAME=VALUE"),
    (["-n", 1, "--env", "=A", "true"], "--env =A: it is NAME=VALUE"),
    (["-n", 1, "true", ":", "-n", 1, "-n", 2, "true"], "--pes 1, --pes 2: give this option once"),
]


@pytest.mark.parametrize("words, message", BAD)
def test_bad(words, message):
    r = run("run", *words)
    assert (r.returncode, r.stdout) == (2, "") and message in r.stderr and r.stderr.count("\n") == 1


def test_folder_that_is_not_there():
    r = run("run", "-n", 2, "--wdir", "/no/such", "true")
    assert r.returncode == 1
    assert r.stderr == "unisono run: PE 0: cannot enter the folder /no/such: No such file or directory\n"


def test_report_bindings():
    r = run("run", "-n", 3, "--report-bindings", program("empty"))
    said = r.stderr.splitlines()
    assert len(said) == 3 and all(f"PE {k} may run on any of the processors " in said[k] for k in range(3))
    n = 2 * len(os.sched_getaffinity(0)) + 1
    tells = "echo $OMPI_COMM_WORLD_RANK $(grep Cpus_allowed_list /proc/self/status)"
    r = run("run", "-n", n, "--report-bindings", "--bind", "sh", "-c", tells)
    bound = sorted((int(k), processor) for k, _, processor in (line.split() for line in r.stdout.splitlines()))
    assert len(bound) == n
    assert r.stderr.splitlines()[:n] == [f"unisono run: PE {k} is bound to processor {processor}" for k, processor in bound]
