"""Settings of the whole suite."""

from hypothesis import settings

# compilation happens within the first example of a test: no time limit an example
settings.register_profile("fiveup_sim", deadline=None)
settings.load_profile("fiveup_sim")
