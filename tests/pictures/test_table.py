"""The table of a hand as a picture."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from fiveup_sim import play_game
from fiveup_sim.pictures.table import draw_table, draw_tile
from fiveup_sim.referee.table import Table
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import N_TILES, PIPS, format_tile

_SVG = "{http://www.w3.org/2000/svg}"


def _tiles(svg):
    """Every tile drawn: name, number of dots, left, top, right, bottom."""
    for group in ElementTree.fromstring(svg).iter(f"{_SVG}g"):
        box = group.find(f"{_SVG}rect")
        left, top, width, height = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        dots = len(group.findall(f"{_SVG}circle"))
        yield group.find(f"{_SVG}title").text, dots, left, top, left + width, top + height


def _random_table(seed, **changes):
    """A table on which as many tiles were laid as could be, in any order."""
    rng, table = random.Random(seed), Table(Rules.preset(**changes))
    left = set(range(N_TILES))
    while options := table.options(left):
        chosen = rng.choice(options)
        table.lay(chosen.placement)
        left.discard(chosen.tile)
    return table


@pytest.mark.parametrize("changes", [{}, {"spinners": "first"}, {"spinners": "none"}, {"arms_after_line": False}])
@pytest.mark.parametrize("seed", range(12))
def test_tiles_never_lie_on_each_other(seed, changes):
    table = _random_table(seed, **changes)
    drawn = list(_tiles(draw_table(table)))
    assert sorted(name for name, *_ in drawn) == sorted(map(format_tile, table.tiles))
    for i, (a, _, left, top, right, bottom) in enumerate(drawn):
        for b, _, x, y, z, w in drawn[:i]:
            assert right <= x + 0.011 or z <= left + 0.011 or bottom <= y + 0.011 or w <= top + 0.011, (a, b)


@pytest.mark.parametrize("seed", range(6))
def test_every_tile_shows_its_pips_and_lies_within_the_picture(seed):
    svg = draw_table(_random_table(seed))
    x, y, width, height = map(float, ElementTree.fromstring(svg).get("viewBox").split())
    pips = {format_tile(tile): PIPS[tile] for tile in range(N_TILES)}
    for name, dots, left, top, right, bottom in _tiles(svg):
        assert dots == pips[name]
        assert x <= left and y <= top and right <= x + width and bottom <= y + height


def test_a_record_is_drawn_up_to_any_event():
    record = play_game(["greedy", "random"], seed=1)
    events = record.data["hands"][1]["events"]
    assert len(list(_tiles(draw_table(record, hand=2, event=1)))) == 1
    laid = len(record.data["hands"][1]["counts"])
    assert len(list(_tiles(draw_table(record, hand=2)))) == laid
    for options, says in (({"hand": 0}, "hand = 0: allowed 1 to"), ({"event": -1}, "event = -1: allowed 0 to")):
        with pytest.raises(ValueError, match=says):
            draw_table(record, **options)
    assert len(events) >= laid


def test_an_empty_table_and_the_words_beside_it():
    assert "nothing laid yet" in draw_table(Table(Rules.preset()))
    table = _random_table(1)
    words = ElementTree.fromstring(draw_table(table)).find(f"{_SVG}desc").text
    assert words == table.describe()


def test_a_single_tile_is_drawn_higher_pip_first():
    root = ElementTree.fromstring(draw_tile(25))
    dots = [float(dot.get("cx")) for dot in root.iter(f"{_SVG}circle")]
    assert (sum(x < 0.5 for x in dots), sum(x > 0.5 for x in dots)) == (6, 4)
