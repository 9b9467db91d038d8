"""Small tables for notebooks. No text becomes markup."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import Any, Iterable, Optional, Sequence, Union

Number = Union[Fraction, float, int]

_CELL = 'style="text-align:left;padding:2px 10px;max-width:45em"'
_RIGHT = 'style="text-align:right;padding:2px 10px;white-space:nowrap;font-variant-numeric:tabular-nums"'


class Markup(str):
    """Text that is HTML already."""


def percent(chance: Number) -> str:
    """A chance as people read it: `30 %`, `2.78 %`, `< 0.01 %`."""
    value = float(chance) * 100
    if 0 < value < 0.01:
        return "< 0.01 %"
    if 99.99 < value < 100:
        return "> 99.99 %"
    return f"{value:.2f}".rstrip("0").rstrip(".") + " %"


def points(change: Number) -> str:
    """A change of a chance in percentage points: `+8 pp`."""
    value = f"{float(change) * 100:.2f}".rstrip("0").rstrip(".")
    return "0 pp" if value in ("0", "-0") else f"{value if value.startswith('-') else '+' + value} pp"


def short(value: Optional[Number]) -> str:
    """A fraction if it is short, else a decimal number."""
    if value is None:
        return ""
    if isinstance(value, Fraction) and len(str(value)) <= 12:
        return str(value)
    return f"{float(value):.4g}"


def bar(chance: Number) -> Markup:
    """A bar as long as the chance."""
    wide = max(0.0, min(1.0, float(chance))) * 160
    return Markup(
        '<svg width="160" height="12" role="img" aria-hidden="true">'
        f'<rect width="{wide:.1f}" height="12" rx="2" fill="currentColor" opacity="0.55"/></svg>'
    )


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[Any]], below: str = "") -> str:
    """A table with its title as a caption."""
    def cell(value: Any) -> str:
        right = isinstance(value, (int, float, Fraction)) or (isinstance(value, str) and value.endswith((" %", " pp")))
        shown = value if isinstance(value, Markup) else escape(short(value) if isinstance(value, (float, Fraction)) else str(value))
        return f"<td {_RIGHT if right else _CELL}>{shown}</td>"

    rows = [list(row) for row in rows]
    first = rows[0] if rows else []
    def is_number(place: int) -> bool:
        return place < len(first) and _RIGHT in cell(first[place])
    head = "".join(f"<th {_RIGHT if is_number(n) else _CELL}>{escape(name)}</th>" for n, name in enumerate(heads))
    body = "".join("<tr>" + "".join(cell(value) for value in row) + "</tr>" for row in rows)
    note = f'<p style="margin:4px 10px;opacity:0.75">{escape(below)}</p>' if below else ""
    caption = f'<caption style="text-align:left;padding:2px 10px;font-weight:bold;white-space:nowrap">{escape(title)}</caption>'
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"
