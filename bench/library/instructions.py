"""The instructions of an 8-byte MPI_Send whose receiver takes what comes, by the source file that they belong to: gdb goes through some
calls step by step. Only 2 ranks that call MPI_Send in turns are needed, and the least of the calls is shown, in which the
receiver was awake."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CALLS = 20

INSIDE = """
import collections, os, gdb
for word in ("pagination off", "confirm off", "breakpoint pending on"):
    gdb.execute("set " + word)
gdb.execute("break PMPI_Send")
gdb.execute("ignore 1 50")
gdb.execute("run", to_string=True)
least = None
for _ in range(%d):
    back, found = gdb.selected_frame().older().pc(), collections.Counter()
    while gdb.selected_frame().pc() != back:
        table = gdb.selected_frame().find_sal().symtab
        found[os.path.basename(table.filename) if table else "no source"] += 1
        gdb.execute("stepi", to_string=True)
    if least is None or found.total() < least.total():
        least = found
    gdb.execute("continue", to_string=True)
print("COUNT", least.total(), *(f"{name}:{n}" for name, n in least.most_common()))
gdb.execute("kill")
"""


def count(program):
    script = ROOT / "build/bench-library/instructions.gdb.py"
    script.write_text(INSIDE % CALLS)
    command = [ROOT / "build/bin/unisono", "run", "-n", 2, "gdb", "-q", "-batch", "-x", script, "--args", program, "latency", 8, 1000, 1]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    lines = [line for line in done.stdout.splitlines() if line.startswith("COUNT")]
    if not lines:
        sys.exit(f"bench-library: gdb has counted nothing\n{done.stderr[-2000:]}")
    words = min(lines, key=lambda line: int(line.split()[1])).split()
    print(f"{words[1]} instructions of MPI_Send, 8 bytes")
    for word in words[2:]:
        print("{:>6}  {}".format(*reversed(word.split(":"))))
