"""``python -m fiveup_sim``: the command ``fiveup``."""

from fiveup_sim.cli import main

main(prog_name="fiveup")
