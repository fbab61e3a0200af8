"""The parts of a chip of tiles beside one another, in clocks and in LUTs. The clocks are the same in every run, so
nothing is repeated."""

import sizes
import units
from runner import Benchmark


def quick(parser):
    parser.add_argument("--quick", action="store_true", help="only a demultiplexer, on 2 x 2 tiles, without the routers' LUTs")


PARTS = {"units": Benchmark(units.__doc__, units.cases, units.show, rows=units.rows, docs=units.docs, front=units.FRONT, rounds=1),
         "sizes": Benchmark(sizes.__doc__, sizes.cases, sizes.show, rows=sizes.rows, options=quick, docs="sizes", front="the network",
                            rounds=1)}
