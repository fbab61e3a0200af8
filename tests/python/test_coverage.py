"""docs/python.md names every public function of C: with its name in Python, or with the reason why it has none."""

import functools
import re
import subprocess
from pathlib import Path

import pytest
import unisono

ROOT = Path(__file__).parents[2]
TYPES = re.compile(r"(1u|8u|16u|32u|64u|8|16|32|64|f|d)$")


def sections():
    text = (ROOT / "docs/python.md").read_text()
    return re.search(r"\n## The functions\n(.*?)\n\| C \| why \|\n(.*?)\n## ", text, re.S).groups()


@functools.cache
def declared():
    return subprocess.check_output(["sh", ROOT / "tests/interface/declared.sh", "cc", ROOT / "include"], text=True).split()


def plain(functions, known):
    """Return the functions without their types, and without the forms for some of the bits."""
    return {TYPES.sub("", name) if name not in known else name for name in functions if "Bits" not in name}


def family(start):
    """The ends of the names that start so."""
    return {name.removeprefix(start) for name in plain(declared(), ()) if name.startswith(start)}


def names(text):
    """Return the functions that a section of the guide names; "every `p_scan...`" is a family."""
    families = re.findall(r"every `(p_[a-z]+)\.\.\.`", text)
    return set(re.findall(r"`((?:p_|n)[a-zA-Z]+)`", text)) | {start + end for start in families for end in family(start)}


def test_every_public_function_is_reached_or_listed():
    reached, not_reached = names(sections()[0]), names(sections()[1])
    assert not reached & not_reached
    assert "the `Bits` forms" in sections()[1]
    assert sorted(plain(declared(), reached | not_reached)) == sorted(reached | not_reached)


@pytest.mark.parametrize("function", ["reduce", "scan"])
def test_an_op_is_the_end_of_a_name(function):
    with pytest.raises(ValueError, match="there is no op 'all'") as error:
        getattr(unisono, function)(1, "all")
    ops = [op.lower() for op in family(f"p_{function}")]
    assert sorted(re.findall("'([a-z]+)'", str(error.value).split("there are")[1])) == sorted(ops)
    for op in ops:
        assert getattr(unisono, function)(6, op) == 6


def test_every_function_of_the_package_is_in_the_guide():
    text = (ROOT / "docs/python.md").read_text()
    missing = [name for name in unisono.__all__ if not re.search(rf"\b{name}\b", text)]
    assert not missing and all(getattr(unisono, name).__doc__ for name in unisono.__all__)


def test_the_binding_calls_what_the_guide_says():
    """Compare with the binding's own symbol table: the functions that it needs of the library."""
    nm = subprocess.check_output(["nm", "-D", "--undefined-only", unisono._core.__file__], text=True)
    needed = set(re.findall(r" U ((?:p_|n)[a-zA-Z0-9]+)@UNISONO", nm))
    reached = names(sections()[0])
    # the forms for wide masks stand for the plain ones
    called = {TYPES.sub("", name) if name not in reached else name for name in needed}
    wide = {name.removesuffix("Wide") for name in called if name.endswith("Wide")}
    assert called >= reached - wide and called - reached <= {"p_init", "p_exit", "p_error", "p_onError", "p_onWait"}
