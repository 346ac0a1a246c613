"""Numbers as they are read: as many digits as the interval supports, percent for shares."""

from __future__ import annotations

import math

UNKNOWN = "–"
_MOST_DIGITS = 6
_SCALES = {"share": (100, " %"), "difference": (100, "")}


def write_estimate(low: float, best: float, high: float, unit: str = "") -> str:
    """A figure and its interval, to two digits of the interval's half width.

    A `unit` ``"share"`` is written in percent, a ``"difference"`` of shares in percentage points, without a sign.

    >>> write_estimate(0.4262, 0.42656, 0.4269)
    '0.42656 (0.42620 to 0.42690)'
    >>> write_estimate(0.9162, 0.9184, 0.9206, "share")
    '91.84 % (91.62 to 92.06)'
    """
    if not math.isfinite(best):
        return UNKNOWN
    scale, mark = _SCALES.get(unit, (1, ""))
    digits = _digits(scale * (high - low) / 2, scale * best)
    ends = [_write_end(scale * end, digits) for end in (low, high)]
    return f"{_fixed(scale * best, digits)}{mark} ({ends[0]} to {ends[1]})"


def write_value(value: object, unit: str = "") -> str:
    """A value without an interval."""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number):
        return UNKNOWN
    if unit == "p":
        return write_p(number)
    if unit == "share":
        return f"{100 * number:.2f} %"
    return f"{int(number):,}" if number == int(number) else f"{number:.3g}" if abs(number) < 100 else f"{number:,.0f}"


def write_p(p: float) -> str:
    """A p-value.

    >>> write_p(0.00001), write_p(0.0312)
    ('< 0.0001', '0.0312')
    """
    if not math.isfinite(p):
        return UNKNOWN
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"


def write_share(share: float) -> str:
    """A share in percent, short: for sentences and labels."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent == int(percent) else f"{percent:.1f} %" if percent >= 1 else f"{percent:.2g} %"


def join_words(words: list[str]) -> str:
    """Words as they stand in a sentence: ``"a, b and c"``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def plural(number: int, one: str, many: str | None = None) -> str:
    """A number of things: ``"1 game"``, ``"2,000 games"``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _digits(half_width: float, best: float) -> int:
    size = half_width if math.isfinite(half_width) and half_width > 0 else max(abs(best), 1.0) / 100
    return min(_MOST_DIGITS, max(0, 1 - math.floor(math.log10(size))))


def _write_end(value: float, digits: int) -> str:
    return _fixed(value, digits) if math.isfinite(value) else "no bound"


def _fixed(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text
