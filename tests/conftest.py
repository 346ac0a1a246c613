"""Settings of the whole suite."""

import signal

from hypothesis import settings

# compilation happens within the first example of a test: no time limit an example
settings.register_profile("fiveup_sim", deadline=None)
settings.load_profile("fiveup_sim")

# a suite that a shell has started in the background ignores Ctrl-C, and so would the programs it tests with it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
