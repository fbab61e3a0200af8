"""The command behind script/soak: rounds of random disturbances, and a table of how they came out."""

import argparse
import collections
import os
import random
import sys
import tempfile
import time

import building
import disturbances
import disturbed_nodes

DISTURBANCES = {**disturbances.DISTURBANCES, **disturbed_nodes.DISTURBANCES}


def parse():
    parser = argparse.ArgumentParser(prog="script/soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10000, metavar="N", help="how many (10000)")
    parser.add_argument("--seed", type=int, default=time.time_ns() // 1000000, metavar="S",
                        help="of the random choices (the time)")
    parser.add_argument("--from", type=int, default=0, metavar="K", dest="first",
                        help="begin with round K of this seed, to replay it")
    parser.add_argument("--kinds", default=",".join(DISTURBANCES), metavar="K,...",
                        help=f"choose among these kinds only: {', '.join(DISTURBANCES)}")
    building.add_option(parser)
    options = parser.parse_args()
    options.kinds = options.kinds.split(",")
    for kind in options.kinds:
        if kind not in DISTURBANCES:
            parser.error(f"--kinds: there is no {kind}; there are {', '.join(DISTURBANCES)}")
    if options.rounds < 1:
        parser.error("--rounds: not a number greater than 0")
    return options


def progress(done, rounds, failures, began):
    if not sys.stderr.isatty():
        return
    width = 40
    filled = width * done // rounds
    left = (time.monotonic() - began) / done * (rounds - done)
    print(f"\r[{'#' * filled}{'.' * (width - filled)}] {done}/{rounds} rounds, {failures} failed, "
          f"{left / 60:.0f} min left  ", end="" if done < rounds else "\n", file=sys.stderr, flush=True)


def table(outcomes, longest):
    print(f"\n{'disturbance':<18} {'outcome':<32} {'rounds':>7} {'longest end':>12}")
    for kind, outcome in sorted(outcomes):
        print(f"{kind:<18} {outcome:<32} {outcomes[kind, outcome]:>7} {longest[kind, outcome]:>10.2f} s")


def main():
    options = parse()
    building.bring_up(options)
    for kind in list(options.kinds):
        reason = (disturbed_nodes if kind in disturbed_nodes.DISTURBANCES else disturbances).impossible(kind)
        if reason:
            print(f"soak: no rounds of {kind}: {reason}")
            options.kinds.remove(kind)
    if not options.kinds:
        print("soak: no kind of disturbance is left", file=sys.stderr)
        return 1
    kinds = ",".join(options.kinds)
    print(f"soak: {options.rounds} rounds, seed {options.seed}", flush=True)
    outcomes, longest = collections.Counter(), collections.defaultdict(float)
    failures = 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="unisono-soak.") as temporary:
        os.chmod(temporary, 0o1777)
        os.environ["TMPDIR"] = temporary
        for number in range(options.first, options.first + options.rounds):
            chance = random.Random(f"{options.seed} {number}")
            kind = chance.choice(options.kinds)
            try:
                result = DISTURBANCES[kind](chance)
                left = os.listdir(temporary)
                assert not left, f"temporary files left: {left}"
                key = kind, result.outcome
                longest[key] = max(longest[key], result.seconds)
            except Exception as error:  # whatever it is, the round has failed
                failures += 1
                key = kind, "WRONG"
                print(f"\nsoak: round {number}, {kind}: {type(error).__name__}: {error}\nsoak: replay: script/soak "
                      f"--seed {options.seed} --from {number} --rounds 1 --kinds {kinds}", file=sys.stderr, flush=True)
            outcomes[key] += 1
            progress(number - options.first + 1, options.rounds, failures, began)
    table(outcomes, longest)
    print(f"{options.rounds} rounds in {time.monotonic() - began:.0f} s, {failures} failed; seed {options.seed}")
    return 1 if failures else 0


sys.exit(main())
