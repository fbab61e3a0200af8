#!/usr/bin/python3
"""Draw the figures of `unisono bench mpi`: plot_mpi.py OUT.png, with the JSON on standard input.

The time of a message by its size, of each layer and beside the MPI libraries; what each layer adds to the one below,
with the figures of the paper about rMPI; and the speed-up of the paper's programs."""

import plot_style
from plot_style import COLORS, sizes
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullLocator

SIDES = ["unisono-mpi", "channel", "bare", "openmpi", "mpich"]
PROGRAMS = {"jacobi": ("Jacobi", "rows and columns"), "product": ("Matrix multiplication", "rows and columns"),
            "trapezoid": ("Trapezoid integration", "intervals"), "pi": ("Pi", "intervals")}
LAYERS = {("the channel", "the bare exchange"): "#7cc0ea", ("MPI", "the channel"): "#d0589b",
          ("MPI", "the bare exchange"): COLORS["unisono-mpi"]}
PAPER = "#c0392b"


def thousands(value):
    return f"{value // 1000000:,} M" if value >= 1000000 else f"{value:,}"


def style(axes, title):
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    plot_style.frame(axes)


def draw_times(axes, results):
    rings = [r for r in results if r["operation"] == "ring"]
    for side in SIDES:
        points = sorted((r["bytes"], r["nanoseconds"]["octile"] / 2000) for r in rings if r["side"] == side)
        if points:
            axes.plot(*zip(*points), color=COLORS[side], marker="o", markersize=3.5, linestyle="--" if side == "bare" else "-",
                      label=plot_style.label(results, side))
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g} µs"))
    sizes(axes, sorted({r["bytes"] for r in rings})[::2], "bytes of a message")
    axes.legend(frameon=False, fontsize=8)
    style(axes, "One way between 2 PEs")


def ratio_axis(axes):
    axes.set_yscale("log")
    axes.set_yticks([1, 1.2, 1.5, 2, 3, 4, 6])
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{100 * (v - 1):.0f} %"))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.axhline(1, color="#bbbbbb", linewidth=0.8)


def ratio(percent):
    return 1 + percent / 100


def draw_layer(axes, rows, color, label, linestyle="-"):
    at = [r["bytes"] for r in rows]
    axes.fill_between(at, [ratio(r["rounds"][0]) for r in rows], [ratio(r["rounds"][1]) for r in rows], color=color, alpha=0.15,
                      linewidth=0)
    axes.plot(at, [ratio(r["percent"]) for r in rows], color=color, marker="o", markersize=3.5, label=label,
              linestyle=linestyle)


def draw_paper(axes, rows):
    paper = [(r["bytes"], ratio(r["paper"])) for r in rows if r["paper"] is not None]
    if paper:
        axes.plot(*zip(*paper), "D", color=PAPER, markersize=6, label="rMPI above its network, the paper")


def draw_overheads(axes, bench):
    rows = [r for r in bench["overheads"] if r["operation"] == "ring"]
    for (above, below), color in LAYERS.items():
        draw_layer(axes, [r for r in rows if (r["above"], r["below"]) == (above, below)], color, f"{above} above {below}")
    draw_paper(axes, rows)
    ratio_axis(axes)
    sizes(axes, sorted({r["bytes"] for r in rows})[::2], "bytes of a message")
    axes.legend(frameon=False, fontsize=8)
    style(axes, "What a layer takes more than the one below")


def draw_jacobi(axes, bench):
    rows = [r for r in bench["overheads"] if r["operation"] == "jacobi" and r["below"] == "the bare exchange"]
    for above, color in (("the channel", LAYERS["the channel", "the bare exchange"]), ("MPI", COLORS["unisono-mpi"])):
        for pes in sorted({r["pes"] for r in rows}):
            draw_layer(axes, [r for r in rows if r["above"] == above and r["pes"] == pes], color, f"{above}, {pes} PEs",
                       "-" if pes == 2 else "--")
    draw_paper(axes, rows)
    ratio_axis(axes)
    sizes(axes, sorted({r["bytes"] for r in rows}), "rows and columns", thousands)
    axes.legend(frameon=False, fontsize=8, loc="lower left")
    style(axes, "Jacobi, above the bare exchange")


def draw_program(axes, bench, program):
    rows = [r for r in bench["speedups"] if r["program"] == program]
    for side in SIDES:
        for pes in sorted({r["pes"] for r in rows}):
            points = sorted((r["size"], r["speedup"]) for r in rows if r["side"] == side and r["pes"] == pes)
            if points:
                axes.plot(*zip(*points), color=COLORS[side], marker="o" if pes == 2 else "s", markersize=3.5,
                          linestyle="-" if pes == 2 else "--")
    for level in (1, bench["processors"]):
        axes.axhline(level, color="#bbbbbb", linewidth=0.8)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    name, unit = PROGRAMS[program]
    sizes(axes, sorted({r["size"] for r in rows}), unit, thousands)
    style(axes, name)


def main():
    bench, picture = plot_style.read()
    figure = plt.figure(figsize=(16, 9.6))
    grid = figure.add_gridspec(2, 12, left=0.05, right=0.99, top=0.875, bottom=0.06, wspace=1.6, hspace=0.34)
    draw_times(figure.add_subplot(grid[0, :4]), bench["results"])
    draw_overheads(figure.add_subplot(grid[0, 4:8]), bench)
    draw_jacobi(figure.add_subplot(grid[0, 8:]), bench)
    for i, program in enumerate(PROGRAMS):
        draw_program(figure.add_subplot(grid[1, 3 * i:3 * i + 3]), bench, program)
    plot_style.head(figure, f"The MPI library, layer by layer, and the programs of the paper, {bench['date'][:10]}",
                    f"{bench['machine']}. Above: times are lower octiles, bands go from the least to the greatest of the rounds. "
                    "Below: speed-up over one PE alone;\nsolid: 2 PEs, dashed: 4. Grey lines: one PE, and all processors.")
    figure.savefig(picture, dpi=110, format="png")


main()
