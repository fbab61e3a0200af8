"""`python -m unisono` is the program `unisono`."""

from ._program import main

main()
