"""mpirun and mpiexec: the options of other launchers, each by what its row says."""

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from launcher import UNISONO, program, run, strangers
from patience import HANGS

BIN = Path(subprocess.run([UNISONO, "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip(), "bin")
TABLE = Path(os.environ["UNISONO_MPIRUN_TABLE"]).read_text()
ROWS = [(names.split(), int(values), does, text) for names, values, does, text in
        re.findall(r'^X\("([^"]+)", (\d), (\w+), (?:NULL|"([^"]*)")\)', TABLE, re.M)]


def mpirun(*words, name="mpirun", **options):
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", **options.pop("environment", {})}
    return subprocess.run([name, *map(str, words)], capture_output=True, text=True, timeout=HANGS, stdin=subprocess.DEVNULL,
                          env=environment, check=False, **options)


def size(*words, name="mpirun", **options):
    """How many PEs start."""
    r = mpirun(*words, "sh", "-c", "echo $OMPI_COMM_WORLD_SIZE", name=name, **options)
    assert r.returncode == 0, r.stderr
    got = r.stdout.split()
    assert set(got) == {str(len(got))}
    return len(got)


def test_the_table_is_read():
    assert len(ROWS) == TABLE.count("\nX(") >= 50
    names = [name for row in ROWS for name in row[0]]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", ["n", "np", "c"])
@pytest.mark.parametrize("dashes", ["-", "--"])
def test_number(dashes, name):
    assert size(dashes + name, 3) == size(f"{dashes}{name}=3") == 3


def test_no_number():
    """As Open MPI's mpirun, and as MPICH's mpiexec."""
    assert 1 <= size() <= len(os.sched_getaffinity(0))
    assert size(name="mpiexec") == 1
    assert size("--host", "localhost:3") == size("-H", "localhost,localhost,127.0.0.1") == 3
    assert size("-ppn", 3) == size("--map-by", "ppr:3:node") == size("-npernode", 3, name="mpiexec") == 3
    assert size("--pernode") == 1


@pytest.mark.parametrize("names, values, does, text", [row for row in ROWS if row[2] == "IGNORE"],
                         ids=lambda v: "-".join(v) if isinstance(v, list) else None)
def test_passed_over_in_silence(names, values, does, text):
    words = [word for name in names for word in ["-" + name, *["x"] * values]]
    r = mpirun("-n", 1, *words, program("empty"))
    assert (r.returncode, r.stdout, r.stderr) == (0, "", ""), (does, text)


@pytest.mark.parametrize("names, values, does, text", [row for row in ROWS if row[2] == "REFUSE"],
                         ids=lambda v: "-".join(v) if isinstance(v, list) else None)
def test_refused_by_name(names, values, does, text):
    for name in names:
        r = mpirun("-n", 1, f"--{name}", *["x"] * values, program("empty"))
        assert (r.returncode, r.stdout, r.stderr) == (2, "", f"mpirun: --{name} is not there: {text}\n"), does


def test_command_lines_of_scripts():
    for line in ("--oversubscribe --allow-run-as-root -np 2", "-np 2 --bind-to none --map-by slot:OVERSUBSCRIBE",
                 "--mca btl self,vader --mca btl_base_warn_component_unused 0 -n 2", "-n 2 -bind-to core -map-by socket",
                 "--use-hwthread-cpus -q -c 2", "-launcher fork -n 2 -genv OMP_NUM_THREADS 1",
                 "--host localhost:2 --mca pml ob1 -x PATH -x OMP_NUM_THREADS=1 -np 2"):
        assert size(*line.split()) == 2


def test_environment():
    r = mpirun("-genv", "A", "all", "-n", 1, "-env", "B", "one", "-x", "C=1=2", "-x", "PATH", "sh", "-c", "echo $A $B $C", ":",
               "-n", 1, "sh", "-c", "echo $A $B $C", environment={"B": "before"})
    assert r.returncode == 0 and sorted(r.stdout.splitlines()) == ["all before", "all one 1=2"]


@pytest.mark.parametrize("words, read", [([], "x"), (["--stdin", "0"], "x"), (["-stdin", "none"], ""), (["-s=none"], "")])
def test_input(words, read):
    r = subprocess.run([BIN / "mpirun", *words, "-n", "1", "cat"], input="x", capture_output=True, text=True, timeout=HANGS, check=False)
    assert (r.returncode, r.stdout) == (0, read), r.stderr


def test_folder(tmp_path):
    assert mpirun("-n", 1, "-wdir", tmp_path, "pwd").stdout == f"{tmp_path}\n"


def test_programs():
    tells = "sh", "-c", "echo $OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE $0"
    r = mpirun("-n", 1, *tells, "a", ":", "-n", 2, *tells, "b", ":", *tells, "c")
    assert sorted(r.stdout.splitlines()) == ["0/4 a", "1/4 b", "2/4 b", "3/4 c"] and r.stderr == strangers(4)


def test_output_is_marked():
    for words in ["--tag-output"], ["-l"], ["-prepend-rank"], ["--output", "tag"]:
        r = mpirun("-n", 2, *words, "echo", "x")
        assert sorted(r.stdout.splitlines()) == ["[0] x", "[1] x"]
    assert "only tag is known here" in mpirun("--output", "file=x", "-n", 1, "true").stderr


def test_output_into_files(tmp_path):
    r = mpirun("-n", 2, "-outfile-pattern", "o%r.txt", "-errfile-pattern", "e", "sh", "-c", "echo $OMPI_COMM_WORLD_RANK; echo e >&2",
               cwd=tmp_path)
    assert (r.returncode, r.stdout, r.stderr) == (0, "", strangers(2))
    assert [(tmp_path / name).read_text() for name in ("o0.txt", "o1.txt", "e")] == ["0\n", "1\n", "e\ne\n"]
    mpirun("-n", 100, "-outfile-pattern", "%%r-%", "echo", "x", cwd=tmp_path)  # the first write before the last start
    assert (tmp_path / "%r-%").read_text() == 100 * "x\n"
    r = mpirun("-n", 1, "-outfile-pattern", "/no/such", "true")
    assert r.returncode == 1 and "cannot write /no/such for PE 0: " in r.stderr


def test_timeout():
    for words, environment in (["--timeout", "0.2"], {}), ([], {"MPIEXEC_TIMEOUT": "0.2"}):
        r = mpirun("-n", 2, *words, "sleep", 1000, environment=environment)
        assert r.returncode == 124 and "timeout after 0.2 s" in r.stderr


def test_binding():
    told = "sh", "-c", "grep Cpus_allowed_list /proc/self/status"
    bound = mpirun("-n", 2, "--bind-to", "core:overload-allowed", *told).stdout.split()[1::2]
    free = mpirun("-n", 2, "--bind-to", "none", *told).stdout.split()[1::2]
    assert all(one.isdigit() for one in bound)
    assert len(set(free)) == 1 and (len(os.sched_getaffinity(0)) == 1 or not free[0].isdigit())
    assert "PE 1 is bound to processor" in mpirun("-n", 2, "--bind-to-core", "--report-bindings", "true").stderr


def test_hosts(tmp_path):
    (tmp_path / "ours").write_text(f"# two\nlocalhost slots=2 max_slots=4\n\n{socket.gethostname()}:1 # and one\n")
    (tmp_path / "theirs").write_text("localhost\nfar.example.org slots=2\n")
    assert size("--hostfile", tmp_path / "ours") == size("-f", tmp_path / "ours") == 3
    for words in ["--hostfile", tmp_path / "theirs"], ["-host", "localhost:2,far.example.org"]:
        r = mpirun(*words, "-n", 1, "true")
        assert r.returncode == 2 and r.stderr.startswith("mpirun: far.example.org is another machine; ")
    assert "is another machine" in mpirun("--host", f"{socket.gethostname()}x", "true").stderr
    assert f"cannot read the hostfile {tmp_path}: Is a directory" in mpirun("--hostfile", tmp_path, "true").stderr
    assert "cannot read the hostfile /no/such" in mpirun("--hostfile", "/no/such", "true").stderr
    assert "localhost:x: not a number of slots" in mpirun("--host", "localhost:x", "true").stderr


def test_addresses_of_hosts(tmp_path):
    """An address by which this machine reaches itself is honoured, and any other is refused by its name."""
    for hosts, slots in {"localhost:2,127.0.0.1:2": 4, "::1": 1, "[::1]": 1, "[::1]:3": 3, "0::1,localhost": 2, "127.1.2.3": 1}.items():
        assert size("-H", hosts) == slots
    (tmp_path / "file").write_text("::1 slots=2\n[::1]:3\n")
    assert size("--hostfile", tmp_path / "file") == 5
    for host, name in {"::2": "::2", "[::2]:4": "::2", "[::1": "[::1", "[::1]x": "[::1]x", "fe80::1%eth0": "fe80::1%eth0",
                       "127.example.org": "127.example.org", "128.0.0.1:2": "128.0.0.1"}.items():
        r = mpirun("-H", host, "true")
        assert r.returncode == 2 and r.stderr.startswith(f"mpirun: {name} is another machine; ")
    assert mpirun("-H", "[::1]:x", "true").stderr == "mpirun: ::1:x: not a number of slots\n"


@pytest.mark.parametrize("name", ["mpirun", "mpiexec"])
def test_version(name):
    for option in "--version", "-V", "-version":
        first, _, last = mpirun(option, name=name).stdout.splitlines()
        assert re.fullmatch(name + r" \(Unisono\) \d+\.\d+\.\d+", first)
        assert "Open MPI" in last and "MPICH" in last  # what scripts look for before they give options


def test_help():
    text = mpirun("-help", "all").stdout
    assert all(name in text for row in ROWS for name in row[0])
    assert "--oversubscribe" in text  # PETSc's configure looks for it


BAD = [
    (["--oversubscibe", "true"], "mpirun: --oversubscibe: there is no such option; did you mean -oversubscribe?"),
    (["--zzzzzz", "true"], "mpirun: --zzzzzz: there is no such option; see `mpirun --help`"),
    (["-n"], "mpirun: -n takes 1 more word behind it"),
    (["--mca", "a"], "mpirun: --mca takes 1 more word behind it"),
    (["-n", "0", "true"], "mpirun: -n 0: the number of PEs is 1 to 16384"),
    (["-n", "x", "true"], "mpirun: -n x: the number of PEs is 1 to 16384"),
    (["-n", "2"], "mpirun: which program? Name it after the options"),
    ([], "mpirun: which program?"),
    (["-n", "1", "true", ":", "-n", "2", ":", "true"], "mpirun: which program?"),
    (["-n", "16000", "true", ":", "-n", "400", "true"], "the programs have 16400 PEs together, and 16384 are the most"),
    (["--stdin", "1", "true"], "mpirun: --stdin 1: standard input goes to PE 0"),
    (["--map-by", "ppr:2:socket", "true"], "mpirun: --map-by ppr:2:socket: say how many PEs with -n"),
    (["--timeout", "x", "true"], "mpirun: --timeout x: not a number of seconds greater than 0"),
    (["-x", "=1", "true"], "mpirun: -x =1: it is NAME=VALUE, or NAME"),
    (["-env", "A=B", "C", "true"], "mpirun: -env A=B C: it is -env NAME VALUE"),
]


@pytest.mark.parametrize("words, message", BAD)
def test_bad(words, message):
    r = mpirun(*words)
    assert (r.returncode, r.stdout) == (2, "") and message in r.stderr and r.stderr.count("\n") == 1


def test_status_of_a_failure():
    assert mpirun("-n", 2, "sh", "-c", "exit $((OMPI_COMM_WORLD_RANK * 7))").returncode == 7
    assert mpirun("-n", 2, "/no/such").returncode == 127


@pytest.mark.parametrize("words", [["run", "-n", "2", "mpirun", "-n", "2", "true"], ["run", "-n", "2", "/usr/bin/mpiexec", "true"],
                                   ["run", "-n", "1", "true", ":", "-n", "1", "mpirun", "true"]])
def test_two_launchers(words):
    r = run(*words)
    assert r.returncode == 2 and "is a launcher itself, and two launchers are nested: each of 2 processes would start" in r.stderr


def test_one_launcher_below_another():
    assert run("run", "-n", 1, BIN / "mpirun", "-n", 2, "echo", "x").stdout == "x\nx\n"


def test_accelerator_has_nothing_to_do():
    r = run("mpi", BIN / "mpirun", "-n", 2, "true")
    assert r.returncode == 2 and "is Unisono's own launcher, whose MPI library has these collectives" in r.stderr


def test_links_and_folders(tmp_path):
    """The script finds its program from wherever it is called."""
    (tmp_path / "mpirun").symlink_to(BIN / "mpirun")
    assert subprocess.run([tmp_path / "mpirun", "-n", "1", "echo", "x"], capture_output=True, text=True, check=False).stdout == "x\n"


def test_compilers_are_beside_it():
    assert all(shutil.which(name, path=str(BIN)) for name in ("mpicc", "mpicxx", "mpic++", "mpirun", "mpiexec"))
