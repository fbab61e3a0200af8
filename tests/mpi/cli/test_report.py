"""The report at the end of a job: tables, files and plots from the profile that rank 0 leaves."""

import copy
import json
import os
import shutil

import pytest

from command import MPICH, place  # noqa: F401

PROFILE = {
    "format": 1, "unisono": "0.1.0", "build": "mpich", "library": "MPICH Version: 5.0.2", "program": "./program",
    "ranks": 6, "nodes": 1, "pretended_nodes": False, "fast_math": False, "off": None, "check": None,
    "rank": [{"rank": k, "node": 0, "seconds": 2.0, "inside": 0.5} for k in range(6)],
    "collectives": [
        {"name": "MPI_Allreduce", "type": "MPI_DOUBLE", "bytes": 8, "ranks": 6, "operations": 50, "accelerated": 30,
         "calls": 300, "seconds": 0.6, "accelerated_seconds": 0.5},
        {"name": "MPI_Allreduce", "type": "MPI_INT", "bytes": 4096, "ranks": 2, "operations": 10, "accelerated": 0,
         "calls": 20, "seconds": 0.3, "accelerated_seconds": 0.0},
        {"name": "MPI_Barrier", "type": "", "bytes": 0, "ranks": 6, "operations": 30, "accelerated": 5, "calls": 180,
         "seconds": 0.06, "accelerated_seconds": 0.0},
    ],
    "point_to_point": [{"name": "MPI_Send", "type": "MPI_BYTE", "bytes": 1048576, "calls": 7, "seconds": 0.001},
                       {"name": "MPI_Recv", "type": "MPI_BYTE", "bytes": 1048576, "calls": 9, "seconds": 0.001},
                       {"name": "MPI_Isend", "type": "MPI_BYTE", "bytes": 1048576, "calls": 2, "seconds": 0.001}],
}


def launcher(place, profile=PROFILE, status=0):
    """Make a job whose rank 0 leaves this profile."""
    text = profile if type(profile) is str else json.dumps(profile)
    (place.folder / "left.json").write_text(text)
    return place.launcher(MPICH, f'cat {place.folder}/left.json >"$UNISONO_MPI_PROFILE"; exit {status}')


def rows(result):
    return [line.split() for line in result.stderr.splitlines()]


def test_table(place):
    r = place.run("--profile", launcher(place))
    assert r.returncode == 0 and r.stdout == ""
    assert "6 ranks on 1 node ran for 2.00 s (MPICH Version: 5.0.2)" in r.stderr
    assert "35 of 90 collectives were accelerated; 25 % of the time was spent in collectives" in r.stderr
    table = rows(r)
    # operations, accelerated, time in it (of a rank), mean (of a call), saved
    assert ["MPI_Allreduce", "60", "30", "150", "ms", "2.81", "ms", "-"] in table
    assert ["MPI_Barrier", "30", "5", "10.0", "ms", "333", "us", "-"] in table
    assert ["all", "90", "35", "160", "ms", "1.92", "ms", "-"] in table
    assert table.index(["MPI_Allreduce", "60", "30", "150", "ms", "2.81", "ms", "-"]) < \
        table.index(["MPI_Barrier", "30", "5", "10.0", "ms", "333", "us", "-"])
    # charts: sizes by type, participants, messages
    assert ["MPI_DOUBLE", "8", "to", "16", "50", 30 * "#"] in table
    assert ["MPI_INT", "4", "Ki", "to", "8", "Ki", "10", 6 * "#"] in table
    assert ["MPI_Allreduce", "2", "10", 6 * "#"] in table
    assert ["6", "50", 30 * "#"] in table
    assert ["MPI_Barrier", "6", "30", 18 * "#"] in table
    assert ["MPI_BYTE", "1", "Mi", "to", "2", "Mi", "9", 30 * "#"] in table
    assert "known once `unisono mpi --tune`" in r.stderr


def test_file(place):
    r = place.run("--profile=p.json", launcher(place))
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    written = json.load(open(place.folder / "p.json"))
    expected = copy.deepcopy(PROFILE)
    for row in expected["collectives"]:
        row["saved_seconds"] = None
    assert written == expected


def test_both(place):
    r = place.run("--profile", "--profile=p.json", launcher(place))
    assert "35 of 90" in r.stderr and (place.folder / "p.json").stat().st_size


def test_file_is_told_by_its_full_path(place):
    (place.folder / "elsewhere").mkdir()
    work = place.launcher(MPICH, f'cd elsewhere; cat {place.folder}/left.json >"$UNISONO_MPI_PROFILE"')
    launcher(place)
    work = place.launcher(MPICH, f'cd elsewhere; cat {place.folder}/left.json >"$UNISONO_MPI_PROFILE"')
    assert place.run("--profile=p.json", work).returncode == 0
    assert json.load(open(place.folder / "p.json"))["ranks"] == 6


def test_file_that_is_replaced_as_a_whole(place):
    """The profile is written as the accelerator does it: another file, renamed."""
    launcher(place)
    work = place.launcher(MPICH, f'cp {place.folder}/left.json "$UNISONO_MPI_PROFILE.part"; '
                                 'mv "$UNISONO_MPI_PROFILE.part" "$UNISONO_MPI_PROFILE"')
    assert "35 of 90" in place.run("--profile", work).stderr


def test_empty_profile(place):
    r = place.run("--profile", launcher(place, {**PROFILE, "collectives": [], "point_to_point": []}))
    assert r.returncode == 0 and "0 of 0 collectives" in r.stderr
    assert len(r.stderr.splitlines()) == 2


def test_off(place):
    r = place.run("--profile", "--off", launcher(place, {**PROFILE, "off": "UNISONO_MPI=off"}))
    assert "the accelerator was off: UNISONO_MPI=off" in r.stderr


def test_pretended_nodes(place):
    r = place.run("--profile", launcher(place, {**PROFILE, "nodes": 3, "pretended_nodes": True}))
    assert "6 ranks on 3 pretended nodes" in r.stderr


@pytest.mark.parametrize("status", [0, 4])
def test_no_profile(place, status):
    r = place.run("--profile", place.launcher(MPICH, f"exit {status}"))
    assert r.returncode == (status or 1)
    assert r.stderr.startswith("unisono mpi: there is no profile: rank 0 did not come to MPI_Finalize")


@pytest.mark.parametrize("text", ["{", "[]", "{}", json.dumps({**PROFILE, "rank": [{}]}),
                                  json.dumps({**PROFILE, "collectives": [{"name": "MPI_Barrier"}]}),
                                  json.dumps({**PROFILE, "ranks": "6"})])
def test_profile_that_cannot_be_read(place, text):
    r = place.run("--profile", launcher(place, text))
    assert r.returncode == 1 and "cannot be read: " in r.stderr and r.stderr.count("\n") == 1


def test_failed_job_keeps_its_status(place):
    r = place.run("--profile", launcher(place, status=7))
    assert r.returncode == 7 and "35 of 90" in r.stderr


CHECKS = [
    ({"compared": 35, "different": 0}, 0, 0, "35 results of accelerated collectives were compared with the MPI library's; all are the same"),
    ({"compared": 35, "different": 2}, 0, 1, "35 results of accelerated collectives were compared with the MPI library's; 2 differ"),
    ({"compared": 35, "different": 2}, 5, 5, "2 differ"),
    (None, 0, 1, "nothing was compared"),
]


@pytest.mark.parametrize("check, status, expected, message", CHECKS)
def test_check(place, check, status, expected, message):
    r = place.run("--check", launcher(place, {**PROFILE, "check": check}, status))
    assert r.returncode == expected and message in r.stderr and r.stderr.count("\n") == 1


TIMES = """
# comment
below mpich MPI_Allreduce 4 1024
time mpich MPI_Allreduce 4 8 2.0 12.0
time mpich MPI_Allreduce 4 4096 50 10
time mpich MPI_Allreduce 8 8 2.0 1002
time openmpi MPI_Allreduce 6 8 0 1000
time mpich MPI_Barrier 8 0 30 6
"""


def test_saved(place):
    """Savings use the times of the greatest number of ranks that is not more, else of the least."""
    (place.folder / "config/unisono").mkdir(parents=True)
    (place.folder / "config/unisono/mpi-crossovers").write_text(TIMES)
    r = place.run("--profile", "--profile=p.json", launcher(place))
    saved = [row["saved_seconds"] for row in json.load(open(place.folder / "p.json"))["collectives"]]
    # accelerated * ranks * difference; nothing of the second row was accelerated
    assert saved == pytest.approx([30 * 6 * 10e-6, 0, 5 * 6 * -24e-6])
    assert ["MPI_Allreduce", "60", "30", "150", "ms", "2.81", "ms", "300", "us"] in rows(r)
    assert ["MPI_Barrier", "30", "5", "10.0", "ms", "333", "us", "-120", "us"] in rows(r)
    assert "Saved: by what `unisono mpi --tune` measured" in r.stderr


def test_saved_by_another_file(place):
    (place.folder / "other").write_text("time mpich MPI_Barrier 6 0 1 2\n")
    r = place.run("--profile", launcher(place), env={**place.environment, "UNISONO_MPI_TUNE": str(place.folder / "other")})
    assert ["MPI_Barrier", "30", "5", "10.0", "ms", "333", "us", "5.00", "us"] in rows(r)


def drawn(path):
    """Width and height of a PNG."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def with_plot(place):
    pytest.importorskip("matplotlib")
    shutil.copytree(os.environ["UNISONO_SHARE"], place.folder / "installed/share/unisono")


def test_plot(place):
    """The plot resembles Figures 4 and 5: two charts, and a third if there are messages."""
    with_plot(place)
    r = place.run("--plot", "a.png", launcher(place))
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    r = place.run("--plot", "b.png", launcher(place, {**PROFILE, "point_to_point": []}))
    assert r.returncode == 0
    a, b = drawn(place.folder / "a.png"), drawn(place.folder / "b.png")
    assert a[0] == b[0] and a[1] > b[1]


def test_plot_of_nothing(place):
    with_plot(place)
    r = place.run("--plot", "a.png", launcher(place, {**PROFILE, "collectives": [], "point_to_point": []}))
    assert r.returncode == 0 and drawn(place.folder / "a.png")


def test_plot_that_fails(place):
    r = place.run("--plot", "a.png", launcher(place))  # there is no share/unisono
    assert r.returncode == 1 and "the plot failed; it needs /usr/bin/python3 with matplotlib" in r.stderr
