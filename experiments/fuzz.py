"""Check the rules on any number of random games: `python -m experiments.fuzz games=1_000_000`."""

from __future__ import annotations

import os
import sys

from configs.schema import ConfigError, FuzzConfig
from experiments.launch import launch
from experiments.progress import Display
from skirmish_env.testing import fuzz


def run(config: FuzzConfig) -> None:
    """Play random games with every invariant checked after every decision.

    Ends the process with status 1 and a shrunk replay where a game goes wrong.
    """
    jobs = config.jobs or os.cpu_count() or 1
    print(f"{config.games:,} games from seed {config.seed} in {jobs} processes", flush=True)
    with Display(config.games, unit="games") as display:
        try:
            failure = fuzz(
                config.games,
                config.seed,
                card_set=config.card_set,
                rules=config.rules or None,
                look_every=config.look_every,
                jobs=jobs,
                progress=lambda done: display.show(done, {}, last=done == config.games),
            )
        except ValueError as error:
            raise ConfigError(str(error)) from error
    if failure is None:
        print("no problem found")
        return
    failure.save(config.failure)
    print(f"{failure}\nreplay: {config.failure}", file=sys.stderr)
    sys.exit(1)


def main() -> None:
    """Check games with the settings of the command line."""
    launch(run, "fuzz")


if __name__ == "__main__":
    main()
