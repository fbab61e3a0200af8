"""Jobs on several machines that cannot start: one line says why and what to do, and nothing is left."""

import re
import time

import pytest

from machines import RSH, Mark, launcher, run
from patience import until


def check(r, status, *lines):
    assert r.returncode == status
    text = r.stderr.splitlines()
    assert len(text) == len(lines), r.stderr
    for line, expected in zip(text, lines):
        assert re.fullmatch("unisono run: " + expected, line), line


def test_ssh_refuses():
    mark = Mark()
    r = run("a:2,b:2", "sleep", 1000, env={**mark.environment, "RSH_REFUSES": "b"})
    check(r, 1, rf"b: cannot start an agent there: ssh: connect to host b port 22: Connection refused: \S+ has ended with "
                rf"exit status 255; does `\S+ b true` work\?")
    assert until(lambda: not mark.processes())


def test_unknown_host():
    r = launcher.run("run", "--hosts", "nosuchhost.invalid", "true")
    assert r.returncode == 1 and r.stderr.count("\n") == 1
    assert re.match(r"unisono run: nosuchhost.invalid: cannot (start an agent there: .*resolve|run ssh)", r.stderr), r.stderr


def test_no_program_there():
    r = run("a,b", "true", env={"RSH_LACKS": "b"})
    check(r, 1, r"b: there is no program unisono, neither /\S+ nor in PATH; install the same version there")


def test_no_such_command():
    r = launcher.run("run", "--rsh", "/nonexistent/rsh", "--hosts", "a", "true")
    check(r, 1, "a: cannot run /nonexistent/rsh: No such file or directory")


def test_no_answer():
    mark = Mark()
    began = time.monotonic()
    r = run("a,b", "--connect-timeout", 0.5, "true", env={**mark.environment, "RSH_SLEEPS": "b"})
    check(r, 1, r"b: no answer within 0.5 s; does `\S+ b true` work\? --connect-timeout sets the time")
    assert time.monotonic() - began < 5
    assert until(lambda: not mark.processes())


def answers(tmp_path, data):
    """A stand-in whose agent on b says this and nothing else."""
    (tmp_path / "data").write_bytes(data)
    rsh = tmp_path / "rsh"
    rsh.write_text(f'#!/bin/sh\n[ "$1" = a ] && exec {RSH} "$@"\ncat {tmp_path}/data; exec sleep 1000\n')
    rsh.chmod(0o755)
    return launcher.run("run", "--rsh", rsh, "--hosts", "a,b", "--connect-timeout", 5, "true")


def hello(magic, version):
    data = magic.to_bytes(8, "little") + version.encode() + b"\0"
    return b"\nUNISONO-AGENT\n" + (0).to_bytes(4, "little") + len(data).to_bytes(4, "little") + data + b"\n"


def test_another_version(tmp_path):
    check(answers(tmp_path, hello(1, "0.0.1")), 1,
          r"b: the version of Unisono there is 0.0.1, and here \S+; install the same one on all machines")


def test_another_build(tmp_path):
    version = launcher.run("--version").stdout.split()[-1]
    check(answers(tmp_path, hello(1, version)), 1,
          rf"b: another build of version {version} is there than here; install the same one on all machines")


@pytest.mark.parametrize("data", [b"\nUNISONO-AGENT\n" + b"x" * 100, hello(1, "x" * 10)[:-2] + b"y\n",
                                  b"\nUNISONO-AGENT\n" + bytes([5, 0, 0, 0, 0, 0, 0, 0, 10]), b"noise" * 100000, hello(1, "x" * 10)[:-1] + b"x"],
                         ids=["type", "text", "early", "noise", "end"])
def test_an_answer_that_is_none(tmp_path, data):
    check(answers(tmp_path, data), 1,
          r"b: what answers there is no agent of Unisono's; is the program unisono there that of this project\?")


def test_no_program():
    r = run("a:2,b:2", "nosuchprogram")
    check(r, 127, "[ab]: cannot find the program nosuchprogram in PATH")


def test_no_executable_program(tmp_path):
    file = tmp_path / "file"
    file.write_text("x")
    r = run("a:2,b:2", file)
    check(r, 126, f"[ab]: cannot run {file}: Permission denied; it is not executable: .*")


def test_no_folder(tmp_path):
    r = run("a,b", "--wdir", tmp_path / "nosuch", "true")
    check(r, 1, f"[ab]: PE [01]: cannot enter the folder {tmp_path}/nosuch: No such file or directory")


def test_the_folder_of_the_job_is_not_there(tmp_path):
    """The folder is gone on the other machine, here: in between."""
    folder = tmp_path / "gone"
    folder.mkdir()
    rsh = tmp_path / "rsh"
    rsh.write_text(f'#!/bin/sh\ncd /; rmdir {folder} 2>/dev/null; exec {RSH} "$@"\n')
    rsh.chmod(0o755)
    r = launcher.run("run", "--rsh", rsh, "--hosts", "a", "true", cwd=folder)
    assert r.returncode == 1 and re.match(r"unisono run: a: cannot enter the folder", r.stderr), r.stderr
