#!/usr/bin/python3
"""Draw the figures of `unisono bench exchange`: plot_exchange.py OUT.png, with the JSON on standard input.

For each number of PEs: the time of all-to-all by the size of a block, beside the MPI libraries and plain copies; how
many times faster than the better library that is; and the rates of permutations."""

import plot_style
from plot_style import COLORS, SIDES
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

PERMUTATIONS = ["Block", "Transpose", "Grouped", "Random"]


def name(results, side):
    return "copies by all PEs" if side == "bare" else plot_style.label(results, side)


def by_size(results, pes, side):
    """[(bytes, octile, median)] of one exchange, or of plain copies, in ns."""
    operation = "copyAll" if side == "bare" else "allToAll"
    return sorted((r["bytes"], r["nanoseconds"]["octile"], r["nanoseconds"]["median"]) for r in results
                  if (r["operation"], r["side"], r["pes"]) == (operation, side, pes))


def sizes(axes, results, pes):
    plot_style.sizes(axes, [p[0] for p in by_size(results, pes, "unisono")][::2], "bytes of a block")
    axes.minorticks_off()


def draw_times(axes, results, pes, sides):
    for side in sides:
        points = by_size(results, pes, side)
        at = [p[0] for p in points]
        axes.fill_between(at, [p[1] / 1000 for p in points], [p[2] / 1000 for p in points], color=COLORS[side], alpha=0.2,
                          linewidth=0)
        axes.plot(at, [p[1] / 1000 for p in points], color=COLORS[side], marker="o", markersize=3.5,
                  linestyle="--" if side == "bare" else "-", label=name(results, side))
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:,g} µs"))
    axes.set_title(f"All-to-all, {pes} PEs", loc="left", fontsize=10, fontweight="bold")
    sizes(axes, results, pes)


def goals(bench, start):
    """The rows of goals that say how many times faster this is, as [(goal, measured)]."""
    return [(row["bound"], row["measured"]) for row in bench["limits"]
            if row["goal"].startswith(start) and row["unit"] == "times" and row["measured"] is not None]


def draw_ratios(axes, bench, results, pes):
    rows = goals(bench, f"{pes} PEs, blocks of")
    at = [p[0] for p in by_size(results, pes, "unisono")][:len(rows)]
    axes.step(at, [goal for goal, _ in rows], where="mid", color="#c0392b", linewidth=1)
    axes.plot(at, [measured for _, measured in rows], color=COLORS["unisono"], marker="o", markersize=3.5)
    axes.set_ylim(bottom=0)
    axes.set_title("Times faster than the better library; the line: the goal", loc="left", fontsize=10, fontweight="bold")
    sizes(axes, results, pes)


def draw_permutations(axes, results, pes, sides):
    for i, side in enumerate(sides):
        times = {r["operation"]: (r["bytes"], r["nanoseconds"]["octile"]) for r in results
                 if r["side"] == side and r["pes"] == pes and r["operation"].startswith("permute")}
        rates = [times[f"permute{p}"][0] / times[f"permute{p}"][1] for p in PERMUTATIONS]
        at = [x + (i - (len(sides) - 1) / 2) * 0.8 / len(sides) for x in range(len(PERMUTATIONS))]
        bars = axes.bar(at, rates, 0.8 / len(sides), color=COLORS[side])
        axes.bar_label(bars, [f"{rate:.2g}" for rate in rates], fontsize=7)
    axes.set_xticks(range(len(PERMUTATIONS)))
    axes.set_xticklabels([p.lower() for p in PERMUTATIONS])
    axes.set_title("Permutations, GB/s of a PE", loc="left", fontsize=10, fontweight="bold")


def main():
    bench, picture = plot_style.read()
    results = [r for r in bench["results"] if "bytes" in r]
    counts = sorted({r["pes"] for r in results})
    sides = [side for side in SIDES if any(r["side"] == side and r["operation"] in ("allToAll", "copyAll") for r in results)]
    figure, grid = plt.subplots(len(counts), 3, figsize=(15, 1.2 + 3.6 * len(counts)), squeeze=False)
    inches = figure.get_size_inches()[1]
    figure.subplots_adjust(left=0.06, right=0.99, top=1 - 1 / inches, bottom=0.5 / inches, wspace=0.18, hspace=0.38)
    for row, pes in zip(grid, counts):
        draw_times(row[0], results, pes, sides)
        draw_ratios(row[1], bench, results, pes)
        draw_permutations(row[2], results, pes, [side for side in sides if side != "bare"])
        for axes in row:
            plot_style.frame(axes)
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper right", ncol=len(labels), frameon=False, fontsize=9)
    plot_style.head(figure, f"All-to-all and permutations, {bench['date'][:10]}",
                    f"{bench['machine']}. Lines and bars: the lower octile of all batches; bands: from there to the median.")
    figure.savefig(picture, dpi=110, format="png")


main()
