#!/bin/sh
# declared.sh COMPILER INCLUDE: the functions that papers.h, papers/file.h, vertex.h, vertex/cube.h and exchange.h
# declare, as the compiler sees them, one a line.
set -eu
names=$(printf '#include <vertex/cube.h>\n#include <exchange.h>\n#include <papers/file.h>\n' | "$1" -std=c99 -E -I"$2" -x c - |
    awk -v folder="$2/" '/^# [0-9]+ "/ { ours = index($3, folder) } !/^#/ && ours' |
    grep -o '\<\(p_[A-Za-z0-9]*\|n[a-z]*\) *(' | tr -d ' (' | LC_ALL=C sort -u)
[ "$(echo "$names" | wc -l)" -gt 100 ] || {
    echo "found only these functions: $names" >&2
    exit 1
}
echo "$names"
