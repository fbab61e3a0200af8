#!/bin/sh
# declared.sh COMPILER INCLUDE: the functions that papers.h declares, as the compiler sees them, one a line.
set -eu
names=$(echo '#include <papers.h>' | "$1" -std=c99 -E -P -I"$2" -x c - |
    grep -o '\<p_[A-Za-z0-9]*(' | tr -d '(' | LC_ALL=C sort -u)
[ "$(echo "$names" | wc -l)" -gt 100 ] || {
    echo "found only these functions in papers.h: $names" >&2
    exit 1
}
echo "$names"
