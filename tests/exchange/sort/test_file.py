"""unisono sort and files: errors, leftovers, and --check."""

import json
import os
import pty
import re
import resource
import signal
import subprocess
import time

import numpy as np
import pytest

from sorting import ENV, UNISONO, sort

KEY = ("--key", "u16@0", "--record", "8")


@pytest.fixture
def folder(tmp_path):
    np.random.default_rng(1).integers(0, 2**63, 50_000, dtype=np.uint64).tofile(tmp_path / "in")
    return tmp_path


def refused(folder, message, *arguments, **options):
    """Check that the command prints this, exits with 2, leaves the input as it was, and nothing beside it."""
    there = {name: (folder / name).stat() for name in os.listdir(folder)}
    before = (folder / "in").read_bytes()
    r = sort(*arguments, **options)
    assert r.returncode == 2, r.stderr
    assert message in r.stderr
    assert (folder / "in").read_bytes() == before
    assert {name: (folder / name).stat().st_mtime_ns for name in os.listdir(folder)} == \
        {name: stat.st_mtime_ns for name, stat in there.items()}


@pytest.mark.parametrize("message, arguments", [
    ("the key ends at byte 9 of a record, which has 8", ("--key", "u16@7", "--record", "8")),
    ("the types are u8 u16", ("--key", "u24@0", "--record", "8")),
    ("the types are u8 u16", ("--key", "u16x@0", "--record", "8")),
    ("a key is TYPE@OFFSET", ("--key", "u16", "--record", "8")),
    ("a key is TYPE@OFFSET", ("--key", "u16@-1", "--record", "8")),
    ("a key is TYPE@OFFSET", ("--key", "u16@18446744073709551615", "--record", "8")),
    ("not a number of bytes", ("--key", "u16@0", "--record", "0")),
    ("not a number of bytes", ("--key", "u16@0", "--record", "-8")),
    ("by which key?", ("--record", "8")),
    ("how long is a record?", ("--key", "u16@0")),
    ("its size, 400000 bytes, is no multiple of the record's, 7", ("--key", "u16@0", "--record", "7")),
    ("the number of PEs is 1 to 16384", (*KEY, "-n", "0")),
])
def test_wrong_options(folder, message, arguments):
    refused(folder, message, *arguments, folder / "in", folder / "out")


def test_wrong_files(folder):
    refused(folder, "which file is to be written?", *KEY, folder / "in")
    refused(folder, "name two files only", *KEY, folder / "in", folder / "a", folder / "b")
    refused(folder, "none: cannot read it: No such file", *KEY, folder / "none", folder / "out")
    refused(folder, "not a file of records", *KEY, folder, folder / "out")
    refused(folder, "cannot create it: No such file", *KEY, folder / "in", folder / "none" / "out")
    refused(folder, "not a file that could be replaced", *KEY, folder / "in", folder)
    refused(folder, "not a file that could be replaced", *KEY, folder / "in", "/dev/null")


@pytest.mark.parametrize("message, arguments", [
    ("--key u16@0, --key u32@4: one key only; to sort by several, sort by the last of them first",
     ("--key", "u16@0", "--record", "8", "--key", "u32@4")),
    ("--record 8, --record 16: give this option once", ("--key", "u16@0", "--record", "8", "--record", "16")),
    ("--pes 2, --pes 3: give this option once", ("-n", "2", *KEY, "-n", "3")),
])
def test_an_option_twice(folder, message, arguments):
    refused(folder, message, *arguments, folder / "in", folder / "out")


def test_an_option_twice_alike(folder):
    assert sort(*KEY, *KEY, folder / "in", folder / "out").returncode == 0


def test_numpy_format(folder):
    """A .npy file, whose header would be sorted among the records."""
    np.save(folder / "in.npy", np.fromfile(folder / "in", np.uint64))
    assert (folder / "in.npy").stat().st_size % 8 == 0
    for file in (folder / "in.npy", folder / "out"), ("--check", folder / "in.npy"):
        refused(folder, 'in NumPy\'s .npy format, whose header is no record; write the records alone, as numpy.load("',
                *KEY, *file)
    assert sort(*KEY, "--raw", folder / "in.npy", folder / "out").returncode == 0


EDGE = 64 * 1024 # bytes of either end of a file that are looked at
NO_RECORDS = {
    "numbers": "".join(f"{i * 37}\n" for i in range(3000)),
    "one line": "one\nline",
    "umlauts": "Grüße aus Köln\r\n\tund 東京 \U0001f3b5\n" * 5000,
    "fit at the beginning only": "".join(f"{i}\n" for i in range(1_000_000, 1_020_000)) + "10\n" * 8,
    "fit at the end only": "10\n" * 8 + "".join(f"{i}\n" for i in range(1_000_000, 1_020_000)),
}


@pytest.mark.parametrize("size", [8, 1, 7], ids=lambda size: f"record-{size}")
@pytest.mark.parametrize("text", NO_RECORDS)
def test_lines_of_text(folder, text, size):
    """Lines of any length: if it is a multiple of the record's size they are sorted, bytes of a line here and there."""
    data = NO_RECORDS[text].encode()
    while len(data) % 8:
        data += b"9"
    (folder / "text").write_bytes(data)
    refused(folder, f"text: lines of text, which do not end where records of --record {size} do; sort lines with sort(1)",
            "--key", "u8@0", "--record", size, folder / "text", folder / "out")


RECORDS = {
    "lines that are records": b"".join(b"%07d\n" % i for i in range(20_000)),
    "records of two lines": b"".join(b"%03d\n%03d\n" % (i % 1000, i // 9 % 1000) for i in range(20_000)),
    "text without lines": b"".join(b"%08d" % i for i in range(20_000)),
    "a byte that no text has": b"0\n" * EDGE + b"\0" * 8,
    "a byte that no text begins with": b"\x02" + b"0\n" * EDGE + b"0123456",
    "half a character before another": b"0123\xc30\n0" * 2,
    "a character of no Unicode": b"012345\xff\n" b"\n2345678",
    "a control character": b"\n" * 8 + b"\x7f" * 8,
    "nothing": b"",
}


@pytest.mark.parametrize("what", RECORDS)
def test_records_that_are_like_text(folder, what):
    (folder / "in").write_bytes(RECORDS[what])
    r = sort("--key", "u64@0", "--record", 8, folder / "in", folder / "out")
    assert (r.returncode, r.stderr) == (0, "")
    np.testing.assert_array_equal(np.fromfile(folder / "out", np.uint64), np.sort(np.fromfile(folder / "in", np.uint64)))


def test_text_all_the_same(folder):
    """--raw: the bytes of a text, in order."""
    (folder / "text").write_bytes(b"one\ntwo\nthree\n")
    assert sort("--key", "u8@0", "--record", 1, "--raw", folder / "text", folder / "out").returncode == 0
    assert (folder / "out").read_bytes() == bytes(sorted(b"one\ntwo\nthree\n"))


def test_unreadable_input(folder):
    (folder / "in").chmod(0)
    if os.geteuid() != 0:
        r = sort(*KEY, folder / "in", folder / "out")
        assert r.returncode == 2 and "in: cannot read it: Permission denied" in r.stderr
        assert os.listdir(folder) == ["in"]
    (folder / "in").chmod(0o600)
    # a file that has fewer bytes than its size says: what is read ends in the middle
    short = "/sys/kernel/mm/transparent_hugepage/enabled"
    if not os.path.exists(short):
        pytest.skip("skipped: there is no such file of the kernel's")
    refused(folder, f"{short}: cannot read it: it ends before its size says", *KEY, short, folder / "out")


def test_output_in_place_of_another(folder):
    (folder / "out").write_bytes(b"old")
    (folder / "out").chmod(0o640)
    (folder / "link").symlink_to("out")
    assert sort(*KEY, folder / "in", folder / "link").returncode == 0
    assert (folder / "link").is_symlink() and (folder / "out").stat().st_mode & 0o7777 == 0o640
    assert sort("--check", *KEY, folder / "in", folder / "out").returncode == 0
    given = (folder / "in").read_bytes()
    assert sort(*KEY, folder / "in", folder / "in").returncode == 0
    assert (folder / "in").read_bytes() == (folder / "out").read_bytes() != given
    assert sorted(os.listdir(folder)) == ["in", "link", "out"]


def test_permissions_of_a_new_file(folder):
    assert sort(*KEY, folder / "in", folder / "out", preexec_fn=lambda: os.umask(0o027)).returncode == 0
    assert (folder / "out").stat().st_mode & 0o7777 == 0o640


few_addresses = pytest.mark.skipif(bool(os.environ.get("UNISONO_SANITIZE")),
                                   reason="skipped: a sanitizer takes more addresses than the limit")


def limited(kind, bytes):
    return lambda: resource.setrlimit(kind, (bytes, bytes))


@few_addresses
@pytest.mark.parametrize("kind, name", [(resource.RLIMIT_AS, "ulimit -v"), (resource.RLIMIT_DATA, "ulimit -d")])
def test_larger_than_memory(folder, kind, name):
    with open(folder / "in", "r+b") as f:
        f.truncate(1 << 29)
    before = (folder / "in").stat().st_mtime_ns
    r = sort("-n", 2, *KEY, folder / "in", folder / "out", preexec_fn=limited(kind, 600 << 20))
    assert r.returncode == 2
    assert "to sort 537 MB takes 1.1" in r.stderr and name in r.stderr and "--spill DIR" in r.stderr
    assert sorted(os.listdir(folder)) == ["in"] and (folder / "in").stat().st_mtime_ns == before


@few_addresses
def test_memory_limit_that_suffices(folder):
    r = sort("-n", 2, *KEY, folder / "in", folder / "out", preexec_fn=limited(resource.RLIMIT_AS, 600 << 20))
    assert (r.returncode, r.stderr) == (0, "")


@pytest.mark.parametrize("disposition", [signal.SIG_DFL, signal.SIG_IGN], ids=["default", "ignored"])
def test_file_size_limit(folder, disposition):
    """A file that may not grow as large: as on a full disk, it is told before anything is written."""
    def few():
        signal.signal(signal.SIGXFSZ, disposition)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    refused(folder, "there is no room for it: File too large", *KEY, folder / "in", folder / "out", preexec_fn=few)


# A command in a world of its own that has no /proc.
WITHOUT_PROC = ["unshare", "-m", "sh", "-c", 'umount -l /proc && exec "$@"', "sh"]


@pytest.fixture
def without_proc():
    if os.environ["UNISONO_SANITIZE"]:
        pytest.skip("skipped: a sanitizer needs /proc")
    r = subprocess.run([*WITHOUT_PROC, "test", "!", "-e", "/proc/self"], capture_output=True)
    if r.returncode:
        pytest.skip("skipped: /proc cannot be taken away here, which takes root")
    return WITHOUT_PROC


def test_without_proc(folder, without_proc):
    """A file without a name gets one by /proc: where there is none, the output has a name from the beginning."""
    def sort_there(*arguments):
        return subprocess.run([*without_proc, UNISONO, "sort", *KEY, *arguments], capture_output=True, text=True, env=ENV)
    for _ in "a new file", "one that replaces another":
        r = sort_there(folder / "in", folder / "out")
        assert (r.returncode, r.stderr) == (0, "")
        assert sort("--check", *KEY, folder / "in", folder / "out").returncode == 0
        assert sorted(os.listdir(folder)) == ["in", "out"]
    refused(folder, "cannot create it: No such file", *KEY, folder / "in", folder / "none" / "out")


def test_ended_without_proc(folder, without_proc):
    """End it by a signal that a program can handle: the name that the file had until then is gone, too."""
    np.random.default_rng(2).integers(0, 2**63, 2_000_000, dtype=np.uint64).tofile(folder / "in")
    ended = 0
    for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP] * 2:
        (folder / "out").unlink(missing_ok=True)
        p = subprocess.Popen([*without_proc, UNISONO, "sort", *KEY, folder / "in", folder / "out"], env=ENV)
        while p.poll() is None and not any(name.startswith("out.") for name in os.listdir(folder)):
            pass
        p.send_signal(number)
        assert p.wait() in (0, -number)
        ended += p.returncode != 0
        assert set(os.listdir(folder)) == ({"in"} if p.returncode else {"in", "out"})
    assert ended


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "none", disk], capture_output=True).returncode:
        pytest.skip("skipped: no file system can be mounted")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_full_disk(folder, small_disk):
    r = sort(*KEY, folder / "in", small_disk / "out")
    assert r.returncode == 2
    assert "there is no room for it: No space left on device" in r.stderr
    assert os.listdir(small_disk) == []


def test_killed(folder):
    """At whatever moment the command is killed, OUT is missing or whole; no other file is there; and IN is as it
    was."""
    np.random.default_rng(2).integers(0, 2**63, 2_000_000, dtype=np.uint64).tofile(folder / "in")
    before = (folder / "in").read_bytes()
    began = time.monotonic()
    assert sort("-n", 3, *KEY, folder / "in", folder / "out").returncode == 0
    whole = time.monotonic() - began
    for i in range(12):
        (folder / "out").unlink(missing_ok=True)
        p = subprocess.Popen([UNISONO, "sort", "-n", "3", *KEY, folder / "in", folder / "out"], env=ENV)
        time.sleep(whole * (i + 0.5) / 12)
        p.send_signal(signal.SIGKILL if i % 2 else signal.SIGTERM)
        status = p.wait()
        assert (folder / "in").read_bytes() == before
        assert set(os.listdir(folder)) <= {"in", "out"}
        if (folder / "out").exists():
            assert sort("--check", *KEY, folder / "in", folder / "out").returncode == 0
        else:
            assert status < 0


def test_check(folder):
    assert sort("--check", *KEY, folder / "in").returncode == 1
    assert sort(*KEY, folder / "in", folder / "out").returncode == 0
    assert sort("--check", *KEY, folder / "out").returncode == 0
    for n in 1, 2, 7:
        r = sort("-n", n, "--check", *KEY, folder / "in", folder / "out")
        assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    rows = np.fromfile(folder / "out", np.uint64)
    rows[30_000] ^= np.uint64(1 << 40) # not the key
    rows.tofile(folder / "out")
    r = sort("--check", *KEY, folder / "in", folder / "out")
    assert r.returncode == 1 and "its records are not those of" in r.stderr
    assert sort("--check", *KEY, folder / "out").returncode == 0
    rows[:-1].tofile(folder / "out")
    assert sort("--check", *KEY, folder / "in", folder / "out").returncode == 1
    assert sort("--check", *KEY, folder / "in", folder / "none").returncode == 2


@pytest.mark.parametrize("at", [1, 24_999, 25_000, 25_001, 49_999])
def test_check_finds_one_record_out_of_place(folder, at):
    """Within the part of a PE, and where two parts meet."""
    keys = np.full(50_000, 9, np.uint64)
    keys[at:] = 8
    keys.tofile(folder / "in")
    r = sort("-n", 2, "--check", *KEY, folder / "in")
    assert r.returncode == 1 and f"record {at}, counted from 0, is less than the one before it" in r.stderr


def test_json(folder):
    r = sort("-n", 2, "--json", *KEY, folder / "in", folder / "out")
    told = json.loads(r.stdout)
    assert (told["records"], told["record"], told["key"], told["pes"]) == (50_000, 8, "u16@0", 2)
    assert 0 < told["read"] + told["sort"] + told["write"] <= told["seconds"]
    assert sum(told["phases"].values()) > 0
    told = json.loads(sort("--json", "--check", *KEY, folder / "in", folder / "out").stdout)
    assert told == {"records": 50_000, "ordered": True, "same_records": True}


def test_progress_only_on_a_terminal(folder):
    np.random.default_rng(2).integers(0, 2**63, 1_000_000, dtype=np.uint64).tofile(folder / "in")
    assert sort(*KEY, folder / "in", folder / "out").stderr == ""
    terminal, other = pty.openpty()
    p = subprocess.Popen([UNISONO, "sort", *KEY, folder / "in", folder / "out"], stderr=other, env=ENV)
    assert p.wait() == 0
    os.close(other)
    text = os.read(terminal, 65536).decode()
    os.close(terminal)
    assert re.search(r"\rsort: +\d+% \[", text) and text.endswith("\r")


def test_output_that_cannot_be_written(folder):
    with open("/dev/full", "w") as full:
        r = subprocess.run([UNISONO, "sort", "--json", *KEY, folder / "in", folder / "out"], stdout=full,
                           stderr=subprocess.PIPE, text=True, env=ENV)
    assert r.returncode == 2 and "cannot write standard output" in r.stderr
