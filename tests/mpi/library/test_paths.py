"""Programs that have an old DT_RPATH to another library, which the loader looks into first, still get this one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

UNISONO = os.environ["UNISONO"]

# The compiler for each ABI.
COMPILERS = {"libmpi.so.12": "mpicc", "libmpi.so.40": "mpicc", "libmpi_abi.so.1": "mpicc_abi"}

SAY = """
#include <mpi.h>
#include <stdio.h>
int say(void) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int size, length;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(text, &length);
    printf("%.7s %d\\n", text, size);
    return MPI_Finalize();
}
"""
PROGRAM = "int say(void);\nint main(void) { return say(); }\n"
LATER = """
#include <dlfcn.h>
int main(void) {
    void *library = dlopen(MODULE, RTLD_NOW);
    int (*say)(void) = library ? (int (*)(void))dlsym(library, "say") : 0;
    return say ? say() : 9;
}
"""


def output(*command):
    r = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=False)
    assert r.returncode == 0, r.stderr
    return r.stdout


class Peer:
    """A compiler that makes programs and libraries with a DT_RPATH to a folder with the library of its name."""

    def __init__(self, compiler, soname, folder):
        self.compiler, self.folder = compiler, folder
        for file in (compiler.parent.parent / "lib").iterdir(): # the libraries that it needs, but not the one for another ABI
            if file.name == soname or not file.name.startswith("libmpi"):
                (folder / file.name).symlink_to(file)
        self.old = ["-Wl,--disable-new-dtags", f"-Wl,-rpath,{folder}"]
        self.library = folder / soname

    def build(self, name, *sources):
        """The compiler of MPI alone would have the linker make a DT_RUNPATH."""
        objects = [source.with_suffix(".o") for source in sources]
        for source, made in zip(sources, objects):
            output(self.compiler, "-fPIC", "-c", "-o", made, source)
        shared = ["-shared"] if ".so" in name else []
        output("cc", *shared, *self.old, "-o", self.folder / name, *objects, self.library, "-Wl,--allow-shlib-undefined")
        assert "(RPATH)" in output("readelf", "-d", self.folder / name)
        return self.folder / name


@pytest.fixture(params=COMPILERS)
def peer(request, tmp_path):
    for folder in os.environ["UNISONO_PEERS"].split(":"):
        compiler = Path(folder) / "bin" / COMPILERS[request.param]
        if compiler.exists() and (Path(folder) / "lib" / request.param).exists():
            return Peer(compiler, request.param, tmp_path)
    pytest.skip(f"there is no other {request.param}")


@pytest.fixture(autouse=True)
def sources(tmp_path):
    for name, text in (("say", SAY), ("program", PROGRAM), ("later", LATER)):
        (tmp_path / f"{name}.c").write_text(text)


def check(*program):
    assert output(UNISONO, "run", "-n", 2, *program) == "Unisono 2\nUnisono 2\n"


def test_program(peer, tmp_path):
    check(peer.build("program", tmp_path / "program.c", tmp_path / "say.c"))


def test_library(peer, tmp_path):
    """The program has none, and a library of it needs MPI."""
    peer.build("libsay.so", tmp_path / "say.c")
    output("cc", "-o", tmp_path / "program", tmp_path / "program.c", "-L", tmp_path, "-lsay", f"-Wl,-rpath,{tmp_path}",
           "-Wl,--allow-shlib-undefined")
    check(tmp_path / "program")


def test_module(peer, tmp_path):
    """The program loads MPI later, as an interpreter does, and is started by a script."""
    peer.build("say.so", tmp_path / "say.c")
    output("cc", *peer.old, f'-DMODULE="{tmp_path}/say.so"', "-o", tmp_path / "later", tmp_path / "later.c", "-ldl")
    script = tmp_path / "script"
    script.write_text(f"#!{tmp_path}/later\n")
    script.chmod(0o755)
    check(tmp_path / "later")
    check(script)


def test_other_programs(tmp_path):
    """No MPI library is loaded into those that need none; mpi4py's wheel is told where the library is."""
    say = "import os; print(os.path.basename(os.environ['LD_PRELOAD']), os.path.exists(os.environ['MPI4PY_LIBMPI']))"
    assert output(UNISONO, "run", "-n", 1, sys.executable, "-c", say) == "first.so True\n"
