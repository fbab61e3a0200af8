#!/usr/bin/python3
"""Draw the figures of `unisono bench vertex`: plot_vertex.py OUT.png, with the JSON on standard input.

The time of a message and the bandwidth by its size, both protocols, beside the MPI libraries; the ring of more PEs
than processors; the speed-up of the edge detector."""

import math

import plot_style
from plot_style import COLORS, SIDES, sizes
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

KNOWN = {"unisono": "extended", "openmpi": "Irecv, Rsend", "mpich": "Irecv, Rsend"}
PLAIN = {"unisono": "standard", "openmpi": "Send, Recv", "mpich": "Send, Recv", "bare": "no library"}


def series(results, operation, side, pes):
    """[(bytes, octile and median of one message, in ns)]"""
    parts = pes if operation.startswith("ring") else 1
    return sorted((r["bytes"], r["nanoseconds"]["octile"] / parts, r["nanoseconds"]["median"] / parts)
                  for r in results if (r["operation"], r["side"], r["pes"]) == (operation, side, pes))


def name(results, side, operation):
    if side == "bare":
        return "bare exchange"
    return f"{plot_style.label(results, side)}, {(KNOWN if operation.endswith('Known') else PLAIN)[side]}"


def lines(axes, results, pattern, pes, value):
    for side in SIDES:
        for operation in (pattern, pattern + "Known"):
            points = [p for p in series(results, operation, side, pes) if value(p[0], p[1]) is not None]
            if not points:
                continue
            at = [max(p[0], 4) for p in points]  # 0 bytes stand at the left edge
            axes.plot(at, [value(p[0], p[1]) for p in points], color=COLORS[side], marker="o", markersize=3.5,
                      linestyle="--" if operation.endswith("Known") else "-", label=name(results, side, operation))
    axes.set_yscale("log")
    all_sizes = sorted({p[0] for p in series(results, pattern, "bare", pes) if value(p[0], 1) is not None})
    shown = [s for s in all_sizes if s in (0, 64, 1 << 12, 1 << 16, 1 << 20, 1 << 24)]
    sizes(axes, shown, "bytes of a message", least=4)
    axes.minorticks_off()


def microseconds(_, ns):
    return ns / 1000


def bandwidth(count, ns):
    return count / ns if count >= 1024 else None


def draw_rings(axes, results):
    """Bars: the time of 8 bytes in a ring of more PEs than processors."""
    counts = sorted({r["pes"] for r in results if r["operation"] == "ring"} - {2})
    sides = [(side, op) for side in SIDES for op in ("ring", "ringKnown")
             if any(series(results, op, side, pes) for pes in counts)]
    for i, (side, operation) in enumerate(sides):
        heights = [next((p[1] / 1000 for p in series(results, operation, side, pes) if p[0] == 8), 0)
                   for pes in counts]
        at = [x + (i - (len(sides) - 1) / 2) * 0.8 / len(sides) for x in range(len(counts))]
        axes.bar(at, heights, 0.8 / len(sides), color=COLORS[side], hatch="//" if operation == "ringKnown" else None,
                 edgecolor="white", linewidth=0)
    axes.set_yscale("log")
    low, high = axes.get_ylim()  # whole decades: bars are compared by their lengths
    axes.set_ylim(10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high)))
    axes.set_xticks(range(len(counts)))
    axes.set_xticklabels([f"{pes} PEs" for pes in counts])


def draw_speedups(axes, rows, processors):
    """Draw the speedups by the number of pixels, for each number of PEs."""
    markers = {2: "o", 4: "s", 16: "^"}
    for pes in sorted({row["pes"] for row in rows}):
        mine = sorted((row["edge"], row["alone"], row["execution"]) for row in rows if row["pes"] == pes)
        for protocol, style in ((0, "-"), (1, "--")):
            axes.plot([m[0] for m in mine], [m[1] / m[2][protocol] for m in mine], style, color=COLORS["unisono"],
                      marker=markers.get(pes, "o"), markersize=4, alpha=0.45 + 0.55 / (1 + pes / 4),
                      label=f"{pes} PEs, {'extended' if protocol else 'standard'}")
    axes.axhline(processors, color="#bbbbbb", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    axes.set_xlabel("rows and columns of the picture", fontsize=9)
    axes.set_ylim(bottom=0)
    if rows:
        axes.legend(frameon=False, fontsize=7, loc="lower right")


def style(axes, title, unit=None):
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    if unit:
        axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g} {unit}"))
    plot_style.frame(axes)


def main():
    bench, picture = plot_style.read()
    results = [r for r in bench["results"] if "bytes" in r]
    figure, grid = plt.subplots(2, 3, figsize=(15, 9.2))
    figure.subplots_adjust(left=0.055, right=0.99, top=0.82, bottom=0.06, wspace=0.2, hspace=0.32)
    lines(grid[0][0], results, "ring", 2, microseconds)
    style(grid[0][0], "One way between 2 PEs", "µs")
    lines(grid[0][1], results, "ring", 2, bandwidth)
    style(grid[0][1], "The same as bandwidth", "GB/s")
    lines(grid[0][2], results, "stream", 2, bandwidth)
    style(grid[0][2], "A stream of messages", "GB/s")
    wide = grid[1][0].get_gridspec()
    for axes in grid[1][:2]:
        axes.remove()
    rings = figure.add_subplot(wide[1, :2])
    draw_rings(rings, results)
    style(rings, f"One message of 8 bytes in a ring, on {bench['processors']} processors", "µs")
    draw_speedups(grid[1][2], bench["detector"], bench["processors"])
    style(grid[1][2], "Edge detector: speed-up over one PE alone")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper right", ncol=4, frameon=False, fontsize=9)
    plot_style.head(figure, f"Messages, {bench['date'][:10]}", f"{bench['machine']}.\nLower octiles; dashed and hatched: "
                    "the receiver has said beforehand what is to come.")
    figure.savefig(picture, dpi=110, format="png")


main()
