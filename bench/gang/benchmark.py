"""Two jobs on the same processors at the same time, with `unisono run --gang` and without, and one job alone, in turns:
the time of each job and of both, and its ratio to the time of one job after the other. Each job is a session of its
own, as started from two terminals."""

import os
import statistics
import subprocess
import sys
import time
from functools import partial

import runner

# what each PE does between two barriers: turns of a loop; and how many barriers there are
GRAINS = {0: 600000, 3000: 180000, 30000: 30000, 300000: 3000}


def start(pes, loops, options):
    command = [runner.UNISONO, "run", "-n", pes, *options, runner.LIBEXEC / "bench-gang", GRAINS[loops], loops]
    return subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                            start_new_session=True)


def run(pes, loops, options, jobs):
    """Seconds of each job, and of all."""
    began = time.monotonic()
    running = [start(pes, loops, options) for _ in range(jobs)]
    own = [job.communicate()[0] for job in running]
    both = time.monotonic() - began
    if any(job.returncode for job in running):
        sys.exit("bench-gang: a job has failed")
    return {"each": [float(seconds) for seconds in own], "both": both}


def cases(options):
    for bind in (False, True):
        words = ["--bind"] if bind else []
        ways = {"alone": (words, 1), "plain": (words, 2), "gang": ([*words, "--gang"], 2)}
        for loops in map(int, options.loops.split(",")):
            yield ({"pes": options.pes, "loops": loops, "barriers": GRAINS[loops], "bind": bind},
                   {way: partial(run, options.pes, loops, *how) for way, how in ways.items()})


def show(rows):
    ways = {"at once": "plain", "at once, in turns": "gang"}
    lines = []
    for row in rows:
        apart, after = statistics.median(row["each"]["alone"]) / row["barriers"], 2 * statistics.median(row["both"]["alone"])
        lines.append((f"{row['pes']} PEs{', bound' if row['bind'] else ''}, {apart * 1e6:.3g} us", [
            f"{after:.2f}", *(f"{runner.cell(row['both'][way], 1, 2)}, {statistics.median(row['both'][way]) / after:.2f} times"
                              for way in ways.values()), *(runner.cell(row["each"][way], 1, 2) for way in ways.values())]))
    yield ("s, the median (least to most)", [
        "one after the other", *ways, *(f"each, {name}" for name in ways)], lines)


def options(parser):
    parser.add_argument("-n", dest="pes", type=int, default=2 * len(os.sched_getaffinity(0)),
                        help="PEs of a job (default: two on each processor)")
    parser.add_argument("--loops", default=",".join(map(str, GRAINS)), help=f"of {', '.join(map(str, GRAINS))}")


PARTS = {"gang": runner.Benchmark(__doc__, cases, show, options=options, docs="gang", front="from one barrier to the next, alone")}
