"""The numbers of one update: what the columns of metrics.csv are made of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.base import Agent, load
from agents.network import MaskedPolicy
from agents.ppo import PPOAgent
from configs.schema import ConfigError, TrainConfig
from experiments import arena
from experiments.league import League
from experiments.seeds import evaluation_deals
from skirmish_env.game import CardSet, Game

SCORE, FIXED, SHARE = "score_", "eval_", "share_"  # how groups of columns begin

# The parts of a training, as in `share_rules`.
RULES, OPPONENTS, FORWARD, LEARNING, EVALUATION, OTHER = (
    "rules", "opponents", "forward", "learning", "evaluation", "other",
)  # fmt: skip
PARTS = (RULES, OPPONENTS, FORWARD, LEARNING, EVALUATION, OTHER)

# Columns, and what sb3-contrib calls them. Its entropy loss is the entropy times -1.
LEARNER = {
    "entropy": "entropy_loss",
    "policy_loss": "policy_gradient_loss",
    "value_loss": "value_loss",
    "approx_kl": "approx_kl",
    "clip_fraction": "clip_fraction",
    "explained_variance": "explained_variance",
    "learning_rate": "learning_rate",
}


def short(value: Any) -> float | str:
    """Round to five digits; "" where there is no number."""
    return "" if value is None or value != value else float(f"{float(value):.5g}")


def of_learner(values: dict[str, float]) -> dict[str, float | str]:
    """Return the columns of the learner's own numbers, from sb3-contrib's logger."""
    found = {name: values.get(f"train/{key}") for name, key in LEARNER.items()}
    if found["entropy"] is not None:
        found["entropy"] = -found["entropy"]
    return {name: short(value) for name, value in found.items()}


def of_clock(seconds: dict[str, float]) -> dict[str, float | str]:
    """Return each part's share of the time, 0 to 1."""
    whole = sum(seconds.values())
    return {f"{SHARE}{part}": short(seconds.get(part, 0.0) / whole) for part in PARTS}


class Tally:
    """The learner's games that ended since the last update.

    Args:
        seats: their names.
        kinds: of opponents.
    """

    def __init__(self, seats: Sequence[str], kinds: Sequence[str]) -> None:
        self.seats = tuple(seats)
        self.kinds = tuple(kinds)
        self._clear()

    def _clear(self) -> None:
        self._rewards: dict[tuple[str, int], list[float]] = {}
        self._lengths: list[int] = []

    def look(self, seat: np.ndarray, opponent: np.ndarray) -> None:
        """Remember who sits where before the next step: seat and league member, each (N,)."""
        self._seat, self._opponent = seat.copy(), opponent.copy()

    def count(self, ended: np.ndarray, infos: list[dict[str, Any]], league: League) -> None:
        """Count games that ended in a step; who sat where, `look` has seen before it.

        Args:
            ended: int64 (n,), which games.
            infos: of all games; those of ended ones hold `episode` (`r`, `l`).
            league: names the opponents' kinds.
        """
        for game in ended.tolist():
            kind = league.kind(int(self._opponent[game]))
            episode = infos[game]["episode"]
            self._rewards.setdefault((kind, int(self._seat[game])), []).append(episode["r"])
            self._lengths.append(episode["l"])

    def take(self) -> dict[str, float | str]:
        """Return the columns of these games, "" where there were none, and begin anew."""
        rewards = [reward for found in self._rewards.values() for reward in found]
        row = {
            "game_length": short(np.mean(self._lengths) if self._lengths else None),
            "draw_rate": short(np.mean(np.array(rewards) == 0) if rewards else None),
        }
        for kind in self.kinds:
            for number, seat in enumerate(self.seats):
                found = self._rewards.get((kind, number))
                score = (1 + np.mean(found)) / 2 if found else None
                row[f"{SCORE}{kind}_{seat}"] = short(score)
        self._clear()
        return row


class Yardstick:
    """Fixed opponents on fixed deals: what training games, whose opponents change, cannot say.

    The learner plays its most probable moves. Nothing here draws from a run's generators, and the
    network is only read, so training comes to the same weights with and without it.

    Args:
        opponents: by the name that columns have.
        deals: seeds int64 (n,); each is played in both seats.
        game, card_set: what is played.
    """

    def __init__(
        self, opponents: dict[str, Agent], deals: np.ndarray, game: Game, card_set: CardSet
    ) -> None:
        self.opponents = opponents
        self.deals = deals
        self.game = game
        self.card_set = card_set

    @classmethod
    def of(cls, t: TrainConfig, game: Game, card_set: CardSet) -> Yardstick:
        """Make the yardstick of a config.

        Raises:
            ConfigError: an opponent does not exist, or two have one name.
        """
        found: dict[str, Agent] = {}
        for words in t.evaluate_opponents:
            name = Path(words).name
            if name in found:
                raise ConfigError(f"train.evaluate_opponents: two are called {name!r}")
            try:
                found[name] = load(words, game=game)
            except ValueError as error:
                raise ConfigError(f"train.evaluate_opponents: {error}") from error
        return cls(found, evaluation_deals(0, t.evaluate_deals), game, card_set)

    @property
    def columns(self) -> list[str]:
        """Names of the columns, those of one opponent side by side."""
        after = ("", *(f"_{seat}" for seat in self.game.seats), "_draws")
        return [f"{FIXED}{name}{end}" for name in self.opponents for end in after]

    def measure(self, policy: MaskedPolicy) -> dict[str, float | str]:
        """Play all deals with a network as it is now; return the columns."""
        agent = PPOAgent(policy, name="learner", deterministic=True)
        numbers: list[float] = []
        for opponent in self.opponents.values():
            found = arena.play_pairs(
                agent, opponent, self.deals, game=self.game, card_set=self.card_set
            ).summary()
            by_seat = [found["seats"][seat]["score"] for seat in self.game.seats]
            numbers += [found["score"], *by_seat, found["draws"]]
        return {name: short(one) for name, one in zip(self.columns, numbers, strict=True)}

    def nothing(self) -> dict[str, str]:
        """Return the columns of an update without an evaluation."""
        return dict.fromkeys(self.columns, "")


def due(before: int, now: int, every: int) -> bool:
    """Say whether a multiple of `every` lies behind `before` and not behind `now`; 0 is never."""
    return every > 0 and before // every < now // every


def notes(row: dict[str, Any]) -> dict[str, str]:
    """Return a few numbers of a row in words, for a line of progress; "" is left out."""
    found = {}
    for column, words in (("approx_kl", "kl {:.3f}"), ("entropy", "entropy {:.2f}")):
        if row[column] != "":
            found[column] = words.format(row[column])
    fixed = [column for column in row if column.startswith(FIXED)]
    if fixed and row[fixed[0]] != "":
        whole = [c for c in fixed if f"{c}_draws" in row]
        scores = [f"{c.removeprefix(FIXED)} {row[c]:.0%}" for c in whole]
        found[FIXED] = f"fixed deals: {' '.join(scores)}"
    return found
