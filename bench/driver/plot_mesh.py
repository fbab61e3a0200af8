#!/usr/bin/python3
"""Draw the figures of `unisono bench mesh`: plot_mesh.py OUT.png, with the JSON on standard input.

What a message takes by its size, by hand and by MPI; what MPI takes more, for messages and for Jacobi's method, with
the figures of the paper about rMPI; and the speed-up of the programs."""

import plot_style
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullLocator

SIDES = {"hand": ("by hand", "#8a8a8a"), "mpi": ("MPI", plot_style.COLORS["unisono"])}
PROGRAMS = {"jacobi": ("Jacobi", "rows"), "product": ("Matrix product", "rows"), "trapezoid": ("Trapezoids", "intervals"),
            "pi": ("Pi", "intervals")}
PAPER = {"color": "#c0392b", "linestyle": "", "marker": "D", "markersize": 6, "label": "rMPI took more, the paper"}
LINES = ["-", "--"]  # of the sizes, the largest one first
NAMES = {"size": "words of a message", "pes": "PEs"}


def of(rows, part):
    return [row for row in rows if row["part"] == part]


def descending(rows):
    return sorted({row["size"] for row in rows}, reverse=True)


def style(axes, title):
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    plot_style.frame(axes)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize=8)


def logarithmic(axes, ticks=None, linear=None):
    """Show values logarithmically; up to `linear`, if it is given, as they are, 0 and less too."""
    if linear:
        axes.set_yscale("symlog", linthresh=linear)
    else:
        axes.set_yscale("log")
    if ticks:
        axes.set_yticks(ticks)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.yaxis.set_minor_locator(NullLocator())


def draw_latency(axes, rows):
    for side, (name, color) in SIDES.items():
        axes.plot([row["size"] for row in rows], [row["clocks"][side] for row in rows], color=color, marker="o", markersize=3.5,
                  label=name)
    logarithmic(axes)
    axes.set_ylabel("clocks", fontsize=9)
    plot_style.sizes(axes, [row["size"] for row in rows if row["size"] != 31], "words of a message", "{:,}".format)
    style(axes, "A message to the next tile, one way")


def draw_more(axes, lines, key, ticks, linear):
    """The time that MPI takes more than by hand, or less, in lines of {name: rows} by a key, and the paper's."""
    for style_of, (name, rows) in zip(LINES, lines.items()):
        axes.plot([row[key] for row in rows], [row["percent"] for row in rows], color=SIDES["mpi"][1], marker="o",
                  markersize=3.5, linestyle=style_of, label=name)
    rows = [row for rows in lines.values() for row in rows]
    paper = [(row[key], row["paper"]) for row in rows if row["paper"] is not None]
    if paper:
        axes.plot(*zip(*paper), **PAPER)
    logarithmic(axes, ticks, linear)
    axes.axhline(0, color="#888888", linewidth=0.8)
    axes.set_ylabel("% of the time by hand", fontsize=9)
    plot_style.sizes(axes, sorted({row[key] for row in rows} - {31}), NAMES[key], "{:,}".format)


def draw_speedup(axes, rows, title, unit):
    pes = sorted({row["pes"] for row in rows})
    axes.plot(pes, pes, color="#cccccc", linewidth=0.8)
    for line, size in zip(LINES, descending(rows)):
        for side, (name, color) in SIDES.items():
            points = [(row["pes"], row["speedup"][side]) for row in rows if row["size"] == size and row["speedup"][side]]
            if points:
                axes.plot(*zip(*points), color=color, marker="o", markersize=3.5, linestyle=line, label=f"{name}, {size:,} {unit}")
    logarithmic(axes, [0.1, 0.25, 0.5, 1, 2, 4, 8, 16])
    plot_style.sizes(axes, pes, "PEs", str)
    style(axes, title)


def main():
    bench, picture = plot_style.read()
    rows = bench["rows"]
    figure = plt.figure(figsize=(16, 9.6))
    grid = figure.add_gridspec(2, 12, left=0.05, right=0.99, top=0.885, bottom=0.06, wspace=1.7, hspace=0.3)
    latency, jacobi = of(rows, "latency"), of(rows, "jacobi")
    if latency:
        draw_latency(figure.add_subplot(grid[0, :4]), latency)
        axes = figure.add_subplot(grid[0, 4:8])
        draw_more(axes, {"MPI": latency}, "size", [-20, 0, 33, 100, 200, 481, 1000], 33)
        style(axes, "What MPI takes more for a message")
    if jacobi:
        axes = figure.add_subplot(grid[0, 8:])
        draw_more(axes, {f"MPI, {size:,} rows": [row for row in jacobi if row["size"] == size and row["pes"] > 1]
                         for size in descending(jacobi)}, "pes", [0, 5, 20, 100, 500], 5)
        style(axes, "What MPI takes more for a sweep of Jacobi's method")
    for i, (program, (title, unit)) in enumerate(PROGRAMS.items()):
        if of(rows, program):
            draw_speedup(figure.add_subplot(grid[1, 3 * i:3 * i + 3]), of(rows, program), f"{title}: speed-up", unit)
    plot_style.head(figure, "MPI on a simulated chip of 16 tiles, beside messages by hand on its registers",
                    "Each instruction takes a clock, and clocks are the same in every run. Speed-up is over one tile by hand.")
    figure.savefig(picture, dpi=110, format="png")


main()
