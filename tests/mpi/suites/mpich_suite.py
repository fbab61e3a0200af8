"""MPICH's public test suite: every entry of the lists of its directories, compiled for each MPI library without its own
configuration, and judged by its own rules."""

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from debian import command, source_package
from hosts import PROCESSORS, Missing
from run import Case, without_folders

# The results of its configure on Linux with a C17 compiler and MPI 3.
CONFIGURATION = """HAVE_LONG_LONG HAVE_LONG_LONG_INT HAVE_LONG_DOUBLE HAVE_FLOAT__COMPLEX HAVE_DOUBLE__COMPLEX
    HAVE_LONG_DOUBLE__COMPLEX HAVE__BOOL HAVE_STDARG_H HAVE_STDINT_H HAVE_STDLIB_H HAVE_STRING_H HAVE_STRINGS_H
    HAVE_IOSTREAM HAVE_NAMESPACE_STD HAVE_UNISTD_H HAVE_PTHREAD_H HAVE_PTHREAD_BARRIER_INIT HAVE_SYS_TIME_H
    HAVE_SYS_TYPES_H HAVE_SYS_RESOURCE_H HAVE_GETRUSAGE HAVE_SETENV HAVE_MPI_WIN_CREATE HAVE_MPI_INIT_THREAD
    HAVE_MPI_SPAWN F77_NAME_LOWER_USCORE""".split()
COMMON = ["util/mtest.c", "util/mtest_common.c", "util/dtypes.c"]


@dataclass(frozen=True)
class Language:
    """How the programs of a directory are compiled. Their files of this language have the suffix; others are C's."""
    suffix: str
    compiler: str
    flags: tuple
    common: list


OLD = ("-std=legacy", "-fallow-argument-mismatch")
LANGUAGES = {
    "c": Language(".c", "mpicc", (), []),
    "f77": Language(".f", "mpif77", OLD, ["util/mtest_f77.f"]),
    "f90": Language(".f90", "mpif90", OLD, ["util/mtest_f90.f90"]),
    "f08": Language(".f90", "mpif90", OLD, ["util/mtest_f08.f90"]),
    "cxx": Language(".cxx", "mpicxx", (), ["util/mtest_cxx.cxx"]),
}


def within(part, names, *others):
    return [f"{part}/{name}" for name in names.split()] + list(others)


# The directories that have lists of their own, and are run, of a part that is not one of them.
WITHIN = {
    "errors": within("errors", "attr coll comm datatype group io pt2pt rma topo"),
    "f77": within("f77", "attr coll comm datatype ext info init io profile pt2pt rma topo", "errors/f77/io"),
    "f90": within("f90", "attr coll comm datatype ext f90types info init io misc profile pt2pt rma timer topo", "errors/f90/io"),
    "f08": within("f08", "attr coll comm datatype ext info init io misc profile pt2pt rma subarray timer topo", "errors/f08/io"),
    "cxx": within("cxx", "attr coll comm datatype errhan info init io pt2pt rma topo", "errors/cxx/errhan", "errors/cxx/io"),
    "threads": within("threads", "coll comm init part pt2pt rma"),
}
FORTRAN_TYPES = {"@F77_MPI_ADDRESS@": "INTEGER*8", "@F77_MPI_OFFSET@": "INTEGER*8"}


# ---- the source
# ---------------------------------------------------------------------------------------------------------


def source(options):
    """The folder test/mpi of MPICH's source: that of --mpich-source, or Debian's source package."""
    given = options.mpich_source
    if given and given.is_dir():
        folder = next((path for path in (given, given / "test/mpi") if (path / "coll/testlist.in").exists()), None)
        if folder is None:
            raise Missing(f"{given}: no coll/testlist.in or test/mpi/coll/testlist.in in it")
        return folder.resolve()
    folder = options.work / "mpich"
    if not list(folder.glob("*/test/mpi/coll/testlist.in")):
        archive = given or next(source_package("mpich", options.work / "apt", "--download-only").glob("*.orig.tar.*"))
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        command("tar", "xf", archive, "-C", folder, "--wildcards", "*/test/mpi/*")
    return next(folder.glob("*/test/mpi/coll/testlist.in")).parent.parent


def version(tests):
    """Return the version of a release, or of a checkout of its repository."""
    for file, pattern in ((tests / "configure", r"PACKAGE_VERSION='(.+)'"),
                          (tests.parent.parent / "maint/version.m4", r"MPICH_VERSION_m4\],\[(.+?)\]")):
        found = re.search(pattern, file.read_text()) if file.exists() else None
        if found:
            return found[1]
    return "unknown"


@dataclass
class Program:
    files: list
    flags: list = field(default_factory=list)


def programs(folder):
    """{name: Program} as its Makefile.am has them."""
    text = (folder / "Makefile.am").read_text().replace("\\\n", " ")
    suffix = re.findall(r"^AM_DEFAULT_SOURCE_EXT *= *(\.\w+)$", text, re.MULTILINE) or [".c"]
    listed = " ".join(re.findall(r"^noinst_PROGRAMS *\+?= *(.*)$", text, re.MULTILINE)).split()
    found = {name: Program([name + suffix[0]]) for name in listed}
    for name, files in re.findall(r"^(\w+)_SOURCES *= *((?:\w+\.[cf]\w* *)+)$", text, re.MULTILINE):
        if name in found:
            found[name].files = files.split()
    for name, flags in re.findall(r"^(\w+)_CPPFLAGS *= *(.*)$", text, re.MULTILINE):
        if name in found:
            found[name].flags = re.findall(r"-D\w+", flags)
    return found


@dataclass
class Entry:
    """A line of a list."""
    program: str
    ranks: int
    arguments: list
    environment: dict
    memory: float  # GB
    seconds: int  # 0: it says nothing
    result: str  # which rule says whether it has passed

    @property
    def title(self):
        return " ".join([self.program, *self.arguments, *(f"{name}={value}" for name, value in self.environment.items())])


def entries(folder):
    """Return the entries of a directory. Lines for large tests are marked, and are entries like all others. An xfail
    says that MPICH may fail, which the run shows."""
    file = next(path for path in (folder / "testlist.in", folder / "testlist") if path.exists())
    for line in file.read_text().splitlines():
        words = re.sub(r"@\w+@", "", line.split("#")[0]).split()
        if len(words) < 2:
            continue
        options = [word.split("=", 1) for word in words[2:] if re.match(r"\w+=", word)]
        unknown = {key for key, _ in options} - {"arg", "env", "mem", "timeLimit", "strict", "resultTest", "xfail", "lock", "mpiexecarg", "mpiversion"}
        if unknown:
            raise RuntimeError(f"{folder.name}/{file.name}: {line}: {', '.join(unknown)} is not known here")
        named = dict(options)
        yield Entry(words[0], int(words[1]), [value for key, value in options if key == "arg"],
                    dict(value.split("=", 1) for key, value in options if key == "env"),
                    float(named.get("mem", 0)), int(named.get("timeLimit", 0)), named.get("resultTest", ""))


# ---- smaller sizes
# -------------------------------------------------------------------------------------------------------


def bounds(file=Path(__file__).parent / "bounded.txt"):
    """Return {directory: {source: [(a text of it, what stands there instead)]}}."""
    found = {}
    for line in file.read_text().splitlines():
        if line and not line.startswith("#"):
            match = re.fullmatch(r"(\w+)/([\w.]+)  +(\S.*) -> (\S.*)", line)
            if not match:
                raise RuntimeError(f"{file.name}: {line!r} is no row")
            found.setdefault(match[1], {}).setdefault(match[2], []).append((match[3], match[4]))
    return found


def bounded(text, changes):
    """Return a source with these changes, of which each must have its one place."""
    for old, new in changes:
        if text.count(old) != 1:
            raise Missing(f"error: {text.count(old)} places for {old}")
        text = text.replace(old, new)
    return text


# ---- the programs
# -------------------------------------------------------------------------------------------------------


def first_error(text):
    """The compiler's or linker's first error, without its place."""
    found = re.search(r"(error: .*|undefined reference .*)", text, re.IGNORECASE)
    return found[1] if found else text[-300:]


class Build:
    """The programs of one directory for one host."""

    def __init__(self, host, tests, folder, directory, changes):
        self.host, self.tests, self.source, self.folder = host, tests, tests / directory, folder / directory
        self.programs = programs(self.source)
        # For each program that is to have smaller sizes its changes; `changes`: those of bounds() in the directory.
        self.changes = {name: changes[program.files[0]] for name, program in self.programs.items() if program.files[0] in changes}
        self.language = next((LANGUAGES[name] for name in directory.split("/") if name in LANGUAGES), LANGUAGES["c"])
        self.foreign = self.language is not LANGUAGES["c"]
        (folder / "include").mkdir(parents=True, exist_ok=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        lines = [f"#define {name} 1" for name in CONFIGURATION] + ["#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX"]
        (folder / "include/mpitestconf.h").write_text("\n".join(lines) + "\n")
        (folder / "dtpoolsconf.h").write_text("#define HAVE_STRDUP 1\n")  # found as include/../dtpoolsconf.h
        self.includes = ["-O1", "-w", f"-I{folder}/include", f"-I{self.folder}", f"-I{tests}/include",
                         f"-I{tests}/dtpools/include"]
        for template in self.source.glob("*.h.in"):
            text = template.read_text()
            for name, kind in FORTRAN_TYPES.items():
                text = text.replace(name, kind)
            (self.folder / template.stem).write_text(text)
        if (self.source / "ioharness.defn").exists():
            self.merge()
        threads = "thread" if directory.startswith("threads/") else "single"
        common = [*COMMON, f"util/mtest_{threads}.c"] if self.language.suffix != ".cxx" else ["util/mtest_common.c"]
        common = [tests / file for file in [*common, *self.language.common]] + sorted((tests / "dtpools/src").glob("*.c"))
        with ThreadPoolExecutor(PROCESSORS) as pool:
            self.common = list(pool.map(lambda file: self.compiled(file, folder), common))

    def merge(self):
        """Make the programs that write and read files, as the suite's makefiles do, from one pattern."""
        script = self.folder / "testmerge"
        script.write_text((self.tests / "maint/testmerge.in").read_text().split("\n", 1)[1])
        command("perl", script, f"-defn={self.tests}/maint/common.defn", self.source / "ioharness.defn",
                self.source / "ioharness.tlt", folder=self.folder)

    def compiler(self, suffix):
        language = self.language if suffix == self.language.suffix else LANGUAGES["c"]
        return [self.host.compiler(language.compiler), *language.flags, *self.includes]

    def found(self, file):
        """Return the file's path; the makefiles take some of C from the directory for Fortran 90."""
        places = (self.source, self.folder, self.tests / "f90" / self.source.name)
        return next((place / file for place in places if (place / file).exists()), self.source / file)

    def compiled(self, file, folder, flags=(), prefix=""):
        path = folder / f"{prefix}{file.stem}{file.suffix.replace('.', '-')}.o"
        if not path.exists():
            command(*self.compiler(file.suffix), *flags, "-c", "-o", path, file, folder=self.folder)
        return path

    def own_folder(self, title):
        """Make an empty folder for a case: many write files of one name, and several run at a time."""
        folder = self.folder / "runs" / re.sub(r"\W+", "-", title)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def path(self, name):
        """Return where the program of that name is compiled; one with smaller sizes is beside that with its own."""
        return self.folder / ("bounded-" * (name in self.changes) + name)

    def why_not(self, name, program):
        """Compiles one, always if its sizes are smaller, since these may have changed. None, or why it cannot be."""
        if self.path(name).exists() and name not in self.changes:
            return None
        try:
            if len(program.files) > 1 or self.foreign:
                files = [self.compiled(self.found(file), self.folder, program.flags, name + "-") for file in program.files]
            else:
                files = [*program.flags, self.bounded(name, self.source / program.files[0])]
            command(*self.compiler(self.language.suffix), "-o", self.path(name), *files, *self.common, "-lm", "-pthread",
                    folder=self.folder)
        except Missing as why:
            return without_folders(first_error(str(why)))
        return None


    def bounded(self, name, file):
        """Return a program's source; with smaller sizes, if it is to have some."""
        if name not in self.changes:
            return file
        changed = self.path(name).with_suffix(file.suffix)
        changed.write_text(bounded(file.read_text(), self.changes[name]))
        return changed


def lines_of(output):
    return [line.strip() for line in output.splitlines() if line.strip() not in ("", "Test Passed")]


# The output that its own program takes for success: one line that says so, and no other; or as an entry's resultTest
# defines it.
RULES = {
    "": lambda status, lines: status == 0 and lines in (["No Errors"], ["No errors"]),
    "TestAllowWarnings": lambda status, lines: status == 0 and bool({"No Errors", "No errors"} & set(lines)),
    "TestErrFatal": lambda status, lines: status != 0,
    "TestStatus": lambda status, lines: status != 0,
}


def judge(rule=""):
    def failures(status, output):
        return [] if RULES[rule](status, lines_of(output)) else [f"exit status {status}"]
    return failures


def available_gigabytes():
    for line in open("/proc/meminfo", encoding="utf-8"):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) / 1e6
    return 0


def cases(options, host, part):
    """Return the cases of a directory, or of those within it that WITHIN names."""
    host.check()
    needs = LANGUAGES[part].compiler if part in LANGUAGES else "mpicc"
    if not shutil.which(host.compiler(needs)):
        raise Missing(f"{host.name} has no {host.compiler(needs)} here ({host.source})")
    tests = source(options)
    options.sources["MPICH's tests"] = version(tests)
    memory = options.memory or available_gigabytes() / 2
    for directory in WITHIN.get(part, [part]):
        prefix = directory.removeprefix(part).lstrip("/")
        yield from of_directory(options, host, part, prefix + "/" if prefix else "",
                                Build(host, tests, options.work / tests.parent.parent.name / host.key, directory,
                                      bounds().get(directory, {}) if options.units != [""] else {}), memory)


def of_directory(options, host, part, prefix, build, memory):
    def leave_out(what, why):
        options.leave_out(part, host, prefix + what, why)

    known, listed = build.programs, list(entries(build.source))
    names = dict.fromkeys(entry.program for entry in listed)
    for name in sorted(set(known) - set(names)):
        leave_out(name, "no entry of its testlist runs it")
    with ThreadPoolExecutor(PROCESSORS) as pool:
        reasons = pool.map(lambda name: build.why_not(name, known[name]) if name in known else "no program of its Makefile.am",
                           names)
    broken = {name: why for name, why in zip(names, list(reasons)) if why}
    for entry in listed:
        smaller = entry.program in build.changes
        name = entry.title + " (smaller sizes)" * smaller
        title = f"{name}, {entry.ranks} ranks"
        if options.ranks and entry.ranks not in options.ranks:
            continue
        if entry.program in broken:
            leave_out(title, f"does not compile: {broken[entry.program]}")
        elif entry.memory > memory and not smaller:
            leave_out(title, f"needs {entry.memory} GB" + ("" if options.memory else ", over half of what is free"))
        else:
            yield Case(part, host, entry.ranks, prefix + name, [build.path(entry.program), *entry.arguments],
                       judge(entry.result), entry.environment, entry.seconds, build.own_folder(title))
