"""The options of a game: what the rules leave to the organizer (D5, D7, G4, G5, H4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum

_LARGEST_COUNT = 1_000_000


class FreeFromStock(Enum):
    """When the free card may be turned from the stock (D5)."""

    AFTER_LUCK = "after_luck"
    ALWAYS = "always"
    NEVER = "never"


class PickUp(Enum):
    """Who may pick up three cards at once, with no luck card (D7)."""

    UNABLE = "unable"
    ALWAYS = "always"


class Stopped(Enum):
    """How those who still hold cards are placed in a stopped game (G5)."""

    BY_HAND_SIZE = "by_hand_size"
    SHARE_LAST = "share_last"


class HandSizes(Enum):
    """When a view tells how many cards the other players hold (H4)."""

    UNTIL_STOCK_EMPTY = "until_stock_empty"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options of one game; the defaults are those of the rules.

    `repetition` is the occurrence of a position that stops the game, 0 for never (G4).
    `turns_per_player` times the number of players is the turn cap, 0 for none (G4).

    Raises `ValueError`, naming the field, what was got and what is wanted.
    """

    free_from_stock: FreeFromStock = FreeFromStock.AFTER_LUCK
    pickup: PickUp = PickUp.UNABLE
    repetition: int = 3
    turns_per_player: int = 100
    stopped: Stopped = Stopped.BY_HAND_SIZE
    hand_sizes: HandSizes = HandSizes.UNTIL_STOCK_EMPTY

    def __post_init__(self) -> None:
        for name, kind in _CHOICES.items():
            if not isinstance(getattr(self, name), kind):
                raise ValueError(
                    f"option {name}: got {getattr(self, name)!r}, wanted a {kind.__name__}: "
                    f"{_texts(kind)}"
                )
        _check_count("repetition", self.repetition)
        _check_count("turns_per_player", self.turns_per_player)
        if self.repetition == 1:
            raise ValueError(
                "option repetition: got 1, wanted 0 (off) or at least 2: "
                "every game's first position is an occurrence already"
            )

    @property
    def always_ends(self) -> bool:
        """Whether a game is sure to end: only under a turn cap (G4).

        Repetition alone leaves more positions than could ever be played through.
        """
        return self.turns_per_player > 0

    def as_dict(self) -> dict[str, str | int]:
        """Return the options as plain text and numbers, every field named."""
        plain: dict[str, str | int] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            plain[field.name] = value.value if isinstance(value, Enum) else value
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, object]) -> GameOptions:
        """Read what `as_dict` writes; a field left out has its default.

        Raises `ValueError` for an unknown field or value.
        """
        known = [field.name for field in fields(cls)]
        unknown = sorted(set(plain) - set(known))
        if unknown:
            raise ValueError(f"unknown game option {unknown[0]!r}; the options are {known}")
        return cls(**{name: _read(name, value) for name, value in plain.items()})  # type: ignore[arg-type]


_CHOICES: dict[str, type[Enum]] = {
    "free_from_stock": FreeFromStock,
    "pickup": PickUp,
    "stopped": Stopped,
    "hand_sizes": HandSizes,
}


def _texts(kind: type[Enum]) -> str:
    return ", ".join(str(member.value) for member in kind)


def _read(name: str, value: object) -> object:
    kind = _CHOICES.get(name)
    if kind is None or isinstance(value, kind):
        return value
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"option {name}: got {value!r}, wanted one of {_texts(kind)}") from None


def _check_count(name: str, value: object) -> None:
    if type(value) is not int or not 0 <= value <= _LARGEST_COUNT:
        raise ValueError(
            f"option {name}: got {value!r}, wanted a whole number from 0 (off) to {_LARGEST_COUNT}"
        )
