"""`unisono bench exchange`: all-to-all and permutations."""

import os
import tempfile

from running import WRONG, bench, by_pattern, can_plot, check_figures, check_picture, measured


def exchange():
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "exchange.png")
        plot = ["--plot", picture] if can_plot() else []
        run = measured("exchange", "-n", "2", "--seconds", "1", "--repetitions", "1", "--peers", "none", *plot)
        if plot:
            check_picture(picture, 500)
        else:
            print("skipped: the picture: /usr/bin/python3 has no matplotlib")
    check_figures(run["results"])
    found = by_pattern(run, "unisono")["allToAll", 2]
    assert found == [8, 64, 256, 1024, 4096, 16384, 65536, 1 << 18, 1 << 20, 4 << 20, 16 << 20], found
    assert by_pattern(run, "unisono")["allToAllOwn", 2] == found
    assert by_pattern(run, "bare")["copyAll", 2] == found[6:]
    for name in "Block", "Transpose", "Grouped", "Random":
        assert by_pattern(run, "unisono")["permute" + name, 2] == [8 << 20], name
    copies = [row for row in run["limits"] if "memcpy" in row["goal"]]
    assert len(copies) == 3 and all(row["measured"] > 0 for row in copies), copies
    for bad in (["-n", "1"], ["--limits"], ["--plot", "/nowhere/x"], ["extra"]):
        done = bench("exchange", *bad)
        assert done.returncode == 2 and not done.stdout and done.stderr.startswith("unisono bench"), (bad, done)


def exchange_wrong():
    options = ["exchange", "-n", "2", "--seconds", "1", "--repetitions", "1", "--peers", "none"]
    done = bench(*options, program=WRONG, WRONG="block")
    assert done.returncode == 1 and "PE 1 received" in done.stderr and "from PE 1 at byte 7" in done.stderr, done
    done = bench(*options, program=WRONG, WRONG="element")
    assert done.returncode == 1 and "permuteBlock of 2 PEs" in done.stderr and "element 7 of PE 1" in done.stderr, done
    done = bench(*options, program=WRONG)
    assert done.returncode == 0 and "All-to-all, 2 PEs" in done.stdout, done
