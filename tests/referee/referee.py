"""An independent referee: the rulebook and the rulings in plain objects, slow and clear."""

from typing import Any

from tests.referee.cards import move_order
from tests.referee.damage import GameOver, Rule
from tests.referee.model import Side
from tests.referee.recruitment import Recruitment

NORN_DRAW, COMMON_DRAW = 3, 2


class Referee(Recruitment):
    """Plays a position from the start of a phase to the end of the game."""

    def __init__(self, position: dict[str, Any]) -> None:
        super().__init__(position)
        self.asked: Side | None = None
        self.moves: list[str] = []
        self._rules = self.rest_of_game()
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
        except GameOver:
            self.asked, self.moves = None, []

    # ---- the turns

    def rest_of_game(self) -> Rule:
        while True:
            if self.phase == "recruitment":
                yield from self.recruitment()
            if self.phase in ("recruitment", "attack"):
                self.phase = "attack"
                yield from self.attack_phase()
            self.phase = "draw"
            yield from self.draw_phase()
            self.end_turn()

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
        for piece in self.all_pieces():
            piece.shrunk = False
        self.wand_of_watoomb(self.on_turn)

    def wand_of_watoomb(self, side: Side) -> None:
        """Cards in play when the phase starts, tucked ones included (ruling 45)."""
        if "wand_of_watoomb" in side.artifacts and len(list(side.pieces())) >= 3:
            self.seen["wand points"] += 1
            self.gain(side)
