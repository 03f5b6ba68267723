"""The groups of the table: what their rows have in common, and which row is 1.00 in each."""

from __future__ import annotations

from typing import NamedTuple


class Group(NamedTuple):
    """Rows that may be compared.

    `reference` names the row of this project that all others of the group are divided by: with
    `alike` the one with as many threads, else the first. Without a name there are no ratios.
    """

    title: str
    words: str
    reference: str | None = None
    alike: bool = True


RAW_CLONE = "one game of a batch by its bytes"
WRAPPED = "PettingZoo in its wrapper"
ALL_COPIED = "make_vec, no opponent, copy=True"
KERNEL = "batch kernel"
KERNEL_ALONE = "batch kernel, rules alone"
RANDOM_COPIED = "make_vec against random, copy=True"
SMALL_VECTOR, SMALL_KERNEL = "make_vec, 1 game", "batch kernel, 1 game"

GROUPS = {
    "step": Group(
        "One game, one decision a call",
        "A Python loop; mask and observation in numpy for every decision.",
        WRAPPED,
    ),
    "step rules": Group(
        "One game, one decision a call, rules alone",
        "The same loop without mask and observation.",
        "Table.play",
    ),
    "batch": Group(
        "Many games, one decision of all a call",
        "A Python loop over calls for whole batches; mask and observation for every decision.",
        ALL_COPIED,
    ),
    "rollout": Group(
        "Whole rollout inside the engine",
        "Thousands of decisions a call; mask and observation for every decision.",
        KERNEL,
    ),
    "rollout rules": Group(
        "Whole rollout inside the engine, rules alone",
        "The same without mask and observation.",
        KERNEL_ALONE,
    ),
    "opponent": Group(
        "Against an opponent",
        "Decisions of the learner; the opponent's cost time and do not count unless it says so.",
        RANDOM_COPIED,
    ),
    "games": Group("Whole games", "Random games from the deal to the end."),
    "playout": Group(
        "Play-outs",
        "Running games copied and played to their ends inside the engine.",
    ),
    "search": Group(
        "Search",
        "Simulations of agents that look ahead, redeals included; each has its own idea of one.",
    ),
    "clone": Group("Clone", "One copy of one game; less is better.", RAW_CLONE),
    "state": Group("Save, restore, redeal", "For one game; less is better."),
    "scaling": Group(
        "Scaling of make_vec",
        "By number of games and of threads; no opponent, copy=False.",
        SMALL_VECTOR,
        alike=False,
    ),
    "scaling rollout": Group(
        "Scaling of the batch kernel",
        "By number of games and of threads; mask and observation for every decision.",
        SMALL_KERNEL,
        alike=False,
    ),
    "question": Group(
        "One compiled step by kind of question",
        "From random play: a drawn answer and all that follows up to the next question with a "
        "choice. Less is better.",
    ),
    "look": Group(
        "Mask and observation by kind of question",
        "Both, written by compiled code. Less is better.",
    ),
    "start": Group("Start-up", "From starting Python to the end of a first step; less is better."),
    "memory": Group("Memory", "Bytes that one game takes."),
    "training": Group("Training", "The environment's part of the time of PPO training."),
}
