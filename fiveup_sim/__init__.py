"""fiveup_sim: tournaments of the domino game Five Up and its family, and honest statistics about them.

The public names are those of ``__init__.pyi``. They load on first use, so that ``import fiveup_sim`` is quick and
compiles nothing.
"""

import lazy_loader

# not lazy: as an attribute of the package the decorator goes before the module of the same name
from fiveup_sim.strategy import strategy as strategy

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
