"""``python -m barrierscope ARGS``: the program itself."""

from barrierscope._program import main

main()
