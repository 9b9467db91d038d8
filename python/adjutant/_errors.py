"""Every error of the engine as an exception with its text and its data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Type


@dataclass(frozen=True)
class Fault:
    """A fault of a pack, at its place."""

    file: str
    #: From 1; None if the whole file is meant.
    line: Optional[int]
    column: Optional[int]
    message: str
    #: What to do about it.
    remedy: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"
        return f"{place}: {self.message}\n  help: {self.remedy}" if self.remedy else f"{place}: {self.message}"


@dataclass(frozen=True)
class InputFault:
    """An input, an option, an answer or a name that cannot be used."""

    name: str
    message: str
    #: What is accepted, in words.
    accepted: Optional[str]
    #: What is accepted, as data.
    accepts: Optional[Mapping[str, Any]]
    #: The known name that was most likely meant.
    nearest: Optional[str]
    #: The known names, where a name is unknown.
    known: Sequence[str]


class AdjutantError(Exception):
    """Any error of the engine. `sentences` has everything that is wrong; `data` has the fault as the engine gave it."""

    def __init__(self, message: str, data: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(message)
        self.data: Mapping[str, Any] = data or {}
        self.sentences: Sequence[str] = tuple(self.data.get("sentences", [message]))


class PackError(AdjutantError):
    """A pack cannot be used. `faults` lists every fault with its file, line and column."""

    faults: Sequence[Fault]

    def __init__(self, message: str, data: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(message, data)
        self.faults = faults_of(self.data.get("faults", []))
        if self.faults:
            self.args = ("\n".join(str(fault) for fault in self.faults),)


class _WithInputs(AdjutantError):
    inputs: Sequence[InputFault]

    def __init__(self, message: str, data: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(message, data)
        self.inputs = tuple(_input_fault(fault) for fault in self.data.get("inputs", []))

    @property
    def _first(self) -> Optional[InputFault]:
        return self.inputs[0] if self.inputs else None

    @property
    def name(self) -> Optional[str]:
        """The first name that is wrong."""
        return self._first.name if self._first else None

    @property
    def accepted(self) -> Optional[str]:
        """What the first input accepts, in words."""
        return self._first.accepted if self._first else None

    @property
    def nearest(self) -> Optional[str]:
        """The known name that was most likely meant."""
        return self._first.nearest if self._first else None


class NotFoundError(_WithInputs, LookupError):
    """There is no pack, chart, fight or deck of this name."""


class InputError(_WithInputs, ValueError):
    """Something was given that cannot be used. `inputs` has every one, with what is accepted."""


class NeedsError(_WithInputs):
    """Something must be given first: an input, an answer, dice or a card. `needs` lists it."""

    @property
    def needs(self) -> Sequence[Mapping[str, Any]]:
        """What is missing; each has a `key`, what it is for, and what is accepted."""
        return tuple(self.data.get("needs", []))

    @property
    def stopped(self) -> Optional[Mapping[str, Any]]:
        """A roll that stopped, as far as it came."""
        return self.data.get("stopped")


class RulesError(AdjutantError):
    """The rules do not allow this here."""

    @property
    def stopped(self) -> Optional[Mapping[str, Any]]:
        """A roll that stopped, as far as it came."""
        return self.data.get("stopped")


class LimitError(AdjutantError):
    """A limit of time or memory was reached."""


class TooLargeError(LimitError):
    """Exact odds would take too much work. Use `sim` instead."""


class RequestError(AdjutantError):
    """The request cannot be read: a fault of this package, or of what it was given."""


_KINDS: Mapping[str, Type[AdjutantError]] = {
    "pack": PackError,
    "not_found": NotFoundError,
    "input": InputError,
    "needs": NeedsError,
    "refused": RulesError,
    "too_large": TooLargeError,
    "limit": LimitError,
    "stopped": LimitError,
    "request": RequestError,
}


def _input_fault(fault: Mapping[str, Any]) -> InputFault:
    return InputFault(
        fault["name"], fault["message"], fault["accepted"], fault["accepts"], fault["nearest"], tuple(fault["known"])
    )


def faults_of(faults: Sequence[Mapping[str, Any]]) -> Sequence[Fault]:
    """The faults of a pack as objects."""
    return tuple(Fault(f["file"], f["line"], f["column"], f["message"], f["remedy"]) for f in faults)


def error_of(fault: Mapping[str, Any]) -> AdjutantError:
    """The exception for a fault of the engine."""
    return _KINDS.get(fault.get("kind", ""), AdjutantError)(fault.get("message", "unknown fault"), fault)
