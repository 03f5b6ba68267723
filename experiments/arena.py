"""Everybody against everybody: `python -m experiments.arena agents=[random,expert,runs/<folder>]`.

Every pair plays the same deals, each twice with seats swapped, and every agent plays them against
itself. What is played is kept pair by pair, so an arena that was stopped goes on where it stood.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np

from agents.base import Agent, load
from configs.schema import ArenaConfig, ConfigError
from experiments import arena_plots, arena_report, environment, runs
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
from experiments.asked import Asked
from experiments.bench.run import machine
from experiments.launch import command_line, launch
from experiments.pairs import (
    COMPILED,
    Pairs,
    Tell,
    compiled_name,
    estimate,
    evaluate,
    play_pairs,
    table,
)
from experiments.processes import ProcessLost, Say, cores, side_by_side
from experiments.progress import Display
from experiments.ratings import MissingExtra, need_choix
from experiments.seeds import chosen_deals
from skirmish_env.game import CardSet, Game
from skirmish_env.warm import warm

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

    def deals_of(self, a: str, b: str) -> np.ndarray:
        """Return the deals int64 (n,) of a pair: the first ones only where somebody searches."""
        few = not {a, b}.isdisjoint(self.config.searching)
        return self.deals[: self.config.search_deals] if few else self.deals

    def games_of(self, a: str, b: str) -> int:
        """Return how many games a pair plays."""
        return len(self.deals_of(a, b)) * (1 if a == b else len(self.game.seats))


def arena(config: ArenaConfig) -> Path:
    """Play agents against each other on common deals and rate them; return the arena's folder."""
    return hold(config)[0].path


def hold(config: ArenaConfig) -> tuple[ArenaFolder, Standings]:
    """Play an arena, or with `report` read it; return its folder and what came out."""
    try:
        need_choix()  # better told before an hour of play than after
        if config.report:
            return show_again(config)
        event = go_on(config) if config.resume else set_up(config)
        print(f"Arena folder: {event.folder.path}", flush=True)
        event.folder.note_start(described(event))
        try:
            play_missing(event)
        except ProcessLost as error:
            raise ConfigError(f"{error}; `resume={event.folder.path}` goes on from here") from None
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
    return event.folder, standings


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


def described(event: Event) -> dict[str, Any]:
    """Return with what this start of an arena plays, for its folder."""
    about = environment.describe(event.game, event.card_set, threads=1)
    keys = ("time", "command", "versions", "git", "processors")
    return {**{key: about[key] for key in keys}, "machine": machine(), "jobs": jobs_of(event)}


def jobs_of(event: Event) -> int:
    """Return how many processes play."""
    return event.config.jobs or cores()


def check_reference(config: ArenaConfig) -> None:
    """Raise a ConfigError where the agent that shall be rated 0 does not take part."""
    if config.reference is not None and config.reference not in config.agents:
        raise ConfigError(
            f"reference: {config.reference!r} does not take part; {', '.join(config.agents)} do"
        )


def refuse_other_play(event: Event) -> None:
    """Raise a ConfigError where compiled players no longer play as in the stored games."""
    for a, b in event.pairs():
        if not all(type(event.agents[name]) in COMPILED for name in (a, b)):
            continue
        kept = event.folder.read_pairs(a, b, event.game, event.deals_of(a, b))
        if kept is None:
            continue
        probe = kept.deals[:PROBE]
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

        def hear(pair: tuple[str, str], ended: int) -> None:
            nonlocal done
            done += ended
            display.show(done, {}, [" against ".join(pair)])

        for (a, b), (pairs, speed) in played(event, todo, hear):
            event.folder.write_pairs(pairs, speed)
            score = estimate(pairs.scores)["score"]
            display.show(done, {f"{a} against {b}": score}, last=True)


Pair = tuple[str, str]
Played = tuple[Pairs, Speed]


def played(event: Event, todo: list[Pair], hear: Any) -> Iterable[tuple[Pair, Played]]:
    """Yield pairs with their games as they end: one after the other, or in processes."""
    jobs = jobs_of(event)
    if todo:
        warm()  # so that the first pair does not pay for it, nor each process compile the same
    if jobs == 1 or not todo:
        for pair in todo:
            yield pair, measured(event, pair, lambda ended, pair=pair: hear(pair, ended))
        return
    work = InProcess(event.config)
    yield from side_by_side(work, long_ones_first(event, todo), jobs, hear)


def long_ones_first(event: Event, todo: list[Pair]) -> list[Pair]:
    """Put pairs with more agents that search first, so that no process is left with one."""
    searching = event.config.searching
    return sorted(todo, key=lambda pair: -sum(name in searching for name in pair))


class InProcess:
    """Plays pairs in a process of its own, which loads the agents once.

    Args:
        config: of the arena; nothing is written.
    """

    def __init__(self, config: ArenaConfig) -> None:
        self.config = config
        self.event: Event | None = None

    def __call__(self, pair: Pair, say: Say) -> Played:
        """Play a pair; `say` is told how many games have ended since it was last."""
        if self.event is None:
            warm()
            game, card_set = runs.find_game(self.config)
            agents = find_agents(self.config, game)
            deals = find_deals(self.config)
            nowhere = ArenaFolder(Path())
            self.event = Event(self.config, nowhere, game, card_set, deals, agents)
        return measured(self.event, pair, say)


def measured(event: Event, pair: Pair, tell: Tell) -> Played:
    """Play a pair and measure what it takes."""
    began, began_cpu = time.perf_counter(), time.process_time()
    names = set(pair)
    asked: dict[str, Asked] = {}
    if not all(compiled_name(event.agents[name], event.game) for name in names):
        asked = {name: Asked(event.agents[name]) for name in names}
    watched = replace(event, agents={**event.agents, **asked})
    pairs = play(watched, *pair, event.deals_of(*pair), tell)
    speed = Speed(
        event.games_of(*pair),
        int(pairs.decisions[:, : 1 if len(names) == 1 else None].sum()),
        time.perf_counter() - began,
        time.process_time() - began_cpu,
        {name: [one.answers, one.cpu] for name, one in asked.items()},
    )
    return pairs, speed


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
        pairs = event.folder.read_pairs(a, b, event.game, event.deals_of(a, b))
        if pairs is not None:
            found[a, b] = pairs
    speeds = {pair: event.folder.speed_of(*pair) for pair in found}
    made = event.folder.read_made_with()
    return arena_report.standings(event.config, made, event.game.seats, found, speeds)


def show_again(config: ArenaConfig) -> tuple[ArenaFolder, Standings]:
    """Print the tables of an arena from its files, as far as it was played."""
    folder = ArenaFolder.open(config.report)
    config = going_on(folder, config, given(config, command_line()))
    check_reference(config)
    standings = find_standings(of_files(folder, config))
    print(arena_report.text(standings))
    return folder, standings


def of_files(folder: ArenaFolder, config: ArenaConfig) -> Event:
    """Return an arena whose games are read only: its agents are names."""
    game, card_set = runs.find_game(config)
    agents = dict.fromkeys(config.agents)
    return Event(config, folder, game, card_set, find_deals(config), agents)


def main() -> None:
    """Play with the settings of the command line."""
    launch(arena, "arena")


if __name__ == "__main__":
    main()
