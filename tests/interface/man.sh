#!/bin/sh
# man.sh COMPILER INCLUDE MAN: each function that papers.h and vertex.h declare has a page that names it: by its name,
# or by that without the suffix and Bits or Wide. An alias is a line `.so man3/PAGE`.
set -eu
status=0
for function in $(sh "$(dirname "$0")/declared.sh" "$1" "$2"); do
    page=$3/man3/$function.3
    if [ ! -f "$page" ]; then
        echo "$function: no man page"
        status=1
        continue
    fi
    target=$(sed -n 's/^\.so //p' "$page")
    [ -z "$target" ] || page=$3/$target
    family=$(echo "$function" | sed -E 's/(Wide)?(Bits)?([0-9]+u?|f|d)?$//')
    grep -Eq "^\.Nm ($function|$family)( ,)?\$" "$page" || {
        echo "$function: not in the NAME of $page"
        status=1
    }
done
exit $status
