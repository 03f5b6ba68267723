"""The table as plain objects: cards in play, two sides, what both share, and its notation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.referee.cards import CARDS, character, in_list_order, is_battleground

SLOTS = range(6)
MANHATTAN, SANCTUM, TOWER = range(3), range(3, 5), range(5, 6)
VILLAINS_GOAL, HEROES_GOAL = 9, -7
TRACK_END, ARROW = 3, 1
CIVILIANS_LEFT = 2


@dataclass(eq=False)
class Piece:
    """A card in play."""

    card: str
    damage: int = 0
    below: "Piece | None" = None
    shrunk: bool = False  # Ant-Man's reduction of this turn is used up
    effect_over: bool = False  # the moment of the attack effect has passed in this phase
    through: bool = False  # does not attack again in this phase

    @property
    def character(self) -> str:
        return character(self.card)

    @property
    def colour(self) -> str:
        return CARDS[self.card].colour

    @property
    def fallen(self) -> bool:
        return self.damage >= CARDS[self.card].health

    def words(self) -> str:
        own = f"{self.card}:{self.damage}" if self.damage else self.card
        return f"{own}+{self.below.words()}" if self.below else own


def piece_from(words: str | None) -> Piece | None:
    if words is None:
        return None
    host, _, below = words.partition("+")
    card, _, damage = host.partition(":")
    return Piece(card, int(damage or 0), piece_from(below or None))


@dataclass(eq=False)
class Side:
    name: str
    goal: int
    step: int  # the direction of both markers
    hand: list[str] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    slots: list[Piece | None] = field(default_factory=lambda: [None] * 6)
    artifacts: list[str] = field(default_factory=list)
    freed: list[str] = field(default_factory=list)

    def pieces(self) -> Iterator[Piece]:
        """Every card in play from the Manhattan edge, a tucked one before its host."""
        for piece in self.slots:
            if piece and piece.below:
                yield piece.below
            if piece:
                yield piece

    def slot_of(self, piece: Piece) -> int | None:
        """The slot in which the card lies, also below another; None if it is not in play."""
        for slot, host in enumerate(self.slots):
            if host and piece in (host, host.below):
                return slot
        return None

    def place_of(self, piece: Piece) -> str:
        slot = self.slot_of(piece)
        assert slot is not None
        return f"{self.name[0]}{slot + 1}" + ("" if self.slots[slot] is piece else "u")

    def empty_slots(self) -> list[str]:
        return [f"slot {slot + 1}" for slot in SLOTS if self.slots[slot] is None]


class Model:
    """Everything on the table, loaded from a position and printed as one."""

    def __init__(self, position: dict[str, Any]) -> None:
        self.villains = Side("villains", VILLAINS_GOAL, 1)
        self.heroes = Side("heroes", HEROES_GOAL, -1)
        for side in (self.villains, self.heroes):
            given = position[side.name]
            side.hand, side.deck = list(given["hand"]), list(given["deck"])
            side.discard, side.artifacts = list(given["discard"]), list(given["artifacts"])
            side.slots = [piece_from(words) for words in given["slots"]]
        self.heroes.freed = list(position["heroes"]["freed"])
        self.on_turn = self.side_named(position["on_turn"])
        self.phase, self.turn = position["phase"], position["turn"]
        self.victory, self.marker = position["victory"], position["artifact_marker"]
        self.civilians = [list(letters) for letters in position["civilians"]]
        self.battlegrounds = list(position["battlegrounds"])
        self.row, self.stack = list(position["artifact_row"]), list(position["artifact_stack"])
        self.winner: str | None = None

    def side_named(self, name: str) -> Side:
        return self.villains if name == "villains" else self.heroes

    def foe_of(self, side: Side) -> Side:
        return self.heroes if side is self.villains else self.villains

    def all_pieces(self) -> list[Piece]:
        return [*self.villains.pieces(), *self.heroes.pieces()]

    def side_of(self, piece: Piece) -> Side:
        return self.villains if self.villains.slot_of(piece) is not None else self.heroes

    def in_play(self, piece: Piece) -> bool:
        return any(side.slot_of(piece) is not None for side in (self.villains, self.heroes))

    def put_away(self, side: Side, card: str) -> None:
        """Discard piles hold no battleground: it goes under its stack (ruling 11)."""
        (self.battlegrounds if is_battleground(card) else side.discard).append(card)

    def give_up(self, side: Side, card: str) -> None:
        side.hand.remove(card)
        self.put_away(side, card)

    def draw(self, side: Side, count: int) -> None:
        """Whoever should draw more cards than there are draws those there are (ruling 9)."""
        side.hand += side.deck[:count]
        del side.deck[:count]

    def position(self) -> dict[str, Any]:
        sides = {side.name: self._side_words(side) for side in (self.villains, self.heroes)}
        letters = sorted(self.heroes.freed, key="rygb".index)
        sides["heroes"]["freed"] = "".join(letters)
        return {
            "on_turn": self.on_turn.name,
            "phase": self.phase,
            "turn": self.turn,
            "victory": self.victory,
            "artifact_marker": self.marker,
            "civilians": ["".join(sorted(area, key="rygb".index)) for area in self.civilians],
            **sides,
            "battlegrounds": list(self.battlegrounds),
            "artifact_row": in_list_order(self.row),
            "artifact_stack": list(self.stack),
        }

    def _side_words(self, side: Side) -> dict[str, Any]:
        return {
            "hand": in_list_order(side.hand),
            "deck": list(side.deck),
            "discard": in_list_order(side.discard),
            "slots": [piece.words() if piece else None for piece in side.slots],
            "artifacts": in_list_order(side.artifacts),
        }
