#!/usr/bin/python3
"""Draw how the time of a sort grows: plot_growth.py OUT.png, with the JSON of script/bench-sort growth on standard
input."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src/cli"))
import plot_style  # noqa: E402  the folder is known only now
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

COLORS = {"model": "black", "unisono": "#0b6fb8", "ips4o": "#d98c1f", "ips2ra": "#4c9a52", "vqsort": "#a0549c", "numpy": "#8a8a8a"}
LABELS = {"model": "the model", "unisono": "Unisono", "ips4o": "IPS4o", "ips2ra": "IPS2Ra", "vqsort": "vqsort, 1 thread",
          "numpy": "NumPy, 1 thread"}
KEYS = {"u64": "64-bit keys", "u16": "16-bit keys with 48 bits beside them"}
STEP = 1.2


def style(axes, title, ylabel):
    axes.set_title(title, loc="left", fontsize=9.5)
    axes.set_ylabel(ylabel, fontsize=9)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(LogLocator(base=4, numticks=20))
    plot_style.frame(axes)


def draw_times(axes, rows, title):
    for name, color in COLORS.items():
        points = [(row["records"], row["seconds"][name] / row["records"] * 1e9) for row in rows if name in row["seconds"]]
        if points:
            axes.plot(*zip(*points), color=color, marker=None if name == "model" else "o", markersize=3.5,
                      linestyle="--" if name == "model" else "-", linewidth=2 if name == "unisono" else 1.3, label=LABELS[name])
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    style(axes, title, "ns a record")


def draw_steps(axes, rows):
    steps = [(row["records"], row["step"]) for row in rows if "step" in row]
    axes.axhline(1, color="black", linewidth=0.8)
    axes.axhline(STEP, color="black", linewidth=0.8, linestyle=":")
    axes.vlines([at for at, _ in steps], 1, [step for _, step in steps], color=COLORS["unisono"], linewidth=3)
    axes.set_xlabel("records of 8 bytes", fontsize=9)
    style(axes, "The growth from one size to the next, by the model's own (dots: the goal)", "times")


def main():
    result, picture = plot_style.read()
    figure, grid = plt.subplots(2, 2, figsize=(13, 7.6), sharex=True, sharey="row", gridspec_kw={"height_ratios": (2.4, 1)})
    for column, (key, title) in enumerate(KEYS.items()):
        rows = [row for row in result["rows"] if row["key"] == key]
        draw_times(grid[0][column], rows, title)
        draw_steps(grid[1][column], rows)
    for axes in grid[:, 1]:
        axes.tick_params(labelleft=True)
    handles = {label: handle for axes in grid[0] for handle, label in zip(*axes.get_legend_handles_labels())}
    figure.legend(handles.values(), handles, loc="upper right", ncol=6, frameon=False, fontsize=9)
    figure.subplots_adjust(left=0.05, right=0.99, top=0.87, bottom=0.065, hspace=0.2, wspace=0.1)
    machine = result["machine"]
    plot_style.head(figure, "The time of a sort by its size", f"{machine['processor']}, {machine['system']}; {result['threads']} "
                    f"threads, the least of {result['rounds']} rounds in turns; keys spread evenly")
    figure.savefig(picture, dpi=110, format="png")


main()
