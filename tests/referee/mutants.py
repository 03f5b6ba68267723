"""Referees that are each wrong in one rule: the comparison must notice."""

from dataclasses import replace
from typing import Any

from tests.referee.cards import CARDS
from tests.referee.damage import Hit, Rule
from tests.referee.model import SLOTS, Piece, Side
from tests.referee.payment import Price, payable, purse_of
from tests.referee.referee import Referee


class EachAttack(Referee):
    """Not wrong: the option of ruling 27, under which every attack has its effect."""

    def whole_attack(self, side: Side, piece: Piece) -> Rule:
        self.seen["effects again"] += piece.effect_over
        piece.effect_over = False
        yield from super().whole_attack(side, piece)


class AntManTakesAll(Referee):
    def reduction(self, piece: Piece) -> int:
        return 0


class AntManAlwaysTakesLess(Referee):
    def reduction(self, piece: Piece) -> int:
        piece.shrunk = False
        return super().reduction(piece)


class CaptiveAntManStartsFresh(Referee):
    def capture(self, hero: Piece, slot: int) -> None:
        super().capture(hero, slot)
        hero.shrunk = False


class StrangeIsHitSecond(Referee):
    def split(self, defender: Piece, strength: int) -> list[Hit]:
        hits = super().split(defender, strength)
        return [(card, amount) for (card, _), (_, amount) in zip(hits, reversed(hits))]


class StrangeIsNoTarget(Referee):
    """Damage to all cards passes a tucked Strange by."""

    def hurt(self, hits: list[Hit], colour: str | None, captor: Piece | None = None) -> Rule:
        hosts = [hit for hit in hits if len(hits) < 3 or hit[0] in self.heroes.slots]
        hosts += [hit for hit in hits if len(hits) > 2 and hit[0] in self.villains.slots]
        yield from super().hurt(hosts, colour, captor)


class UltronIsNotImmune(Referee):
    def can_harm(self, piece: Piece, colour: str | None) -> bool:
        return True


class OneAfterTheOther(Referee):
    """Each card of a simultaneous damage is settled before the next is hit."""

    def hurt(self, hits: list[Hit], colour: str | None, captor: Piece | None = None) -> Rule:
        if captor:
            yield from super().hurt(hits, colour, captor)
            return
        for hit in hits:
            if self.in_play(hit[0]):
                yield from super().hurt([hit], colour)


class OneFlameForAll(Referee):
    def answer(self, owners: list[Side]) -> Rule:
        yield from super().answer(list(dict.fromkeys(owners)))


class FlameOnlyInTheOwnTurn(Referee):
    def eternal_flame(self, owner: Side) -> Rule:
        if owner is self.on_turn:
            yield from super().eternal_flame(owner)


class FlameBeforeTheCapture(Referee):
    def take_over(self, loki: Piece, hero: Piece) -> Rule:
        if "eternal_flame" in self.heroes.artifacts:
            yield from self.eternal_flame(self.heroes)
        yield from super().take_over(loki, hero)


class CaptivesKeepTheirDamage(Referee):
    def capture(self, hero: Piece, slot: int) -> None:
        damage = hero.damage
        super().capture(hero, slot)
        hero.damage = damage - 1


class NoEffectsOfCaptives(Referee):
    def attack_effect(self, side: Side, piece: Piece, took_bonus: bool) -> Rule:
        if not self.is_captive(piece):
            yield from super().attack_effect(side, piece, took_bonus)


class TheFallenStillAct(Referee):
    def in_play(self, piece: Piece) -> bool:
        acting = ("nick", "war_machine", "captain_am", "ares", "baron")
        return piece.card.startswith(acting) or super().in_play(piece)


class NeighboursAttackOnce(Referee):
    """An attack for M.O.D.O.K. uses up the neighbour's own."""

    def activate(self, side: Side, piece: Piece) -> Rule:
        before = self.seen["neighbour attacks"]
        yield from super().activate(side, piece)
        if self.seen["neighbour attacks"] > before:
            for card in side.pieces():
                card.through = card.through or card.effect_over


class ThorAttacksAgain(Referee):
    def move(self, side: Side, thor: Piece, slot: int) -> None:
        super().move(side, thor, slot)
        thor.through = False


class TaskmasterTakesTwoBonuses(Referee):
    def second_bonus(self, taskmaster: Piece, took_bonus: bool) -> bool:
        return True


class WinterSoldierLendsOnceToAPair(Referee):
    def strength(self, piece: Piece) -> int:
        lent = any(p.card == "winter_soldier_2" for p in self.side_of(piece).pieces())
        return super().strength(piece) - (lent and piece.below is not None)


class RedHulksAreAlike(Referee):
    def red_hulk_allows(self, area: list[str]) -> bool:
        return not any(piece.character == "red_hulk" for piece in self.villains.pieces())


class StrangeStepsUpAndAttacks(Referee):
    def attack_phase(self) -> Rule:
        side = self.on_turn
        for slot in SLOTS:
            piece = side.slots[slot]
            if self.can_attack(piece):
                yield from self.artifact_window(side, piece)
                standing = side.slots[slot]
                if standing and self.can_attack(standing):
                    yield from self.activate(side, standing)


# ---- wrong in Recruitment


class ReplacingIsADefeat(Referee):
    def replace(self, side: Side, old: Piece, new: Piece) -> Piece:
        self.replaced = super().replace(side, old, new)
        return self.replaced

    def immediate_effect(self, side: Side, piece: Piece) -> Rule:
        if piece is getattr(self, "replaced", None):
            yield from self.answer([side])
        yield from super().immediate_effect(side, piece)


class ReplacingLosesStrange(Referee):
    def replace(self, side: Side, old: Piece, new: Piece) -> Piece:
        if new.below:
            side.discard.append(new.below.card)
            new.below = None
        return super().replace(side, old, new)


class GreenAgentsAskForColours(Referee):
    def any_colours(self, side: Side, card: str) -> Price:
        return self.price(side, card)


class RingsLowerCharacters(Referee):
    def price(self, side: Side, card: str) -> Price:
        return replace(super().price(side, card), rings="ten_rings" in side.artifacts)


class CardsPayForThemselves(Referee):
    def can_play(self, side: Side, card: str, price: Price) -> bool:
        return super().can_play(side, card, price) or payable(purse_of(side, None), price)


class KangLeavesCaptivesAlone(Referee):
    def kang(self, side: Side, version: int) -> Rule:
        heroes = [card for card in side.discard if CARDS[card].faction == "heroes"]
        side.discard = [card for card in side.discard if card not in heroes]
        yield from super().kang(side, version)
        side.discard += heroes


class ThanosSparesHimself(Referee):
    def hurt(self, hits: list[Hit], colour: str | None, captor: Piece | None = None) -> Rule:
        spared = [hit for hit in hits if hit[0].character != "thanos" or colour != "green"]
        yield from super().hurt(spared, colour, captor)


class PantherMovesOneToken(Referee):
    def black_panther(self, side: Side, piece: Piece, most: int) -> Rule:
        yield from super().black_panther(side, piece, 1)


class WarlocksEyeAsksTheOwner(Referee):
    def warlocks_eye(self, victim: Side) -> Rule:
        yield from super().warlocks_eye(self.foe_of(victim))


_ALL: list[Any] = [kind for kind in Referee.__subclasses__() if kind is not EachAttack]
_FIRST_IN_RECRUITMENT = _ALL.index(ReplacingIsADefeat)
ATTACK_MUTANTS, RECRUITMENT_MUTANTS = _ALL[:_FIRST_IN_RECRUITMENT], _ALL[_FIRST_IN_RECRUITMENT:]
