"""An independent referee: the rulebook and the rulings in plain objects, slow and clear."""

from typing import Any

from tests.referee.attack import Attack
from tests.referee.cards import move_order
from tests.referee.damage import GameOver, Rule
from tests.referee.model import Side

NORN_DRAW, COMMON_DRAW = 3, 2


class Referee(Attack):
    """Plays a position from the Attack phase to the first question of the next turn."""

    def __init__(self, position: dict[str, Any]) -> None:
        super().__init__(position)
        self.asked: Side | None = None
        self.moves: list[str] = []
        self.turn_over = False
        self._rules = self.rest_of_turn()
        self._advance(None)

    # ---- the door

    @property
    def to_move(self) -> str | None:
        return self.asked.name if self.asked else None

    def question_moves(self) -> list[str]:
        return list(self.moves)

    def play(self, move: str) -> None:
        assert move in self.moves, f"{move} is not among {self.moves}"
        self._advance(move)

    def position(self) -> dict[str, Any]:
        return {"to_move": self.to_move, **super().position()}

    def _advance(self, move: str | None) -> None:
        try:
            self.asked, moves = self._rules.send(move)  # type: ignore[arg-type]
            self.moves = sorted(moves, key=move_order)
        except (StopIteration, GameOver):
            self.asked, self.moves, self.turn_over = None, [], True
            if self.winner is None:
                self.asked = self.on_turn

    # ---- the turn

    def rest_of_turn(self) -> Rule:
        if self.phase == "recruitment":
            yield from self.recruitment()
        if self.phase in ("recruitment", "attack"):
            self.phase = "attack"
            yield from self.attack_phase()
        self.phase = "draw"
        yield from self.draw_phase()
        self.end_turn()

    def recruitment(self) -> Rule:
        """Artifacts only: the cards that could be played are no part of this referee."""
        side, worked = self.on_turn, set()
        while True:
            tiles = [*self.usable(side), *(self.each_recruitment(side) - worked)]
            move = yield side, [*(f"artifact {tile}" for tile in tiles), "done"]
            if move == "done":
                return
            tile = move.split()[1]
            worked.add(tile)
            yield from self.work(side, tile)

    def each_recruitment(self, side: Side) -> set[str]:
        tiles = {
            "ebony_blade": any(self.foe_of(side).slots),
            "lifeline_tablet": any(piece.damage for piece in side.pieces()),
        }
        return {tile for tile, works in tiles.items() if works and tile in side.artifacts}

    def work(self, side: Side, tile: str) -> Rule:
        if tile == "ebony_blade":
            targets = list(self.foe_of(side).pieces())
            target = yield from self.choose_target(side, targets, may=False)
            yield from self.hurt([(target, 1)], None)
        elif tile == "lifeline_tablet":
            hurt = [piece for piece in side.pieces() if piece.damage]
            patient = yield from self.choose_target(side, hurt, may=False)
            patient.damage -= 1
        else:
            yield from self.use(side, tile)

    def draw_phase(self) -> Rule:
        side = self.on_turn
        yield from self.artifact_window(side, None)
        count = COMMON_DRAW
        if "norn_stones" in side.artifacts and len(side.deck) >= NORN_DRAW:
            self.seen["norn stones"] += 1
            count += (yield side, ["yes", "no"]) == "yes"
        self.draw(side, count)

    def end_turn(self) -> None:
        """Decks are checked when a turn ends (ruling 6); then the next Recruitment begins."""
        if not self.villains.deck or not self.heroes.deck:
            self.seen["deck-outs"] += 1
            leads = {True: "villains", False: "heroes"}
            self.win(leads[self.victory > 0] if self.victory else "draw")
        self.on_turn, self.turn = self.foe_of(self.on_turn), self.turn + 1
        self.phase = "recruitment"
        self.wand_of_watoomb(self.on_turn)

    def wand_of_watoomb(self, side: Side) -> None:
        """Cards in play when the phase starts, tucked ones included (ruling 45)."""
        if "wand_of_watoomb" in side.artifacts and len(list(side.pieces())) >= 3:
            self.seen["wand points"] += 1
            self.gain(side)
