#!/usr/bin/python3
"""Draw the figures of `unisono bench`: plot.py OUT.png, with the JSON on standard input.

Above, the latency of p_wait and of the operations on 64-bit integers, for each number of PEs measured, if there
are few; below, the latency by the number of PEs. Logarithmic scales; the sides side by side."""

import math
import sys

import plot_style
from plot_style import COLORS, SIDES
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator

BY_COUNT = [("p_wait", ""), ("p_reduceAdd", "64"), ("p_gather", "64"), ("p_scanAdd", "64"), ("p_bcast", "64")]
LOCAL = ["p_enqueue", "p_population", "p_enumerate", "p_selectFirst", "p_selectOne"]
FEW = 4  # numbers of PEs
BARE = "bare exchange (no library)"


def microseconds(value, _=None):
    return f"{value:,.0f} µs" if value >= 1 else f"{value:g} µs"


def is_shown(result):
    """Return true for one bar of each operation: the untyped ones, and the others on 64-bit integers."""
    return result["operation"] not in LOCAL and result["type"] in ("", "64")


def label(results, side):
    return BARE if side == "bare" else plot_style.label(results, side)


def draw_operations(axes, results, pes, sides):
    here = [r for r in results if r["pes"] == pes]
    operations = list(dict.fromkeys((r["operation"], r["type"]) for r in here))
    width = 0.8 / len(sides)
    for i, side in enumerate(sides):
        figures = {(r["operation"], r["type"]): r["nanoseconds"] for r in here if r["side"] == side}
        at = [x for x, operation in enumerate(operations) if operation in figures]
        if not at:
            continue
        low = [figures[operations[x]]["octile"] / 1000 for x in at]
        high = [figures[operations[x]]["median"] / 1000 for x in at]
        offset = (i - (len(sides) - 1) / 2) * width
        axes.bar([x + offset for x in at], low, width, color=COLORS[side], label=label(results, side))
        axes.vlines([x + offset for x in at], low, high, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_title(f"{pes} PE{'' if pes == 1 else 's'}", loc="left", fontsize=11, fontweight="bold")
    axes.set_xticks(range(len(operations)))
    axes.set_xticklabels([name + suffix for name, suffix in operations], rotation=45, ha="right", fontsize=8)
    axes.set_xlim(-0.6, len(operations) - 0.4)


def draw_counts(axes, results, operation, sides):
    for side in sides:
        figures = sorted((r["pes"], r["nanoseconds"]) for r in results
                         if r["side"] == side and (r["operation"], r["type"]) == operation)
        if not figures:
            continue
        pes = [count for count, _ in figures]
        low = [f["octile"] / 1000 for _, f in figures]
        high = [f["median"] / 1000 for _, f in figures]
        axes.fill_between(pes, low, high, color=COLORS[side], alpha=0.25, linewidth=0)
        axes.plot(pes, low, color=COLORS[side], marker="o", markersize=4)
    counts = sorted({r["pes"] for r in results})
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(counts)
    axes.set_xticklabels(counts)
    axes.minorticks_off()
    axes.margins(y=0.01)
    axes.set_title("".join(operation), loc="left", fontsize=10)
    axes.set_xlabel("PEs", fontsize=9)


def style(axes):
    low, high = axes.get_ylim()  # whole decades, so that bars can be compared by their lengths in all plots
    axes.set_ylim(10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high)))
    axes.yaxis.set_major_locator(LogLocator(10, numticks=20))
    axes.yaxis.set_major_formatter(FuncFormatter(microseconds))
    plot_style.frame(axes)


def main():
    bench, picture = plot_style.read()
    results = [r for r in bench["results"] if is_shown(r)]
    if not results:
        sys.exit("unisono bench: nothing to draw: the plot shows p_wait and operations on 64-bit integers")
    sides = [side for side in SIDES if any(r["side"] == side for r in results)]
    counts = sorted({r["pes"] for r in results})
    trends = [op for op in BY_COUNT if len({r["pes"] for r in results if (r["operation"], r["type"]) == op}) > 1]
    shown = counts if len(counts) <= FEW or not trends else []
    heights = [3.4] * len(shown) + ([2.9 if shown else 5] if trends else [])
    inches = sum(heights) + 1.2
    figure = plt.figure(figsize=(13, inches))
    grid = figure.add_gridspec(len(heights), 1, height_ratios=heights, hspace=0.55, left=0.065, right=0.99,
                               top=1 - 1.1 / inches, bottom=(0.55 if trends else 1) / inches)
    for row, pes in enumerate(shown):
        axes = figure.add_subplot(grid[row])
        draw_operations(axes, results, pes, sides)
        style(axes)
    if trends:
        last = grid[len(shown)].subgridspec(1, len(trends), wspace=0.1)
        many = last.subplots(sharey=True, squeeze=False)[0]
        for axes, operation in zip(many, trends):
            draw_counts(axes, results, operation, sides)
            style(axes)
    handles = [plt.Rectangle((0, 0), 1, 1, color=COLORS[side]) for side in sides]
    figure.legend(handles, [label(results, side) for side in sides], loc="upper right", ncol=len(sides),
                  frameon=False, fontsize=10)
    title = f"Time of one operation, {bench['date'][:10]}"
    marks = ("Bars and lines", "strokes and bands") if shown else ("Lines", "bands")
    legend = (f"{bench['machine']}. {marks[0]}: the lower octile of all batches; {marks[1]}: from there to the "
              "median; of the slowest PE.")
    plot_style.head(figure, title, legend)
    figure.savefig(picture, dpi=130, format="png")


main()
