"""Damage, defeats and what answers them."""

from collections import Counter
from collections.abc import Generator
from typing import Any

from tests.referee.cards import CARDS, IMMUNE
from tests.referee.model import (
    CIVILIANS_LEFT,
    SLOTS,
    Model,
    Piece,
    Side,
)

# A rule yields who is asked and the legal moves, and is sent the answer.
Rule = Generator[tuple[Side, list[str]], str, Any]
Hit = tuple[Piece, int]


class GameOver(Exception):
    """The game ends at once, the rest of an effect included (ruling 6)."""


class Damage(Model):
    """The rules of damage. `seen` counts what tests must be sure to reach."""

    def __init__(self, position: dict[str, Any]) -> None:
        super().__init__(position)
        self.seen: Counter[str] = Counter()

    # ---- gains and ends

    def win(self, winner: str) -> None:
        self.seen[f"games ended in {self.phase}"] += 1
        self.winner, self.phase = winner, "over"
        raise GameOver

    def gain(self, side: Side) -> None:
        """One victory point."""
        self.victory += side.step
        if self.victory == side.goal:
            self.seen["point wins"] += 1
            self.win(side.name)

    def free(self, area: list[str], letter: str) -> None:
        area.remove(letter)
        self.heroes.freed.append(letter)
        if sum(map(len, self.civilians)) <= CIVILIANS_LEFT:
            self.seen["civilian wins"] += 1
            self.win("heroes")

    # ---- placing damage

    def can_harm(self, piece: Piece, colour: str | None) -> bool:
        return colour not in IMMUNE.get(piece.card, ())

    def place(self, piece: Piece, amount: int, colour: str | None) -> None:
        """Tokens on one card, in full even beyond its health (rulings 25, 36, 38)."""
        if amount <= 0:
            return
        if not self.can_harm(piece, colour):
            self.seen["immune"] += 1
            return
        piece.damage += amount - self.reduction(piece)

    def reduction(self, piece: Piece) -> int:
        """Ant-Man takes 1 less from the first damage of each turn (ruling 38)."""
        if piece.character != "ant_man" or piece.shrunk:
            return 0
        piece.shrunk = True
        self.seen["ant-man shrinks"] += 1
        return 1

    def split(self, defender: Piece, strength: int) -> list[Hit]:
        """An attack hits a tucked Strange first, his hero with the rest (ruling 39)."""
        if defender.below is None:
            return [(defender, strength)]
        self.seen["attacks on pairs"] += 1
        shield = CARDS[defender.below.card].health - defender.below.damage
        return [(defender.below, min(strength, shield)), (defender, strength - shield)]

    def hurt(self, hits: list[Hit], colour: str | None, captor: Piece | None = None) -> Rule:
        """All damage first, then all checks, then the triggers (ruling 37)."""
        for piece, amount in hits:
            self.place(piece, amount, colour)
        yield from self.defeat_the_fallen(captor)

    # ---- defeats

    def defeat_the_fallen(self, captor: Piece | None) -> Rule:
        fallen = self.fallen_in_order()
        if len(fallen) > 1:
            self.seen["double defeats"] += 1
        owners = [self.side_of(piece) for piece in fallen]
        kept = captor and next((p for p in fallen if p is self.facing(captor)), None)
        for piece, owner in zip(fallen, owners):
            if piece is not kept:
                self.remove(owner, piece)
                owner.discard.append(piece.card)
        if captor and kept:
            self.seen["pairs fall to loki"] += len(fallen) > 1
            yield from self.take_over(captor, kept)
        yield from self.answer(owners)

    def answer(self, owners: list[Side]) -> Rule:
        """The Eternal Flame, once for each defeat, each settled before the next (ruling 46)."""
        owned = [owner for owner in owners if "eternal_flame" in owner.artifacts]
        self.seen["flame chains"] += len(owned) > 1
        for owner in owned:
            yield from self.eternal_flame(owner)

    def fallen_in_order(self) -> list[Piece]:
        """From the Manhattan edge, the Villains' card before the Heroes' (ruling 46)."""
        order = []
        for slot in SLOTS:
            for host in (self.villains.slots[slot], self.heroes.slots[slot]):
                order += [host.below, host] if host else []
        return [piece for piece in order if piece and piece.fallen]

    def remove(self, owner: Side, piece: Piece) -> None:
        """Out of its slot; a Strange below steps up (ruling 39)."""
        slot = owner.slot_of(piece)
        assert slot is not None
        host = owner.slots[slot]
        assert host is not None
        if host is piece:
            owner.slots[slot], piece.below = piece.below, None
            if owner.slots[slot]:
                self.seen["strange steps up"] += 1
        else:
            host.below = None

    def facing(self, piece: Piece) -> Piece | None:
        side = self.side_of(piece)
        slot = side.slot_of(piece)
        return None if slot is None else self.foe_of(side).slots[slot]

    def take_over(self, loki: Piece, hero: Piece) -> Rule:
        """Loki may keep the hero that his attack defeats; no Strange is below him any more."""
        move = "no"
        empty = self.villains.empty_slots()
        if not loki.effect_over and empty:
            move = yield self.villains, [*empty, "no"]
        loki.effect_over = True
        self.remove(self.heroes, hero)
        if move == "no":
            self.heroes.discard.append(hero.card)
            return
        self.capture(hero, int(move.split()[1]) - 1)

    def capture(self, hero: Piece, slot: int) -> None:
        """No damage, no immediate effect; Ant-Man keeps his reduction (rulings 33, 38)."""
        self.seen["captures"] += 1
        hero.damage = 0
        self.villains.slots[slot] = hero

    def eternal_flame(self, owner: Side) -> Rule:
        """One optional damage, in any turn, while there is a target (ruling 46)."""
        targets = list(self.foe_of(owner).pieces())
        target = yield from self.choose_target(owner, targets, may=True)
        if target:
            self.seen[f"flames of the {owner.name}"] += 1
            self.seen["flames in the own turn"] += owner is self.on_turn
            yield from self.hurt([(target, 1)], None)
            self.seen["flames that kill"] += not self.in_play(target)

    # ---- choices

    def choose_target(self, chooser: Side, pieces: list[Piece], *, may: bool) -> Rule:
        """One of these cards, or None; a choice among none is not put."""
        if not pieces:
            return None
        by_move = {f"target {self.side_of(p).place_of(p)}": p for p in pieces}
        move = yield chooser, [*by_move, *(["no"] if may else [])]
        return by_move.get(move)

    def choose_card(self, side: Side) -> Rule:
        """Give up a card of the hand or not; True if one was given up."""
        if not side.hand:
            return False
        move = yield side, [*{f"discard {card}": None for card in side.hand}, "no"]
        if move != "no":
            self.give_up(side, move.split()[1])
        return move != "no"

    def is_captive(self, piece: Piece) -> bool:
        return CARDS[piece.card].faction == "heroes" and self.side_of(piece) is self.villains
