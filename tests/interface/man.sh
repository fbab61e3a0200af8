#!/bin/sh
# man.sh COMPILER INCLUDE MAN: each function that papers.h, papers/file.h, vertex.h and exchange.h declare has a page
# that names it: by its name, or by that without the suffix and Bits or Wide. An alias is a line `.so man3/PAGE`. And
# each prototype of a page is one of the headers, with the same names of parameters; those with T are compared for the
# type 32u.
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

# One prototype a line, without spaces: uint32_tp_putget32u(uint32_td,ints).
declared=$(printf '#include <exchange.h>\n#include <papers/file.h>\n#include <vertex/cube.h>\n' | "$1" -std=c99 -E -P -I"$2" -x c - |
    sed -E '/^#/d; s/__attribute__ *\(\([a-z_]*\)\)//g' | tr -d ' \n' | tr ';' '\n')
shown=$(awk '
    /^\.Sh / { synopsis = $2 == "SYNOPSIS" }
    synopsis && /^\.Ft / { result = substr($0, 5) }
    synopsis && /^\.Fn / {
        arguments = substr($0, 6 + length($2))
        gsub(/" "/, ",", arguments)
        gsub(/"/, "", arguments)
        prototype = result " " $2 "(" arguments ")"
        if ($2 ~ /^p_.*T$/) {
            gsub(/type /, "uint32_t ", prototype)
            sub(/T\(/, "32u(", prototype)
        }
        gsub(/ /, "", prototype)
        print prototype
    }' "$3"/man3/*.3)
[ "$(echo "$shown" | wc -l)" -gt 60 ] || {
    echo "found only these prototypes: $shown" >&2
    exit 1
}
for prototype in $shown; do
    echo "$declared" | grep -qxF "$prototype" || {
        echo "$prototype, without spaces: in the SYNOPSIS of a page, and not so in a header"
        status=1
    }
done
exit $status
