#!/bin/sh
# The scripts read this in the root of the source: what they all do with their arguments. The first comment of a script
# is its usage.

script=script/$(basename "$0")
[ -f "$script" ] || script=$0 # one that does its work where it was called

usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$script"; }

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# refuse ARGUMENT...: end because of an argument that has no meaning here, if there is one.
refuse() {
    [ $# -eq 0 ] || fail "unknown argument $1; see $script --help"
}

# help ARGUMENT...: show the usage and end, if one of them asks for it.
help() {
    for argument; do
        case $argument in -h | --help)
            usage
            exit
            ;;
        esac
    done
}
