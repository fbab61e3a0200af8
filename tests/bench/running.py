"""Helpers of the tests of `unisono bench`: running it, and checks that hold for all of its figures, goals and
pictures."""

import json
import os
import struct
import subprocess
import sys

UNISONO, WRONG = sys.argv[2:4]
LIMITS, WRONG_LIMITS = (os.path.join(os.path.dirname(path), "../libexec/unisono/bench-limits") for path in (UNISONO, WRONG))
SHORT = ["--seconds", "3", "--repetitions", "2"]
LONG = 200  # seconds after which a bench has not ended, with all that it does


def call(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, timeout=LONG, env=dict(os.environ, **environment))


def bench(*options, program=UNISONO, **environment):
    return call(program, "bench", *options, **environment)


def measured(*options):
    return figures_of(bench(*options, "--json", "-"))


def figures_of(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def check_figures(results):
    for r in results:
        ns = r["nanoseconds"]
        assert 0 < ns["minimum"] <= ns["octile"] <= ns["median"] <= ns["p99"], r
        assert r["operations"] >= r["batches"] >= 1, r


def can_plot():
    return subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode == 0


def check_picture(picture, least=800):
    with open(picture, "rb") as file:
        data = file.read()
    width, height = struct.unpack(">II", data[16:24])
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and width > 1000 and height > least and len(data) > 20000


def check_limit(row):
    assert row["kind"] in ("at most", "at least", "shown") and row["goal"] and row["section"], row
    if row["measured"] is None:
        assert row["held"] is None and row["ratio"] is None and row["note"], row
        return
    assert row["measured"] >= 0, row
    if row["bound"]:
        assert abs(row["ratio"] * row["bound"] - row["measured"]) <= 1e-4 * row["measured"], row
    held = {"at most": row["measured"] <= (row["bound"] or 0), "at least": row["measured"] >= (row["bound"] or 0),
            "shown": None}
    assert row["held"] is held[row["kind"]], row


def by_pattern(run, side):
    """{(pattern, PEs): [bytes]}"""
    found = {}
    for r in run["results"]:
        if r["side"] == side:
            found.setdefault((r["operation"], r["pes"]), []).append(r["bytes"])
    return found
