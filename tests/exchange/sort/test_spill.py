"""unisono sort --spill: files larger than memory, as a resource limit or a control group makes it."""

import json
import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from sorting import ENV, UNISONO, numpy_type, order_of, records_with, sort

SEED = 20261122
FLOOR = 50 << 20 # bytes of addresses that the program takes for itself with 2 PEs, and a few more


def limited(bytes):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes, bytes))


def spilled(folder, rows, key, room, pes=2, limit=None):
    """Sort these records in so much memory, and compare all bytes with numpy's result. How many runs there were."""
    kind, offset = key.split("@")
    rows.tofile(folder / "in")
    (folder / "parts").mkdir(exist_ok=True)
    r = sort("-n", pes, "--key", key, "--record", rows.shape[1], "--spill", folder / "parts", "--json", folder / "in",
             folder / "out", preexec_fn=limit or limited(FLOOR + room))
    assert (r.returncode, r.stderr) == (0, "")
    width = numpy_type(kind).itemsize
    keys = np.ascontiguousarray(rows[:, int(offset):int(offset) + width]).view(numpy_type(kind)).ravel()
    np.testing.assert_array_equal(np.fromfile(folder / "out", np.uint8).reshape(rows.shape), rows[order_of(keys)])
    assert sorted(os.listdir(folder)) == ["in", "out", "parts"] and os.listdir(folder / "parts") == []
    return json.loads(r.stdout).get("runs")


@pytest.mark.parametrize("key, record, spread, room, runs", [
    ("u16@0", 8, 64, 25 << 20, 2), ("u64@8", 16, 3, 25 << 20, 2), ("f64@3", 13, 64, 40 << 20, 2),
    ("i16@0", 2, 12, 25 << 20, 2), ("u64@0", 8, 64, 10 << 20, 4),
])
def test_runs_and_merge(tmp_path, key, record, spread, room, runs):
    rng = np.random.default_rng(SEED)
    type = numpy_type(key.split("@")[0])
    n = 24_000_000 // record + 1
    bits = rng.integers(0, 2**64 - 1, n, dtype=np.uint64) >> np.uint64(64 - spread)
    keys = bits.astype(f"<u{type.itemsize}").view(type)
    assert spilled(tmp_path, records_with(keys, record, int(key.split("@")[1]), rng), key, room) >= runs


@pytest.mark.parametrize("pes", [1, 3])
def test_equal_keys_stay_in_order(tmp_path, pes):
    """A PE's part of the merge begins among equal keys."""
    rng = np.random.default_rng(SEED)
    rows = records_with(np.full(1_500_000, 2**64 - 1, "<u8"), 16, 0, rng)
    assert spilled(tmp_path, rows, "u64@0", pes * (13 << 20), pes) >= 2


@pytest.fixture
def memory_group():
    """A control group of 64 MB, of version 2 or 1, within the one that this process is in."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        group = Path(f"/sys/fs/cgroup{'/memory' if controllers else ''}{path}/unisono-test-{os.getpid()}")
        try:
            group.mkdir()
        except OSError:
            continue
        limit = group / ("memory.limit_in_bytes" if controllers else "memory.max")
        try:
            with open(limit, "r+b", buffering=0) as file: # which must be there: not every folder is a group
                file.write(b"%d" % (64 << 20))
            yield group
            return
        except OSError:
            continue
        finally:
            group.rmdir()
    pytest.skip("skipped: no control group with a memory limit can be made")


def test_control_group(tmp_path, memory_group):
    def enter():
        (memory_group / "cgroup.procs").write_text(str(os.getpid()))
    keys = np.random.default_rng(SEED).integers(0, 2**64 - 1, 6_000_001, dtype=np.uint64)
    keys.tofile(tmp_path / "in")
    r = sort("-n", 2, "--key", "u64@0", "--record", 8, tmp_path / "in", tmp_path / "out", preexec_fn=enter)
    assert r.returncode == 2 and "the memory limit of its control group leaves" in r.stderr, r
    assert os.listdir(tmp_path) == ["in"]
    assert spilled(tmp_path, keys.view(np.uint8).reshape(-1, 8), "u64@0", None, limit=enter) >= 2


def test_no_parts_where_memory_suffices(tmp_path):
    rng = np.random.default_rng(SEED)
    rows = records_with(rng.integers(0, 2**60, 10_000, dtype=np.uint64), 8, 0, rng)
    assert spilled(tmp_path, rows, "u64@0", 200 << 20) is None


def test_refused(tmp_path):
    np.arange(3_000_000, dtype=np.uint64).tofile(tmp_path / "in")
    def refused(message, folder, room):
        r = sort("-n", 2, "--key", "u64@0", "--record", 8, "--spill", folder, tmp_path / "in", tmp_path / "out",
                 preexec_fn=limited(room))
        assert r.returncode == 2 and message in r.stderr, r.stderr
        assert os.listdir(tmp_path) == ["in"]
    refused("cannot create a file there: No such file or directory", tmp_path / "none", FLOOR + (25 << 20))
    refused("cannot create a file there: Not a directory", tmp_path / "in", FLOOR + (25 << 20))
    refused("too little memory for any part of it", tmp_path, 35 << 20)


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=10m", "none", disk], capture_output=True).returncode:
        pytest.skip("skipped: no file system can be mounted")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_full_disk(tmp_path, small_disk):
    np.arange(3_000_000, dtype=np.uint64).tofile(tmp_path / "in")
    r = sort("-n", 2, "--key", "u64@0", "--record", 8, "--spill", small_disk, tmp_path / "in", tmp_path / "out",
             preexec_fn=limited(FLOOR + (25 << 20)))
    assert r.returncode == 2 and "there is no room for the file: No space left on device" in r.stderr
    assert sorted(os.listdir(tmp_path)) == ["disk", "in"] and os.listdir(small_disk) == []


def test_killed(tmp_path):
    rows = np.random.default_rng(SEED).integers(0, 2**63, 3_000_000, dtype=np.uint64)
    rows.tofile(tmp_path / "in")
    (tmp_path / "parts").mkdir()
    command = [UNISONO, "sort", "-n", "2", "--key", "u64@0", "--record", "8", "--spill", tmp_path / "parts",
               tmp_path / "in", tmp_path / "out"]
    began = time.monotonic()
    assert subprocess.run(command, env=ENV, preexec_fn=limited(FLOOR + (25 << 20))).returncode == 0
    whole = time.monotonic() - began
    for i in range(6):
        (tmp_path / "out").unlink(missing_ok=True)
        p = subprocess.Popen(command, env=ENV, preexec_fn=limited(FLOOR + (25 << 20)))
        time.sleep(whole * (i + 0.5) / 6)
        p.send_signal(signal.SIGKILL)
        p.wait()
        assert set(os.listdir(tmp_path)) <= {"in", "out", "parts"} and os.listdir(tmp_path / "parts") == []
        if (tmp_path / "out").exists():
            np.testing.assert_array_equal(np.fromfile(tmp_path / "out", np.uint64), np.sort(rows))
    np.testing.assert_array_equal(np.fromfile(tmp_path / "in", np.uint64), rows)
