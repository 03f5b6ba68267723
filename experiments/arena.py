"""Everybody against everybody: `python -m experiments.arena agents=[random,expert,runs/<folder>]`.

Every pair plays the same deals, each twice with seats swapped, and every agent plays them against
itself. What is played is kept pair by pair, so an arena that was stopped goes on where it stood.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

from agents.base import Agent, load
from configs.schema import ArenaConfig, ConfigError
from experiments import arena_plots, arena_report, runs
from experiments.arena_folder import (
    ArenaFolder,
    Speed,
    differences,
    file_kind,
    given,
    going_on,
    made_with,
)
from experiments.arena_report import Standings
from experiments.launch import command_line, launch
from experiments.pairs import (
    COMPILED,
    Pairs,
    Tell,
    estimate,
    evaluate,
    play_pairs,
    table,
)
from experiments.progress import Display
from experiments.ratings import MissingExtra, need_choix
from experiments.seeds import chosen_deals
from skirmish_env.game import CardSet, Game

__all__ = ["Pairs", "arena", "estimate", "evaluate", "play_pairs", "table"]

PROBE = 4  # deals of a stored pair that are played again before an arena goes on


@dataclass
class Event:
    """All that takes part in one arena."""

    config: ArenaConfig
    folder: ArenaFolder
    game: Game
    card_set: CardSet
    deals: np.ndarray
    agents: dict[str, Agent]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield each two names once, each name with itself too, whatever their order."""
        return combinations_with_replacement(sorted(self.agents), 2)

    def games_of(self, a: str, b: str) -> int:
        """Return how many games a pair plays."""
        return len(self.deals) * (1 if a == b else len(self.game.seats))


def arena(config: ArenaConfig) -> Path:
    """Play agents against each other on common deals and rate them; return the arena's folder."""
    try:
        need_choix()  # better told before an hour of play than after
        if config.report:
            return show_again(config)
        event = go_on(config) if config.resume else set_up(config)
        print(f"Arena folder: {event.folder.path}", flush=True)
        try:
            play_missing(event)
        except KeyboardInterrupt:
            print(f"Stopped; `resume={event.folder.path}` goes on from here.", flush=True)
            raise SystemExit(130) from None
        standings = find_standings(event)
    except MissingExtra as error:
        raise ConfigError(str(error)) from error
    text = arena_report.text(standings)
    event.folder.report.write_text(text + "\n", "utf-8")
    runs.write_json(event.folder.summary, arena_report.summary(standings))
    arena_plots.draw(standings, event.folder.path)
    print(text)
    print(f"Everything is in {event.folder.path}")
    return event.folder.path


# ---- set up


def set_up(config: ArenaConfig) -> Event:
    """Start an arena in a folder of its own.

    Raises:
        ConfigError: there is no such agent, deal, card set or game.
    """
    game, card_set = runs.find_game(config)
    deals = find_deals(config)
    agents = find_agents(config, game)
    check_reference(config)
    made = made_with(game, card_set, agents, file_kind())
    return Event(config, ArenaFolder.create(config, made), game, card_set, deals, agents)


def go_on(config: ArenaConfig) -> Event:
    """Take up an arena where it was stopped, or with more agents.

    Raises:
        ConfigError: its games and the missing ones would not be played alike.
    """
    folder = ArenaFolder.open(config.resume)
    config = going_on(folder, config, given(config, command_line()))
    game, card_set = runs.find_game(config)
    deals = find_deals(config)
    agents = find_agents(config, game)
    check_reference(config)
    old = folder.read_made_with()
    made = made_with(game, card_set, agents, old["files"])
    if other := list(differences(old, made)):
        raise ConfigError(
            f"resume: {folder.path} was played otherwise: {'; '.join(other)}; start another arena"
        )
    event = Event(config, folder, game, card_set, deals, agents)
    refuse_other_play(event)
    folder.write_settings(config, made)
    return event


def find_deals(config: ArenaConfig) -> np.ndarray:
    """Return the seeds int64 (n,) of a config's deals; ConfigError where there are none such."""
    try:
        return chosen_deals(config.deals, config.first_deal)
    except ValueError as error:
        raise ConfigError(str(error)) from error


def find_agents(config: ArenaConfig, game: Game) -> dict[str, Agent]:
    """Load the agents of a config; ConfigError where one does not exist."""
    found = {}
    for name in config.agents:
        try:
            found[name] = load(name, game=game)
        except ValueError as error:
            raise ConfigError(f"agents: {error}") from error
        if hasattr(found[name], "deterministic"):
            found[name].deterministic = config.deterministic
    return found


def check_reference(config: ArenaConfig) -> None:
    """Raise a ConfigError where the agent that shall be rated 0 does not take part."""
    if config.reference is not None and config.reference not in config.agents:
        raise ConfigError(
            f"reference: {config.reference!r} does not take part; {', '.join(config.agents)} do"
        )


def refuse_other_play(event: Event) -> None:
    """Raise a ConfigError where compiled players no longer play as in the stored games."""
    probe = event.deals[:PROBE]
    for a, b in event.pairs():
        if not all(type(event.agents[name]) in COMPILED for name in (a, b)):
            continue
        kept = event.folder.read_pairs(a, b, event.game, event.deals)
        if kept is None:
            continue
        again = play(event, a, b, probe)
        if any(
            not np.array_equal(getattr(kept, key)[: len(probe)], getattr(again, key))
            for key in ("scores", "turns", "decisions", "endings")
        ):
            raise ConfigError(
                f"resume: {a} against {b} does not come out as in {event.folder.path} any more: "
                "the rules or the players are others now; start another arena"
            )


# ---- play


def play_missing(event: Event) -> None:
    """Play each pair whose games are not kept yet, and keep them."""
    todo = [pair for pair in event.pairs() if not event.folder.file_of(*pair).is_file()]
    total = sum(event.games_of(*pair) for pair in event.pairs())
    done = total - sum(event.games_of(*pair) for pair in todo)
    if done and todo:
        print(f"{done:,} of {total:,} games are there already", flush=True)
    with Display(total, done, unit="games") as display:
        for a, b in todo:

            def tell(ended: int) -> None:
                nonlocal done
                done += ended
                display.show(done, {})

            began = time.perf_counter()
            pairs = play(event, a, b, event.deals, tell)
            seconds = time.perf_counter() - began
            sides = 1 if a == b else 2
            decisions = int(pairs.decisions[:, :sides].sum())
            event.folder.write_pairs(pairs, Speed(event.games_of(a, b), decisions, seconds))
            score = estimate(pairs.scores)["score"]
            display.show(done, {f"{a} against {b}": score}, last=True)


def play(event: Event, a: str, b: str, deals: np.ndarray, tell: Tell | None = None) -> Pairs:
    """Play a pair on some deals."""
    pairs = play_pairs(
        event.agents[a],
        event.agents[b],
        deals,
        seed=event.config.seed,
        games=event.config.games,
        game=event.game,
        card_set=event.card_set,
        tell=tell,
    )
    return replace(pairs, a=a, b=b)  # agents of two runs have the same name


# ---- results


def find_standings(event: Event) -> Standings:
    """Read what was played and rate the agents."""
    found = {}
    for a, b in event.pairs():
        pairs = event.folder.read_pairs(a, b, event.game, event.deals)
        if pairs is not None:
            found[a, b] = pairs
    speeds = {pair: event.folder.speed_of(*pair) for pair in found}
    made = event.folder.read_made_with()
    return arena_report.standings(event.config, made, event.game.seats, found, speeds)


def show_again(config: ArenaConfig) -> Path:
    """Print the tables of an arena from its files, as far as it was played."""
    folder = ArenaFolder.open(config.report)
    config = going_on(folder, config, given(config, command_line()))
    check_reference(config)
    game, card_set = runs.find_game(config)
    event = Event(
        config, folder, game, card_set, find_deals(config), dict.fromkeys(config.agents)
    )
    print(arena_report.text(find_standings(event)))
    return folder.path


def main() -> None:
    """Play with the settings of the command line."""
    launch(arena, "arena")


if __name__ == "__main__":
    main()
