"""python -m ordern.cli."""

from ..cli import main

main()
