"""The instructions of an 8-byte MPI_Send whose receiver is awake, by the source file that they belong to: gdb goes
through some calls of rank 0 step by step. Rank 1 stands still before each of its receives meanwhile: it would fall
asleep in it, and a send to a rank that sleeps wakes it. The least of the calls is shown."""

import sys

import runner
from sides import BUILT

CALLS = 20

INSIDE = """
import collections, os, time, gdb
CALLS = %d
for word in ("pagination off", "confirm off", "breakpoint pending on"):
    gdb.execute("set " + word)
counts = os.environ["UNISONO_JOB"].endswith(",0")  # of rank 0
gdb.execute("break PMPI_Send" if counts else "break PMPI_Recv")
gdb.execute("ignore 1 50")
gdb.execute("run", to_string=True)
least = None
for _ in range(CALLS):
    found = collections.Counter()
    back = gdb.selected_frame().older().pc()
    while counts and gdb.selected_frame().pc() != back:
        table = gdb.selected_frame().find_sal().symtab
        found[os.path.basename(table.filename) if table else "elsewhere"] += 1
        gdb.execute("stepi", to_string=True)
    if not counts:
        time.sleep(0.1)
    if least is None or found.total() < least.total():
        least = found
    gdb.execute("continue", to_string=True)
if counts:
    print("COUNT", least.total(), *(f"{name}:{n}" for name, n in least.most_common()))
gdb.execute("kill")
"""


def count(program):
    script = BUILT / "instructions.gdb.py"
    script.write_text(INSIDE % CALLS)
    said = runner.on_unisono(2, ["gdb", "-q", "-batch", "-x", script, "--args", program, "latency", 8, 1000, 1])
    lines = [line for line in said.splitlines() if line.startswith("COUNT")]
    if not lines:
        sys.exit(f"bench-library: gdb has counted nothing\n{said[-2000:]}")
    words = lines[0].split()
    print(f"{words[1]} instructions of MPI_Send, 8 bytes")
    for word in words[2:]:
        print("{:>6}  {}".format(*reversed(word.split(":"))))
