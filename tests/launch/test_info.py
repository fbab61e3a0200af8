"""unisono info."""

import json
import os
import subprocess

from launcher import UNISONO, run


def test_json():
    r = run("info", "--json", "-n", 1000)
    assert (r.returncode, r.stderr) == (0, "")
    info = json.loads(r.stdout)
    assert info["processors"]["affinity"] == len(os.sched_getaffinity(0))
    assert 1 <= info["processors"]["used"] <= info["processors"]["affinity"]
    assert info["machine"]["cores"] >= 1 and info["machine"]["threads"] >= info["machine"]["cores"]
    assert info["library"]["unit"] == "shm" and info["library"]["max_pes"] == 16384
    assert info["library"]["waiting"] == {"pes": 1000, "policy": ["yield", "sleep"]}
    assert info["kernel"]["memfd"] is True
    assert info["kernel"]["release"] == os.uname().release


def test_waiting_policy_follows_the_processors():
    def one():
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    assert json.loads(run("info", "--json", "-n", 1).stdout)["library"]["waiting"]["policy"][0] == "spin"
    r = run("info", "--json", "-n", 2, preexec_fn=one)
    assert json.loads(r.stdout)["library"]["waiting"]["policy"][0] == "yield"
    assert json.loads(r.stdout)["processors"]["used"] == 1


def test_text():
    r = run("info", "-n", 3)
    assert r.returncode == 0
    assert "\x1b" not in r.stdout
    assert "(3 PEs)" in r.stdout
    lines = r.stdout.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == ["processors", "machine", "library", "kernel"]
    assert all(line[30:31].strip() for line in lines if line.startswith(" "))


def test_output_that_cannot_be_written():
    with open("/dev/full", "w") as full:
        r = subprocess.run([UNISONO, "info"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert r.returncode == 1
    assert r.stderr == "unisono info: cannot write standard output: No space left on device\n"
