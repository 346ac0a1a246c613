"""The referee: the rules in plain Python, slow and explicit, the independent judge of what the engine plays.

``table`` is the layout as tiles and joints, ``hand`` a hand turn by turn, ``scoring`` all that is points;
``record`` reads and writes games, ``transcript`` prints them, ``referee`` names the first thing wrong with one.
Nothing here shares code with ``fiveup_sim.engine``.
"""
