#!/usr/bin/python3
"""Draw what `unisono model schedule` says: plot_schedule.py OUT.png, with the JSON on standard input.

Messages and steps, which are the same for all operations, and of each operation the bytes and the time. A color is a
schedule, a form of line a number of PEs of a node, and a line is thick where the rule chooses its schedule."""

import plot_style
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

COLORS = {"direct": plot_style.COLORS["mpich"], "bruck": plot_style.COLORS["unisono"], "census": plot_style.COLORS["openmpi"]}
FORMS = ["-", "--", ":", "-."]
NONE = float("nan")


def draw(axes, rows, per_node, what, title):
    """One figure of all schedules; numbers of PEs that one node has are left out."""
    for form, count in zip(FORMS, per_node):
        mine = sorted((row for row in rows if row["per_node"] == count and row["nodes"] > 1), key=lambda row: row["pes"])
        for way in mine[0]["schedules"] if mine else ():
            pes = [row["pes"] for row in mine]
            values = [row["schedules"][way][what] for row in mine]
            chosen = [value if row["chosen"] == way else NONE for value, row in zip(values, mine)]
            axes.plot(pes, values, form, color=COLORS[way], linewidth=0.8)
            axes.plot(pes, chosen, form, color=COLORS[way], linewidth=2.4)
    axes.set_xscale("log")
    if what == "steps":
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    else:
        axes.set_yscale("log")
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axes.set_xlabel("PEs", fontsize=9)
    plot_style.frame(axes)


def legend(figure, ways, per_node):
    lines = [Line2D([], [], color=COLORS[way], label=way) for way in ways]
    lines += [Line2D([], [], color="black", linestyle=form, label=f"{count} a node") for form, count in zip(FORMS, per_node)]
    lines.append(Line2D([], [], color="black", linewidth=2.4, label="chosen"))
    figure.legend(handles=lines, loc="upper right", ncol=len(lines), frameon=False, fontsize=9)


def main():
    model, picture = plot_style.read()
    rows = model["rows"]
    ops = list(dict.fromkeys(row["op"] for row in rows))
    per_node = list(dict.fromkeys(row["per_node"] for row in rows))
    ways = list(dict.fromkeys(way for row in rows for way in row["schedules"]))
    figure, grid = plt.subplots(2, 1 + len(ops), figsize=(3.5 * (1 + len(ops)), 7), squeeze=False)
    figure.subplots_adjust(left=0.05, right=0.99, top=0.86, bottom=0.07, wspace=0.22, hspace=0.3)
    most = max(ops, key=lambda op: max(len(row["schedules"]) for row in rows if row["op"] == op))
    for axes, what in zip(grid[:, 0], ("messages", "steps")):
        draw(axes, [row for row in rows if row["op"] == most], per_node, what, what.capitalize())
    for column, op in enumerate(ops, 1):
        mine = [row for row in rows if row["op"] == op]
        draw(grid[0, column], mine, per_node, "bytes", f"{op}: bytes")
        draw(grid[1, column], mine, per_node, "us", f"{op}: time, us")
    legend(figure, ways, per_node)
    plot_style.head(figure, "Operations between nodes, calculated",
                    f"LogGP: L {model['latency']:g} us, o {model['overhead']:g} us, g {model['gap']:g} us, "
                    f"G {model['per_byte']:g} ns a byte;\na value has {model['type']} bytes, a message {model['header']} more.")
    figure.savefig(picture, dpi=110, format="png")


main()
