"""Rule sets of the Fives family as data: one frozen, validated record, one field a rule."""

from __future__ import annotations

import difflib
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from fiveup_sim.rules.presets import PRESETS
from fiveup_sim.rules.tiles import N_TILES

MAX_COUNT = 118
"""No count can be larger: a lead counts at most 12, every later single adds at most its higher half (91 over all
21 singles) and every later double at most one of its halves (21 over all seven): at most 91 + 21, plus the lead's
other half, 6."""


def _choice(default: Any, *allowed: Any, means: str) -> Any:
    return field(default=default, metadata={"allowed": allowed, "means": means})


def _whole(default: int, low: int, high: int, *, means: str) -> Any:
    return field(default=default, metadata={"allowed": range(low, high + 1), "means": means})


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a game; the defaults are Five Up for two seats.

    Make one with :meth:`preset`, or change fields of another with :meth:`changed`. Every field is checked, alone
    and against the others.

    Raises
    ------
    ValueError
        Naming the field, its value and what is allowed.
    """

    name: str = field(default="five_up", compare=False, metadata={"means": "preset these rules started from"})
    seats: int = _whole(2, 2, 4, means="seats at the table")
    partnership: bool = _choice(None, False, True, means="opposite seats share a score (4 seats; Five Up: yes with 4)")
    tiles_each: int = _whole(5, 1, 14, means="tiles dealt to each seat")
    first_lead: str = _choice("lot", "lot", "highest_double", means="who leads the first hand of a game")
    next_lead: str = _choice(
        "dominoed", "dominoed", "rotate", "lot", "highest_double", means="who leads after a dominoed hand"
    )
    blocked_lead: str = _choice(
        "lot", "lot", "rotate", "same", "hand_winner", "highest_double", means="who leads after a blocked hand"
    )
    spinners: str = _choice("all", "all", "first", "none", means="which doubles of a hand open side arms")
    arms_after_line: bool = _choice(True, True, False, means="arms open only when both line sides are used")
    scoring_multiples: tuple[int, ...] = _choice((5,), (), (5,), (3, 5), means="counts that score are multiples of")
    point_unit: int = _choice(5, 5, 1, means="pips to a point; with multiples (3, 5) for rests only")
    min_first_score: int = _whole(0, 0, MAX_COUNT, means="points a side's first award must reach; 0: any")
    draw: str = _choice("until_playable", "until_playable", "one", "none", means="tiles drawn by who cannot lay one")
    boneyard_reserve: int = _whole(0, 0, 2, means="tiles of the boneyard that are never drawn")
    settlement: str = _choice(
        "own", "own", "winner", "winner_net", "none",
        means="rests: each side loses its own; the hand's winner gains the opponents'; gains the difference; nothing",
    )  # fmt: skip
    rounding: str = _choice(
        "nearest", "nearest", "up", "down", "none", means="rests are rounded to multiples of five; none needs unit 1"
    )
    rounding_pooled: bool = _choice(False, False, True, means="rests are added up before they are rounded")
    blocked_winner: str = _choice("none", "none", "fewest_pips", means="who wins a blocked hand")
    blocked_tie: str = _choice("nobody", "nobody", "fewest_tiles", means="who wins it when the fewest pips are equal")
    blocked_settlement: bool = _choice(True, True, False, means="a blocked hand is settled too")
    target: int = _whole(61, 1, 100_000, means="points that end the game")
    target_check: str = _choice(
        "after_hand", "after_hand", "at_once", means="the target is asked after the settlement, or at every award too"
    )
    exact_target: bool = _choice(False, False, True, means="a gain that would take a score above the target is void")
    extension_needs_target: bool = _choice(
        False, False, True, means="after a tie at the top the target is asked again, not only who is highest"
    )
    max_hands: int = _whole(10_000, 1, 1_000_000, means="hands after which a game ends unfinished")

    def __post_init__(self) -> None:
        if self.partnership is None:
            object.__setattr__(self, "partnership", self.seats == 4)
        if not isinstance(self.name, str):
            raise ValueError(f"preset = {self.name!r}: a name is needed")
        if isinstance(self.scoring_multiples, list):
            object.__setattr__(self, "scoring_multiples", tuple(self.scoring_multiples))
        for rule in rule_fields():
            _check_alone(rule, getattr(self, rule.name))
        _check_together(self)

    @classmethod
    def preset(cls, name: str = "five_up", *, seats: int = 2, **changes: Any) -> Rules:
        """The rule set called `name` for `seats` seats, with `changes` to single fields.

        Parameters
        ----------
        name
            One of :data:`fiveup_sim.rules.presets.PRESETS`.
        seats
            2, 3 or 4.
        **changes
            Fields by name.

        Raises
        ------
        ValueError
            If the name, a field or a value is not one.
        """
        if name not in PRESETS:
            allowed = ", ".join(PRESETS)
            raise ValueError(f"rules {name!r}: no such rule set{_nearest(name, PRESETS)}; allowed: {allowed}")
        _check_alone(_field("seats"), seats)
        return cls(name=name, seats=seats, **_known(PRESETS[name](seats) | changes))

    def changed(self, **changes: Any) -> Rules:
        """These rules with some fields changed.

        A change of ``seats`` leaves every other field as it is; for the preset's own values at other seats
        use :meth:`preset`.
        """
        return replace(self, **_known(changes))

    @property
    def n_sides(self) -> int:
        """Number of scores: 2 with partnerships, else one a seat."""
        return 2 if self.partnership else self.seats

    def side(self, seat: int) -> int:
        """The side whose score `seat` plays for."""
        return seat % self.n_sides

    def changes(self) -> tuple[str, dict[str, Any]]:
        """The preset that these rules started from (``five_up`` if their name is none), and what differs from it."""
        name = self.name if self.name in PRESETS else "five_up"
        base = Rules.preset(name, seats=self.seats)
        values = {rule.name: getattr(self, rule.name) for rule in rule_fields()}
        return name, {field: value for field, value in values.items() if value != getattr(base, field)}

    def spelling(self) -> str:
        """The call that gives these rules: ``Rules.preset('five_up', seats=3, target=31)``."""
        name, changes = self.changes()
        options = ({} if self.seats == 2 else {"seats": self.seats}) | changes
        return f"Rules.preset({', '.join([repr(name), *(f'{field}={value!r}' for field, value in options.items())])})"

    def to_dict(self) -> dict[str, Any]:
        """Every field, with the name under ``preset``, in plain types: what records and provenance hold."""
        values = asdict(self)
        values["scoring_multiples"] = list(self.scoring_multiples)
        return {"preset": values.pop("name"), **values}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Rules:
        """The rules that :meth:`to_dict` wrote; every field must be there.

        Raises
        ------
        ValueError
            If a field is missing, unknown or out of range.
        """
        if not isinstance(values, dict):
            raise ValueError(f"rules {values!r}: a table of fields is needed")
        names = ["preset", *(rule.name for rule in rule_fields())]
        missing = [name for name in names if name not in values]
        if missing:
            raise ValueError(f"rules: missing {', '.join(missing)}; a rule set names every field")
        values = dict(values)
        name = values.pop("preset")
        _known(values)
        _check_alone(_field("partnership"), values["partnership"])
        return cls(name=name, **values)

    def __str__(self) -> str:
        """The name, the seats, and the fields that differ from the preset of that name, or from Five Up."""
        partners = ", partnerships" if self.partnership else ""
        differences = "".join(f", {name} = {write_value(value)}" for name, value in self.changes()[1].items())
        return f"{self.name}, {self.seats} seats{partners}{differences}"


def rule_fields() -> list[Any]:
    """The dataclass fields that are rules (all but ``name``), in order.

    Each has ``metadata["allowed"]`` (a tuple of values or a range) and ``metadata["means"]`` (one line).
    """
    return [rule for rule in fields(Rules) if rule.name != "name"]


def parse_value(name: str, text: str) -> Any:
    """The value of field `name` written as `text`, as on the command line (``yes``/``no`` for truths, ``3,5``).

    Raises
    ------
    ValueError
        Naming the field, the value and what is allowed.
    """
    rule = _field(name)
    allowed = rule.metadata["allowed"]
    written = {write_value(value): value for value in allowed} if isinstance(allowed, tuple) else {}
    aliases = {"true": "yes", "false": "no", "none": "()" if "()" in written else "none"}
    key = aliases.get(text.strip().lower(), text.strip().lower())
    if key in written:
        return written[key]
    try:
        return int(key)
    except ValueError:
        raise ValueError(f"{name} = {text}: allowed {describe_allowed(rule)}") from None


def describe_allowed(rule: Any) -> str:
    """What `rule` (of :func:`rule_fields`) may be, in words."""
    allowed = rule.metadata["allowed"]
    if isinstance(allowed, range):
        return f"{allowed.start} to {allowed.stop - 1}"
    return ", ".join(write_value(value) for value in allowed)


def write_value(value: Any) -> str:
    """`value` as it is written on the command line and in messages: what :func:`parse_value` reads."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "()"
    return str(value)


def _field(name: str) -> Any:
    _known({name: None})
    return next(rule for rule in rule_fields() if rule.name == name)


def _known(changes: dict[str, Any]) -> dict[str, Any]:
    names = [rule.name for rule in rule_fields()]
    for name in changes:
        if name not in names:
            raise ValueError(f"{name}: no such rule{_nearest(name, names)}; allowed: {', '.join(names)}")
    return changes


def _nearest(name: Any, names: Any) -> str:
    close = difflib.get_close_matches(str(name), names, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _check_alone(rule: Any, value: Any) -> None:
    allowed = rule.metadata["allowed"]
    like = int if isinstance(allowed, range) else type(allowed[0])
    # 5.0 and True equal whole numbers: they are not meant
    is_like = type(value) is like and (like is not tuple or all(type(item) is int for item in value))
    if not is_like or value not in allowed:
        shown = write_value(value) if type(value) in (bool, tuple) else repr(value)
        raise ValueError(f"{rule.name} = {shown}: allowed {describe_allowed(rule)}")


def _check_together(rules: Rules) -> None:
    in_boneyard = N_TILES - rules.seats * rules.tiles_each
    largest = MAX_COUNT if rules.point_unit == 1 or 3 in rules.scoring_multiples else MAX_COUNT // 5
    faults = {
        "partnership": (rules.partnership and rules.seats != 4, "no, unless there are 4 seats"),
        "tiles_each": (in_boneyard < 0, f"1 to {N_TILES // rules.seats} with {rules.seats} seats"),
        "boneyard_reserve": (rules.boneyard_reserve > in_boneyard, f"at most the boneyard, {in_boneyard}"),
        "rounding": (rules.rounding == "none" and rules.point_unit != 1, "nearest, up, down, unless point_unit is 1"),
        "scoring_multiples": (
            not rules.scoring_multiples and rules.settlement in ("own", "none"),
            f"5 or 3,5 with settlement {rules.settlement}: nobody could ever reach a target",
        ),
        "min_first_score": (
            rules.min_first_score > (largest if rules.scoring_multiples else 0),
            f"at most {largest if rules.scoring_multiples else 0} with these multiples and this unit",
        ),
    }
    for name, (is_fault, allowed) in faults.items():
        if is_fault:
            raise ValueError(f"{name} = {write_value(getattr(rules, name))}: allowed {allowed}")
