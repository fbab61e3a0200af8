"""Input and output of PEs on several machines."""

import os
import subprocess
import time

import pytest

from machines import HANGS, RANK, launcher, run, start, strangers
from patience import until


def test_lines_stay_whole():
    """PEs on three nodes write long lines at the same time, in pieces."""
    script = f'i=0; while [ $i -lt 300 ]; do printf "%s" "{"x" * 500} "; echo "${RANK} $i"; i=$((i+1)); done'
    r = run("a:2,b:1,c:2", "sh", "-c", script)
    assert sorted(r.stdout.splitlines()) == sorted(f"{'x' * 500} {k} {i}" for k in range(5) for i in range(300))
    assert (r.returncode, r.stderr) == (0, strangers(5))


def test_nothing_is_lost():
    """Output that ends without a newline, and more of it than is under way at a time."""
    r = run("a,b:2", "sh", "-c", "head -c 5000000 /dev/zero | tr '\\0' x; echo; printf last")
    assert (r.stdout.count("x"), r.stdout.count("last")) == (15000000, 3)


def test_tags():
    r = run("a:1,b:1", "--tag", "sh", "-c", f"echo out ${RANK}; echo err ${RANK} >&2; printf open")
    assert sorted(r.stdout.splitlines()) == ["[0] open", "[0] out 0", "[1] open", "[1] out 1"]
    assert sorted(r.stderr.splitlines()[:2]) == ["[0] err 0", "[1] err 1"]


def test_files_are_written_here(tmp_path):
    r = run("a:1,b:2", "--out", tmp_path / "out", "sh", "-c", f"echo out ${RANK}; echo err ${RANK} >&2")
    assert (r.returncode, r.stdout, r.stderr) == (0, "", strangers(3))
    for k in range(3):
        assert (tmp_path / "out" / f"{k}.out").read_text() == f"out {k}\n"
        assert (tmp_path / "out" / f"{k}.err").read_text() == f"err {k}\n"


def test_a_slow_reader_holds_back_the_pes_and_nothing_else(tmp_path):
    """PEs wait when nobody reads, and a failure is heard of meanwhile."""
    mark = tmp_path / "done"
    p = start("a,b", "sh", "-c", f"if [ ${RANK} = 1 ]; then head -c 20000000 /dev/zero; touch {mark}; else sleep 1.5; exit 5; fi")
    time.sleep(1)
    assert not mark.exists()
    time.sleep(1.5)
    out, err = p.communicate(timeout=HANGS)
    assert (p.returncode, err) == (5, "unisono run: PE 0 on a ended with exit status 5\n")
    assert 1000000 <= len(out) < 20000000


def test_all_of_it_comes_to_a_slow_reader():
    p = start("a,b", "head", "-c", 5000000, "/dev/zero")
    time.sleep(1)
    out, err = p.communicate(timeout=HANGS)
    assert (p.returncode, len(out), err) == (0, 10000000, strangers(2))


def test_a_reader_that_goes_away():
    p = start("a,b", "yes")
    assert p.stdout.readline() == "y\n"
    p.stdout.close()
    assert p.wait(HANGS) == 128 + 13
    assert "was killed by signal 13 (Broken pipe)\n" in p.stderr.read()


@pytest.mark.parametrize("hosts", ["a:2,b", "a,b:2"])
def test_input_goes_to_pe_0(hosts):
    text = "".join(f"{i}\n" for i in range(200000))
    r = run(hosts, "sh", "-c", f'cat | sed "s/^/${RANK} /"', input=text)
    assert r.stdout == "".join(f"0 {i}\n" for i in range(200000))


def test_input_comes_as_it_is_written():
    p = start("a,b", "sh", "-c", f"[ ${RANK} = 1 ] || while read word; do echo got $word; done", stdin=subprocess.PIPE)
    for word in ("one", "two"):
        p.stdin.write(word + "\n")
        p.stdin.flush()
        assert p.stdout.readline() == f"got {word}\n"
    out, _ = p.communicate(timeout=HANGS)
    assert (p.returncode, out) == (0, "")


def test_no_more_input_is_read_than_is_taken(tmp_path):
    """PE 0 takes nothing, so the file stays unread but for what is under way."""
    file = tmp_path / "file"
    file.write_bytes(bytes(10000000))
    with open(file, "rb") as f:
        p = start("a,b", "sh", "-c", "echo ready; sleep 1000", stdin=f)
        assert p.stdout.readline() == "ready\n"
        assert until(lambda: os.lseek(f.fileno(), 0, os.SEEK_CUR) > 0)
        time.sleep(0.3)
        at = os.lseek(f.fileno(), 0, os.SEEK_CUR)
        p.terminate()
        p.communicate(timeout=HANGS)
    assert 0 < at <= 2 * 64 * 1024, at  # under way, and in the pipe to PE 0


def test_input_that_nobody_wants():
    """PE 0 closes its input, and goes on."""
    r = run("a,b", "sh", "-c", "exec <&-; sleep 0.3; echo done", input="x" * 1000000)
    assert (r.returncode, r.stdout) == (0, "done\n" * 2)



def test_login_scripts_that_speak():
    """Words that they print before the agent starts are passed over."""
    r = run("a,b", "echo", "hello", env={"RSH_SAYS": "Welcome to this machine!\nIt is Monday."})
    assert (r.returncode, r.stdout, r.stderr) == (0, "hello\n" * 2, strangers(2))
