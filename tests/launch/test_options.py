"""Good and bad command lines."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from launcher import UNISONO, program, run

BENCH = Path(UNISONO).parents[1] / "libexec/unisono/bench"
BAD = [
    (["run", "-n", "0", "true"], 2, "unisono run: -n 0: the number of PEs is 1 to 16384"),
    (["run", "-n", "-3", "true"], 2, "unisono run: -n -3: the number of PEs is 1 to 16384"),
    (["run", "-n", "16385", "true"], 2, "unisono run: -n 16385: the number of PEs is 1 to 16384"),
    (["run", "-n", "99999999999999999999", "true"], 2, "the number of PEs is 1 to 16384"),
    (["run", "-n", "abc", "true"], 2, "unisono run: -n abc: not a number"),
    (["run", "-n", "4x", "true"], 2, "unisono run: -n 4x: not a number"),
    (["run", "-n", "", "true"], 2, "unisono run: -n : not a number"),
    (["run", "-n", "2", "-n", "4", "true"], 2, "unisono run: --pes 2, --pes 4: give this option once"),
    (["run", "true"], 2, "unisono run: how many PEs?"),
    (["run", "-n", "2"], 2, "unisono run: which program?"),
    (["run", "-n", "2", "--timeout", "x", "true"], 2, "unisono run: --timeout x: not a number of seconds"),
    (["run", "-n", "2", "--timeout", "0", "true"], 2, "unisono run: --timeout 0: not a number of seconds"),
    (["run", "-n", "2", "--timeout", "-1", "true"], 2, "unisono run: --timeout -1: not a number of seconds"),
    (["run", "-n", "2", "--timeout", "nan", "true"], 2, "unisono run: --timeout nan: not a number of seconds"),
    (["run", "-n", "2", "--tag", "--out", "x", "true"], 2, "unisono run: --tag and --out exclude each other"),
    (["run", "-n", "2", "/no/such/program"], 127, "unisono run: cannot find the program /no/such/program"),
    (["run", "-n", "2", "no-such-program"], 127, "unisono run: cannot find the program no-such-program in PATH"),
    (["run", "-n", "2", "/etc/passwd"], 126, "unisono run: cannot run /etc/passwd: Permission denied; it is not executable: say which"),
    (["run", "-n", "2", "/etc"], 126, "unisono run: cannot run /etc: Permission denied; it is a folder"),
    (["run", "-np", "2", "true"], 2, "unisono run: -np: write -n N; mpirun beside"),
    (["run", "--tga", "-n", "2", "true"], 2, "unisono run: unrecognized option '--tga'; did you mean --tag? See `unisono run --help`"),
    (["run", "-n", "2", "--zzzzzz"], 2, "unisono run: unrecognized option '--zzzzzz'; see `unisono run --help`"),
    (["run", "--timeout", "60", "--tga", "true"], 2, "unisono run: unrecognized option '--tga'; did you mean --tag?"),
    (["bench", "--jsno"], 2, "unisono bench: unrecognized option '--jsno'; did you mean --json?"),
    (["ps", "4711", "--jsn"], 2, "unisono ps: unrecognized option '--jsn'; did you mean --json?"),
    (["--hlep"], 2, "unisono: unrecognized option '--hlep'; did you mean --help?"),
    (["fly"], 2, "unisono: fly is not a command; see `unisono --help`"),
    (["rnu"], 2, "unisono: rnu is not a command; did you mean run? See `unisono --help`"),
    (["inspct"], 2, "unisono: inspct is not a command; did you mean inspect?"),
    (["help", "tours"], 2, "unisono: tours is not a command; did you mean torus?"),
    (["benhc", "-n", "2"], 2, "unisono: benhc is not a command; did you mean bench?"),
    ([], 2, "unisono: which command?"),
    (["info", "x"], 2, "unisono info: x: this command takes options only"),
    (["info", "-n", "x"], 2, "unisono info: -n x: not a number"),
]


@pytest.mark.parametrize("arguments, status, message", BAD, ids=lambda a: " ".join(a) if type(a) is list else None)
def test_bad(arguments, status, message):
    if arguments[:1] == ["bench"] and not BENCH.exists():
        pytest.skip("skipped: the benchmark is not built with a sanitizer")
    r = run(*arguments)
    assert r.returncode == status
    assert r.stdout == ""
    assert message in r.stderr
    assert r.stderr.count("\n") == 1


def test_unknown_option():
    r = run("run", "--fly")
    assert r.returncode == 2
    assert "unrecognized option '--fly'" in r.stderr


@pytest.mark.parametrize("command", [[], ["run"], ["info"]])
def test_help(command):
    r = run(*command, "--help")
    assert r.returncode == 0 and r.stderr == ""
    assert r.stdout.startswith("Usage: unisono " + " ".join(command))
    assert run(*command, "-h").stdout == run(*command, "-?").stdout == run("help", *command).stdout == r.stdout
    assert "-h, " in r.stdout and "--help" in r.stdout


def test_options_of_the_program_are_not_looked_at():
    r = run("run", "-n", 1, "--timeout", 60, "--", "echo", "--tga", "--")
    assert r.returncode == 0 and r.stdout == "--tga --\n"


def test_beginning_of_an_option():
    assert run("run", "-n", 1, "--ta", "echo", "x").stdout == "[0] x\n"


@pytest.mark.parametrize("mode, message", [(0o644, "; there is a file of this name in this folder: say which program runs it, "
                                                   "as in python3 x.py"),
                                           (0o755, "; there is a program of this name in this folder: put ./ before it")])
def test_file_in_this_folder(tmp_path, mode, message):
    (tmp_path / "x.py").write_text("#!/usr/bin/env python3\n")
    (tmp_path / "x.py").chmod(mode)
    r = run("run", "-n", 2, "x.py", cwd=tmp_path)
    assert r.returncode == 127
    assert r.stderr == f"unisono run: cannot find the program x.py in PATH{message}\n"


def test_no_null_device():
    if os.geteuid() or not shutil.which("unshare"):
        pytest.skip("skipped: hiding /dev/null takes root and unshare")
    hides = f"mount -t tmpfs none /dev && exec {UNISONO} run -n 2 true"
    r = subprocess.run(["unshare", "-m", "sh", "-c", hides], capture_output=True, text=True, check=False)
    if r.returncode == 32 or "mount:" in r.stderr:
        pytest.skip("skipped: there are no mounts in this container")
    assert r.returncode == 1 and "cannot open /dev/null, which all PEs but 0 read: No such file or directory; " in r.stderr


@pytest.mark.parametrize("command", [[], ["run"]])
def test_version(command):
    r = run(*command, "--version")
    assert r.returncode == 0 and r.stdout.startswith("unisono 0.")


def test_options_of_the_program_are_its_own():
    r = run("run", "-n", "1", "echo", "-n", "--help", "--tag")
    assert r.returncode == 0 and r.stdout == "--help --tag"


def test_script_without_interpreter(tmp_path):
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    r = run("run", "-n", "2", script)
    assert r.returncode == 126
    assert r.stderr == f"unisono run: cannot run {script}: its interpreter does not exist\n"


@pytest.mark.parametrize("n", [1, 2, 8, 33, 65, 256, 1024])
def test_any_number(n):
    r = run("run", "-n", n, program("empty"))
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
