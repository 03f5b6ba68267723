"""The Attack phase, slot by slot."""

from tests.referee.cards import BY_LETTER, CARDS, ONE_TIME, in_list_order
from tests.referee.damage import Damage, Rule
from tests.referee.model import ARROW, MANHATTAN, SANCTUM, SLOTS, TRACK_END, Piece, Side


class Attack(Damage):
    def attack_phase(self) -> Rule:
        side = self.on_turn
        for card in self.all_pieces():
            card.effect_over = card.through = False
        for slot in SLOTS:
            piece = side.slots[slot]
            if not self.can_attack(piece):
                continue
            yield from self.artifact_window(side, piece)
            if piece is side.slots[slot] and self.can_attack(piece):
                yield from self.activate(side, piece)

    def can_attack(self, piece: Piece | None) -> bool:
        return piece is not None and not piece.through and self.strength(piece) > 0

    def strength(self, piece: Piece) -> int:
        """A pair adds up; the second Winter Soldier lends 1 to each other card (ruling 26)."""
        lenders = [p for p in self.side_of(piece).pieces() if p.card == "winter_soldier_2"]
        cards = [piece, piece.below] if piece.below else [piece]
        return sum(
            CARDS[card.card].strength + sum(lender is not card for lender in lenders)
            for card in cards
        )

    def activate(self, side: Side, piece: Piece) -> Rule:
        """M.O.D.O.K. attacks, lets a neighbour attack, or leaves it (ruling 28)."""
        if piece.character != "modok":
            yield from self.whole_attack(side, piece)
            return
        slot = side.slot_of(piece)
        assert slot is not None
        near = [n for n in (slot - 1, slot + 1) if n in SLOTS and self.can_attack(side.slots[n])]
        move = yield side, [*(f"slot {n + 1}" for n in near), "no", "done"]
        if move == "no":
            yield from self.whole_attack(side, piece)
        elif move != "done":
            self.seen["neighbour attacks"] += 1
            neighbour = side.slots[int(move.split()[1]) - 1]
            assert neighbour is not None
            self.seen["captives attack"] += self.is_captive(neighbour)
            yield from self.whole_attack(side, neighbour)

    def whole_attack(self, side: Side, piece: Piece) -> Rule:
        self.seen["captives attack"] += self.is_captive(piece)
        took_bonus = yield from self.single_attack(side, piece)
        if not self.in_play(piece):
            self.seen["attackers fall"] += 1
        elif piece.character != "loki" and not piece.effect_over:
            piece.effect_over = True
            yield from self.attack_effect(side, piece, took_bonus)

    def single_attack(self, side: Side, piece: Piece, bonus: bool = True) -> Rule:
        """Damage to the defender or the bonus of the location; says if the bonus was taken."""
        slot = side.slot_of(piece)
        assert slot is not None
        defender = self.foe_of(side).slots[slot]
        if defender:
            captor = piece if piece.character == "loki" else None
            hits = self.split(defender, self.strength(piece))
            yield from self.hurt(hits, piece.colour, captor)
        elif bonus:
            yield from self.location_bonus(side, slot)
        return defender is None

    # ---- bonuses

    def location_bonus(self, side: Side, slot: int) -> Rule:
        if slot in MANHATTAN:
            yield from self.manhattan(side, slot)
        elif slot in SANCTUM:
            yield from self.artifact_step(side)
        else:
            side.hand += self.battlegrounds[:1]
            del self.battlegrounds[:1]

    def manhattan(self, side: Side, slot: int) -> Rule:
        area = self.civilians[slot]
        if side is self.villains or not area:
            self.gain(side)
        elif self.red_hulk_allows(area):
            move = yield side, [f"civilian {BY_LETTER[letter]}" for letter in area]
            self.free(area, move.split()[1][0])
        else:
            self.seen["red hulk forbids"] += 1

    def red_hulk_allows(self, area: list[str]) -> bool:
        """The first leaves full areas, the second none (ruling 34)."""
        hulks = {piece.card for piece in self.villains.pieces()}
        return "red_hulk_2" not in hulks and ("red_hulk_1" not in hulks or len(area) == 4)

    def artifact_step(self, side: Side) -> Rule:
        self.marker += side.step
        if self.marker != side.step * TRACK_END:
            return
        if self.row:
            move = yield side, [f"artifact {tile}" for tile in self.row]
            tile = move.split()[1]
            self.row.remove(tile)
            side.artifacts.append(tile)
            self.seen["tiles taken"] += 1
            self.stack += self.row
            self.row = self.stack[:2]
            del self.stack[:2]
        self.marker = -side.step * ARROW

    # ---- attack effects

    def attack_effect(self, side: Side, piece: Piece, took_bonus: bool) -> Rule:
        """Once for each card and phase (ruling 27)."""
        foe = self.foe_of(side)
        match piece.character, piece.card:
            case (("ares" | "captain_america"), _):
                targets = [p for p in foe.pieces() if self.can_harm(p, piece.colour)]
                target = yield from self.choose_target(side, targets, may=True)
                if target:
                    yield from self.hurt([(target, 1)], piece.colour)
            case "baron_zemo", card:
                yield from self.zemo(side, 1 if card == "baron_zemo_1" else 2)
            case "zola", card:
                yield from self.zola(side, [piece] if card == "zola_1" else list(side.pieces()))
            case "taskmaster", _:
                yield from self.second_attack(side, piece, took_bonus)
            case _, "nick_fury_2":
                self.gain(side)
            case "war_machine", _:
                if side.deck and (yield side, ["yes", "no"]) == "yes":
                    self.draw(side, 1)
            case "thor", _:
                yield from self.move_thor(side, piece)
            case _, "winter_soldier_1":
                yield from self.winter_soldier(side, piece)

    def zemo(self, side: Side, most: int) -> Rule:
        for _ in range(most):
            if not (yield from self.choose_card(side)):
                return
            self.gain(side)

    def zola(self, side: Side, patients: list[Piece]) -> Rule:
        hurt = [piece for piece in patients if piece.damage]
        if hurt and (yield side, ["yes", "no"]) == "yes":
            self.seen["zola heals"] += 1
            for piece in hurt:
                piece.damage -= 1

    def second_attack(self, side: Side, piece: Piece, took_bonus: bool) -> Rule:
        """Put only if it would do something; the first version's bonus counts once (ruling 29)."""
        bonus = self.second_bonus(piece, took_bonus)
        nothing_to_draw = side.slot_of(piece) == SLOTS[-1] and not self.battlegrounds
        if self.facing(piece) is None and (not bonus or nothing_to_draw):
            return
        if (yield side, ["yes", "no"]) == "yes":
            self.seen["second attacks"] += 1
            yield from self.single_attack(side, piece, bonus)

    def second_bonus(self, taskmaster: Piece, took_bonus: bool) -> bool:
        return taskmaster.card == "taskmaster_2" or not took_bonus

    def move_thor(self, side: Side, thor: Piece) -> Rule:
        """To an empty slot with his damage and a tucked Strange; he is through (ruling 30)."""
        empty = side.empty_slots()
        move = (yield side, [*empty, "no"]) if empty else "no"
        if move != "no":
            self.move(side, thor, int(move.split()[1]) - 1)

    def move(self, side: Side, thor: Piece, slot: int) -> None:
        self.seen["thor moves"] += 1
        here = side.slot_of(thor)
        assert here is not None
        side.slots[here], side.slots[slot] = None, thor
        thor.through = True
        if thor.below:
            self.seen["thor takes strange along"] += 1

    def winter_soldier(self, side: Side, piece: Piece) -> Rule:
        """The opposing cards that face one of ours, but not the one that faces him (ruling 31)."""
        foe = self.foe_of(side)
        here = side.slot_of(piece)
        faced = [n for n in SLOTS if n != here and side.slots[n] and foe.slots[n]]
        hosts = [foe.slots[n] for n in faced]
        targets = [card for host in hosts if host for card in (host.below, host) if card]
        if not any(self.can_harm(target, piece.colour) for target in targets):
            return
        if (yield from self.choose_card(side)):
            self.seen["winter soldier hits"] += 1
            yield from self.hurt([(target, 1) for target in targets], piece.colour)

    # ---- one-time artifacts

    def artifact_window(self, side: Side, piece: Piece | None) -> Rule:
        """Before a slot while its card can attack; with no card given, before drawing."""
        slot = side.slot_of(piece) if piece else None
        while tiles := self.usable(side):
            move = yield side, [*(f"artifact {tile}" for tile in tiles), "done"]
            if move == "done":
                return
            yield from self.use(side, move.split()[1])
            if piece and not (side.slots[slot or 0] is piece and self.can_attack(piece)):
                return

    def usable(self, side: Side) -> list[str]:
        """The Tactigon needs an opposing card, the Eye an artifact (ruling 43)."""
        foe = self.foe_of(side)
        needs = {"tactigon": any(foe.slots), "eye_of_agamotto": bool(foe.artifacts)}
        return [tile for tile in ONE_TIME if tile in side.artifacts and needs.get(tile, True)]

    def use(self, side: Side, tile: str) -> Rule:
        side.artifacts.remove(tile)
        self.seen[tile] += 1
        foe = self.foe_of(side)
        if tile == "casket_of_ancient_winters":
            for owner in (side, foe):
                for card in in_list_order(owner.hand):
                    self.give_up(owner, card)
        elif tile == "eye_of_agamotto":
            move = yield side, [f"artifact {other}" for other in foe.artifacts]
            foe.artifacts.remove(move.split()[1])
        else:
            theirs, ours = (2, 1) if tile == "darkhold" else (1, 0)
            hits = [(card, theirs) for card in foe.pieces()]
            hits += [(card, ours) for card in side.pieces()]
            yield from self.hurt(hits, None)
