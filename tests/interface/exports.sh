#!/bin/sh
# exports.sh COMPILER NM INCLUDE LIBRARY: the library exports what papers.h, papers/file.h,
# vertex.h and exchange.h declare, and nothing else.
set -eu
LC_ALL=C
export LC_ALL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sh "$(dirname "$0")/declared.sh" "$1" "$3" >"$work/declared"
"$2" -D --defined-only "$4" | awk '$2 != "A" { sub("@.*", "", $NF); print $NF }' | sort -u >"$work/exported"

status=0
comm -23 "$work/declared" "$work/exported" | sed 's/$/: declared, not exported/' >"$work/missing"
comm -13 "$work/declared" "$work/exported" | sed 's/$/: exported, not declared/' >"$work/extra"
cat "$work/missing" "$work/extra"
[ ! -s "$work/missing" ] && [ ! -s "$work/extra" ] || status=1
echo "$(wc -l <"$work/declared") functions declared, $(wc -l <"$work/exported") exported"
exit $status
