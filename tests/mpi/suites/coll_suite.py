"""Directory `coll` of MPICH's public test suite: every entry of its list, compiled for each MPI library without its
own configuration."""

import re
import shutil
from concurrent.futures import ThreadPoolExecutor

from debian import command, source_package
from hosts import PROCESSORS, Missing
from run import Case

# What its configure would find on Linux with a C17 compiler and MPI 3.
CONFIGURATION = """HAVE_LONG_LONG HAVE_LONG_DOUBLE HAVE_FLOAT__COMPLEX HAVE_DOUBLE__COMPLEX HAVE_LONG_DOUBLE__COMPLEX
    HAVE__BOOL HAVE_STDARG_H HAVE_STDINT_H HAVE_STRING_H HAVE_UNISTD_H HAVE_PTHREAD_H HAVE_SYS_TIME_H
    HAVE_SYS_RESOURCE_H HAVE_GETRUSAGE HAVE_MPI_WIN_CREATE HAVE_MPI_INIT_THREAD HAVE_MPI_SPAWN""".split()
COMMON = ["util/mtest.c", "util/mtest_common.c", "util/mtest_single.c", "util/dtypes.c"]


def source(options):
    """The folder test/mpi of MPICH's source: what --mpich-source names, or Debian's source package."""
    given = options.mpich_source
    if given and given.is_dir():
        folder = next((path for path in (given, given / "test/mpi") if (path / "coll/testlist.in").exists()), None)
        if folder is None:
            raise Missing(f"{given}: no coll/testlist.in or test/mpi/coll/testlist.in in it")
        return folder
    folder = options.work / "mpich"
    if not list(folder.glob("*/test/mpi/coll/testlist.in")):
        archive = given or next(source_package("mpich", options.work / "apt", "--download-only").glob("*.orig.tar.*"))
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        command("tar", "xf", archive, "-C", folder, "--wildcards", "*/test/mpi/*")
    return next(folder.glob("*/test/mpi/coll/testlist.in")).parent.parent


def programs(tests):
    """{program: (source, flags)} as its Makefile.am has them."""
    text = (tests / "coll/Makefile.am").read_text().replace("\\\n", " ")
    found = {name: (name + ".c", []) for name in re.search(r"^noinst_PROGRAMS = +(.*)$", text, re.MULTILINE)[1].split()}
    for name, file in re.findall(r"^(\w+)_SOURCES *= *(\w+\.c)$", text, re.MULTILINE):
        found[name] = (file, found[name][1])
    for name, flags in re.findall(r"^(\w+)_CPPFLAGS *= *(.*)$", text, re.MULTILINE):
        found[name] = (found[name][0], re.findall(r"-D\w+", flags))
    return found


def entries(tests):
    """(program, ranks, arguments, memory in GB, seconds allowed or 0) of each line of the list. Lines for large tests
    are marked, and are entries like all others."""
    for line in (tests / "coll/testlist.in").read_text().splitlines():
        words = line.split("#")[0].replace("@largetest@", "").split()
        if not words:
            continue
        options = [word.split("=", 1) for word in words[2:]]
        unknown = {key for key, _ in options} - {"arg", "mem", "timeLimit", "strict"}
        if unknown:
            raise RuntimeError(f"coll/testlist.in: {line}: {', '.join(unknown)} is not known here")
        named = dict(options)
        yield (words[0], int(words[1]), [value for key, value in options if key == "arg"],
               float(named.get("mem", 0)), int(named.get("timeLimit", 0)))


def available_gigabytes():
    for line in open("/proc/meminfo", encoding="utf-8"):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) / 1e6
    return 0


def first_error(text):
    """The compiler's or linker's first complaint, without where it was."""
    found = re.search(r"(error: .*|undefined reference .*)", text)
    return found[1] if found else text[-300:]


def build(host, tests, folder):
    """Compiles everything for a host. {program: why not, where it does not compile}"""
    (folder / "include").mkdir(parents=True, exist_ok=True)
    lines = [f"#define {name} 1" for name in CONFIGURATION] + ["#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX"]
    (folder / "include/mpitestconf.h").write_text("\n".join(lines) + "\n")
    (folder / "dtpoolsconf.h").write_text("#define HAVE_STRDUP 1\n")  # found as include/../dtpoolsconf.h
    compile_it = [host.mpicc, "-O1", "-w", f"-I{folder}/include", f"-I{tests}/include", f"-I{tests}/dtpools/include"]

    def library(file):
        path = folder / (file.stem + ".o")
        if not path.exists():
            command(*compile_it, "-c", "-o", path, file)
        return path

    def program(name, file, flags):
        if not (folder / name).exists():
            try:
                command(*compile_it, *flags, "-o", folder / name, tests / "coll" / file, *objects, "-lm", "-pthread")
            except Missing as why:
                return first_error(str(why))
        return None

    with ThreadPoolExecutor(PROCESSORS) as pool:
        files = [tests / file for file in COMMON] + sorted((tests / "dtpools/src").glob("*.c"))
        objects = list(pool.map(library, files))
        known = programs(tests)
        reasons = pool.map(lambda name: program(name, *known[name]), known)
        return {name: why for name, why in zip(known, list(reasons)) if why}


def judge(status, output):
    """Its own rule: one line that says so, and no other."""
    lines = [line.strip() for line in output.splitlines() if line.strip() not in ("", "Test Passed")]
    return [] if status == 0 and lines in (["No Errors"], ["No errors"]) else [f"exit status {status}"]


def cases(options, host):
    host.check()
    tests = source(options)
    folder = options.work / "coll" / host.key
    broken = build(host, tests, folder)
    listed = list(entries(tests))
    for name in sorted(set(programs(tests)) - {entry[0] for entry in listed}):
        options.leave_out("coll", host, name, "no entry of its testlist runs it")
    for name, ranks, arguments, memory, seconds in listed:
        title = " ".join([name, *arguments])
        if options.ranks and ranks not in options.ranks:
            continue
        if name in broken:
            options.leave_out("coll", host, f"{title}, {ranks} ranks", f"does not compile: {broken[name]}")
        elif 2 * memory > available_gigabytes():
            options.leave_out("coll", host, f"{title}, {ranks} ranks", f"needs {memory} GB, over half of what is free")
        else:
            yield Case("coll", host, ranks, title, [folder / name, *arguments], judge, seconds=seconds)


def about():
    return "MPICH's public test suite, directory coll"
