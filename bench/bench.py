"""bench/bench.py NAME [PART] [options]: the benchmark of bench/NAME/benchmark.py. script/bench-NAME builds what it
needs, and runs this."""

import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent

if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    sys.path[:0] = [str(BENCH / name), str(BENCH), str(BENCH / "mpi"), str(BENCH / "net")]
    import benchmark  # the folder is known only now
    import runner
    runner.main(f"script/bench-{name}", benchmark.PARTS, arguments)
