"""Figures of `unisono run --stats=FILE` for programs of MPI: of a run, and made up for any number of ranks."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from launcher import UNISONO, run

SOURCE = Path(__file__).with_name("rounds.c")
WAITS = ["late sender", "late to the collective"]


def compiled(folder, *options):
    """Return the program rounds.c, compiled by the MPI library's own compiler."""
    prefix = Path(subprocess.run([UNISONO, "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip())
    if os.environ["UNISONO_SANITIZE"] or not (prefix / "bin/mpicc").exists():
        pytest.skip("programs of MPI: there is no MPI library, or others would have to link a sanitizer")
    program = folder / "rounds"
    subprocess.run([prefix / "bin/mpicc", "-g", *options, "-o", program, SOURCE], check=True, timeout=60)
    return program


def ran(folder, program, *arguments, n=4, name="stats", status=0):
    """Run it with --stats=FILE and --html. Return the figures."""
    r = run("run", "-n", n, f"--stats={folder}/{name}.json", "--html", folder / f"{name}.html", program, *arguments)
    assert r.returncode == status, r
    return json.loads((folder / f"{name}.json").read_text())


def site(function, place, n, calls=10, nbytes=0, seconds=1.0, waited=0.0):
    """A place where every rank calls a function, and rank 0 alone waits."""
    return {"function": function, "place": place, "calls": calls, "unfinished": 0, "bytes": nbytes, "seconds": seconds,
            "longest_seconds": seconds / calls, "waited_seconds": waited, "waits": {WAITS[0]: waited} if waited else {},
            "rank": [{"rank": k, "calls": calls // n, "bytes": nbytes // n, "seconds": seconds / n, "waited_seconds": waited if k == 0 else 0.0}
                     for k in range(n)]}


def wait(at, rank, seconds, came_at=None, count=10):
    return {"site": at, "wait": WAITS[0], "for_rank": rank, "through_others": False, "came_at_site": came_at, "count": count, "seconds": seconds,
            "outside_seconds": seconds / 2, "ranks": 1, "rank": [{"rank": 0, "count": count, "seconds": seconds}]}


def rank(k, n):
    """Return the figures of rank k of n, each of which sends 10 messages of 8 bytes to the next one, and as many of
    1000 to the one opposite."""
    to = sorted({(k + 1) % n: 8, (k + n // 2) % n: 1000}.items())
    return {"rank": k, "node": None, "recorded": True, "calls": 100 + k, "seconds": 8.0, "inside_seconds": 4.0, "waited_seconds": 2.0,
            "waited_for_seconds": 1.0 + (k * 7) % n, "to": [{"rank": m, "messages": 10, "bytes": 10 * size} for m, size in to],
            "sizes": [{"bytes_from": 8, "messages": 10}, {"bytes_from": 512, "messages": 10}],
            "moments": {"seconds": 1.0, "inside": [0.5] * 8, "waited": [0.25] * 8}}


def figures(n, sites, waits):
    """Figures of n ranks."""
    none = {"name": "all", "count": 0, "unfinished": 0, "seconds": 0.0, "mean_seconds": 0.0}
    pe = {"node": None, "checked_in": True, "run_seconds": 8.0, "operations": 0, "waiting_seconds": 0.0, "waiting_share": 0.0,
          "waited_for_seconds": 0.0}
    return {"program": "./many </script><b>", "pes": n, "seconds": 8.5, "all": none, "operations": [],
            "pe": [{"pe": k, **pe} for k in range(n)], "straggler": None, "unit": None,
            "calls": {"member": "rank", "ranks": n, "calls": sum(s["calls"] for s in sites), "seconds": 8.0 * n, "inside_seconds": 4.0 * n,
                      "waited_seconds": 2.0 * n, "look_at": "rank 0 <b> is late", "sites": sites, "waits": waits,
                      "other_waits": {"count": 0, "seconds": 0.0},
                      "rank": [rank(k, n) for k in range(n)],
                      "communicators": [{"name": "MPI_COMM_WORLD", "size": n, "calls": 1, "bytes": 8, "seconds": 1.0,
                                         "waited_seconds": 0.5}]}}


def model():
    """Return the page without figures."""
    return (Path(os.environ["UNISONO_SHARE"]) / "report.html").read_text()


def page(folder, made, kind="stats", name="made"):
    """Return a page with figures, as the command would have written it."""
    path = folder / f"{name}.html"
    text = json.dumps(made).replace("<", "\\u003c")
    path.write_text(f'{model()}<script type="application/json" id="figures" data-kind="{kind}">\n{text}\n</script>\n')
    return path
