"""Makes documents of the man pages: manual.py MAN OUT. One for each page, by mandoc, with links between them, and an
index of all functions by the pages that have them in their NAME."""

import itertools
import pathlib
import re
import subprocess
import sys

man, out = map(pathlib.Path, sys.argv[1:])
pages = {f"{path.stem}({path.suffix[1:]})": path for path in sorted(man.glob("*.[13]"))}

NAME = re.compile(r"(?<![\w`\[-])((?:[\w-]|\\_)+)\(([13])\)")


def linked(line):
    """Names of pages of this manual as links."""
    def link(match):
        name = match[0].replace("\\_", "_")
        return f"[{match[0]}]({pages[name].name}.md)" if name in pages else match[0]
    return NAME.sub(link, line)


def table(lines):
    """A list of columns, which mandoc sets as a literal display with marks in it."""
    rows = [re.split(r" {2,}|(?<=\*) (?=\*)", line.strip()) for line in lines]
    if any(len(row) != len(rows[0]) for row in rows):
        sys.exit(f"manual: the columns of this table are not clear: {lines}")
    rows.insert(1, ["---"] * len(rows[0]))
    return ["| " + " | ".join(row) + " |" for row in rows]


def displays(text):
    """Literal displays, which mandoc indents by a tab, within a list item behind "> ", as fenced blocks that nothing
    highlights; and lists of columns as tables: their lines end with blanks."""
    lines = []
    text = re.sub(r"(?m)^\*\t.*(?:\n\t.*)*", lambda item: "- " + item[0][2:].replace("\n\t", "\n  "), text)  # of a list
    text = re.sub(r"(?m)^((?:> )*\t)(.*)\n(?:> ?)*\n(?=\1)", r"\1\2\n\1\n", text)  # empty lines within a display
    for display, group in itertools.groupby(text.split("\n"), lambda line: re.match(r"(?:(?:> )*\t)?", line)[0]):
        group = list(group)
        if not display:
            lines += [re.sub(r"^((?:> )*)%", r"\1\\%", line) for line in group]  # MyST's comments begin so
        elif group[0].endswith("  "):
            lines += ["", *(linked(line) for line in table(group)), ""]
        else:
            if any(re.search(r"\*\*\w|\*\*-", line) for line in group):
                sys.exit(f"manual: mandoc takes text for a literal display: {group}")
            prefix = display[:-1]
            lines += [prefix.rstrip(), prefix + "```text", *(prefix + line[len(display):] for line in group), prefix + "```",
                      prefix.rstrip()]
    return "\n".join(lines)


def document(name, path):
    source = re.sub(r"\bQl ", "Li ", path.read_text())  # behind a Ql mandoc 1.14 takes the text of list items for literal displays
    text = subprocess.run(["mandoc", "-T", "markdown"], input=source, stdout=subprocess.PIPE, text=True, check=True).stdout
    body = text.split("\n", 1)[1].rsplit("\n\n", 1)[0]  # without the head and foot of paper
    body = re.sub(r"^#+ ", lambda match: "#" + match[0], body, flags=re.M)  # below the name of the page
    body = "\n".join(line if "\t" in line else linked(line) for line in body.split("\n"))
    return f"# {name}\n\n{displays(body.strip())}\n"


def names(path):
    """The names that the page has under NAME."""
    text = path.read_text().split(".Sh NAME", 1)[1].split(".Sh", 1)[0]
    return re.findall(r"^\.Nm ([\w-]+)", text, re.M)


out.mkdir(parents=True, exist_ok=True)
for name, path in pages.items():
    (out / f"{path.name}.md").write_text(document(name, path))
rows = sorted((function, path.name, name) for name, path in pages.items() if path.suffix == ".3" for function in names(path))
(out / "functions.md").write_text("# All functions\n\n" + "".join(
    f"- [`{function}`]({file}.md): {page}\n" for function, file, page in rows if function != file[:-2] or function.startswith(("p_", "n"))))
