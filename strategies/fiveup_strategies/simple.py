"""Strategies that do not look at the points."""

from fiveup_sim import below, strategy


@strategy
def random(view):
    """Any legal placement, all equally likely."""
    return below(view, view.n_legal)


@strategy
def first(view):
    """The first legal placement in the order of the rules."""
    return 0


@strategy
def heavy(view):
    """The heaviest tile; ties: the first placement."""
    best = 0
    for i in range(1, view.n_legal):
        if view.legal[i].pips > view.legal[best].pips:
            best = i
    return best
