"""script/widths: lines of documents and comments that are too long are found, and no others."""

import os
import subprocess

import pytest

LONG = "word " * 25 + "."  # 126 columns

FOUND = {
    "page.md": [LONG, f"- {LONG}", f"[a link]({'x' * 30}) {LONG}"],
    "script": [f"# {LONG}", f"    # {LONG}"],
    "file.py": [f'"""{LONG}"""', f"# {LONG}", f"def f():\n    '''One.\n\n    {LONG}'''", f"if True:\n    # {LONG}\n    pass"],
    "file.c": [f"/* {LONG} */", f" * {LONG}", f"// {LONG}"],
    "file.v": [f"// {LONG}"],
    "page.3": [f'.\\" {LONG}'],
    "CMakeLists.txt": [f"# {LONG}"],
}
PASSED = {
    "page.md": [f"| {LONG} |", f"    {LONG}", f"```text\n{LONG}\n```", "x" * 130, f"- {'x' * 130}",
                f"[this one]({'x' * 130}) is not broken", f"<https://example.org/{'x' * 130}> neither"],
    "script": [f"echo {LONG}", f"echo # {LONG}"],
    "file.py": [f'print("{LONG}")', f"x = 1  # {LONG}", f'y = """\n# {LONG}\n"""'],
    "file.c": [f"int x; /* {LONG} */"],
    "file.css": [f"# {LONG}"],
}


def said(folder, name, text):
    path = folder / name
    path.write_text(text + "\n")
    r = subprocess.run([os.environ["WIDTHS"], path], capture_output=True, text=True, timeout=60)
    assert r.stderr == ""
    return r.returncode, r.stdout


@pytest.mark.parametrize("name, text", [(name, text) for name, texts in FOUND.items() for text in texts])
def test_found(tmp_path, name, text):
    number, line = next((n, line) for n, line in enumerate(text.split("\n"), 1) if len(line) > 120)
    assert said(tmp_path, name, text) == (
        1, f"{tmp_path / name}:{number}: {len(line)} columns; documents and comments have at most 120\n")


@pytest.mark.parametrize("name, text", [(name, text) for name, texts in PASSED.items() for text in texts])
def test_passed(tmp_path, name, text):
    assert said(tmp_path, name, text) == (0, "")


def test_python_without_an_ending(tmp_path):
    assert said(tmp_path, "script", f"#!/usr/bin/env python3\nx = '''\n# {LONG}'''")[0] == 0
    assert said(tmp_path, "script", f"#!/usr/bin/env python3\n# {LONG}")[0] == 1
