"""Debian's packages that use MPI, as they are: a row of the table for each, and how a row becomes cases of
script/mpi-programs. A folder packages/NAME has the files of a row's input. To add a package, add a row."""

import functools
import re
import shutil
import textwrap
from dataclasses import dataclass
from pathlib import Path

import fill
import programs
from debian import command, source_package
from hosts import Missing
from table import Case

HERE = Path(__file__).resolve().parent
ALL = r"^(.*\S)"  # every line that is not empty
ALONE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # one thread a rank
COARRAYS = "/usr/lib/*/open-coarrays/openmpi/bin/OpenCoarrays-*-tests"
# Some of them; not those about images that fail or stop, nor increment_my_neighbor, which races, and fails anywhere.
COARRAY_TESTS = """alloc_comp_get_convert_nums alloc_comp_multidim_shape alloc_comp_send_convert_nums allocatable_p2p_event_post
allocate_as_barrier allocate_as_barrier_proc async_comp_alloc async_comp_alloc_2 co_broadcast_allocatable_components_test
co_broadcast_derived_type_test co_broadcast_test co_max_test co_min_test co_reduce-factorial co_reduce_test co_sum_test
coarray_distributed_transpose comp_allocated_1 get_array get_convert_nums get_with_offset_1d get_with_vector_index
issue-322-non-coarray-vector-idx-lhs issue-422-send-get register_alloc_vector send_array send_convert_nums send_with_vector_index
sendget_convert_nums static_event_post_issue_293 strided_get strided_sendget syncall syncimages teams_coarray_sendget
teams_subset whole_get_array""".split()
STARPU = "STARPU_HOME=. STARPU_NCPU=1 STARPU_WORKERS_NOBIND=1 STARPU_SILENT=1 /usr/lib/*/starpu/mpi"
EX3 = "/usr/share/petsc/*/share/petsc/examples/src/ksp/ksp/tutorials/ex3.c"
PNETCDF = """block_cyclic bput_varn_int64 collective_write column_wise fill_mode flexible_api get_info ghost_cell hints i_varn_int64
mput nonblocking_write put_vara put_varn_float req_all time_var transpose transpose2D vard_int vard_mvars""".split()


@dataclass
class Package:
    packages: str  # what apt-get installs
    what: str  # what runs
    run: str  # the command of a rank, in a folder with the files of the input; {}: the name of one of the programs
    programs: tuple = ("",)
    answer: tuple = (ALL,)  # expressions; of a line that has one, what its groups match is part of the answer
    source: str = ""  # Debian's source package, whose files are in the folder "source" when make runs
    make: str = ""  # a command that adds to the input, once, such as a compiler's
    after: str = ""  # a command that runs when the ranks have ended, for example to sum up the files that they have written
    inputs: str = ""  # the folder with the files of the input, if it does not have the row's name
    host: str = "openmpi-4"
    ranks: tuple = (2, 4)
    ordered: bool = True  # the ranks' lines come in one order only


PACKAGES = {
    "h5py": Package("python3-h5py-mpi", "datasets by rows, blocks, columns and compressed; their file",
                    "H5PY_ALWAYS_USE_MPI=1 /usr/bin/python3 file.py"),
    "coarrays": Package("libcoarrays-openmpi-dev", "puts, gets, locks, events, atomic numbers of gfortran", "./images", ordered=False,
                        make="caf.openmpi -o images images.f90"),
    "coarrays-tests": Package("libcoarrays-openmpi-dev", "OpenCoarrays' own tests, as Debian has compiled them", f"exec {COARRAYS}/{{}}",
                              COARRAY_TESTS, (r"(?i)(test.*passed|fail|wrong|incorrect)",), after="echo Test ended, passed",
                              ordered=False, ranks=(4,)),
    "hdf5": Package("libhdf5-openmpi-dev", "HDF5's own parallel tests", "HDF5_PARAPREFIX=. ./{}",
                    ("t_mpi", "t_pread", "t_shapesame", "t_filters_parallel", "testphdf5"),
                    (r"^(Testing.*|.*PASSED|.*FAILED.*)$", r"(no errors|no failures|tests passed)"),
                    "hdf5", "sh make.sh", ordered=False),
    "pnetcdf": Package("pnetcdf-bin libpnetcdf-dev", "its examples in C; their files", "./{} file.nc", PNETCDF,
                       (r"^(.*  -)$",), "pnetcdf",
                       f"for name in {' '.join(PNETCDF)}; do mpicc.openmpi -w -O1 -o $name source/examples/C/$name.c -lpnetcdf; done",
                       "sha256sum <file.nc"),
    "netcdf": Package("libnetcdf-mpi-dev", "a file of NetCDF by all ranks, with its bytes", "./all", ordered=False, after="sha256sum <all.nc",
                      make="mpicc.openmpi -O1 -o all all.c -I$(dirname /usr/lib/*/netcdf/mpi/include/netcdf_par.h) "
                           "$(pkg-config --cflags --libs netcdf-mpi)"),
    "starpu": Package("starpu-examples", "StarPU's examples, with a thread of each rank for its messages",
                      f"{STARPU}/{{}} 2>&1", ("user_datatype", "mpi_complex"),
                      make=f"{STARPU}/mpi_complex || true",  # which times the machine once
                      answer=(r"(received.*)", r"(SUCCESS)"), ordered=False),
    "lammps": Package("lammps", "a liquid; its dumps and restarts by files of MPI", "lmp -in in.melt",
                      answer=(r"^( +\d+ +-?\d.*)", r"^(\w{64} .*)"), after="sha256sum atoms.mpiio velocities.bin.mpiio"),
    "cp2k": Package("cp2k cp2k-data", "energy and forces of water, by Quickstep", "cp2k.psmp water.inp",
                    answer=(r"^ ENERGY.(.*)", r"^( +\d +\d +[OH] .*)")),
    "coarrays-mpich": Package("libcoarrays-mpich-dev", "puts, gets, locks of gfortran, for MPICH", "./images",
                              answer=(r"^ *((?:image|locked).*)",), ordered=False, make="caf.mpich -o images images.f90",
                              host="mpich-4", inputs="coarrays"),
    "nwchem-mpich": Package("nwchem-mpich nwchem-data", "water, for MPICH", "nwchem.mpich water.nw",
                            answer=(r"(Total .* energy)[ =]*(\S+)", r"^ +\d ([OH]) +(.*)"), host="mpich-4", inputs="nwchem"),
    "ptscotch": Package("ptscotch", "the order of a grid's 3,600 points",
                        "SCOTCH_DETERMINISTIC=1 SCOTCH_PTHREAD_NUMBER=1 dgord grid.grf order.txt",
                        make="python3 grid.py >grid.grf", after="sort order.txt"),
    "rmpi": Package("r-cran-rmpi", "objects and matrices of R", "Rscript program.R"),
    "espresso": Package("quantum-espresso quantum-espresso-data", "energy, forces and stress of silicon", "pw.x -in si.in",
                        answer=(r"^(! .*) Ry", r"(atom .* force = .*)", r"(P= .*)")),
    "superlu": Package("libsuperlu-dist8 petsc-dev libpetsc3.18-dev-examples", "PETSc's equations, by SuperLU_DIST and by MUMPS",
                       "./ex3 -m 20 -pc_type lu -pc_factor_mat_solver_type {}", ("superlu_dist", "mumps"),
                       make=f"mpicc.openmpi -O1 -o ex3 {EX3} $(pkg-config --cflags --libs petsc) -lm"),
    "gromacs": Package("gromacs", "energies of argon", "gmx_mpi -quiet mdrun -s argon.tpr -ntomp 1 -reprod -g md.log", make="sh make.sh",
                       after="grep -A2 -E '^ +(LJ|Pressure|Temp|Total|Potential)' md.log", answer=(r"^((?: +\S*\d\.\d\S*)+)$",)),
    "mpb": Package("mpb-mpi", "bands of a lattice of rods",
                   r"mpb-mpi rods.ctl | sed -n 's/^t[em]freqs://; s/\(\.[0-9][0-9][0-9]\)[0-9]*/\1/gp'", answer=(r"^,( \d+, .*)",)),
    "form": Package("form", "a sum of many terms", "parform -q powers.frm", answer=(r"^( .*\d.*)",)),
    "mrbayes": Package("mrbayes-mpi", "chains of trees", "/usr/lib/mrbayes-mpi/mb-mpi data.nex", make="python3 make.py >data.nex",
                       after="cat data.nex.run*.p", answer=(r"^(\d+\t.*)",)),
    "netpipe": Package("netpipe-openmpi", "messages with its check of the data", "NPopenmpi -I -i -u 100000 -n 5", ranks=(2,),
                       answer=(r"(\d+ bytes).*(?:-->|times)", "(?i)(integrity.*)")),
    "ruby": Package("ruby-mpi", "arrays of Ruby around a ring", "ruby ring.rb"),
    "scalapack": Package("scalapack-mpi-test", "ScaLAPACK's testers", "/usr/lib/*/scalapack/openmpi-tests/{}", ("xdlu", "xdqr", "xdsvd", "xcheevr"),
                         make="cp /usr/lib/*/scalapack/openmpi-tests/*.dat .",
                         answer=(r"(PASSED|FAILED)", r"(\d+ tests .*)"), ranks=(4,)),
    "boost": Package("libboost-mpi-dev", "Boost.MPI: objects, functions, nonblocking messages", "./graph",
                     make="mpicxx.openmpi -std=c++17 -O1 -w -o graph graph.cpp -lboost_mpi -lboost_serialization"),
    "nwchem": Package("nwchem-openmpi nwchem-data", "water by SCF with its gradient, DFT and MP2", "nwchem.openmpi water.nw",
                      answer=(r"(Total .* energy)[ =]*(\S+)", r"^ +\d ([OH]) +(.*)")),
}


def lines(package):
    """The function that finds the answer of a package in its output."""
    def answer(output):
        found = [" ".join(part.strip() for part in match.groups()) for line in output.splitlines()
                 for match in (re.search(form, line) for form in package.answer) if match]
        return "\n".join(found if package.ordered else sorted(found))
    return answer


def check_installed(package):
    for name in package.packages.split():
        try:
            status = command("dpkg-query", "-W", "-f", "${Status}", name)
        except Missing:
            status = ""
        if not status.endswith(" installed"):
            raise Missing(f"Debian's package {name} is not installed (apt-get install {package.packages})")


def prepare(name, package):
    """The folder with the input of a package."""
    folder, source = programs.WORK / "packages" / name, HERE / "packages" / (package.inputs or name)
    if not programs.is_newer(folder / ".made", source.glob("*")):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder) if source.is_dir() else folder.mkdir(parents=True)
        if package.source:
            fetched = source_package(package.source, programs.WORK / "apt", "--download-only")
            (folder / "source").mkdir()
            command("tar", "xf", next(fetched.glob("*.orig.tar.*")), "-C", folder / "source", "--strip-components=1")
        if package.make:
            command("sh", "-ec", package.make, folder=folder)
        shutil.rmtree(folder / "source", ignore_errors=True)
        (folder / ".made").touch()
    return folder


def cases(name):
    def of(options, host):
        package = PACKAGES[name]
        host.check()
        check_installed(package)
        folder = prepare(name, package)
        for program in package.programs:
            for ranks in options.ranks or package.ranks:
                yield Case(name, program or "package", ranks, ["sh", "-c", package.run.format(program)], lines(package), ALONE, folder,
                           after=package.after, sides=("alone", "library"))
    return of


@functools.cache
def others():
    """Debian's packages that need an MPI library, are no library themselves, and have no row."""
    need = command("apt-cache", "rdepends", "libopenmpi3", "libmpich12", "mpi-default-bin").split()
    named = {name for package in PACKAGES.values() for name in package.packages.split()}
    kinds = re.findall(r"^Package: (\S+)$.*?^Section: (\S+)$", command("apt-cache", "dumpavail"), re.M | re.S)
    return sorted({name for name, kind in kinds if name in set(need) - named and not kind.endswith(("libs", "libdevel", "debug"))})


def seconds(rows, ranks, side):
    """Those of all runs of a package that have an answer on both sides; the sum of all its programs."""
    times = [row["seconds"] for row in rows if row["ranks"] == ranks and len(row.get("seconds", {})) == 2]
    return f"{sum(time[side] for time in times):.1f}" if times else "-"


def verdict(rows):
    answers = [row for row in rows if row["alone"] == "answers"]
    if not answers:
        return "no answer under its own library, one here" if any(row["library"] == "same" for row in rows) else "no answer"
    return f"{sum(row['library'] == 'same' for row in answers)} of {len(answers)}"


def table(results):
    """Say for each package how many of its runs have the same answer, and the seconds of those with 2 and 4 ranks."""
    lines = []
    for name, package in PACKAGES.items():
        rows = [row for row in results["rows"] if row["program"] == name]
        why = results["skipped"].get(f"{name} {package.host}", "not run")
        lines.append([package.packages.split()[0], package.what, verdict(rows) if rows else why,
                      *(seconds(rows, ranks, side) for ranks in (2, 4) for side in ("alone", "library"))])
    return fill.markdown(["package", "what runs", "the same here", *(f"{ranks} ranks, {side}" for ranks in (2, 4) for side in ("own", "here"))],
                         lines, 4)


def sentence(results):
    return "\n".join(textwrap.wrap(", ".join(results["others"]) + ".", 120, break_on_hyphens=False))
