"""python -m ordern.cli."""

from . import main

main()
