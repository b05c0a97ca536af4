"""A second reading of the rules, to hold against the engine.

Written from the rules' text alone, as plainly as could be: cards are strings, hands and piles are
lists, nothing is precomputed, nothing is shared with the engine, nothing is fast. Whether an action
is legal is asked of every action there could be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

RANKS = "23456789TJQKA"
SUITS = "CDHS"
ALL_CARDS = [rank + suit for suit in SUITS for rank in RANKS]
# In the order in which legal actions are listed (I4).
ALL_ACTIONS = [*ALL_CARDS, "turn", *[f"take {count}" for count in range(8)], "pass"]
QUEEN = "QS"


def catches(card: str, top: str) -> bool:
    """S5 to S9, S11, A4: may `card` be laid on `top` as a catch card?"""
    if QUEEN in (card, top):
        return False
    higher = RANKS.index(card[0]) > RANKS.index(top[0])
    if top[1] == "C":
        return card[1] == "C" and higher
    if top[1] == "D":
        return card[1] == "D" and higher
    return card[1] == "D" or (card[1] == top[1] and higher)


class Oracle:
    """A game kept in lists; `place` says where the queen goes among a number of places (B3)."""

    def __init__(
        self,
        *,
        options: Mapping[str, str | int],
        hands: Sequence[Sequence[str]],
        pile: Sequence[str],
        stock: Sequence[str],
        mover: int,
        place: Callable[[int], int],
    ) -> None:
        self.options = options
        self.hands = [list(hand) for hand in hands]
        self.pile = list(pile)
        self.stock = list(stock)
        self.mover = mover
        self.place = place
        self.out: list[int] = []
        self.turns = 0
        self.seen: list[str] = []
        self.ending = ""
        self.places: list[int] = []
        self.asked = ""
        self.wanted = 0
        self.lucky = False
        self.maija = False
        self._begin_turn()

    def legal(self) -> list[str]:
        """Every legal action, in order."""
        return [action for action in ALL_ACTIONS if not self.ending and self._may(action)]

    def _may(self, action: str) -> bool:
        hand = self.hands[self.mover]
        if action == "pass":
            return self.asked == "lead" and not [card for card in hand if card != QUEEN]
        if action == "turn":
            return bool(self.stock) and self._may_turn()
        if action.startswith("take"):
            return int(action.removeprefix("take ")) in self._takes()
        if action not in hand:
            return False
        if self.asked == "catch":
            return catches(action, self.pile[-1])
        return self.asked == "free" or (self.asked == "lead" and action != QUEEN)

    def _may_turn(self) -> bool:
        """D1, D5: the luck card is open to all, the free card where the option says so."""
        if self.asked == "catch":
            return True
        allowed = {"after_luck": self.lucky, "always": True, "never": False}
        return self.asked == "free" and allowed[str(self.options["free_from_stock"])]

    def _takes(self) -> list[int]:
        """E1, D7: how many cards may be taken now."""
        if self.asked == "pickup":
            return self._amounts(self.wanted)
        if self.asked != "catch":
            return []
        able = [card for card in self.hands[self.mover] if catches(card, self.pile[-1])]
        if able and self.options["pickup"] == "unable":
            return []
        return self._amounts(3)

    def _amounts(self, wanted: int) -> list[int]:
        """E1: with more than `wanted` exactly that; else all, or all but the bottom card."""
        size = len(self.pile)
        if size > wanted:
            return [wanted]
        return [count for count in (size - 1, size) if count > 0]

    def play(self, action: str) -> None:
        """Do a legal action of the player to move."""
        if action == "pass":
            self._next_turn()
        elif action == "turn":
            self._turn()
        elif action.startswith("take"):
            self._take(int(action.removeprefix("take ")))
            self._next_turn()
        else:
            self.hands[self.mover].remove(action)
            self._laid(action)

    def _turn(self) -> None:
        card = self.stock.pop(0)
        if self.asked == "free":
            self._laid(card)
            return
        fits = catches(card, self.pile[-1])
        self.pile.append(card)
        if fits:
            self.lucky = True
            self.asked = "free"
        else:
            self._ask_to_take(3)

    def _laid(self, card: str) -> None:
        self.pile.append(card)
        if self.asked == "catch" and self.hands[self.mover]:
            self.asked = "free"
            return
        self.maija = self.asked == "free" and card == QUEEN
        while self.stock and len(self.hands[self.mover]) < 5:
            self.hands[self.mover].append(self.stock.pop(0))
        if not self.hands[self.mover]:
            self.out.append(self.mover)
        self._next_turn()

    def _ask_to_take(self, wanted: int) -> None:
        amounts = self._amounts(wanted)
        if len(amounts) == 1:
            self._take(amounts[0])
            self._next_turn()
        else:
            self.asked = "pickup"
            self.wanted = wanted

    def _take(self, count: int) -> None:
        for _ in range(count):
            self.hands[self.mover].append(self.pile.pop())
        self.maija = False
        if self.pile or not self.stock or self.stock == [QUEEN]:
            return
        start = self.stock.pop(0)
        if start == QUEEN:
            start = self.stock.pop(0)
            self.stock.insert(self.place(len(self.stock) + 1), QUEEN)
        self.pile.append(start)

    def _next_turn(self) -> None:
        self.turns += 1
        self.mover = (self.mover + 1) % len(self.hands)
        while self.mover in self.out:
            self.mover = (self.mover + 1) % len(self.hands)
        self._begin_turn()

    def _begin_turn(self) -> None:
        self.lucky = False
        self.asked = "catch" if self.pile else "lead"
        if self.options["repetition"]:
            self.seen.append(self._position())
        self.ending = self._why_over()
        if self.ending:
            self.places = self._final_places()
        elif self.maija:
            self._ask_to_take(5)

    def _position(self) -> str:
        hands = [sorted(hand) for hand in self.hands]
        return f"{hands} {self.pile} {self.stock} {self.mover} {self.maija}"

    def _why_over(self) -> str:
        if len(self.out) == len(self.hands) - 1:
            return "finished"
        if self.options["repetition"] and (
            self.seen.count(self.seen[-1]) >= int(self.options["repetition"])
        ):
            return "repetition"
        cap = int(self.options["turns_per_player"]) * len(self.hands)
        return "turn_cap" if cap and self.turns >= cap else ""

    def _final_places(self) -> list[int]:
        """G3, G5: the better a player, the smaller his pair; equal pairs share a place."""
        standing: list[tuple[int, int]] = []
        for seat, hand in enumerate(self.hands):
            if seat in self.out:
                standing.append((0, self.out.index(seat)))
            elif self.options["stopped"] == "share_last":
                standing.append((1, 0))
            else:
                standing.append((1, len(hand)))
        return [1 + len([other for other in standing if other < own]) for own in standing]
