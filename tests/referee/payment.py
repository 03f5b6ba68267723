"""Paying symbol by symbol, so that each set of cards can be paid in one way only."""

from collections import Counter
from dataclasses import dataclass, replace

from tests.referee.cards import BY_LETTER, CARDS, move_order
from tests.referee.model import Side

SYMBOLS = "rygb*"
FIRST = (-1, -1)


@dataclass(frozen=True)
class Price:
    """The symbols still open, what may be left open, and the last payment of the same kind."""

    symbols: str
    cube: bool = False  # one any-symbol may stay open
    rings: bool = False  # one symbol of any kind may stay open
    last: tuple[int, int] = FIRST

    def after(self, move: str) -> "Price":
        symbol, rest = self.symbols[0], self.symbols[1:]
        last = move_order(move) if rest[:1] == symbol else FIRST
        if move != "waive":
            return replace(self, symbols=rest, last=last)
        if symbol == "*" and self.cube:
            return replace(self, symbols=rest, last=last, cube=False)
        return replace(self, symbols=rest, last=last, rings=False)

    def may_waive(self) -> bool:
        return self.rings or (self.cube and self.symbols[0] == "*")


def price_of(symbols: str, cube: bool = False, rings: bool = False) -> Price:
    return Price("".join(sorted(symbols, key=SYMBOLS.index)), cube, rings)


def purse_of(side: Side, without: str | None) -> Counter[str]:
    """What can pay: the hand without the card itself, and the freed civilians."""
    purse = Counter(f"discard {card}" for card in side.hand)
    purse += Counter(f"civilian {BY_LETTER[letter]}" for letter in side.freed)
    return purse - Counter([f"discard {without}"])


def _fits(move: str, symbol: str) -> bool:
    """Battlegrounds have no colour, so they pay any-symbols only (ruling 11)."""
    kind, what = move.split()
    colour = CARDS[what].colour if kind == "discard" else what
    return symbol == "*" or colour == BY_LETTER[symbol]


def ways_to_pay(purse: Counter[str], price: Price) -> list[str]:
    """What may pay the next symbol: only what leaves the others payable."""
    symbol = price.symbols[0]
    moves = [move for move in purse if _fits(move, symbol)]
    moves += ["waive"] if price.may_waive() else []
    return [
        move
        for move in moves
        if move_order(move) >= price.last and payable(purse - Counter([move]), price.after(move))
    ]


def payable(purse: Counter[str], price: Price) -> bool:
    return not price.symbols or bool(ways_to_pay(purse, price))
