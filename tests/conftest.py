"""Settings of the whole suite."""

import signal

import pytest
from hypothesis import settings

# compilation happens within the first example of a test: no time limit an example
settings.register_profile("fiveup_sim", deadline=None)
settings.load_profile("fiveup_sim")

# a suite that a shell has started in the background ignores Ctrl-C, and so would the programs it tests with it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernel once, before the workers start: each would compile all of it by itself."""
    config = session.config
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        from fiveup_sim import play_match

        play_match(["random", "greedy"], games=1, seed=1, progress=False)
