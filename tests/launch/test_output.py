"""Standard input, output and error of the PEs."""

import collections
import contextlib
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import threading
import time
import tty

import pytest

from launcher import UNISONO, children, launcher_processes, program, run, start
from patience import HANGS, until


@pytest.mark.parametrize("length", [10, 5000, 40000])
def test_whole_lines(length):
    """64 PEs write long lines at once, in pieces: none is torn and none is lost."""
    n, count = 64, 20
    r = run("run", "-n", n, program("lines"), count, length)
    assert r.returncode == 0
    want = collections.Counter({chr(65 + k) * length: 0 for k in range(26)})
    for k in range(n):
        want[chr(65 + k % 26) * length] += count // 2
    for text in (r.stdout, r.stderr):
        assert text.endswith("\n")
        assert collections.Counter(text.splitlines()) == want


def test_one_place_for_both():
    """Lines stay whole if standard output and error are the same pipe."""
    n, count, length = 16, 40, 9000
    r = subprocess.run([UNISONO, "run", "-n", str(n), program("lines"), str(count), str(length)],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=HANGS)
    assert r.returncode == 0
    lines = r.stdout.splitlines()
    assert len(lines) == n * count
    assert all(line == line[0] * length for line in lines)


def test_tag():
    r = run("run", "-n", 12, "--tag", program("lines"), 4, 3)
    want = sorted(f"[{k:2}] {chr(65 + k) * 3}" for k in range(12) for _ in range(2))
    assert sorted(r.stdout.splitlines()) == want
    assert sorted(r.stderr.splitlines()) == want


def test_not_one_byte_is_added():
    assert run("run", "-n", 3, "printf", "x").stdout == "xxx"
    r = subprocess.run([UNISONO, "run", "-n", "1", "printf", r"a\nb\rc"], stdout=subprocess.PIPE, timeout=HANGS)
    assert r.stdout == b"a\nb\rc"


def test_what_the_launcher_says_begins_a_line():
    r = subprocess.run([UNISONO, "run", "-n", "1", "sh", "-c", "printf x; exit 3"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       text=True, timeout=HANGS)
    assert r.stdout == "x\nunisono run: PE 0 ended with exit status 3\n"


def terminal(*words, answers=()):
    """Return the bytes that a terminal shows of a job, which gets each answer when it has asked for it."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    p = subprocess.Popen([UNISONO, "run", *map(str, words)], stdin=subprocess.PIPE, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    for question, answer in answers:
        while question not in shown:
            assert select.select([ours], [], [], HANGS)[0], shown
            shown += os.read(ours, 1000)
        p.stdin.write(answer)
        p.stdin.flush()
    p.stdin.close()
    with contextlib.suppress(OSError):  # EIO: nobody writes any more
        while part := os.read(ours, 1000):
            shown += part
    os.close(ours)
    assert p.wait(HANGS) == 0
    return shown


ASKS = r"""
printf 'name? '
read name
printf 'hello %s\r 10%%' $name
read more
printf '\r 20%%'
"""


def test_a_terminal_shows_what_has_no_end():
    """A prompt and a bar that shows progress appear while the program waits, and are not changed."""
    shown = terminal("-n", 1, "sh", "-c", ASKS, answers=[(b"name? ", b"me\n"), (b"10%", b"\n")])
    assert shown == b"name? hello me\r 10%\r 20%"


def test_a_terminal_loses_nothing():
    shown = terminal("-n", 16, program("lines"), 20, 5000).decode()
    assert collections.Counter(shown) == {"\n": 16 * 20, **{chr(65 + k): 20 * 5000 for k in range(16)}}


def test_the_last_line_with_a_tag_is_completed():
    assert run("run", "-n", 3, "--tag", "printf", "x").stdout.count("\n") == 3
    assert run("run", "-n", 2, "--tag", "printf", "a\\nb").stdout.splitlines().count("[1] b") == 1


def test_a_line_beyond_the_bound():
    """A long line comes out as it is where nobody else writes, and in tagged pieces otherwise nothing is lost."""
    r = run("run", "-n", 1, program("lines"), 2, 1000000)
    assert r.stdout == "A" * 1000000 + "\n"
    r = run("run", "-n", 2, program("lines"), 2, 1000000)
    assert collections.Counter(r.stdout) == {"A": 1000000, "B": 1000000, "\n": 2}
    r = run("run", "-n", 2, "--tag", program("lines"), 2, 1000000)
    assert r.stdout.count("A") == r.stdout.count("B") == 1000000
    assert all(re.fullmatch(r"\[0\] A+|\[1\] B+", line) for line in r.stdout.splitlines())


def test_bytes_are_passed_on_as_they_are():
    data = bytes(range(256)) * 1000 + b"\n"
    r = subprocess.run([UNISONO, "run", "-n", "1", "cat"], input=data, stdout=subprocess.PIPE, timeout=HANGS)
    assert r.stdout == data


@pytest.mark.parametrize("where", ["stdout", "stderr"])
def test_slow_reader_loses_nothing(where):
    """The reader sleeps while the PEs write far more than pipes hold."""
    n, count, length = 4, 200, 20000
    p = start("run", "-n", n, program("lines"), count, length)
    fast, slow = (p.stdout, p.stderr) if where == "stderr" else (p.stderr, p.stdout)
    texts = {}
    thread = threading.Thread(target=lambda: texts.setdefault("fast", fast.read()))
    thread.start()
    time.sleep(1)
    texts["slow"] = slow.read()
    thread.join()
    assert p.wait(HANGS) == 0
    for text in texts.values():
        assert len(text) == n * count // 2 * (length + 1)
        assert all(len(set(line)) == 1 for line in text.splitlines())


WRITES = """
import os
line, count = b"x" * 16383 + b"\\n", 2048
for i in range(count):
    os.write(1, line)
    os.pwrite(3, b"%10d" % (16384 * (i + 1)), 0)
"""


def state(pid):
    return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]


def test_a_pe_waits_when_one_megabyte_is_held_back(tmp_path):
    """As soon as PE and launcher both sleep, and stay asleep: the PE would write 32 MB."""
    p = start("run", "-n", 1, "sh", "-c", f"exec {sys.executable} -c '{WRITES}' 3>written", cwd=tmp_path)
    written = tmp_path / "written"
    assert until(lambda: written.exists() and int(written.read_text() or 0) >= 1 << 20)
    launcher = launcher_processes(p.pid)[-1]
    pe, = children(launcher)
    asleep = []

    def still():
        now = int(written.read_text()), state(pe), state(launcher)
        asleep[:] = [*asleep, now] if now[1:] == ("S", "S") and asleep[-1:] in ([], [now]) else []
        return len(asleep) == 20 or now[0] == 32 << 20

    assert until(still)
    assert int(written.read_text()) < 2 << 20  # and what the pipes hold
    assert len(p.stdout.read()) == 32 << 20
    assert p.wait(HANGS) == 0


def test_the_launcher_acts_while_its_reader_sleeps():
    p = start("run", "-n", 2, "--timeout", 0.3, "sh", "-c", "yes; sleep 100")
    time.sleep(1)
    assert p.stderr.readline().startswith("unisono run: timeout after 0.3 s")
    p.stdout.close()
    assert p.wait(HANGS) == 124


def test_reader_that_goes_away():
    p = start("run", "-n", 2, "yes")
    assert p.stdout.readline() == "y\n"
    p.stdout.close()
    assert p.wait(HANGS) == 141
    assert "was killed by signal 13 (Broken pipe)" in p.stderr.read()


def test_full_disk():
    """It is told first; a PE that writes on receives the usual signal."""
    with open("/dev/full", "w") as full:
        p = start("run", "-n", 2, "echo", "hello", stdout=full)
        text = p.stderr.read()
        assert p.wait(HANGS) in (1, 141)
    assert text.splitlines()[0] == "unisono run: cannot write standard output: No space left on device"


def test_closed_standard_files():
    r = subprocess.run(["sh", "-c", f"{UNISONO} run -n 4 {program('lines')} 4 10 <&- >&- 2>&-"], timeout=HANGS)
    assert r.returncode == 0


def test_standard_input_goes_to_pe_0():
    r = run("run", "-n", 3, "--tag", "cat", input="one\ntwo\n")
    assert r.returncode == 0
    assert r.stdout == "[0] one\n[0] two\n"


def test_files(tmp_path):
    folder = tmp_path / "out"
    r = run("run", "-n", 11, "--out", folder, program("lines"), 4, 5)
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    assert sorted(os.listdir(folder)) == sorted(f"{k}.{s}" for k in range(11) for s in ("out", "err"))
    for k in range(11):
        for suffix in ("out", "err"):
            assert (folder / f"{k}.{suffix}").read_text() == 2 * (chr(65 + k) * 5 + "\n")


def test_files_that_cannot_be_written(tmp_path):
    r = run("run", "-n", 2, "--out", "/proc/none", "true")
    assert r.returncode == 1
    assert r.stderr == "unisono run: --out /proc/none: cannot make this folder: No such file or directory\n"
    (tmp_path / "file").write_text("")
    r = run("run", "-n", 2, "--out", tmp_path / "file", "true")
    assert r.returncode == 1
    assert r.stderr == (f"unisono run: --out {tmp_path}/file: cannot write {tmp_path}/file/0.out: "
                        "Not a directory\n")


def limit(soft, hard):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_more_files_than_the_soft_limit():
    """The launcher raises the limit for itself, and the PEs have the original one."""
    r = run("run", "-n", 100, "sh", "-c", "ulimit -Sn; ulimit -Hn", preexec_fn=limit(64, 400))
    assert r.returncode == 0
    assert sorted(r.stdout.split()) == ["400"] * 100 + ["64"] * 100


def test_more_files_than_the_hard_limit(tmp_path):
    r = run("run", "-n", 100, "true", preexec_fn=limit(100, 100))
    assert r.returncode == 1
    assert r.stderr.startswith("unisono run: the output of 100 PEs needs 232 open files, and the hard limit is 100")
    r = run("run", "-n", 100, "--out", tmp_path, program("empty"), preexec_fn=limit(100, 100))
    assert r.returncode == 0


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))


def test_limit_of_file_sizes(tmp_path):
    """It is told as a full disk is; the PEs have the signal as it was given to the launcher."""
    with open(tmp_path / "out", "w") as out:
        p = start("run", "-n", 2, "yes", stdout=out, preexec_fn=limit_file_size)
        text = p.stderr.read()
        assert p.wait(HANGS) in (1, 141)
    assert text.splitlines()[0] == "unisono run: cannot write standard output: File too large"
    r = run("run", "-n", 1, "sh", "-c", "exec yes >own", cwd=tmp_path, preexec_fn=limit_file_size)
    assert r.returncode == 128 + signal.SIGXFSZ
    r = run("run", "-n", 2, "true", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    assert r.returncode == 1
    assert r.stderr.startswith("unisono run: cannot make the job's memory, ") and "File too large; the limit" in r.stderr
