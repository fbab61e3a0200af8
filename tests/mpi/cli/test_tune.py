"""--tune: from the figures that the measuring program leaves to the table and the file of crossovers."""

import json
import os

import pytest

from command import LIBEXEC, MPICH, OPENMPI, place, refused  # noqa: F401

PROFILE = {
    "format": 1, "unisono": "0.1.0", "build": "mpich", "library": "MPICH Version: 5.0.2", "program": "mpi-tune",
    "ranks": 4, "nodes": 1, "pretended_nodes": False, "fast_math": False, "off": None, "check": None,
    "rank": [{"rank": k, "node": 0, "seconds": 2.0, "inside": 0.5} for k in range(4)], "point_to_point": [],
}
SIZES = [1 << k for k in range(10)]

# Seconds accelerated and of the library.
FIGURES = {
    "MPI_Barrier": [(0, 5e-6, 1e-6)],  # always: it has no size
    "MPI_Bcast": [(b, b * 1e-6, 32e-6) for b in SIZES],  # better below 32
    "MPI_Scan": [(b, 1e-6, 2e-6) for b in SIZES],  # always
    "MPI_Reduce": [(b, 2e-6, 1e-6) for b in SIZES],  # never
    "MPI_Gather": [(b, 1.1e-6 if b == 4 else 1e-6, 1.05e-6) for b in SIZES[:-1]] + [(512, 9e-6, 1e-6)],  # a dent
    "MPI_Allreduce": [(b, 1e-6, 2e-6 if b < 16 else 0.8e-6 if b != 256 else 1.0) for b in SIZES],  # an outlier
    "MPI_Alltoall": [(b, 1e-6, 2e-6) for b in SIZES],  # taken over below 8 only
    "MPI_Scatter": [(b, 1e-6, 0.5e-6 if b < 16 or b > 64 else 2e-6) for b in SIZES],  # from 16 on, below 128
    "MPI_Exscan": [(b, 1e-6, 1e-6) for b in SIZES],  # not taken over at all
}


def taken(name, size):
    return name != "MPI_Exscan" and not (name == "MPI_Alltoall" and size >= 8)


def prepare(place, profile=None, then=""):
    """A launcher that, instead of the measuring program at the end of its command line, leaves these files."""
    collectives = [{"name": name, "type": "", "bytes": row[0], "ranks": 4, "operations": 1, "calls": 4,
                    "accelerated": int(taken(name, row[0])), "seconds": 0.0, "accelerated_seconds": 0.0}
                   for name, rows in FIGURES.items() for row in rows]
    (place.folder / "left.json").write_text(json.dumps({**PROFILE, "collectives": collectives, **(profile or {})}))
    (place.folder / "figures").write_text("".join(f"{name} {b} {own:.9g} {library:.9g}\n"
                                                  for name, rows in FIGURES.items() for b, own, library in rows))
    libexec = place.folder / "installed" / LIBEXEC / "unisono"
    libexec.mkdir(parents=True, exist_ok=True)
    for key in "openmpi", "mpich", "abi":
        (libexec / f"mpi-tune-{key}.so").write_text("")
    return place.launcher(MPICH, f"""
        echo "tune $UNISONO_MPI_TUNE" "$@" >>{place.folder}/calls
        while [ $# -gt 0 ]; do
            case $1 in */mpi-tune) shift; break ;; esac
            shift
        done
        cp {place.folder}/figures "$2"
        if [ "$3" = once ]; then cp {place.folder}/left.json "$UNISONO_MPI_PROFILE"; fi
        {then}""")


def crossovers(path):
    return {words[2]: " ".join(words[4:]) for words in map(str.split, open(path)) if words[:1] == ["below"]}


EXPECTED = {"MPI_Bcast": "32", "MPI_Scan": "all", "MPI_Reduce": "0", "MPI_Gather": "512", "MPI_Allreduce": "16",
            "MPI_Alltoall": "8", "MPI_Scatter": "128 16"}


def test_table_and_file(place):
    r = place.run("--tune", prepare(place), "-n", "4")
    assert r.returncode == 0, r.stderr
    table = {line.split()[0]: line for line in r.stdout.splitlines() if line.startswith("  MPI_")}
    for name, limit in EXPECTED.items():
        below, *least = limit.split()
        shown = " ".join([{"all": "always", "0": "never"}.get(below, below)] + [f"from {b}" for b in least])
        assert " ".join(table[name].split()[1:]).replace(",", "").startswith(shown + " ")
    assert "not accelerated" in table["MPI_Exscan"]
    assert table["MPI_Barrier"].split()[1] == "always"
    assert table["MPI_Bcast"].split()[2:] == ["8.00", "us", "32.0", "us"]  # with 8 bytes
    path = place.folder / "config/unisono/mpi-crossovers"
    assert f"Kept in {path}" in r.stdout
    assert crossovers(path) == EXPECTED
    times = [line.split() for line in open(path) if line.startswith("time")]
    assert ["time", "mpich", "MPI_Bcast", "4", "8", "8.000", "32.000"] in times
    assert ["time", "mpich", "MPI_Alltoall", "4", "4", "1.000", "2.000"] in times
    assert not [t for t in times if not taken(t[2], float(t[4]))]
    assert "# measured mpich 4: MPICH Version: 5.0.2, " in open(path).read()


def test_what_is_run(place):
    assert place.run("--tune", prepare(place), "-n", "4").returncode == 0
    calls = [line.split() for line in open(place.folder / "calls")]
    assert len(calls) == 2
    for call, mode in zip(calls, ["once", "measure"]):
        assert call[:2] == ["tune", "all"]  # no crossovers while they are measured
        at = next(i for i, word in enumerate(call) if word.endswith("/mpi-tune"))
        assert call[at - 2:at] == ["-n", "4"]
        assert os.path.basename(call[at + 1]) == "mpi-tune-mpich.so" and call[at + 3] == mode
        assert call[at + 4:] == ["libmpi.so.12", "libmpich.so.12"]
        assert not os.path.exists(call[at + 2])


def test_library_beside_the_launcher_comes_first(place):
    launcher = prepare(place)
    (place.folder / "bin").mkdir()
    launcher.rename(place.folder / "bin/mpirun")
    library = place.library("libmpi.so.12")
    assert place.run("--tune", place.folder / "bin/mpirun", "-n", "4").returncode == 0
    call = open(place.folder / "calls").readline().split()
    assert [os.path.realpath(call[-3])] + call[-2:] == [str(library), "libmpi.so.12", "libmpich.so.12"]


def test_other_measurements_stay(place):
    path = place.folder / "sub/folder/crossovers"
    launcher = prepare(place)
    assert place.run(f"--tune={path}", launcher).returncode == 0
    before = open(path).read()
    own = "# my own note\nbelow mpich MPI_Bcast 8 77\nbelow openmpi MPI_Bcast 4 78\n"
    path.write_text(own + before.replace("MPI_Bcast                  4         32", "MPI_Bcast 4 99"))
    r = place.run(f"--tune={path}", launcher)
    assert r.returncode == 0, r.stderr
    assert open(path).read() == own + before


def test_folder_that_cannot_be_written(place):
    """The error comes before the minute of measuring."""
    r = place.run("--tune=/proc/none/x", prepare(place))
    assert r.returncode == 1 and "cannot write /proc/none/x: " in r.stderr
    assert [line.split()[-3] for line in open(place.folder / "calls")] == ["once"]
    assert "measuring" not in r.stderr


BAD = [
    ({"ranks": 1}, 2, "--tune needs at least 2 ranks"),
    ({"nodes": 2}, 2, "these run on several"),
    ({"off": "no memory"}, 1, "the accelerator was off in a trial run: no memory"),
    ({"ranks": "x"}, 1, "the accelerator wrote no profile in a trial run: "),
]


@pytest.mark.parametrize("profile, status, message", BAD)
def test_trial_that_shows_that_it_makes_no_sense(place, profile, status, message):
    refused(place.run("--tune", prepare(place, profile)), message, status=status)
    assert len(open(place.folder / "calls").readlines()) == 1
    assert not (place.folder / "config").exists()


def test_no_launcher(place):
    place.script("script", "exit 0")
    refused(place.run("--tune", "--mpi", "mpich", "./script"), "--tune takes an MPI launcher without a program")


def test_program(place):
    refused(place.run("--tune", prepare(place), "-n", "4", "true"), "--tune takes the launcher without a program", "true")


def test_measuring_program_is_not_there(place):
    launcher = prepare(place)
    (place.folder / "installed" / LIBEXEC / "unisono/mpi-tune-mpich.so").unlink()
    refused(place.run("--tune", launcher), "the measuring program for MPICH is not there")


def test_failed_launcher(place):
    r = place.run("--tune", prepare(place, then="exit 5"))
    assert r.returncode == 5 and "the measuring program failed" in r.stderr


def test_no_figures(place):
    launcher = prepare(place)
    (place.folder / "figures").write_text("")
    r = place.run("--tune", launcher)
    assert r.returncode == 1 and "wrote no figures" in r.stderr


def test_open_mpi(place):
    launcher = prepare(place, {"build": "openmpi"})
    launcher.write_text(launcher.read_text().replace(MPICH, OPENMPI))
    assert place.run("--tune", launcher).returncode == 0
    assert "below openmpi" in open(place.folder / "config/unisono/mpi-crossovers").read()
