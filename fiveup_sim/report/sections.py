"""Names of the sections that a report can have."""

SECTIONS = (
    "ranking",
    "head_to_head",
    "headline",
    "placements",
    "scores",
    "lengths",
    "lead",
    "openings",
    "law",
)
"""In the order of the page; the answer before them, method and definitions after them are always there."""
