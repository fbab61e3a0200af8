"""Jobs on several machines: what needs memory in common is refused where a group has members on both, and works on
each; and the names of files that a group writes together."""

import os
import re

import pytest

from machines import program, run

ARRAYS = program("arrays")
FUNCTIONS = {"alloc": "p_alloc", "free": "p_free", "put": "p_permutePut", "get": "p_permuteGet"}


@pytest.mark.parametrize("what, hosts, other", [("alloc", "a:2,b:2", 2), ("free", "a:1,b:3", 1), ("put", "a:3,b", 3),
                                                ("get", "a:2,b:2", 2)])
def test_refused(what, hosts, other):
    r = run(hosts, ARRAYS, what)
    text = f"{FUNCTIONS[what]}: PEs 0 and {other} are on different machines (a, b), which share no memory"
    assert r.returncode == 1 and text in r.stderr, r.stderr


def test_on_each_machine():
    r = run("a:2,b:2", ARRAYS, "near")
    assert (r.returncode, r.stdout, r.stderr) == (0, "7 7\n7 7\n", "")


def test_messages_beside_an_exchange():
    r = run("a:2,b:2", ARRAYS, "messages")
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")


def test_only_pe_of_a_machine_has_left():
    r = run("a:1,b:2", ARRAYS, "gone")
    assert r.returncode == 1 and re.search(r"PE 1: p_allToAll.* waits for PE 0 on a, which has left", r.stderr), r.stderr


def test_file(tmp_path):
    r = run("a:2,b:2", ARRAYS, "write", tmp_path / "file")
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    assert os.listdir(tmp_path) == ["file"] and (tmp_path / "file").read_text() == "abc" * 4


def test_link_to_another_folder(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/file")
    r = run("a:2,b:2", ARRAYS, "write", tmp_path / "link")
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    assert os.listdir(tmp_path / "there") == ["file"] and (tmp_path / "link").read_text() == "abc" * 4


def test_open_file_is_forgotten(tmp_path):
    r = run("a:2,b:2", ARRAYS, "open", tmp_path / "file")
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    assert os.listdir(tmp_path) == []


def test_open_file_of_a_job_that_ends(tmp_path):
    r = run("a:1,b:2", ARRAYS, "killed", tmp_path / "file")
    assert r.returncode == 128 + 9 and "PE 0: PE 2 on b was killed" in r.stderr, r.stderr
    assert os.listdir(tmp_path) == []


def test_no_folder(tmp_path):
    r = run("a:2,b:2", ARRAYS, "write", tmp_path / "none" / "file")
    assert r.returncode == 1 and r.stdout.endswith("cannot open it: PE 0: No such file or directory\n")
