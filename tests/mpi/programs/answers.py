"""The answer in a program's output, as text: the part that must be the same on every library. Times are no part of
it."""

import re

NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")


def osu(output):
    """Return each size, and whether the received data were right. A barrier has no size: its line begins with a
    time."""
    found = []
    for line in output.splitlines():
        words = line.split()
        if words and NUMBER.fullmatch(words[0]):
            verdict = next((word for word in words if word in ("Pass", "Fail")), "measured")
            found.append(f"{words[0] if words[0].isdigit() else 'once'} {verdict}")
    return "\n".join(found)


def imb(output):
    """Each benchmark with its number of ranks, each size, and how many defects the check of the data has found, if it
    was compiled in. How often a size is repeated depends on time."""
    found, columns = [], []
    for line in output.splitlines():
        words = [word for word in line.split() if word != "#"]
        if match := re.match(r"# Benchmarking (\w+)|# #processes = (\d+)", line):
            found.append(match[1] or f"{match[2]} ranks")
            columns = []
        elif words and words[0] in ("#bytes", "#repetitions"):
            columns = words
        elif len(words) == len(columns) > 1 and NUMBER.fullmatch(words[0]):
            found.append(" ".join(f"{name} {word}" for name, word in zip(columns, words) if name in ("#bytes", "defects")) or "measured")
    return "\n".join(found)


HPCG = ("Global Problem Dimensions::Global n[xyz]=", "Departure from Symmetry .*::Result=", "Reproducibility Information::Result=",
        "(Reference|Optimized) CG iterations per set=", "Number of Equations=", "Number of Nonzero Terms=", "Spectral Convergence Tests::")


def hpcg(output):
    """Dimensions, iterations, the residual, and whether its own checks have passed; not what depends on time. The order
    in which a library sums changes the residual after 50 iterations in its sixth digit."""
    lines = [line for line in output.splitlines() if any(re.search(part, line) for part in HPCG)]
    residuals = [f"residual {float(number):.1e}" for number in re.findall(r"Scaled residual mean=(\S+)", output)]
    return "\n".join(lines + residuals + re.findall(r"HPCG result is (VALID|INVALID)", output))


def fftw(output):
    """Return for each transform whether its three errors, of linearity, of an impulse and of a shift, are within
    rounding."""
    rows = re.findall(r"^(\S+) (\S+) (\S+) (\S+)$", output, re.MULTILINE)
    return "\n".join(f"{name} {'right' if all(float(error) < 1e-10 for error in errors) else errors}" for name, *errors in rows)


def whole(output):
    return output


def lines(output):
    """The answer of a program in which several ranks print: their lines may come in any order."""
    return "\n".join(sorted(output.splitlines()))
