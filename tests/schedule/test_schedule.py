"""unisono model schedule: what it calculates, against leaders that exchange message by message; and its errors."""

import json
import os
import random
import struct
import subprocess

import pytest

from leaders import log2_up, simulate

UNISONO = os.environ["UNISONO"]
WAYS = {"wait": ["direct", "bruck"], "max": ["direct", "bruck"], "sum": ["direct", "bruck", "census"],
        "gather": ["direct", "bruck"]}
FEW = 15


def run(*arguments, **options):
    return subprocess.run([UNISONO, "model", "schedule", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=60, **options)


def calculate(*arguments):
    done = run("--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def carried(op, way, per_node, ranks):
    """The values in a message for so many ranks."""
    if op == "wait":
        return 0
    if op == "gather":
        return ranks * per_node
    return ranks if op == "sum" and way == "bruck" else 1


def compare(row, model):
    op, per_node, nodes = row["op"], row["per_node"], row["nodes"]
    assert nodes == -(-row["pes"] // per_node)
    assert list(row["schedules"]) == WAYS[op]
    assert row["chosen"] == ("direct" if nodes <= FEW else "census" if op == "sum" else "bruck")
    for way, cost in row["schedules"].items():
        messages, size, us = simulate(way, nodes, lambda ranks: model["header"] + model["type"] * carried(op, way, per_node, ranks),
                                      *(model[name] for name in ("latency", "overhead", "gap")), model["per_byte"] / 1e3)
        assert cost["messages"] == messages, (row, way)
        assert cost["steps"] == ((nodes > 1) if way == "direct" else log2_up(nodes))
        assert cost["us"] == pytest.approx(us, rel=1e-7), (row, way)
        if row["pes"] % per_node == 0 or op != "gather":
            assert cost["bytes"] == size, (row, way)
        else:  # the last node has fewer PEs, and each value arrives once at each of the other nodes
            assert cost["bytes"] == messages * model["header"] + row["pes"] * (nodes - 1) * model["type"]


def test_every_message_of_few_nodes():
    model = calculate("--pes", ",".join(map(str, range(1, 35))), "--per-node", "1,3")
    assert len(model["rows"]) == 4 * 34 * 2
    for row in model["rows"]:
        compare(row, model)


@pytest.mark.parametrize("seed", range(40))
def test_any_network(seed):
    """Each part of the model is the greatest somewhere."""
    numbers = random.Random(seed)
    pes = {numbers.randint(1, 90) for _ in range(3)}
    model = calculate("--pes", ",".join(map(str, pes)), "--per-node", numbers.choice([1, 2, 7]), "--type", numbers.choice([1, 8, 1000]),
                      "--header", numbers.choice([1, 32, 500]), *(word for option in ("latency", "overhead", "gap", "per-byte")
                      for word in (f"--{option}", numbers.choice([0, 0.5, 2, 10, 30]))))
    for row in model["rows"]:
        compare(row, model)


def test_a_million_pes():
    model = calculate()
    assert [model[name] for name in ("latency", "overhead", "gap", "per_byte", "type", "header")] == [10, 2, 2, 0.8, 8, 32]
    pes = [*(2 ** i for i in range(1, 20)), 1000000]
    assert [(row["op"], row["per_node"], row["pes"]) for row in model["rows"]] == [
        (op, m, p) for op in WAYS for m in (1, 16, 128) for p in pes]
    row = model["rows"][19]
    assert row["schedules"]["direct"]["messages"] == 1000000 * 999999 and row["schedules"]["bruck"]["messages"] == 20 * 1000000
    assert row["schedules"]["bruck"]["us"] == pytest.approx(20 * (10 + 2 * 2 + 31 * 0.8e-3))
    gather = next(row for row in model["rows"] if row["op"] == "gather" and row["pes"] == 1000000)
    assert gather["schedules"]["bruck"]["us"] == pytest.approx(20 * (10 + 2 * 2 + 31 * 0.8e-3) + 999999 * 8 * 0.8e-3)
    assert gather["schedules"]["direct"]["bytes"] == 1000000 * 999999 * (32 + 8)


def test_text_has_the_figures():
    done = run("--pes", "4096", "--per-node", "16", "--op", "sum")
    row = calculate("--pes", "4096", "--per-node", "16", "--op", "sum")["rows"][0]
    assert (done.returncode, done.stderr) == (0, "")
    words = done.stdout.splitlines()[-1].split()
    shown = [[str(cost["messages"]), str(cost["bytes"]), str(cost["steps"]),
              f"{cost['us']:.1f}" + "*" * (way == row["chosen"])] for way, cost in row["schedules"].items()]
    assert words == ["4096", "16", "256", *sum(shown, [])]
    assert run("--pes", "1000000", "--per-node", "1", "--op", "wait").stdout.splitlines()[-1].split()[3:5] == ["1e+12", "3.2e+13"]


def test_plot(tmp_path):
    if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode:
        pytest.skip("/usr/bin/python3 has no matplotlib")
    picture = tmp_path / "schedule.png"
    done = run("--op", "wait,sum", "--plot", picture)
    assert (done.returncode, done.stderr) == (0, "") and "census" in done.stdout
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">I", data[16:20])[0] == 1155 and len(data) > 10000
    assert run("--pes", "8", "--per-node", "16", "--plot", picture).returncode == 0  # one node, and nothing to draw
    done = run("--json", "--plot", "/dev/full")
    assert done.returncode == 1 and json.loads(done.stdout) and done.stderr.splitlines()[-1].startswith("unisono model schedule: the plot failed")


def test_output_that_cannot_be_written():
    with open("/dev/full", "w") as full:
        done = subprocess.run([UNISONO, "model", "schedule"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "unisono model schedule: cannot write standard output: No space left on device\n")


@pytest.mark.parametrize("arguments, message", [
    (["--pes", "0"], "--pes 0: not a whole number from 1 to 1000000"),
    (["--pes", "2,1000001"], "--pes 1000001: not a whole number from 1 to 1000000"),
    (["--pes", "2,"], "--pes : not a whole number"),
    (["--pes", ",".join(["2"] * 65)], "--pes: more than 64 numbers"),
    (["--per-node", "x"], "--per-node x: not a whole number"),
    (["--op", "scan"], "--op scan: there are wait, max, sum and gather"),
    (["--type", "1048577"], "--type 1048577: not a whole number from 1 to 1048576"),
    (["--header", "0"], "--header 0: not a whole number from 1 to 65536"),
    (["--latency", "-1"], "--latency -1: not a number from 0 to 1e+06"),
    (["--overhead", "nan"], "--overhead nan: not a number"),
    (["--gap", ""], "--gap : not a number"),
    (["--per-byte", "1ns"], "--per-byte 1ns: not a number"),
    (["--plot", "/nowhere/x.png"], "--plot /nowhere/x.png: No such file or directory"),
    (["schedule"], "schedule: this command takes options only"),
])
def test_bad(arguments, message):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("unisono model schedule: " + message) and done.stderr.count("\n") == 1
