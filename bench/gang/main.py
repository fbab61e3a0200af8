"""Two jobs on the same processors at the same time, with `unisono run --gang` and without, and one job alone, in turns: the time
of each job and of both, and what that is to the time of one job after the other. Each job is a session of its own, as started from
two terminals. Writes a table, and JSON if asked for. Run by script/bench-gang."""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import figures  # noqa: E402  the folder is known only now

# what each PE does between two barriers: turns of a loop; and how many barriers there are
GRAINS = {0: 600000, 3000: 180000, 30000: 30000, 300000: 3000}


def start(pes, loops, options):
    command = [ROOT / "build/bin/unisono", "run", "-n", pes, *options, ROOT / "build/libexec/unisono/bench-gang",
               GRAINS[loops], loops]
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


def measure(pes, loops, bind, rounds):
    options = ["--bind"] if bind else []
    ways = {"alone": (options, 1), "plain": (options, 2), "gang": ([*options, "--gang"], 2)}
    samples = {way: [] for way in ways}
    for _ in range(rounds):
        for way, (words, jobs) in ways.items():
            samples[way].append(run(pes, loops, words, jobs))
    row = {"pes": pes, "loops": loops, "barriers": GRAINS[loops], "bind": bind, "ways": {}}
    for way, taken in samples.items():
        row["ways"][way] = {"each": figures.spread([s for one in taken for s in one["each"]]),
                            "both": figures.spread([one["both"] for one in taken]), "all": taken}
    return row


def show(row):
    alone, after = row["ways"]["alone"]["each"]["median"], 2 * row["ways"]["alone"]["both"]["median"]
    print(f"\n{row['pes']} PEs{', bound' if row['bind'] else ''}, {row['barriers']} barriers, alone"
          f" {alone / row['barriers'] * 1e6:.1f} us from one to the next")
    print(f"{'':8}{'each: least':>12}{'median':>9}{'most':>9}{'both: least':>13}{'median':>9}{'most':>9}{'of one by one':>16}")
    for way, f in row["ways"].items():
        times = [f[of][which] for of in ("each", "both") for which in ("min", "median", "max")]
        print(f"{way:8}{times[0]:12.3f}{times[1]:9.3f}{times[2]:9.3f}{times[3]:13.3f}{times[4]:9.3f}{times[5]:9.3f}"
              f"{'' if way == 'alone' else f'{times[4] / after:16.2f}'}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(prog="script/bench-gang", description=__doc__)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures there")
    parser.add_argument("-n", dest="pes", type=int, default=2 * len(os.sched_getaffinity(0)),
                        help="PEs of a job (default: two on each processor)")
    parser.add_argument("--loops", default=",".join(map(str, GRAINS)), help=f"of {', '.join(map(str, GRAINS))}")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each way (default 5)")
    options = parser.parse_args()
    rows = []
    for bind in (False, True):
        for loops in map(int, options.loops.split(",")):
            rows.append(measure(options.pes, loops, bind, options.rounds))
            show(rows[-1])
    if options.json:
        options.json.write_text(figures.text(rounds=options.rounds, rows=rows))


main()
