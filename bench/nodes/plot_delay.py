#!/usr/bin/python3
"""Draw how long operations between nodes take where the network has a delay: plot_delay.py OUT.png, with the JSON of
script/bench-nodes delay on standard input."""

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src/cli"))
import plot_style  # noqa: E402  the folder is known only now
import matplotlib.pyplot as plt  # noqa: E402

TITLES = {"wait": "barrier (p_wait)", "sum": "sum of 8 bytes (p_reduceAdd64)"}
PLACES = {(2, 1): ("o", "2 nodes"), (2, 2): ("s", "2 nodes, 2 PEs on each"), (4, 1): ("^", "4 nodes")}


def points(rows, side):
    return [(row["delay_us"], statistics.median(row["seconds"][side]) * 1e6) for row in rows]


def draw(axes, way, rows):
    delays = sorted({row["delay_us"] for row in rows})
    axes.plot(delays, [delay * 1.05 + 50 for delay in delays], color="black", linewidth=1, linestyle=":", label="the aim: delay x 1.05 + 50 us")
    axes.plot(delays[1:], delays[1:], color="black", linewidth=0.8, label="the delay")
    bare = [row for row in rows if (row["nodes"], row["each"]) == (2, 1)]
    axes.plot(*zip(*points(bare, "bare")), color=plot_style.COLORS["bare"], marker="x", linewidth=1, label="bare libfabric, 2 nodes")
    for place, (marker, label) in PLACES.items():
        of_place = [row for row in rows if (row["nodes"], row["each"]) == place]
        axes.plot(*zip(*points(of_place, "unisono")), color=plot_style.COLORS["unisono"], marker=marker, markersize=4.5, linewidth=1,
                  fillstyle="none", label=f"Unisono, {label}")
    axes.set_xscale("symlog", linthresh=100)
    axes.set_yscale("log")
    axes.set_xticks(delays)
    axes.set_xticklabels([f"{delay:,}" for delay in delays])
    axes.set_xlabel("delay of the network, us", fontsize=9)
    axes.set_ylabel("us of an operation", fontsize=9)
    axes.set_title(TITLES[way], loc="left", fontsize=9.5)
    plot_style.frame(axes)


def main():
    figures, path = plot_style.read()
    rows = [row for row in figures["rows"] if not row["loss_permille"]]
    figure, panels = plt.subplots(1, len(TITLES), figsize=(9.5, 3.9), sharey=True)
    for axes, way in zip(panels, TITLES):
        draw(axes, way, [row for row in rows if row["way"] == way])
    panels[0].legend(fontsize=8, frameon=False, loc="upper left")
    figure.tight_layout()
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
