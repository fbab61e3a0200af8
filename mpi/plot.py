#!/usr/bin/python3
"""Draw a profile of `unisono mpi --profile`: plot.py OUT.png, with the JSON on standard input.

The charts are those of the paper of 1999 (Figures 4 and 5): the sizes of the collectives by type; how often each
collective was called, with how many participants, and how much of it was accelerated; and the sizes of the messages
besides, if there are any."""

import plot_style
import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator

COLORS = ["#0b6fb8", "#d98c1f", "#4c9a52", "#b04a4a", "#7a5ea8", "#8a6d4b", "#c76fa5", "#6b6b6b", "#a8a832", "#3aa6a6"]
RECEIPTS = ["MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Imrecv"]  # a message is shown once, where it is sent
UNITS = ["", " Ki", " Mi", " Gi", " Ti"]


def size(low):
    """A range of sizes, from one power of two to the next, by its lower end."""
    unit = 0
    while low >= 1024 and unit < len(UNITS) - 1:
        low /= 1024
        unit += 1
    return f"{low:.0f}{UNITS[unit]}"


def add_up(rows, group, key, count):
    """{group: {key: count}}"""
    sums = {}
    for row in rows:
        of_group = sums.setdefault(row[group], {})
        of_group[row[key]] = of_group.get(row[key], 0) + row[count]
    return sums


def draw_sizes(axes, rows, count, title):
    """Bars by size, side by side for each type."""
    sums = add_up([row for row in rows if row["type"]], "type", "bytes", count)
    types = sorted(sums, key=lambda t: -sum(sums[t].values()))
    lows = sorted({low for of_type in sums.values() for low in of_type})
    width = 0.8 / max(len(types), 1)
    for i, name in enumerate(types):
        at = [x + (i - (len(types) - 1) / 2) * width for x, low in enumerate(lows) if low in sums[name]]
        axes.bar(at, [sums[name][low] for low in lows if low in sums[name]], width, color=COLORS[i % len(COLORS)],
                 label=name)
    axes.set_xticks(range(len(lows)), [size(low) for low in lows])
    axes.set_xlabel("bytes, from here to the double", fontsize=9)
    finish(axes, title, bool(types))


def draw_participants(axes, rows):
    """Draw a bar for each collective, in parts by the number of participants, and beside it the accelerated calls."""
    sums = add_up(rows, "name", "ranks", "operations")
    accelerated = add_up(rows, "name", "ranks", "accelerated")
    names = sorted(sums, key=lambda n: -sum(sums[n].values()))
    counts = sorted({ranks for of_name in sums.values() for ranks in of_name})
    below = [0] * len(names)
    for i, ranks in enumerate(counts):
        heights = [sums[name].get(ranks, 0) for name in names]
        axes.bar([x - 0.2 for x in range(len(names))], heights, 0.4, below, color=COLORS[i % len(COLORS)],
                 label=f"{ranks} rank{'' if ranks == 1 else 's'}")
        below = [b + h for b, h in zip(below, heights)]
    axes.bar([x + 0.2 for x in range(len(names))], [sum(accelerated[name].values()) for name in names], 0.4,
             color="white", edgecolor="black", hatch="///", linewidth=0.8, label="accelerated")
    axes.set_xticks(range(len(names)), [name.removeprefix("MPI_") for name in names], rotation=30, ha="right")
    finish(axes, "Collectives, and their participants", bool(names))


def finish(axes, title, any_bars):
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    plot_style.frame(axes)
    if any_bars:
        axes.legend(frameon=False, fontsize=8)
    else:
        axes.text(0.5, 0.5, "none", ha="center", va="center", transform=axes.transAxes)


def main():
    profile, picture = plot_style.read()
    collectives = profile["collectives"]
    messages = [row for row in profile["point_to_point"] if row["name"] not in RECEIPTS]
    charts = 3 if messages else 2
    figure, axes = plt.subplots(charts, 1, figsize=(10, 0.8 + 3.2 * charts), squeeze=False)
    draw_sizes(axes[0][0], collectives, "operations", "Sizes of the collectives, by type")
    draw_participants(axes[1][0], collectives)
    if messages:
        draw_sizes(axes[2][0], messages, "calls", "Sizes of the messages besides, by type")
    operations, accelerated = (sum(row[key] for row in collectives) for key in ("operations", "accelerated"))
    figure.suptitle(f"{profile['program']}, {profile['ranks']} ranks, {profile['library'].split(',')[0]}: "
                    f"{accelerated} of {operations} collectives accelerated", x=0.02, ha="left", fontsize=12)
    figure.tight_layout()
    figure.savefig(picture, dpi=130, format="png")


main()
