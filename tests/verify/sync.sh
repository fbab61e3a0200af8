#!/bin/sh
# sync.sh SOURCE: the ends of all pairs of the lock-free code, as a table: each `SYNC name` with the accesses that
# follow it. Fails
#
# - if a name has one side only;
# - if a comment that has a name is not followed, within 8 lines of its function, by as many accesses that order memory
#   as it says: one, or `SYNC name (3)`;
# - if an access that orders memory has no comment with a name. What publishes nothing needs none: a claim, a count or a
#   bit that is set (uno_cas32, uno_add32, uno_or64), and a fence of a process with itself (uno_fence_light);
# - if docs/proof.md has no row for a name, or one for a name that there is not.
set -eu
cd "$1"

names=$(find src mpi -name '*.[ch]' -exec grep -hoE 'SYNC [A-Z]+' {} + | cut -d' ' -f2 | LC_ALL=C sort -u)
rows=$(sed -nE '/^## The pairs/,/^## The model/s/^\| ([A-Z]+) \|.*/\1/p' docs/proof.md | LC_ALL=C sort)
[ "$names" = "$rows" ] || {
    printf '%s\n' "$names" "$rows" | LC_ALL=C sort | uniq -u |
        sed 's/.*/sync: SYNC & is in the source alone, or in the table of docs\/proof.md alone/' >&2
    exit 1
}

# shellcheck disable=SC2016 # the fields are for awk
find src mpi -name '*.[ch]' ! -name atomic.h ! -name 'kernel.[ch]' | LC_ALL=C sort | xargs awk '
    # The sides of the accesses in this line: a read-modify-write may be both.
    function sides(line) {
        if (line ~ /uno_(cas|add|or|and|swap)[0-9]*_(acq_rel|seq_cst)/) return "release acquire"
        if (line ~ /uno_(store|cas|add)[0-9]*_release|uno_fence_light\(\);/) return "release"
        if (line ~ /uno_(load|cas)[0-9]*_acquire|uno_load[0-9]*_seq_cst|uno_kernel_fence\(\);/) return "acquire"
        return ""
    }
    # Return the number of accesses.
    function accesses(line) {
        return gsub(/uno_[a-z]+[0-9]*_(acquire|release|acq_rel|seq_cst)|uno_fence_light|uno_kernel_fence/, "", line)
    }
    function complain(what) {
        print "sync: " what > "/dev/stderr"
        bad = 1
    }
    # Check that the accesses announced by the last comment have followed it.
    function close_comment() {
        if (names != "" && found != wanted)
            complain(at ": " found + 0 " accesses that order memory follow this SYNC comment, and not " wanted)
        names = ""
    }
    FNR == 1 { close_comment() }
    /SYNC [A-Z]/ {
        if (names == "" || age) {
            close_comment()
            at = FILENAME ":" FNR
            wanted = 1
            found = age = 0
        }
        rest = $0
        while (match(rest, /SYNC [A-Z]+( \([0-9]+\))?/)) {
            split(substr(rest, RSTART + 5, RLENGTH - 5), word, " ")
            names = names " " word[1]
            if (word[2] != "") wanted = substr(word[2], 2) + 0
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
    !/^ *(\/?\*|\/\/)/ && sides($0) != "" {
        if (names == "") {
            if ($0 !~ /uno_(cas|add)32|uno_or64|uno_fence_light/)
                complain(FILENAME ":" FNR ": orders memory, and no SYNC comment says for what")
            next
        }
        found += accesses($0)
        count = split(names, list, " ")
        both = split(sides($0), which, " ")
        for (i = 1; i <= count; i++)
            for (j = 1; j <= both; j++) {
                key = list[i] SUBSEP which[j]
                if (index(places[key], FILENAME ":" FNR "\n") == 0) places[key] = places[key] FILENAME ":" FNR "\n"
                known[list[i]]
            }
    }
    /^}/ || (names != "" && ++age > 8) { close_comment() }
    END {
        close_comment()
        for (name in known)
            for (i = 1; i <= 2; i++) {
                side = i == 1 ? "release" : "acquire"
                if (!((name, side) in places)) {
                    complain("SYNC " name " has no side that is a " side)
                    continue
                }
                count = split(places[name, side], list, "\n")
                for (j = 1; j < count; j++) print name, side, list[j] | "sort -s -k1,1 -k2,2r"
            }
        close("sort -s -k1,1 -k2,2r")
        exit bad
    }'
