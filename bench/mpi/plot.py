"""The pictures: how many times faster, by size; the tables by ranks; applications, as Figures 6 and 7 of the paper."""

import math
import sys
from functools import partial

from goals import NAMES, ratio
from hosts import HOSTS, ROOT
from report import size_text

sys.path.insert(0, str(ROOT / "src/cli"))
import plot_style  # noqa: E402  the folder is known only now
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator  # noqa: E402

ALONE, WITH = plot_style.COLORS["mpich"], plot_style.COLORS["unisono"]
TABLES = [("MPI_Barrier", 0, "row"), ("MPI_Allreduce", 1, "row"), ("MPI_Allgather", 1, "row"),
          ("MPI_Bcast", 1, "message")]
COLORS = plt.get_cmap("tab20").colors


def decades(axes):
    low, high = axes.get_ylim()
    axes.set_ylim(10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high)))
    axes.yaxis.set_major_locator(LogLocator(10, numticks=20))
    axes.yaxis.set_minor_locator(plt.NullLocator())


def draw_tables(results, path):
    hosts = [host.key for host in HOSTS if any(row["host"] == host.key for row in results["tables"])]
    figure, grid = plt.subplots(len(hosts), len(TABLES), figsize=(13, 2.6 * len(hosts) + 1), sharex=True, sharey=True,
                                squeeze=False)
    for host, line in zip(hosts, grid):
        for (operation, size, timing), axes in zip(TABLES, line):
            rows = sorted((row for row in results["tables"] if row["host"] == host and
                           (row["operation"], row["bytes"], row["timing"]) == (operation, size, timing)),
                          key=lambda row: row["ranks"])
            for side, color in (("without", ALONE), ("with", WITH)):
                axes.plot([row["ranks"] for row in rows], [row[side]["least"] * 1e6 for row in rows], color=color,
                          marker="o", markersize=4)
            axes.set_yscale("log")
            axes.set_title(f"{operation}{f', {size} byte' if size else ''}\n{NAMES[host]}", loc="left", fontsize=9)
    for axes in grid.flat:
        decades(axes)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g} µs"))
        plot_style.frame(axes)
    for axes in grid[-1]:
        axes.set_xlabel("ranks", fontsize=9)
    inches = figure.get_size_inches()[1]
    figure.legend([plt.Line2D([], [], color=ALONE, marker="o"), plt.Line2D([], [], color=WITH, marker="o")],
                  ["the MPI library alone", "accelerated"], loc="upper right", ncol=2, frameon=False, fontsize=10)
    plot_style.head(figure, "Tables I to IV, today", f"{results['machine']}. Least sample, of the slowest rank; broadcast: of the "
            "root, answers by message.")
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.55 / inches))
    figure.savefig(path, dpi=110)
    plt.close(figure)


HOW = {"sizes": "Rows of operations with changing roots; on the black line the call is the library's own.",
       "osu": "OSU Micro-Benchmarks, unmodified: their own means, least of the runs.",
       "imb": "Intel MPI Benchmarks, unmodified: their own means, least of the runs."}


def draw_sizes(results, path, part):
    wide = {(row["host"], row["ranks"]) for row in results[part] if row["bytes"] > 8}
    results = {**results, part: [row for row in results[part] if (row["host"], row["ranks"]) in wide]}
    pieces = sorted({(row["host"], row["ranks"]) for row in results[part]},
                    key=lambda key: ([host.key for host in HOSTS].index(key[0]), key[1]))
    columns = min(3, len(pieces))
    lines = -(-len(pieces) // columns)
    operations = list(dict.fromkeys(row["operation"] for row in results[part] if row["bytes"]))
    figure, grid = plt.subplots(lines, columns, figsize=(max(9, 4.4 * columns + 1.6), 2.8 * lines + 1), squeeze=False)
    for axes in grid.flat[len(pieces):]:
        axes.set_visible(False)
    for (host, ranks), axes in zip(pieces, grid.flat):
        for color, operation in zip(COLORS, operations):
            rows = sorted((row for row in results[part] if (row["host"], row["ranks"], row["operation"]) ==
                           (host, ranks, operation)), key=lambda row: row["bytes"])
            axes.plot([row["bytes"] for row in rows], [ratio(row) for row in rows], color=color, linewidth=1.2)
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks([4 ** i for i in range(0, 12, 2)])
        axes.set_xticklabels([size_text(4 ** i) for i in range(0, 12, 2)])
        axes.set_title(f"{NAMES[host]}, {ranks} ranks", loc="left", fontsize=9)
        decades(axes)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        plot_style.frame(axes)
    inches = figure.get_size_inches()[1]
    figure.legend([plt.Line2D([], [], color=color) for color in COLORS[:len(operations)]],
                  [operation[4:] for operation in operations], loc="center right", frameon=False, fontsize=8)
    plot_style.head(figure, "Times faster than the MPI library alone, by size", f"{results['machine']}. {HOW[part]}")
    figure.tight_layout(rect=(0, 0, 1 - 1.6 / figure.get_size_inches()[0], 1 - 0.55 / inches))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_applications(results, path):
    rows = sorted(results["applications"], key=lambda row: (row["application"], row["host"], row["ranks"]))
    labels = [f"{row['application']}, {NAMES[row['host']].split(' (')[0]}, {row['ranks']}" for row in rows]
    figure, axes = plt.subplots(figsize=(max(7, 0.5 * len(rows) + 2), 5.6))
    for i, row in enumerate(rows):
        best = min(row[side]["seconds"]["median"] for side in ("with", "without"))
        for side, color, offset in (("without", ALONE, -0.2), ("with", WITH, 0.2)):
            figures = row[side]["seconds"]
            height = figures["median"] / best
            inside = row[side]["inside"]["median"] / best
            axes.bar(i + offset, height, 0.38, color=color, alpha=0.45)
            axes.bar(i + offset, min(inside, height), 0.38, color=color)
            axes.vlines(i + offset, figures["low"] / best, figures["high"] / best, color="black", linewidth=0.8)
    axes.set_ylim(0, min(8, axes.get_ylim()[1]))
    for i, row in enumerate(rows):  # bars that are cut off
        height = row["without"]["seconds"]["median"] / row["with"]["seconds"]["median"]
        if height > axes.get_ylim()[1]:
            axes.text(i - 0.2, axes.get_ylim()[1], f"{height:.0f}", ha="center", va="bottom", fontsize=8)
    axes.set_xticks(range(len(rows)))
    axes.set_xticklabels(labels, rotation=55, ha="right", fontsize=8)
    axes.set_ylabel("time / best time", fontsize=9)
    plot_style.frame(axes)
    figure.legend([plt.Rectangle((0, 0), 1, 1, color=ALONE), plt.Rectangle((0, 0), 1, 1, color=WITH)],
                  ["the MPI library alone", "accelerated"], loc="upper right", ncol=2, frameon=False, fontsize=10)
    plot_style.head(figure, "Applications, as in Figures 6 and 7", f"{results['machine']}. Medians; strokes: quartiles; dark: inside "
            "collectives; program, library, ranks.")
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.7 / 5.6))
    figure.savefig(path, dpi=110)
    plt.close(figure)


PICTURES = {"tables": draw_tables, **{part: partial(draw_sizes, part=part) for part in HOW},
            "applications": draw_applications}


def draw(results, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for part, draw_part in PICTURES.items():
        if any(part not in HOW or row["bytes"] > 8 for row in results[part]):
            draw_part(results, folder / f"mpi-{part}.png")
            print(f"{folder}/mpi-{part}.png")
