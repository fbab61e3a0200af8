"""Jobs that end while they write a file leave none that looks whole, and say who has ended. Files without permission
are errors that say so."""

import array
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

UNISONO, ENDS = os.environ["UNISONO"], os.environ["UNISONO_FILES_ENDS"]
NOBODY = 65534
RANKS, COUNT, ROUNDS, HEADER = 3, 20000, 40, 64
WORDS = RANKS * COUNT * ROUNDS


def run(*words, **options):
    return subprocess.run([UNISONO, "run", "-n", str(RANKS), ENDS, *map(str, words)], capture_output=True, text=True,
                          timeout=60, check=False, **options)


def is_whole(path):
    """Return True if the header is there; then all data must be."""
    told = path.read_bytes() if path.exists() else b""
    if told[:6] != b"whole\0":
        return False
    assert array.array("i", told[HEADER:]) == array.array("i", range(1, WORDS + 1))
    return True


def shared():
    return {path for path in Path("/dev/shm").iterdir() if "unisono" in path.name}


def check_killed(done, before):
    assert done.returncode == 128 + 9, done.stderr
    # The leak sanitizer looks at the threads of a process that ends, and says so if they are killed meanwhile.
    lines = [line for line in done.stderr.splitlines() if "Unable to get registers from thread" not in line]
    assert lines[-1] == "unisono run: PE 1 was killed by signal 9 (Killed)", done.stderr
    assert all(re.match(r"unisono: PE [02]: PE 1 was killed by signal 9 \(Killed\); this PE was in ", line) for line in lines[:-1])
    assert shared() <= before


def test_whole(tmp_path):
    done = run("whole", tmp_path / "file")
    assert (done.returncode, done.stderr) == (0, "")
    assert is_whole(tmp_path / "file")


def test_killed(tmp_path):
    """Rank 1 is killed at any moment of the collective writes."""
    chance, before, amid = random.Random(), shared(), 0
    for number in range(12):
        path = tmp_path / f"file-{number}"
        done = run("killed", path, chance.randint(1, 10 ** chance.randint(3, 5)))
        if done.returncode == 0:
            assert is_whole(path)
            continue
        check_killed(done, before)
        amid += not is_whole(path)
    assert amid


def test_late(tmp_path):
    """It is killed before it writes its part: the others wait in MPI_File_sync."""
    before = shared()
    done = run("late", tmp_path / "file")
    check_killed(done, before)
    assert not is_whole(tmp_path / "file")


@pytest.fixture
def ordinary(tmp_path):
    """Options that run a program as a user for whom permissions count, in a folder that this one can reach."""
    if os.geteuid() != 0:
        yield {}
        return
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run([ENDS], capture_output=True, check=False, **user)
        subprocess.run([UNISONO, "--version"], capture_output=True, check=True, **user)
    except (PermissionError, subprocess.CalledProcessError):
        pytest.skip("the user nobody cannot run what is built here")
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.owner() == "root" and "pytest" in folder.name or folder == tmp_path:
            folder.chmod(0o755)
    yield user


def test_read_only(tmp_path, ordinary):
    path = tmp_path / "file"
    path.write_text("x")
    path.chmod(0o444)
    done = run("read-only", path, **ordinary)
    assert done.returncode == 1
    assert f"MPI_File_open: cannot open {path}: Permission denied (MPI_ERR_ACCESS)" in done.stderr, done.stderr
    assert path.read_text() == "x"


def test_write_only(tmp_path, ordinary):
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o222)
    done = run("write-only", path, **ordinary)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    path.chmod(0o644)
    assert path.read_text() == "abc"


def test_folder(tmp_path, ordinary):
    """A folder in which it may make nothing."""
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(0o555)
    done = run("whole", folder / "file", **ordinary)
    assert done.returncode == 1
    assert "MPI_SUCCESS does not hold" in done.stderr, done.stderr
    assert not list(folder.iterdir())
