"""The ladder of agents on common deals, and the page about it: `python -m experiments.leaderboard`.

An arena is played, or one that was played is read (`report=arenas/<folder>`); `leaderboard.md` and
its pictures are written from the files of its folder alone.
"""

from __future__ import annotations

from pathlib import Path

from configs.schema import ConfigError, LeaderboardConfig
from experiments import arena, leaderboard_page
from experiments.floors import floors_text
from experiments.launch import launch


def leaderboard(config: LeaderboardConfig) -> Path:
    """Play the ladder on common deals and write the page about it; return the page."""
    folder, standings = arena.hold(config)
    if standings.ratings is None:
        raise ConfigError(
            f"report: {standings.missing} pairs are not played yet; resume={folder.path} plays them"
        )
    page = leaderboard_page.write(standings, folder.read_starts(), Path(config.page))
    print(f"\n{floors_text(standings)}\n\nThe page is {page}")
    return page


def main() -> None:
    """Play with the settings of the command line."""
    launch(leaderboard, "leaderboard")


if __name__ == "__main__":
    main()
