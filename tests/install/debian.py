"""debian/ fits what is built: debian.py BUILD. The version is CMake's, every file that `cmake --install` puts somewhere
is taken by one package, and every line of the packages' lists takes something. script/deb builds the packages."""

import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).parents[2]
changed = re.match(r"unisono \((.*?)\)", (root / "debian/changelog").read_text())[1]
version = re.search(r"project\(unisono VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())[1]
assert changed == version, f"debian/changelog is of {changed}, CMakeLists.txt of {version}"

packages = re.findall(r"^Package: (\S+)", (root / "debian/control").read_text(), re.M)
lines = [(path.stem, line.split()[0]) for path in sorted((root / "debian").glob("*.install"))
         for line in path.read_text().splitlines()]
assert sorted({package for package, _ in lines}) == sorted(packages), packages

with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["cmake", "--install", sys.argv[1], "--prefix", f"{folder}/usr"], stdout=subprocess.DEVNULL, check=True)
    installed = [str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if not path.is_dir()]

unused = [line for line in lines if line[1].startswith("python/") and not list(root.glob(line[1]))]
taken = {file: [] for file in installed}
for package, pattern in lines:
    if not pattern.startswith("usr/"):
        continue
    local = pattern.replace("usr/lib/*/", "usr/lib/")  # Debian's folders of libraries have the machine's name
    found = [file for file in installed if fnmatch.fnmatchcase(file, local) or file.startswith(f"{local}/")]
    unused += [] if found else [(package, pattern)]
    for file in found:
        taken[file].append(package)
assert not unused, f"these lines of debian/*.install take nothing: {unused}"
wrong = {file: by for file, by in taken.items() if len(set(by)) != 1}
assert not wrong, f"these files are in no package, or in several: {wrong}"
# The guide tells to install every package, and the packages that its program in C needs.
told = re.findall(r"^    sudo apt install (.*?)(?: +#.*)?$", (root / "docs/start.md").read_text(), re.M)
assert sorted(" ".join(told).split()) == sorted([f"./{package}_*.deb" for package in packages] + ["gcc", "libc6-dev", "pkg-config"]), told

# A page that a message names is installed under that name.
named = {name for path in [*(root / "src").rglob("*.c"), *(root / "mpi").rglob("*.c"), *(root / "python").rglob("*.py")]
         for name in re.findall(r"share/doc/unisono/[a-z-/]+\.md", path.read_text())}
assert named and all(f"usr/{name}" in installed for name in named), named
print(f"{len(installed)} files in {len(packages)} packages of version {version}")
