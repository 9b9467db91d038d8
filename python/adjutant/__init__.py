"""Run the charts of tabletop wargames: rolls, exact odds, fights and simulations.

>>> import adjutant
>>> fire = adjutant.load("panzer8").chart("fire")
>>> odds = fire.odds(ammo="hesa", firer={"hesa": 6}, target={"def": 4})
>>> odds.chance("suppressed")
Fraction(17, 100)

Chances are `fractions.Fraction`. Every error is an `AdjutantError`.
"""

from ._errors import (
    AdjutantError,
    Fault,
    InputError,
    InputFault,
    LimitError,
    NeedsError,
    NotFoundError,
    PackError,
    RequestError,
    RulesError,
    TooLargeError,
)
from ._native import __version__
from ._odds import Branch, ModifierOdds, Odds, OddsTable, Outcome, Plot, Series, Value
from ._pack import Chart, Check, Fight, Pack, check, load, packs
from ._results import Cards, FightOdds, FightTable, Roll, Sample

__all__ = [
    "AdjutantError",
    "Branch",
    "Cards",
    "Chart",
    "Check",
    "Fault",
    "Fight",
    "FightOdds",
    "FightTable",
    "InputError",
    "InputFault",
    "LimitError",
    "ModifierOdds",
    "NeedsError",
    "NotFoundError",
    "Odds",
    "OddsTable",
    "Outcome",
    "Pack",
    "PackError",
    "Plot",
    "RequestError",
    "Roll",
    "RulesError",
    "Sample",
    "Series",
    "TooLargeError",
    "Value",
    "__version__",
    "check",
    "load",
    "packs",
]
