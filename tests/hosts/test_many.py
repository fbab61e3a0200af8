"""Jobs of very many PEs: what they do, and the memory that they and their nodes need for all the others."""

import subprocess

from machines import HANGS, UNISONO, program, run

MOST = 16384


def memory(n):
    """Run such a job on two nodes; return {what: KiB} as many.c says it."""
    many = program("many")
    r = run(f"a:{n // 2},b:{n // 2}", "-n", 4, many, ":", "-n", n - 8, "true", ":", "-n", 4, many)
    assert (r.returncode, r.stderr) == (0, "")
    return {words[0]: [int(word) for word in words[1:]] for words in map(str.split, r.stdout.splitlines())}


def test_memory_for_all_others():
    few, many = memory(128), memory(MOST)
    kib = {what: [b - a for a, b in zip(few[what], many[what])] for what in few}
    assert max(kib["pe"]) < 3 * 1024, kib  # it is half a MiB, and libfabric's part varies by as much
    assert kib["node"][0] < 12 * 1024, kib
    assert kib["agent"][0] < 16 * 1024, kib


def test_more_than_ever_are_in_one_group():
    """1,024 were the most for long. They are on one machine: for the network each needs megabytes."""
    r = subprocess.run([UNISONO, "run", "-n", "1101", program("many"), "all"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True, timeout=HANGS, check=False)
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
