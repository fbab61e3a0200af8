#!/usr/bin/python3
"""Draw what `unisono model` says: plot_model.py OUT.png, with the JSON on standard input.

Table 2: the rates of permutations by the model and measured, chained and packed; Table 3: of the phases of a sort. How
much of the model is reached stands above the bars, and for Table 2 beside it what the T3D of 1996 reached."""

import plot_style
import matplotlib.pyplot as plt

MODEL, MEASURED = "#c9c9c9", plot_style.COLORS["unisono"]


def draw(axes, names, model, measured, title):
    """Two bars for each name, in GB/s; the model's may be missing."""
    axes.bar([x - 0.2 for x in range(len(names))], [v / 1000 for v in model], 0.38, color=MODEL, label="model")
    bars = axes.bar([x + 0.2 for x in range(len(names))], [v / 1000 for v in measured], 0.38, color=MEASURED,
                    label="measured")
    axes.bar_label(bars, [f"{100 * m / v:.0f} %" for m, v in zip(measured, model)], fontsize=8)
    axes.set_xticks(range(len(names)))
    axes.set_xticklabels(names)
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    plot_style.frame(axes)


def draw_permutations(axes, rows, way, title):
    rows = [row for row in rows if way in row]
    names = [f"{row['name']}\nT3D: {100 * row['t3d']['measured'] / row['t3d']['model']:.0f} %" for row in rows]
    draw(axes, names, [row[way]["model"] for row in rows], [row[way]["measured"] for row in rows], title)


def draw_sort(axes, sort):
    phases = {name: phase for name, phase in sort["phases"].items() if name != "sample"}
    draw(axes, list(phases), [p["model"] for p in phases.values()], [p["measured"] for p in phases.values()],
         f"Sort, {sort['key'][1:]}-bit keys, GB/s of a PE")


def main():
    model, picture = plot_style.read()
    figure, grid = plt.subplots(1, 4, figsize=(15, 4.6), gridspec_kw={"width_ratios": [4, 3, 4, 4]})
    figure.subplots_adjust(left=0.04, right=0.99, top=0.74, bottom=0.13, wspace=0.2)
    draw_permutations(grid[0], model["permutations"], "chained", "Permutations, chained, GB/s of a PE")
    draw_permutations(grid[1], model["permutations"], "packed", "The same, packed")
    for axes, sort in zip(grid[2:], model["sort"]["sorts"]):
        draw_sort(axes, sort)
    figure.legend(*grid[0].get_legend_handles_labels(), loc="upper right", ncol=2, frameon=False, fontsize=9)
    plot_style.head(figure, "The copy-transfer model and what is measured",
                    f"{model['pes']} PEs, {model['words']:,} words of 8 bytes each. Above the bars: measured of the model.")
    figure.savefig(picture, dpi=110, format="png")


main()
