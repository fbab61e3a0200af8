"""Colours, axes and titles that all plots share."""

import json
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib.ticker import NullLocator  # noqa: E402  the way to draw is chosen first

COLORS = {"unisono": "#0b6fb8", "mpich": "#d98c1f", "openmpi": "#4c9a52", "bare": "#8a8a8a", "unisono-mpi": "#0b6fb8", "channel": "#7cc0ea"}
SIDES = ["unisono", "openmpi", "mpich", "bare"]


def read():
    """Return the figures, read from standard input, and the path of the picture to write."""
    return json.load(sys.stdin), sys.argv[1]


def label(results, side):
    return next(r["label"] for r in results if r["side"] == side)


def size(value, _=None):
    for unit, name in ((1 << 20, "MB"), (1 << 10, "KB")):
        if value >= unit:
            return f"{value / unit:g} {name}"
    return f"{value:g}"


def sizes(axes, shown, name, text=size, least=0):
    """Make the x axis logarithmic, with marks at the sizes shown, none left of the least."""
    axes.set_xscale("log", base=2)
    axes.set_xticks([max(s, least) for s in shown])
    axes.set_xticklabels([text(s) for s in shown])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(name, fontsize=9)


def frame(axes):
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8)
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)


def head(figure, title, text):
    """Write the title above all axes, at distances that do not depend on the figure's height."""
    inches = figure.get_size_inches()[1]
    figure.text(0.01, 1 - 0.12 / inches, title, va="top", fontsize=13, fontweight="bold")
    figure.text(0.01, 1 - 0.4 / inches, text, va="top", fontsize=9)
