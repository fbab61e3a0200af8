"""script/circles finds circles of includes and of calls, names what ties them, and fails on those that are not known."""

import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys

import pytest

CIRCLES = os.environ["CIRCLES"]


@pytest.fixture
def project(tmp_path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def write(project, **files):
    """Files by their names, with "__" for "/" and "_" for "."."""
    for name, text in files.items():
        path = project / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def build(project, *sources):
    commands = []
    (project / "build").mkdir(exist_ok=True)
    for source in sources:
        output = source.replace("/", "-") + ".o"
        command = ["cc", "-o", output, "-c", str(project / source)]
        subprocess.run(command, cwd=project / "build", check=True)
        commands.append({"file": str(project / source), "command": " ".join(command)})
    (project / "build/compile_commands.json").write_text(json.dumps(commands))


def circles(project):
    result = subprocess.run([sys.executable, CIRCLES, project], capture_output=True, text=True)
    return result.returncode, result.stdout


def test_files_that_include_downwards_are_no_circle(project):
    write(project, a__one_h="", a__two_h='#include "one.h"', b__three_c='#include "a/two.h"\n#include "a/one.h"')
    assert circles(project)[0] == 0


def test_headers_that_include_each_other(project):
    write(project, a__one_h='#include "b/two.h"', b__two_h='#include "a/one.h"')
    status, text = circles(project)
    assert status == 1
    assert "a circle of 2 files" in text
    assert "a/one.h -> b/two.h: b/two.h" in text and "b/two.h -> a/one.h: a/one.h" in text


def test_a_source_and_its_header_are_one(project):
    write(project, one_c='#include "one.h"\n#include "two.h"', one_h="", two_c='#include "two.h"',
          two_h='#include "one.h"')
    status, text = circles(project)
    assert status == 1 and "one.c -> two.c: two.h" in text and "two.c -> one.c: one.h" in text


def test_calls_by_way_of_a_common_header(project):
    write(project, all_h="int one(int), two(int);", one_c='#include "all.h"\nint one(int n) { return two(n); }',
          two_c='#include "all.h"\nint two(int n) { return n ? one(n - 1) : 0; }')
    status, text = circles(project)
    assert status == 0 and "all sources are not built" in text  # nothing is known of calls
    build(project, "one.c", "two.c")
    status, text = circles(project)
    assert status == 1 and "one.c -> two.c: two" in text and "two.c -> one.c: one" in text
    write(project, two_c='#include "all.h"\nint two(int n) { return n; }')
    os.utime(project / "two.c", (2e9, 2e9))  # newer than its object file
    status, text = circles(project)
    assert status == 0 and "1 sources are not built, or have changed" in text
    os.utime(project / "two.c")
    build(project, "one.c", "two.c")
    status, text = circles(project)
    assert status == 0 and "not built" not in text


def test_a_circle_that_is_known_may_shrink_and_not_grow(project, capsys):
    loader = importlib.machinery.SourceFileLoader("circles", CIRCLES)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("circles", loader))
    loader.exec_module(module)
    module.KNOWN = [("src", 1, 2), ("src/unit", 1, 3)]
    (project / "src").mkdir()
    write(project, src__unit__one_h='#include "two.h"', src__unit__two_h='#include "one.h"')
    assert module.main([str(project)]) == 0
    assert "circles in src/unit: 1, of 2 files; known are 1, of 3" in capsys.readouterr().out
    write(project, src__unit__two_h='#include "three.h"', src__unit__three_h='#include "four.h"',
          src__unit__four_h='#include "one.h"')
    assert module.main([str(project)]) == 1
    assert "a circle of 4 files" in capsys.readouterr().out
