"""unisono sort against numpy's stable sort: types, sizes, distributions, numbers of PEs. Every byte of every record is
compared, and the bytes beside the key are random, so that a record out of its place is seen even among equal keys."""

import itertools
import os

import numpy as np
import pytest

from sorting import TYPES, check, numpy_type

SEED = 20261122


def some(cases):
    """Return all cases; with a sanitizer, under which each takes several times as long, every fourth one."""
    return list(cases)[::4 if os.environ["UNISONO_SANITIZE"] else 1]


def any_bits(type, n, rng):
    return np.frombuffer(rng.bytes(n * type.itemsize), type)


def zipf(type, n, rng):
    """Few keys that most records have, and many rare ones, spread over the range."""
    ranks = np.minimum(rng.zipf(1.2, n), 2**31).astype(np.uint64)
    return (ranks * np.uint64(0x9E3779B97F4A7C15)).astype(type) if type.kind == "u" else ranks.astype(type)


def often(type, n, rng):
    """Half of the keys are one of ten, among them the least and the greatest; the others are anywhere, or next to
    those."""
    most = np.iinfo(np.uint64).max
    ten = np.concatenate([np.array([0, most], np.uint64), rng.integers(1, most, 8, dtype=np.uint64)])
    next_to = ten[rng.integers(2, 10, n)] + rng.integers(0, 3, n).astype(np.uint64) - np.uint64(1)
    keys = np.where(rng.random(n) < 0.5, ten[rng.integers(0, 10, n)],
                    np.where(rng.random(n) < 0.5, next_to, any_bits(np.dtype("<u8"), n, rng)))
    return keys.astype(type)


DISTRIBUTIONS = {
    "uniform": any_bits,
    "sorted": lambda type, n, rng: np.sort(any_bits(np.dtype("<u8"), n, rng)).astype(type),
    "reversed": lambda type, n, rng: np.sort(any_bits(np.dtype("<u8"), n, rng))[::-1].astype(type),
    "equal": lambda type, n, rng: np.full(n, 77, type),
    "two": lambda type, n, rng: rng.integers(0, 2, n).astype(type),
    "few": lambda type, n, rng: (rng.integers(0, 16, n) * 7).astype(type),
    "zipf": zipf,
    "often": often,
    # half of the keys have one bit less than the other half, a quarter two: the highest bits tell little of them
    "exponential": lambda type, n, rng: (any_bits(np.dtype("<u8"), n, rng)
                                         >> rng.integers(0, 64, n).astype(np.uint64)).astype(type),
    "one-differs": lambda type, n, rng: np.where(np.arange(n) == n // 2, 100, 5).astype(type),
}


@pytest.mark.parametrize("shape, distribution", some(itertools.product(
    [("u16", 8, 0), ("u64", 8, 0), ("u64", 16, 0), ("u64", 12, 3)], DISTRIBUTIONS)))
def test_distributions(tmp_path, shape, distribution):
    key, record, offset = shape
    rng = np.random.default_rng(SEED)
    n = 300_007 # more than one PE sorts within its caches, and no number of PEs divides it
    check(tmp_path, DISTRIBUTIONS[distribution](numpy_type(key), n, rng), record, offset, rng, "-n", 3)


@pytest.mark.parametrize("key", some(TYPES))
def test_types(tmp_path, key):
    rng = np.random.default_rng(SEED)
    type = numpy_type(key)
    for record, offset in [(type.itemsize, 0), (16, 16 - type.itemsize), (8, 8 - type.itemsize), (29, 5)]:
        check(tmp_path, any_bits(type, 40_000, rng), record, offset, rng, "-n", 2)


@pytest.mark.parametrize("key", some(TYPES))
def test_bare_keys_of_few_values(tmp_path, key):
    """Records that are nothing but a key: they are written anew rather than moved."""
    rng = np.random.default_rng(SEED)
    type = numpy_type(key)
    values = any_bits(type, 30, rng)
    check(tmp_path, values[rng.integers(0, 30, 100_003)], type.itemsize, 0, rng, "-n", 2)


def test_floating_point_order(tmp_path):
    """NaN of either sign, infinities, and zeros of either sign."""
    rng = np.random.default_rng(SEED)
    odd = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, -5e-324, 1.0, -1.0])
    keys = rng.permutation(np.repeat(odd, 500))
    check(tmp_path, keys, 8, 0, rng, "-n", 2)
    result = np.fromfile(tmp_path / "out")
    assert np.isnan(result[:500]).all() and np.isnan(result[-500:]).all()
    assert np.signbit(result[2000:2500]).all() and not np.signbit(result[2500:3000]).any()
    check(tmp_path, keys, 24, 8, rng, "-n", 2)


def test_random_sizes(tmp_path):
    rng = np.random.default_rng(SEED)
    sizes = [0, 1, 2, 3, 7, 16383, 16384, 16385, *(int(2**x) for x in rng.uniform(0, 18, 25))]
    for n in some(sizes):
        record = int(rng.choice([1, 2, 4, 8, 16, 3, 24, 100]))
        types = [name for name in TYPES if numpy_type(name).itemsize <= record]
        type = numpy_type(rng.choice(types))
        offset = int(rng.integers(0, record - type.itemsize + 1))
        keys = any_bits(type, n, rng) if rng.random() < 0.5 else rng.integers(0, 100, n).astype(type)
        check(tmp_path, keys, record, offset, rng, "-n", int(rng.choice([1, 2, 3, 5, 8])))


def test_many_pes(tmp_path):
    """More PEs than records, and a number above the 64 that one word names."""
    rng = np.random.default_rng(SEED)
    check(tmp_path, any_bits(np.dtype("<u4"), 60, rng), 8, 2, rng, "-n", 65)
    check(tmp_path, any_bits(np.dtype("<u4"), 100_003, rng), 8, 2, rng, "-n", 65)


def test_large_records(tmp_path):
    rng = np.random.default_rng(SEED)
    check(tmp_path, any_bits(np.dtype("<u8"), 5, rng), 3 << 20, 1 << 20, rng, "-n", 2)
    check(tmp_path, any_bits(np.dtype("<u2"), 3000, rng), 4099, 4097, rng, "-n", 2)


@pytest.mark.parametrize("pes", [1, 3])
def test_a_bucket_of_most_records(tmp_path, pes):
    """A bucket that is dealt out again, by all PEs or by one, past the caches; it begins anywhere in a line."""
    rng = np.random.default_rng(SEED)
    n = 1_500_001
    keys = np.where(rng.random(n) < 0.7, 2**61 + rng.integers(0, 2**20, n), rng.integers(0, 2**62, n)).astype("<u8")
    check(tmp_path, keys, 8, 0, rng, "-n", pes)
    check(tmp_path, keys[:700_001], 16, 8, rng, "-n", pes)


@pytest.mark.parametrize("record, pes", some([(8, 3), (16, 1), (4, 2)]))
def test_two_digits(tmp_path, record, pes):
    """Keys of few bits, and more records than caches hold: by the high bits and then by the low ones."""
    rng = np.random.default_rng(SEED)
    check(tmp_path, any_bits(np.dtype("<i2"), (68 << 20) // record + 1, rng), record, 2, rng, "-n", pes)


@pytest.mark.parametrize("key", some(["u4", "i4", "f4", "u8", "i8", "f8"]))
def test_bare_keys(tmp_path, key):
    """Keys for the exchanges of neighbours: few keys alike in their high bits, in several chunks, and many of those."""
    rng, type = np.random.default_rng(SEED), np.dtype("<" + key)
    for n in (25, 1024, 1025, 30_011):
        check(tmp_path, any_bits(type, n, rng), type.itemsize, 0, rng, "-n", 1)
    check(tmp_path, any_bits(type, 60_013, rng)[np.arange(60_013) // 3], type.itemsize, 0, rng, "-n", 2)
