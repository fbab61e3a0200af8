"""The entries that record the calls of a program, for generate.py: one for each function, between MPI_ and PMPI_. What
is recorded of a call follows from the kinds of its parameters, and from these words of its row: collective, neighbours,
fromroot, each, persistent, starts, begins, lifetime. src/observe/call.h has the functions that an entry calls."""

from foreign import HANDLES, declared, in_face, sections

# The standard's values that the recording knows, by the section of values.txt that has those of the other ABIs.
VALUES = {"rank": ["MPI_ANY_SOURCE", "MPI_PROC_NULL", "MPI_ROOT"], "tag": ["MPI_ANY_TAG"], "level": ["MPI_THREAD_MULTIPLE"],
          "topology": ["MPI_CART", "MPI_GRAPH", "MPI_DIST_GRAPH"],
          "comm": ["MPI_COMM_WORLD", "MPI_COMM_NULL"], "request": ["MPI_REQUEST_NULL"]}


# Objects in which the members of a communicator meet, as in one of their own.
OBJECTS = {"win": "window", "file": "file"}


def recorded(functions):
    """The forms that are recorded: not those of tools, of functions without errors, and of those that may be called at
    any time."""
    return [(f, name, large) for f in functions if not f.plain and "tool" not in f.words and (f.mark != "!" or "lifetime" in f.words)
            for name, large in f.forms]


def values(abi):
    """Yield definitions of UNO_FACE_ANY_SOURCE and so on."""
    for kind, names in VALUES.items():
        for name in names:
            value = name
            if abi != "standard":
                value = next(v for v in sections()[kind] if v.name == name).of(abi)
                if kind in HANDLES and abi == "openmpi":
                    yield f"extern char {value}[] __attribute__((weak));"  # it is preloaded into the launcher, too
                    value = f"((void *){value})"
            yield f"#define {name.replace('MPI_', 'UNO_FACE_', 1)} {value}"


class Entry:
    """The parts of one entry: `before` the work, and `after` it. `given`: the arguments of the work."""

    def __init__(self, f, large):
        self.f, self.large, self.before, self.after = f, large, [], []
        self.given = [p.name for p in f.parameters]
        self.flag = self.one("LOGICAL", "OUT")
        self.messages()
        if "collective" in f.words:
            self.meeting()
        self.requests()
        self.objects()

    def one(self, kind, way, array=False):
        """The parameter of that kind and way, or None."""
        return next((p for p in self.f.parameters if p.kind.name == kind and p.way == way and p.array == array), None)

    def object(self, kind, way):
        return next((p for p in self.f.parameters if p.kind.object == kind and p.way == way), None)

    @property
    def comm(self):
        """The communicator; or the window or file in which all its members meet, which counts as one."""
        met = next((p for p in self.f.parameters if p.kind.object in OBJECTS and p.way != "OUT"), None)
        if self.f.comm or not met or "collective" not in self.f.words:
            return f"UNO_SEEN_HANDLE({self.f.comm})" if self.f.comm else "0"
        return f"{met.name} ? UNO_SEEN_OBJECT(*{met.name}) : 0" if met.way else f"UNO_SEEN_OBJECT({met.name})"

    # ---- messages and collectives

    def sent(self):
        """The bytes that the call gives away, in C: all of its data, so that blocks of one size count as those of
        several sizes do."""
        data = next((p for p in self.f.parameters if p.kind.meaning == "data" and p.way in ("IN", "INOUT")), None)
        count, kind, _ = self.f.elements(data) if data else (None, None, None)
        if not count or not kind:
            return "0"
        peers, blocks, there = f"uno_seen_{'members' if count.name.startswith('recv') else 'peers'}(&m)", "", "true"
        if "neighbours" in self.f.words:
            peers, blocks, there = "neighbours_to(comm)", "blocks_to(comm)", "is_neighbour(comm, i_)"
        if kind.array:
            text = f"UNO_SEEN_SUM_EACH({count.name}, {kind.name}, {blocks or peers}, {there})"
        elif count.array:
            text = f"UNO_SEEN_SUM({count.name}, {kind.name}, {blocks or peers}, {there})"
        else:
            parts = next((p.name for p in self.f.parameters if p.kind.name == "PARTITIONS"), None)
            times = f"(int64_t){parts or peers} * " if parts or "each" in self.f.words else ""
            text = f"uno_seen_bytes({times}{count.name}, UNO_SEEN_HANDLE({kind.name}))"
        # in place, the numbers that go with the data do not count
        ignored = count.late or count.array and self.f.parameters.index(count) == self.f.parameters.index(data) + 1
        return f"{data.name} == UNO_SEEN_PLACE ? 0 : {text}" if data.late and ignored else text

    def messages(self):
        """A rank and a tag behind each other are those of a message; a call with a flag only looks for one."""
        for rank, tag in zip(self.f.parameters, self.f.parameters[1:]):
            if (rank.kind.name, tag.kind.name) == ("RANK", "TAG") and not rank.way:
                gets = {p.way for p in self.f.parameters if p.kind.meaning == "data"} == {"OUT"}
                self.before.append(f"uno_seen_receive(&m, {rank.name}, {tag.name}, true);" if gets else
                                   f"uno_seen_send(&m, {rank.name}, {tag.name}, {self.sent()});")
            if (rank.kind.name, tag.kind.name) == ("SOURCE", "ANYTAG") and not self.flag:
                takes = any(p.kind.meaning == "data" and p.way in ("OUT", "INOUT") for p in self.f.parameters)
                self.before.append(f"uno_seen_receive(&m, {rank.name}, {tag.name}, {str(takes).lower()});")
                status = self.one("STATUS", "OUT")
                if status:
                    self.needs_status(status)
                    self.after.append(f"if ({status.name}_asked && !outcome)\n        "
                                      f"uno_seen_got(&m, {status.name}->MPI_SOURCE, {status.name}->MPI_TAG);")

        self.matched_messages()

    def matched_messages(self):
        """A message that is matched by one call, whose status tells which one it is, and received by a later one."""
        made, taken = self.object("message", "OUT"), self.object("message", "INOUT")
        status, request = self.one("STATUS", "OUT"), self.object("request", "OUT")
        if made:
            own = f"own_{status.name}"
            if not any(own in line for line in self.before):
                self.before.append(f"uno_seen_status {own};")
            self.before.append(f"if (!UNO_FACE_GIVEN({status.name}))\n        {status.name} = &{own};")
            self.after.append(f"if (!outcome{f' && *{self.flag.name}' if self.flag else ''})\n        uno_seen_matched(&m, "
                              f"UNO_SEEN_HANDLE(*{made.name}), {status.name}->MPI_SOURCE, {status.name}->MPI_TAG);")
        if taken:
            self.before.append(f"uint64_t taken = {taken.name} ? UNO_SEEN_HANDLE(*{taken.name}) : 0;")
            self.after.append("if (!outcome)\n        uno_seen_take(&m, taken, "
                              f"{f'UNO_SEEN_HANDLE(*{request.name})' if request else 0});")

    def meeting(self):
        root = next((p.name for p in self.f.parameters if p.kind.name == "ROOT"), None)
        sent = self.sent() if self.f.comm else "0"  # what goes to a file goes to no rank
        if root:  # elsewhere the arguments do not count, and may be anything
            sent = f"uno_seen_{'is_root' if 'fromroot' in self.f.words else 'gives'}(&m, {root}) ? {sent} : 0"
        self.before.append(f"uno_seen_meet(&m, {root if 'fromroot' in self.f.words else -1}, {sent});")

    # ---- requests

    def needs_status(self, status, count="1"):
        """Where the program ignores a status that is needed, give one of our own."""
        name, kind = status.name, "uno_seen_status"
        self.before.append(f"bool {name}_asked = uno_seen_asks_status(&m), {name}_own = {name}_asked && !UNO_FACE_GIVEN({name});")
        if count == "1":
            self.before.append(f"{kind} own_{name};\n    if ({name}_own)\n        {name} = &own_{name};")
        else:
            self.before.append(f"if ({name}_own && !({name} = malloc((size_t){count} * sizeof *{name})))\n        "
                               f"{name} = given_{name}, {name}_own = {name}_asked = false;")

    def requests(self):
        f = self.f
        made = self.object("request", "OUT")
        if "begins" in f.words:
            self.after.append(f"if (!outcome)\n        UNO_SEEN_TELL({made.name if made else 'NULL'});")
        if made and not self.object("message", "INOUT"):
            self.after.append(f"if (!outcome)\n        uno_seen_keep(&m, UNO_SEEN_HANDLE(*{made.name}), "
                              f"{str('persistent' in f.words).lower()});")
        request = self.object("request", "INOUT")
        if not request:
            return
        count = request.length if request.array else "1"
        if "starts" in f.words:
            self.before.append(f"for (int i_ = 0; {request.name} && i_ < {count}; i_++)\n        "
                               f"uno_seen_restart(&m, UNO_SEEN_HANDLE({request.name}[i_]));")
            return
        self.before.append(f"UNO_SEEN_LOOK({count}, {request.name});")
        self.completion(request, count)

    def completion(self, request, count):
        """Which requests are complete afterwards: those of the indices; or the one; or all, if a flag does not deny
        it."""
        status, one = self.one("STATUS", "OUT") or self.one("STATUS", "OUT", True), self.one("INDEX", "OUT")
        some, outcount = self.one("INDEX", "OUT", True), self.one("NUMBER", "OUT")
        if not status:
            self.after.append(f"if (!outcome && m.handles && UNO_SEEN_HANDLE(*{request.name}) != m.handle[0])\n        "
                              "uno_seen_forget(m.handle[0]);")
            return
        self.needs_status(status, count if status.array else "1")
        asked = f"{status.name}_asked"
        if some:
            loop = f"for (int k_ = 0; !outcome && m.handles && k_ < *{outcount.name}; k_++)\n        "
            self.after.append(loop + f"UNO_SEEN_DONE({some.name}[k_], {asked} ? &{status.name}[k_] : NULL);")
        elif one:
            self.after.append(f"if (!outcome && m.handles && *{one.name} >= 0 && *{one.name} < m.handles)\n        "
                              f"UNO_SEEN_DONE(*{one.name}, {asked} ? {status.name} : NULL);")
        else:
            unless = f" && *{self.flag.name}" if self.flag else ""
            self.after.append(f"for (long i_ = 0; !outcome{unless} && i_ < m.handles; i_++)\n        "
                              f"UNO_SEEN_DONE(i_, {asked} ? &{status.name}[i_] : NULL);")
        if status.array:
            self.after.append(f"if ({status.name}_own)\n        free({status.name});")

    # ---- communicators and types

    def objects(self):
        made, freed = self.object("comm", "OUT"), self.object("comm", "INOUT")
        if made and self.f.comm and not self.object("request", "OUT"):
            self.after.append(f"if (!outcome)\n        uno_seen_made(&m, UNO_SEEN_HANDLE(*{made.name}));")
        if freed:
            self.before.append(f"uint64_t freed = {freed.name} ? UNO_SEEN_HANDLE(*{freed.name}) : 0;")
            self.after.append("if (!outcome)\n        uno_seen_freed(&m, freed);")
        for kind, name in OBJECTS.items():
            opened, closed = self.object(kind, "OUT"), self.object(kind, "INOUT")
            if opened and self.f.comm:
                self.after.append(f'if (!outcome)\n        uno_seen_opened(&m, UNO_SEEN_OBJECT(*{opened.name}), "{name}");')
            if closed:
                self.before.append(f"uint64_t closed = {closed.name} ? UNO_SEEN_OBJECT(*{closed.name}) : 0;")
                self.after.append("if (!outcome)\n        uno_seen_freed(&m, closed);")
        if self.f.comm and not made and not self.one("FILE", "OUT") and self.one("STRING", "IN"):
            self.after.append(f"if (!outcome)\n        uno_seen_named(UNO_SEEN_HANDLE({self.f.comm}));")
        if self.object("type", "INOUT"):
            self.after.append("uno_seen_forget_types();")

    # ----

    def text(self, name, declare):
        listed = ", ".join(declare(p) for p in self.f.parameters) or "void"
        call = f"next.{name}({', '.join(self.given)})"
        out = [f"UNO_SEEN({name}, ({listed})) {{", f"    UNO_SEEN_ENTER(seen_number_{name}, {self.comm}, {call});"]
        arrays = [p for p in self.f.parameters if p.kind.meaning == "status" and p.way == "OUT" and p.array]
        out += [f"    {'uno_seen_status'} *given_{p.name} = {p.name};" for p in arrays if f"given_{p.name}" in "".join(self.before)]
        out += ["    " + line for line in self.before]
        out += [f"    uno_seen_go(&m, {str('persistent' in self.f.words).lower()});", f"    int outcome = {call};", "    uno_seen_back(&m);"]
        out += ["    " + line for line in self.after]
        return out + ["    uno_seen_leave(&m);", "    return outcome;", "}"]


def entries(abi, functions):
    def declare(p, large):
        return p.form(large) if abi == "standard" else declared(p, large)

    def pointer(f, name, large):
        return f"    int (*{name})({', '.join(declare(p, large) for p in f.parameters) or 'void'});"

    forms = recorded(functions)
    out = [f"/* The recording of calls by the ABI of {abi}: made by generate.py. */", f'#include "observe/{abi}.h"', *values(abi),
           "enum {", *(f"    seen_number_{name}," for _, name, _ in forms), "    SEEN_FUNCTIONS", "};",
           "static const char *const seen_names[] = {", *(f'    "MPI_{name}",' for _, name, _ in forms), "};",
           "/* The functions below: the MPI library's, or those of the accelerator above it. */", "static struct {",
           *(pointer(*form) for form in forms), "} next;", '#include "observe/entry.h"']
    for f, name, large in forms:
        if "lifetime" not in f.words:
            out += Entry(f, large).text(name, lambda p: declare(p, large))
    return "\n".join(out) + "\n"
