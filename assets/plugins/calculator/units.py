"""Unit conversion by the factors in data/units.json."""

import json
from pathlib import Path

with open(Path(__file__).parent / "data" / "units.json", encoding="utf-8") as _file:
    #: kind -> unit -> size in the kind's base unit
    FACTORS = json.load(_file)

TEMPERATURES = ("C", "F", "K")


def convert(value, source, target):
    """value converted, rounded; ValueError when the units do not fit."""
    pair = (source.upper(), target.upper())
    if pair[0] in TEMPERATURES and pair[1] in TEMPERATURES:
        return round(_temperature(value, *pair), 4)
    for units in FACTORS.values():
        sizes = {name.lower(): size for name, size in units.items()}
        if source.lower() in sizes and target.lower() in sizes:
            return round(value * sizes[source.lower()] / sizes[target.lower()], 6)
    raise ValueError("Cannot convert %s → %s" % (source, target))


def _temperature(value, source, target):
    celsius = {"C": value, "F": (value - 32) * 5 / 9, "K": value - 273.15}[source]
    return {"C": celsius, "F": celsius * 9 / 5 + 32, "K": celsius + 273.15}[target]
