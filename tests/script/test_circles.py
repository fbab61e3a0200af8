"""script/circles finds circles of includes and of calls, among files and among rooms, and names what ties them."""

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
        path.parent.mkdir(parents=True, exist_ok=True)
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
    build(project, "one.c", "two.c")
    status, text = circles(project)
    assert status == 0 and "not built" not in text
    (project / "build/two.c.o").unlink()
    status, text = circles(project)
    assert status == 0 and "1 sources are not built" in text


def test_rooms_whose_files_are_in_no_circle(project):
    write(project, a__low_h="", a__high_h='#include "b/middle.h"', b__middle_h='#include "a/low.h"')
    status, text = circles(project)
    assert status == 1 and "files" not in text and "a circle of 2 rooms" in text
    assert "a -> b: high.h -> middle.h" in text and "b -> a: middle.h -> low.h" in text


def test_rooms_by_calls(project):
    write(project, all_h="int low(void), middle(void), high(void);",
          a__low_c='#include "../all.h"\nint low(void) { return 1; }',
          a__high_c='#include "../all.h"\nint high(void) { return middle(); }',
          a__inner__middle_c='#include "../../all.h"\nint middle(void) { return low(); }')
    build(project, "a/low.c", "a/high.c", "a/inner/middle.c")
    status, text = circles(project)
    assert status == 1 and "a -> a/inner: high.c -> middle.c" in text and "a/inner -> a: middle.c -> low.c" in text


def test_public_headers_are_one_room(project):
    write(project, include__all_h="#include <all/rows.h>", include__all__rows_h="", include__all__more_h="#include <all.h>")
    assert circles(project) == (0, "circles: all sources are not built: whom they call is not known\n")


def test_no_other_folder_is_one_room(project):
    write(project, src__engine__channel__all_h='#include "ring/ring.h"', src__engine__channel__ring__ring_h='#include "../rows.h"',
          src__engine__channel__rows_h="")
    status, text = circles(project)
    assert status == 1 and "a circle of 2 rooms" in text


def test_objects_of_another_time_are_refused(project):
    write(project, one_h="", one_c='#include "one.h"')
    build(project, "one.c")
    assert circles(project) == (0, "")
    os.utime(project / "one.c", (2e9, 2e9))
    status, text = circles(project)
    assert status == 2 and "build first" in text and "one.c" in text


def test_objects_with_a_changed_header_are_refused(project):
    write(project, one_h="", one_c='#include "one.h"', CMakeLists_txt="""
        cmake_minimum_required(VERSION 3.18)
        project(one LANGUAGES C)
        set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
        add_library(one OBJECT one.c)""")
    command = ["cmake", "-S", ".", "-B", "build", "-G", "Ninja"]
    subprocess.run(command, cwd=project, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "build"], cwd=project, check=True, stdout=subprocess.DEVNULL)
    assert circles(project) == (0, "")
    os.utime(project / "one.h", (2e9, 2e9))
    assert circles(project)[0] == 2
    (project / "one.h").unlink()
    assert circles(project)[0] == 2
