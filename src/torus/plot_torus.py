#!/usr/bin/python3
"""Draw what `unisono torus` has calculated: plot_torus.py OUT.png, with the JSON on standard input.

Table 1: the paper's rates beside those calculated, and the histograms of Figures 1 and 4. One schedule: its
histograms."""

import plot_style
import matplotlib.pyplot as plt

BLUE, GREY = plot_style.COLORS["unisono"], plot_style.COLORS["bare"]


def style(axes, title, ylabel):
    axes.set_title(title, loc="left", fontsize=9.5)
    axes.set_ylabel(ylabel, fontsize=9)
    plot_style.frame(axes)


def draw_histogram(axes, result, shares, title, what):
    width = result["bin"]
    at = [(i + 0.5) * width for i in range(len(shares))]
    axes.bar(at, [100 * share for share in shares], width, color=BLUE)
    axes.axvline(result["rate"], color="black", linewidth=0.9)
    rates = f"line: the rate of a PE, {result['rate']:.1f} MB/s"
    if "paper" in result:
        axes.axvline(result["paper"]["rate"], color="black", linewidth=0.9, linestyle="--")
        rates += f"; dashes: the paper's, {result['paper']['rate']:.1f}"
    axes.set_xlim(0, width * len(shares) * 1.02)
    axes.set_xlabel("MB/s of a transfer" if what == "transfers" else "MB/s of the slowest transfer", fontsize=9)
    style(axes, f"{title}\n{rates}", f"% of the {what}")


def draw_histograms(figure, places, result, first, second):
    draw_histogram(figure.add_subplot(places[0]), result, result["transfers"], first, "transfers")
    if "ends" in result:
        draw_histogram(figure.add_subplot(places[1]), result, result["ends"], second, "phases")


def draw_table(axes, table):
    rows = table["rows"]
    for offset, color, label, rates in ((-0.2, GREY, "paper, 1996", [row["paper"]["rate"] for row in rows]),
                                        (0.2, BLUE, "calculated", [row["rate"] for row in rows])):
        bars = axes.bar([i + offset for i in range(len(rows))], rates, 0.38, color=color, label=label)
        axes.bar_label(bars, [f"{rate:.1f}" for rate in rates], fontsize=8)
    axes.set_xticks(range(len(rows)))
    axes.set_xticklabels([f"{row['description']}\n{row['schedule']}" for row in rows])
    axes.legend(fontsize=8, frameon=False, loc="upper left")
    axes.set_ylim(0, table["torus"]["nominal"])
    style(axes, f"Table 1; the axis ends at the nominal {table['torus']['nominal']:.1f} MB/s", "MB/s a PE")


def machine(torus):
    return (f"{torus['sides']} nodes, {torus['pes']} PEs, {torus['link']:g} MB/s a link, ties {torus['ties']}, service nodes "
            f"{torus['service']}")


def main():
    result, picture = plot_style.read()
    rows = {row["description"]: row for row in result.get("rows", [])}
    single = "rows" not in result and "ends" not in result
    figure = plt.figure(figsize=(6 if single else 11, 7.9 if rows else 4.3))
    grid = figure.add_gridspec(2 if rows else 1, 12, hspace=0.5, wspace=1.6, left=0.12 if single else 0.065, right=0.985,
                               top=0.86 if rows else 0.74, bottom=0.07 if rows else 0.12)
    if rows:
        title = "All-to-all on a Cray T3D of 512 PEs: a RECONSTRUCTION of Table 1 and of Figures 1 and 4"
        draw_table(figure.add_subplot(grid[0, :7]), result)
        draw_histogram(figure.add_subplot(grid[0, 7:]), rows["No phases"], rows["No phases"]["transfers"],
                       "Figure 1: no phases", "transfers")
        draw_histograms(figure, [grid[1, :6], grid[1, 6:]], rows["Final"], "Figure 4, left: final", "Figure 4, right: final")
    else:
        title = f"All-to-all on a torus, calculated: {result['schedule']}"
        draw_histograms(figure, [grid[0, :12 if single else 6], grid[0, 6:]], result, "Transfers", "Phases")
    plot_style.head(figure, title, machine(result["torus"]))
    figure.savefig(picture, dpi=110, format="png")


main()
