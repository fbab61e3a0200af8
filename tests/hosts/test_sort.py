"""unisono sort on several machines: files of all sizes, what is refused, and what is left behind."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from machines import UNISONO, run, start
from patience import HANGS

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "exchange" / "sort"))

from sorting import numpy_type, order_of  # noqa: E402
import numpy as np  # noqa: E402

KEY = ("--key", "u16@1", "--record", "8")


@pytest.fixture
def ssh(tmp_path, monkeypatch):
    """The stand-in for ssh, under its name."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ssh").write_text(f"#!/bin/sh\n[ \"$1 $2\" = '-o BatchMode=yes' ] || exit 9\nshift 2\nexec {os.environ['UNISONO_RSH']} \"$@\"\n")
    (folder / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def sort(*arguments, **settings):
    return subprocess.run([UNISONO, "sort", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=HANGS, check=False, **settings)


def check_sorted(folder, key, record):
    kind, offset = key.split("@")
    rows = np.fromfile(folder / "in", np.uint8).reshape(-1, record)
    keys = rows[:, int(offset):][:, :numpy_type(kind).itemsize].copy().view(numpy_type(kind))[:, 0]
    np.testing.assert_array_equal(np.fromfile(folder / "out", np.uint8).reshape(-1, record), rows[order_of(keys)])


@pytest.mark.parametrize("records, record, key", [(0, 8, "u16@1"), (2, 8, "u64@0"), (5003, 3, "i8@2"), (20011, 21, "f64@7")])
def test_sizes(ssh, tmp_path, records, record, key):
    """Five PEs on two machines; of two records, three PEs have none."""
    (tmp_path / "in").write_bytes(random.Random(records).randbytes(records * record))
    r = sort("--hosts", "a:2,b:3", "--key", key, "--record", record, "--json", tmp_path / "in", tmp_path / "out")
    assert (r.returncode, r.stderr) == (0, "")
    check_sorted(tmp_path, key, record)
    told = json.loads(r.stdout)
    assert (told["records"], told["record"], told["key"], told["pes"]) == (records, record, key, 5)
    assert 0 <= told["read"] + told["sort"] + told["write"] <= told["seconds"] < HANGS


def test_in_place(ssh, tmp_path):
    """By fewer PEs than slots, a file that looks like text, into itself by its name in this folder."""
    (tmp_path / "in").write_bytes(b"".join(b"%d\n" % (i * 37) for i in range(4000)))
    size = (tmp_path / "in").stat().st_size
    record = next(n for n in range(2, 1000) if size % n == 0)
    text = sort("--hosts", "a:2,b:2", "--key", "u8@0", "--record", record, "in", "in", cwd=tmp_path)
    assert text.returncode == 2 and text.stderr.count("in: lines of text, which do not end") == 1, text.stderr
    (tmp_path / "out").symlink_to("in")
    before = (tmp_path / "in").read_bytes()
    r = sort("--hosts", "a:2,b:2", "-n", 3, "--key", "u8@0", "--record", record, "--raw", "--json", "in", "out", cwd=tmp_path)
    assert (r.returncode, r.stderr, json.loads(r.stdout)["pes"]) == (0, "", 3)
    (tmp_path / "sorted").write_bytes((tmp_path / "in").read_bytes())
    (tmp_path / "in").write_bytes(before)
    (tmp_path / "out").unlink()
    (tmp_path / "sorted").rename(tmp_path / "out")
    check_sorted(tmp_path, "u8@0", record)


@pytest.mark.parametrize("message, arguments", [
    ("--hosts starts a job, and --job is for one that runs", ("--hosts", "a", "--job", *KEY, "in", "out")),
    ("--pes 2: with --job the PEs are those of the job", ("--job", "-n", "2", *KEY, "in", "out")),
    ("--check is for one machine; leave out --hosts", ("--hosts", "a", "--check", *KEY, "out")),
    ("--spill is for one machine; leave out --job", ("--job", "--spill", ".", *KEY, "in", "out")),
    ("the programs have 3 PEs, and the hosts 2 slots", ("--hosts", "a,b", "-n", "3", *KEY, "in", "out")),
    ("none: cannot read it: No such file", ("--hosts", "a,b", *KEY, "none", "out")),
    ("its size, 800 bytes, is no multiple of the record's, 7", ("--hosts", "a,b", "--key", "u8@0", "--record", "7", "in", "out")),
    ("none/out: cannot create it: No such file", ("--hosts", "a,b", *KEY, "in", "none/out")),
    ("--key u16@7: the key ends at byte 9", ("--hosts", "a,b", "--key", "u16@7", "--record", "8", "in", "out")),
])
def test_refused(ssh, tmp_path, message, arguments):
    """One message, and nothing is left."""
    (tmp_path / "in").write_bytes(bytes(800))
    r = sort(*arguments, cwd=tmp_path)
    assert r.returncode == 2 and r.stderr.count(message) == 1, r.stderr
    assert sorted(os.listdir(tmp_path)) == ["bin", "in"]


@pytest.mark.parametrize("end", ["job", "pe"])
def test_ends_early(tmp_path, end):
    """While the output is written, which has a name then: the job ends, or the last PE does."""
    with open(tmp_path / "in", "wb") as file:
        file.truncate(80_000_000)
    (tmp_path / "pes").mkdir()
    p = start("a,b", "sh", "-c", 'echo $$ >pes/$OMPI_COMM_WORLD_RANK && exec "$@"', "sh", UNISONO, "sort", "--job", *KEY, "in", "out", cwd=tmp_path)
    while not list(tmp_path.glob("out.*")):
        assert p.poll() is None
    if end == "job":
        p.terminate()
    else:
        os.kill(int((tmp_path / "pes/1").read_text()), signal.SIGKILL)
    _, err = p.communicate(timeout=HANGS)
    assert p.returncode == (-signal.SIGTERM if end == "job" else 128 + signal.SIGKILL), err
    assert sorted(os.listdir(tmp_path)) == ["in", "pes"]


def test_another_file_there(tmp_path):
    """Without a common file system a path leads to other files on other machines."""
    for name in "0", "1":
        (tmp_path / name).mkdir()
        (tmp_path / name / "in").write_bytes(bytes(800))
    r = run("a,b", "sh", "-c", f'cd {tmp_path}/$OMPI_COMM_WORLD_RANK && exec "$@"', "sh", UNISONO, "sort", "--job", *KEY, "in", "out")
    assert r.returncode == 2 and "unisono sort: in: cannot open it: PE 1: Stale file handle" in r.stderr, r.stderr
    assert os.listdir(tmp_path / "0") == os.listdir(tmp_path / "1") == ["in"]


@pytest.mark.skipif(os.environ["UNISONO_SANITIZE"] != "", reason="skipped: sanitizers take more addresses than a limit of them")
def test_too_little_memory(tmp_path):
    """Before anything is read; by a job of one machine, whose PEs all have the limit."""
    with open(tmp_path / "in", "wb") as file:
        file.truncate(400_000_000)
    limit = 500_000_000

    def less():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    r = subprocess.run([UNISONO, "run", "-n", "2", UNISONO, "sort", "--job", *KEY, tmp_path / "in", tmp_path / "out"], capture_output=True,
                       text=True, timeout=HANGS, check=False, preexec_fn=less)
    assert r.returncode == 2 and r.stderr.count("in: each of 2 PEs of a machine takes 615 MB of memory, and the limit of its") == 1, r.stderr
    assert os.listdir(tmp_path) == ["in"]
