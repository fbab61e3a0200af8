#!/bin/sh
# sync.sh SOURCE: the ends of all pairs of the lock-free code, as a table: each `SYNC name` with the accesses that
# follow it. Fails if a name has one side only, or an access that orders memory has no name; or if docs/proof.md does not
# say what becomes visible by a name of src/ or mpi/.
set -eu
cd "$1"

for name in $(find src mpi -name '*.[ch]' -exec grep -hoE 'SYNC [A-Z]+' {} + | cut -d' ' -f2 | LC_ALL=C sort -u); do
    grep -q "^| $name |" docs/proof.md || {
        echo "sync: docs/proof.md has no row for SYNC $name" >&2
        exit 1
    }
done

# shellcheck disable=SC2016 # the fields are for awk
find src -name '*.[ch]' ! -name atomic.h | LC_ALL=C sort | xargs awk '
    # The side of the access in this line.
    function side(line) {
        if (line ~ /uno_store[0-9]*_release|uno_cas[0-9]*_(release|acq_rel)|uno_fence_light/) return "release"
        if (line ~ /uno_(load|cas)[0-9]*_acquire|uno_kernel_fence\(\);/) return "acquire"
        return ""
    }
    FNR == 1 { names = ""; age = 0 }
    /SYNC [A-Z]/ {
        if (age) names = ""
        age = 0
        rest = $0
        while (match(rest, /SYNC [A-Z]+/)) {
            names = names " " substr(rest, RSTART + 5, RLENGTH - 5)
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
    FILENAME !~ /kernel\.[ch]$/ && !/^ *(\/?\*|\/\/)/ && side($0) != "" {
        if (names == "" || age > 8) {
            if ($0 ~ /fence|cas32/) next # of a process with itself, if it has no name; a claim that publishes nothing
            print "sync: " FILENAME ":" FNR ": orders memory, and no SYNC comment says for what" > "/dev/stderr"
            bad = 1
        }
        count = split(names, list, " ")
        for (i = 1; i <= count; i++) {
            at = list[i] SUBSEP side($0)
            if (index(places[at], FILENAME ":" FNR "\n") == 0) places[at] = places[at] FILENAME ":" FNR "\n"
            known[list[i]]
        }
    }
    names != "" { age++ }
    END {
        for (name in known) {
            for (i = 1; i <= 2; i++) {
                which = i == 1 ? "release" : "acquire"
                if (!((name, which) in places)) {
                    print "sync: SYNC " name " has no side that is a " which > "/dev/stderr"
                    bad = 1
                } else {
                    count = split(places[name, which], list, "\n")
                    for (j = 1; j < count; j++) print name, which, list[j] | "sort -s -k1,1 -k2,2r"
                }
            }
        }
        close("sort -s -k1,1 -k2,2r")
        exit bad
    }'
