"""How agents play and win: `python -m experiments.play_stats arena=arenas/<folder>`.

The games of an arena are watched again; none of them was written down. Tables and pictures make the
page `play.md`, all numbers about cards lie in `play/cards.csv` of the arena's folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.base import load
from configs.schema import ConfigError, PlayStatsConfig
from experiments import arena as arenas
from experiments import play_page
from experiments.arena_folder import ArenaFolder
from experiments.compare import write_rows
from experiments.launch import launch
from experiments.pairs import Pairs
from experiments.progress import Display
from experiments.replays import ReplayError, Words, replay
from experiments.seat_games import Met, Play, SeatGames, Share


def play_stats(config: PlayStatsConfig) -> Play:
    """Watch the games of an arena again, and tell how its agents play and win."""
    folder = ArenaFolder.open(config.arena)
    event = read_event(folder)
    met = watch(event, config.games)
    play = gathered(event, met, tuple(config.agents))
    cards = folder.path / "play" / "cards.csv"
    cards.parent.mkdir(exist_ok=True)
    write_rows(cards, card_rows(play))
    print(play_page.text(play))
    if config.page is not None:
        print(f"The page is {play_page.write(play, Path(config.page))}")
    return play


def read_event(folder: ArenaFolder) -> arenas.Event:
    """Return an arena with its agents, to ask compiled ones again.

    Raises:
        ConfigError: pairs are missing.
    """
    event = arenas.of_files(folder, folder.read_config())
    missing = [pair for pair in event.pairs() if not folder.file_of(*pair).is_file()]
    if missing:
        raise ConfigError(
            f"arena: {len(missing)} pairs are not played yet; "
            f"python -m experiments.arena resume={folder.path} plays them"
        )
    return event


def watch(event: arenas.Event, games: int) -> list[Met]:
    """Watch the first games of every pair again, 0 for all.

    Raises:
        ConfigError: a pair cannot be watched, or comes out otherwise.
    """
    found = []
    with Display(len(list(event.pairs())), unit="pairs") as display:
        for a, b in event.pairs():
            pairs = first_deals(event, a, b, games)
            players = {name: loaded(event, name, pairs) for name in {a, b}}
            try:
                watched = replay(
                    pairs, players[a], players[b],
                    seed=event.config.seed, game=event.game, card_set=event.card_set,
                )  # fmt: skip
            except ReplayError as error:
                raise ConfigError(f"arena: {error}") from error
            found.append((pairs, watched))
            display.show(len(found), {}, [f"{a} against {b}"])
    return found


class Unasked:
    """Stands for an agent whose moves were kept."""

    def __init__(self, name: str) -> None:
        self.name = name

    def act(self, *_: Any) -> Any:
        """Refuse."""
        raise TypeError(f"{self.name}: its moves were kept; it is not asked")


def loaded(event: arenas.Event, name: str, pairs: Pairs) -> Any:
    """Return an agent where it may have to be asked again; ConfigError where it is no more."""
    if pairs.moves is not None:
        return Unasked(name)
    try:
        return load(name, game=event.game)
    except ValueError as error:
        raise ConfigError(f"arena: {error}") from error


def first_deals(event: arenas.Event, a: str, b: str, games: int) -> Pairs:
    """Return the first games of a pair, with their moves where these were kept."""
    pairs = event.folder.read_pairs(a, b, event.game, event.deals_of(a, b))
    moves = event.folder.read_moves(a, b)
    sides = event.games_of(a, b) // len(pairs.deals)
    n = len(pairs.deals) if games == 0 else min(len(pairs.deals), max(1, games // sides))
    columns = (getattr(pairs, key)[:n] for key in ("scores", "turns", "decisions", "endings"))
    return Pairs(a, b, pairs.seats, pairs.deals[:n], *columns, None if moves is None else moves[:n])


def gathered(event: arenas.Event, met: list[Met], agents: tuple[str, ...]) -> Play:
    """Gather what was watched by agent and seat.

    Raises:
        ConfigError: an agent that is asked for does not take part.
    """
    everybody = tuple(event.config.agents)
    for name in agents:
        if name not in everybody:
            raise ConfigError(f"agents: {name!r} does not take part; {', '.join(everybody)} do")
    chosen = agents or everybody
    seats = event.game.seats
    games = {(name, s): SeatGames.of(name, s, met) for name in chosen for s in range(len(seats))}
    total = sum(len(one.deals) * len(watched) for one, watched in met)
    config = event.config
    where = (
        f"{total:,} games of {', '.join(everybody)} against each other and themselves, deals of "
        f"{config.deals}, seed {config.seed}"
    )
    return Play(chosen, seats, Words.of(event.game), games, total, where)


# ---- numbers


def card_rows(play: Play) -> list[dict[str, Any]]:
    """Return one row for each agent, seat and card that it ever played there."""
    rows = []
    for (name, seat), games in play.games.items():
        for card, word in enumerate(play.words.cards):
            if not games.plays[:, card].any():
                continue
            rows.append({
                "agent": name, "seat": play.seats[seat], "card": word,
                "games": len(games.deals),
                "share_played": games.share((games.plays[:, card] > 0).astype(float)).mean,
                "copies_a_game": float(games.plays[:, card].mean()),
                **columns("score_with", games.score_with(card)),
                **columns("score_without", games.score_without(card)),
                **columns("score_by_copy", games.score_by_copy(card)),
            })  # fmt: skip
    return rows


def columns(name: str, share: Share) -> dict[str, Any]:
    """Return a measure as columns of a table."""
    return {
        name: share.mean, f"{name}_low": share.low, f"{name}_high": share.high,
        f"{name}_games": share.games,
    }  # fmt: skip


def main() -> None:
    """Tell with the settings of the command line."""
    launch(play_stats, "play_stats")


if __name__ == "__main__":
    main()
