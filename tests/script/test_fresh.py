"""script/fresh, where TMPDIR is any folder, and where a step fails. Instead of a new system there are two commands that
look at how they are called."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEBOOTSTRAP = """#!/bin/sh
[ -z "$TMPDIR" ] || exit 3
mkdir -p /mnt/etc/apt/apt.conf.d /mnt/root /mnt/usr/bin /mnt/proc /mnt/sys /mnt/dev && touch /mnt/etc/apt/sources.list /mnt/made
"""
CHROOT = """#!/bin/sh
[ -z "$TMPDIR" ] && [ -e "$1/made" ] || exit 3
case "$2" in update-ca-certificates) echo "no certificates here"; exit $CERTIFICATES ;; esac
exit $COMMANDS
"""

if os.geteuid() or subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode:
    pytest.skip("skipped: this takes root", allow_module_level=True)


def fresh(tmp_path, folder, certificates=0, commands=0):
    bin = tmp_path / "bin"
    bin.mkdir()
    for name, text in (("debootstrap", DEBOOTSTRAP), ("chroot", CHROOT)):
        (bin / name).write_text(text)
        (bin / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}", "TMPDIR": folder, "CERTIFICATES": str(certificates),
                   "COMMANDS": str(commands)}
    return subprocess.run([ROOT / "script/fresh"], capture_output=True, text=True, env=environment, timeout=100)


@pytest.mark.parametrize("relative", [False, True], ids=["absolute", "relative"])
def test_any_folder(tmp_path, relative):
    folder = tmp_path / "with a blank"
    folder.mkdir()
    done = fresh(tmp_path, os.path.relpath(folder, ROOT) if relative else str(folder))
    assert done.returncode == 0 and done.stdout.count("passed") == 2, done.stdout + done.stderr
    assert not any(folder.iterdir())


def test_a_folder_without_programs_and_devices(tmp_path):
    folder = tmp_path / "bare"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "nodev,noexec", "tmpfs", folder], check=True)
    try:
        done = fresh(tmp_path, str(folder))
        assert done.returncode == 0, done.stdout + done.stderr
    finally:
        subprocess.run(["umount", folder], check=True)


def test_no_folder(tmp_path):
    done = fresh(tmp_path, str(tmp_path / "none"))
    assert done.returncode == 1 and f"fresh: nothing can be made in {tmp_path}/none, which is TMPDIR" in done.stderr


def test_each_failure_is_told(tmp_path):
    done = fresh(tmp_path, str(tmp_path), certificates=7)
    assert done.returncode == 1 and "no certificates here\nfresh: update-ca-certificates failed in the new system" in done.stderr


def test_a_command_that_fails(tmp_path):
    done = fresh(tmp_path, str(tmp_path), commands=1)
    assert done.returncode == 1 and done.stdout.count("FAILED") == 2, done.stdout
