"""Recruitment: cards played, paid and placed, and their immediate effects."""

from tests.referee.attack import Attack
from tests.referee.cards import CARDS, character, is_battleground, is_main
from tests.referee.damage import Rule
from tests.referee.model import Piece, Side
from tests.referee.payment import Price, payable, price_of, purse_of, ways_to_pay

HELA_RETURNS = {"hela_1": "b", "hela_2": "br"}


class Recruitment(Attack):
    def recruitment(self) -> Rule:
        side = self.on_turn
        worked: set[str] = set()
        while True:
            move = yield side, [*self.recruitment_moves(side, worked), "done"]
            if move == "done":
                return
            kind, what = move.split()
            if kind == "artifact":
                worked.add(what)
                yield from self.work(side, what)
            elif kind == "fetch":
                yield from self.return_hela(side, what)
            else:
                yield from self.play_card(side, what, self.price(side, what))

    def recruitment_moves(self, side: Side, worked: set[str]) -> list[str]:
        cards = [c for c in set(side.hand) if self.can_play(side, c, self.price(side, c))]
        helas = [card for card in set(side.discard) if self.can_return(side, card)]
        tiles = [*self.usable(side), *(self.each_recruitment(side) - worked)]
        return [
            *(f"play {card}" for card in cards),
            *(f"fetch {card}" for card in helas),
            *(f"artifact {tile}" for tile in tiles),
        ]

    # ---- artifacts of the Recruitment

    def each_recruitment(self, side: Side) -> set[str]:
        tiles = {
            "ebony_blade": any(self.foe_of(side).slots),
            "lifeline_tablet": any(piece.damage for piece in side.pieces()),
        }
        return {tile for tile, works in tiles.items() if works and tile in side.artifacts}

    def work(self, side: Side, tile: str) -> Rule:
        if tile == "ebony_blade":
            yield from self.must_damage(side)
        elif tile == "lifeline_tablet":
            yield from self.must_heal(side)
        else:
            yield from self.use(side, tile)

    def must_damage(self, side: Side) -> Rule:
        target = yield from self.choose_target(side, list(self.foe_of(side).pieces()), may=False)
        if target:
            yield from self.hurt([(target, 1)], None)

    def must_heal(self, side: Side) -> Rule:
        hurt = [piece for piece in side.pieces() if piece.damage]
        patient = yield from self.choose_target(side, hurt, may=False)
        if patient:
            patient.damage -= 1

    # ---- prices

    def price(self, side: Side, card: str) -> Price:
        """Replacing is free (ruling 13); the Rings lower battlegrounds only (ruling 19)."""
        if self.copy_in_play(side, card):
            return price_of("")
        rings = "ten_rings" in side.artifacts and is_battleground(card)
        return price_of(CARDS[card].cost, "cosmic_cube" in side.artifacts, rings)

    def any_colours(self, side: Side, card: str) -> Price:
        """Every printed symbol becomes any; the Cube asks for a printed one (ruling 17)."""
        if self.copy_in_play(side, card):
            return price_of("")
        cost = CARDS[card].cost
        return price_of("*" * len(cost), "cosmic_cube" in side.artifacts and "*" in cost)

    def can_play(self, side: Side, card: str, price: Price) -> bool:
        room = is_battleground(card) or self.can_enter(side, card)
        return room and payable(purse_of(side, card), price)

    def pay(self, side: Side, card: str | None, price: Price) -> Rule:
        while price.symbols:
            move = yield side, ways_to_pay(purse_of(side, card), price)
            price = price.after(move)
            kind, _, what = move.partition(" ")
            self.seen[f"pays by {kind}"] += 1
            if kind == "discard":
                self.give_up(side, what)
            elif kind == "civilian":
                side.freed.remove(what[0])

    # ---- entering play

    def copy_in_play(self, side: Side, card: str) -> Piece | None:
        if not is_main(card):
            return None
        return next((p for p in side.pieces() if p.character == character(card)), None)

    def can_enter(self, side: Side, card: str) -> bool:
        """As a replacement or into room; no character stands on both sides (rulings 14, 16, 33)."""
        if self.copy_in_play(self.foe_of(side), card):
            return False
        room = side.empty_slots() or self.tucks(side, card)
        return bool(room or self.copy_in_play(side, card))

    def tucks(self, side: Side, card: str) -> list[str]:
        """Below any card of the hero side, one to a card (ruling 39)."""
        if character(card) != "doctor_strange" or side is not self.heroes:
            return []
        return [f"tuck {n}" for n, host in enumerate(side.slots, 1) if host and not host.below]

    def play_card(self, side: Side, card: str, price: Price) -> Rule:
        yield from self.pay(side, card, price)
        if is_battleground(card):
            yield from self.play_battleground(side, card)
        else:
            yield from self.play_character(side, card, side.hand)

    def play_character(self, side: Side, card: str, pile: list[str]) -> Rule:
        """Placed, its own effect, then Warlock's Eye (ruling 47)."""
        self.seen[f"plays {character(card)}"] += 1
        piece = yield from self.enter(side, card, pile)
        yield from self.immediate_effect(side, piece)
        if is_main(card) and "warlocks_eye" in side.artifacts:
            yield from self.warlocks_eye(self.foe_of(side))

    def enter(self, side: Side, card: str, pile: list[str]) -> Rule:
        old = self.copy_in_play(side, card)
        if old is None:
            move = yield side, [*side.empty_slots(), *self.tucks(side, card)]
            pile.remove(card)
            return self.put(side, Piece(card), move)
        pile.remove(card)
        self.seen["replacements"] += 1
        return self.replace(side, old, Piece(card, below=old.below))

    def put(self, side: Side, piece: Piece, move: str) -> Piece:
        kind, slot = move.split()
        host = side.slots[int(slot) - 1]
        if kind == "tuck":
            assert host is not None
            self.seen["tucks"] += 1
            host.below = piece
        else:
            side.slots[int(slot) - 1] = piece
        return piece

    def replace(self, side: Side, old: Piece, new: Piece) -> Piece:
        """Exactly where the old copy lay; that is no defeat (ruling 13)."""
        for slot, host in enumerate(side.slots):
            if host is old:
                side.slots[slot] = new
            elif host and host.below is old:
                host.below = new
        side.discard.append(old.card)
        return new

    def warlocks_eye(self, victim: Side) -> Rule:
        if victim.hand:
            self.seen["warlock's eye"] += 1
            move = yield victim, [f"discard {card}" for card in set(victim.hand)]
            self.give_up(victim, move.split()[1])

    def can_return(self, side: Side, card: str) -> bool:
        room = bool(side.empty_slots()) and not self.copy_in_play(side, card)
        cost = HELA_RETURNS.get(card)
        return bool(cost and room and payable(purse_of(side, None), price_of(cost)))

    def return_hela(self, side: Side, card: str) -> Rule:
        """Placed, not played (ruling 18)."""
        self.seen["hela returns"] += 1
        yield from self.pay(side, None, price_of(HELA_RETURNS[card]))
        yield from self.enter(side, card, side.discard)

    # ---- battlegrounds

    def play_battleground(self, side: Side, card: str) -> Rule:
        self.seen["battlegrounds"] += 1
        for _ in range(CARDS[card].points + ("ten_rings" in side.artifacts)):
            self.gain(side)
        if card in ("avengers_mansion", "luxurious_rooftops"):
            yield from self.artifact_step(side)
        elif card in ("busy_main_street", "financial_district"):
            yield from self.must_damage(side)
        else:
            yield from self.must_heal(side)
        self.give_up(side, card)

    # ---- immediate effects, with sides exchanged for a captive

    def immediate_effect(self, side: Side, piece: Piece) -> Rule:
        foe = self.foe_of(side)
        version = 2 if piece.card.endswith("_2") else 1
        match piece.character:
            case "leader":
                yield from self.may_draw(side, version)
            case "hulk" | "hydra_agents_blue":
                yield from self.may_draw(foe, 1)
            case "kang":
                yield from self.kang(side, version)
            case "iron_man":
                free = {c: price_of("") for c in side.hand if version == 2 or self.cheap(c)}
                yield from self.may_play(side, free)
            case "hydra_agents_green":
                yield from self.may_play(side, {c: self.any_colours(side, c) for c in side.hand})
            case "hydra_agents_red":
                if any(foe.slots) and (yield from self.choose_card(side)):
                    target = yield from self.choose_target(side, list(foe.pieces()), may=False)
                    yield from self.hurt([(target, 1)], piece.colour)
            case "thanos":
                yield from self.hurt([(card, 2) for card in self.all_pieces()], piece.colour)
            case "captain_marvel":
                targets = [p for p in foe.pieces() if self.can_harm(p, piece.colour)]
                target = yield from self.choose_target(side, targets, may=True)
                if target:
                    yield from self.hurt([(target, version)], piece.colour)
            case "hawkeye":
                target = self.facing(piece)
                if target and (yield side, ["yes", "no"]) == "yes":
                    yield from self.hurt([(target, 2)], piece.colour)
            case "black_panther":
                yield from self.black_panther(side, piece, version)
            case name if name.startswith("shield_agents") or piece.card == "nick_fury_1":
                self.gain(side)

    def cheap(self, card: str) -> bool:
        """A limit of two cards looks at printed symbols (ruling 15)."""
        return len(CARDS[card].cost) <= 2

    def may_draw(self, side: Side, count: int) -> Rule:
        if side.deck and (yield side, ["yes", "no"]) == "yes":
            self.draw(side, count)

    def kang(self, side: Side, version: int) -> Rule:
        """Any but a Kang of the own discard pile, captives included (ruling 16)."""
        cards = [
            card
            for card in set(side.discard)
            if character(card) != "kang"
            and (version == 2 or self.cheap(card))
            and self.can_enter(side, card)
        ]
        move = (yield side, [*(f"fetch {card}" for card in cards), "no"]) if cards else "no"
        if move != "no":
            self.seen["kang fetches"] += 1
            yield from self.play_character(side, move.split()[1], side.discard)

    def may_play(self, side: Side, prices: dict[str, Price]) -> Rule:
        """One more character of the hand (ruling 17)."""
        cards = [
            card
            for card, price in prices.items()
            if not is_battleground(card) and self.can_play(side, card, price)
        ]
        move = (yield side, [*(f"play {card}" for card in cards), "no"]) if cards else "no"
        if move != "no":
            self.seen["plays inside plays"] += 1
            yield from self.play_card(side, move.split()[1], prices[move.split()[1]])

    def black_panther(self, side: Side, piece: Piece, most: int) -> Rule:
        """Token by token, each with its consequences (rulings 25, 37)."""
        for _ in range(most):
            goals = [p for p in self.foe_of(side).pieces() if self.can_harm(p, piece.colour)]
            sources = [p for p in side.pieces() if p.damage] if goals else []
            source = yield from self.choose_target(side, sources, may=True)
            if not source:
                return
            goal = yield from self.choose_target(side, goals, may=False)
            self.seen["tokens moved"] += 1
            source.damage -= 1
            yield from self.hurt([(goal, 1)], piece.colour)
