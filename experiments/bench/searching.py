"""What is measured of the search agents: how many simulations they make in a second."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from agents.search.flat import FlatMonteCarlo
from agents.search.tree import ISMCTS, TreeSearch
from experiments.peers.serving import SIMULATIONS, Play, Row
from skirmish_env.batch import Batch

BUDGET = 256  # simulations for each decision
TOGETHER = 64  # decisions asked about together, at most


def rows(threads: list[int], games: int, running: Callable[[int], Batch]) -> list[Row]:
    """Return all rows; `running` makes games that are under way, up to `games` at a time."""
    together = min(games, TOGETHER)
    agents: dict[str, Callable[[], TreeSearch]] = {
        "ismcts": lambda: ISMCTS(BUDGET),
        "ismcts, random playouts": lambda: ISMCTS(BUDGET, player="random", turns=None),
        "ppo+search": of_a_network,
    }
    table = [
        Row(f"mc100, {together} decisions at a time", "search",
            functools.partial(flat, running, together), SIMULATIONS, n) for n in threads
    ]  # fmt: skip
    for name, make in agents.items():
        for decisions in (1, together):
            words = f"{name}, {decisions} decision{'s' if decisions > 1 else ''} at a time"
            table += [
                Row(words, "search", functools.partial(tree, running, make, decisions),
                    SIMULATIONS, n)
                for n in threads
            ]  # fmt: skip
    return table


def of_a_network() -> TreeSearch:
    """Return a search with a network of the default size, whose weights nobody trained."""
    from agents.network import NetworkSpec, build_policy  # torch is only needed here
    from agents.ppo import PPOAgent
    from agents.search.network import SearchAgent
    from skirmish_env.game import NEW_YORK

    return SearchAgent.of(PPOAgent(build_policy(NEW_YORK, NetworkSpec())), BUDGET)


def flat(running: Callable[[int], Batch], decisions: int) -> Play:
    """Let mc100 make so many decisions; each playout counts."""
    agent, view = FlatMonteCarlo(), running(decisions).view()
    options = view.mask.sum(axis=1)
    playouts = agent.playouts * int(options[options > 1].sum())
    return deciding(lambda: agent.act(view, np.random.default_rng(0)), playouts)


def tree(running: Callable[[int], Batch], make: Callable[[], TreeSearch], decisions: int) -> Play:
    """Let a tree search look at so many decisions, again and again the same."""
    agent, view = make(), running(decisions).view()
    return deciding(lambda: agent.look(view, np.random.default_rng(0)), BUDGET * decisions)


def deciding(call: Callable[[], object], simulations: int) -> Play:
    """Return a play whose every call makes so many simulations."""

    def play(wanted: int) -> int:
        done = 0
        while done < wanted:
            call()
            done += simulations
        return done

    return play
