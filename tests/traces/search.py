"""Choose games that reach as much as possible together: `python -m tests.traces.search`.

Scripted and random players meet on many deals; first come games for every way to end, then, one
after the other, the game that shows most of what no chosen game has shown yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from skirmish_env import action_to_move
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from tests.traces.trace import FOLDER, Opening, names, record, write

DEALS = 1500  # with each pair of players
CHOSEN = 8
WEIGHTS = {"kind of answer": 8, "owned": 3}  # of what a game shows; of the rest 1
PLAYERS = ("random", "heuristic")


@dataclass
class Candidate:
    """A game: its opening, its moves, and what it shows."""

    opening: Opening
    actions: list[int] = field(default_factory=list)
    shows: set[tuple[object, ...]] = field(default_factory=set)

    @property
    def end(self) -> tuple[object, ...]:
        return next(shown for shown in self.shows if shown[0] == "end")


def candidates() -> Iterator[Candidate]:
    for villains, heroes in product(PLAYERS, PLAYERS):
        yield from played((villains, heroes))


def played(players: tuple[str, str]) -> list[Candidate]:
    """Play many deals side by side and note down what is asked and answered."""
    seeds, rng = np.arange(DEALS), np.random.default_rng(0)
    found = [Candidate(Opening(int(seed), *players)) for seed in seeds]
    batch = Batch(DEALS, skip_forced=False)
    batch.deal(seeds)
    while (live := np.flatnonzero(~batch.over)).size:
        for seat, player in enumerate(players):
            asked = live[batch.seat[live] == seat]
            if len(asked):
                actions = batch.view(asked).policy(player, rng)
                note(found, batch, asked, actions)
                batch.step(actions, asked)
    for i, candidate in enumerate(found):
        candidate.shows.add(("end", int(batch.winner[i]), int(batch.ending[i])))
    return found


def note(found: list[Candidate], batch: Batch, games: np.ndarray, actions: np.ndarray) -> None:
    for i, action in zip(games.tolist(), actions.tolist()):
        g, candidate = batch.states[i], found[i]
        candidate.actions.append(action)
        asked = ("asked", int(g["question"]), int(g["source"]), int(g["asked"]))
        kind = ("kind of answer", int(g["question"]), kind_of(action))
        candidate.shows |= {asked, kind, ("answered", int(g["question"]), action)}
        owners = g["artifact_owner"]
        candidate.shows |= {("owned", n, int(owners[n])) for n in np.flatnonzero(owners >= 0)}


def kind_of(action: int) -> str:
    """The first word of a move; with a played card's or an artifact's name, or marked as below."""
    word, _, what = action_to_move(action).partition(" ")
    if word in ("play", "artifact"):
        return f"{word} {what}"
    return f"{word} below" if what.endswith("u") else word


def worth(shown: set[tuple[object, ...]]) -> int:
    return sum(WEIGHTS.get(one[0], 1) for one in shown)


def chosen(games: list[Candidate]) -> list[Candidate]:
    """The rarest end first; then whatever adds most."""
    picked: list[Candidate] = []
    shown: set[tuple[object, ...]] = set()
    ends = Counter(game.end for game in games)
    wanted = [end for end, _ in sorted(ends.items(), key=lambda item: item[1])]
    while len(picked) < CHOSEN:
        end = wanted.pop(0) if wanted else None
        among = [game for game in games if end in (None, game.end)]
        best = max(among, key=lambda game: worth(game.shows - shown))
        picked.append(best)
        shown |= best.shows
    return picked


def main() -> None:
    """Write the chosen games down in place of the stored ones."""
    for name in names():
        (FOLDER / f"{name}.txt").unlink()
    games = list(candidates())
    picked = chosen(games)
    for kind in ("asked", "kind of answer", "answered", "owned"):
        reached, possible = (
            {shown for game in some for shown in game.shows if shown[0] == kind}
            for some in (picked, games)
        )
        print(f"{kind}: {len(reached)} of {len(possible)}")
    for number, game in enumerate(picked, start=1):
        moves = [action_to_move(action) for action in game.actions]
        seat, ending = game.end[1:]
        winner = NEW_YORK.seats[seat] if seat >= 0 else "draw"
        name = f"{number:02d}_{winner}_by_{NEW_YORK.endings[ending]}"
        print(f"{name}: {len(write(name, record(game.opening, moves)))} lines")


if __name__ == "__main__":
    main()
