"""Helpers of the tests of unisono sort: records, numpy's sort of them, and the command."""

import os
import subprocess

import numpy as np

UNISONO = os.environ["UNISONO"]
TYPES = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"]
ENV = {name: value for name, value in os.environ.items() if not name.startswith("UNISONO")}


def numpy_type(key):
    return np.dtype("<" + key[0] + str(int(key[1:]) // 8))


def sort(*arguments, **options):
    return subprocess.run([UNISONO, "sort", *map(str, arguments)], capture_output=True, text=True, env=ENV, **options)


def order_of(keys):
    """numpy's stable order of the keys: floating-point ones by IEEE 754's totalOrder, that is by their bits."""
    if keys.dtype.kind == "f":
        width = keys.dtype.itemsize
        bits = keys.view(f"<i{width}")
        keys = np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)
    return np.argsort(keys, kind="stable")


def records_with(keys, record, offset, rng):
    """Records with these keys, and random bytes around them, as rows of bytes."""
    width = keys.dtype.itemsize
    rows = rng.integers(0, 256, (len(keys), record), dtype=np.uint8)
    rows[:, offset:offset + width] = keys.view(np.uint8).reshape(len(keys), width)
    return rows


def check(path, keys, record, offset, rng, *arguments):
    """Sort records with these keys in a file in this folder, and compare the result, all bytes, with numpy's."""
    rows = records_with(keys, record, offset, rng)
    rows.tofile(path / "in")
    kind = keys.dtype.kind + str(8 * keys.dtype.itemsize)
    r = sort(*arguments, "--key", f"{kind}@{offset}", "--record", record, path / "in", path / "out")
    assert (r.returncode, r.stderr) == (0, "")
    result = np.fromfile(path / "out", np.uint8).reshape(-1, record)
    np.testing.assert_array_equal(result, rows[order_of(keys)])
    np.testing.assert_array_equal(np.fromfile(path / "in", np.uint8), rows.ravel())
