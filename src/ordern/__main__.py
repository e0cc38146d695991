"""python -m ordern: the command line, where the command ordern is not on the path."""

from .cli import main

main()
