"""The library's messages in the words of this package: _core calls in_python() for each that becomes an exception."""

from __future__ import annotations

import re

_TYPES = {
    "1u": "bool", "8": "int8", "16": "int16", "32": "int32", "64": "int64", "8u": "uint8", "16u": "uint16", "32u": "uint32",
    "64u": "uint64", "f": "float32", "d": "float64",
}  # fmt: skip

# Functions of C that are another one here, or stand for several.
_NAMES = {
    "p_alloc": "shared",
    "p_free": "shared",
    "p_rank": "order",
    "p_matchCount": "match_count",
    "p_voteCount": "vote_count",
    "p_allToAll": "alltoall",
    "p_allToAllv": "alltoallv, or an operation on arrays or objects,",
    "p_permutePut": "permute_put",
    "p_permuteGet": "permute_get",
    "p_exit": "the end of its script",
    "p_interrupt": "an interrupt",
    "nwrite": "send",
    "nread": "recv",
    "nprobe": "probe",
    "ntest": "probe(wait=False)",
}
_PLAIN = {"p_bcast", "p_wait", "p_any", "p_all", "p_waitvec", "p_gather", "p_putget", "p_match", "p_vote", "p_sort"}

_CALL = re.compile(rf"\b(p_[a-zA-Z]+?|nwrite|nread|nprobe|ntest)(?:Wide)?({'|'.join(sorted(_TYPES, key=len, reverse=True))})?\b")


def _call(found: re.Match[str]) -> str:
    name, type = found[1], found[2]
    if name == "p_matchCount" and type == "64u":
        return "an operation on arrays"  # which begins with the question whether they fit, or match_count of uint64
    combined = re.fullmatch(r"p_(reduce|scan)([A-Z][a-z]+)", name)
    if combined:
        words = f"{combined[1]}(op='{combined[2].lower()}')"
    elif name in _NAMES:
        words = _NAMES[name]
    elif name in _PLAIN:
        words = name.removeprefix("p_")
    else:
        return found[0]
    return f"{words} of {_TYPES[type]}" if type else words


def _hint(message: str) -> str:
    """Advice for members that are in the same function with values of different types."""
    types = re.findall(r"PE \d+ is in (.+?) of (\w+) of group", message)
    if len(types) == 2 and types[0][0] == types[1][0]:
        words = {"int64": "an int", "float64": "a float", "bool": "a bool"}
        here, there = (words.get(type, type) for _, type in types)
        return f"; {here} here and {there} there: dtype= makes them one type"
    return ""


def in_python(message: str) -> str:
    text = _CALL.sub(_call, message)
    return text + _hint(text)
