"""A game that is learnt in seconds, behind the same interface as the real one.

Each seat is shown a colour and is asked for it, `ROUNDS` times in turn; four of six actions are
legal. Whoever named more colours wins. The last question goes to seat 1, so seat 0 always gets its
reward on the other's move.
"""

from types import SimpleNamespace

import numpy as np

from skirmish_env.common.sections import Layout, Section
from skirmish_env.game import NEW_YORK, Game, Kernels

COLOURS = 6
LEGAL = 4
ROUNDS = 3

STATE = np.dtype(
    [
        ("asked", "i1"),
        ("ending", "i1"),
        ("winner", "i1"),
        ("turn", "i2"),
        ("victory", "i1"),
        ("decisions", "i4"),
        ("question", "i1"),
        ("options", "i2", (LEGAL,)),
        ("option_count", "i2"),
        ("colour", "i1"),
        ("named", "i1", (2,)),
        ("seed", "i8"),
    ]
)
LAYOUT = Layout(1, Section("colour", COLOURS, "one-hot: the colour to name"))
FULL_LAYOUT = Layout(1, Section("lead", 1, "of seat 0"), Section("decisions", 1, "so far"))


def ask(g):
    rng = np.random.default_rng([int(g["seed"]), int(g["decisions"])])
    legal = np.sort(rng.choice(COLOURS, LEGAL, replace=False))
    g["options"], g["option_count"] = legal, LEGAL
    g["colour"] = rng.choice(legal)


def deal(states, cards, sets, index, seeds, skip_forced):
    for i, seed in zip(index, seeds):
        states[i] = 0
        states[i]["winner"], states[i]["seed"] = -1, seed
        ask(states[i])


def stepping(order):
    """Return a step that asks the seats in this order; seat 0 comes first."""

    def step(states, cards, sets, index, actions):
        for i, action in zip(index, actions):
            g = states[i]
            g["named"][g["asked"]] += action == g["colour"]
            g["victory"] = int(g["named"][0]) - int(g["named"][1])
            g["decisions"] += 1
            if g["decisions"] < len(order):
                g["asked"] = order[g["decisions"]]
                ask(g)
                continue
            g["asked"], g["ending"], g["option_count"] = -1, 1, 0
            g["winner"] = -1 if g["victory"] == 0 else int(g["victory"] < 0)

    return step


step = stepping((0, 1) * ROUNDS)


def observe(states, cards, sets, index, viewers, out):
    out[:] = 0
    for n, (i, viewer) in enumerate(zip(index, viewers)):
        if states[i]["asked"] == viewer:
            out[n, states[i]["colour"]] = 1


def full(states, cards, sets, index, out):
    """Write the course of the game, which no seat sees: for critics."""
    out[:] = 0
    for n, i in enumerate(index):
        out[n] = states[i]["named"][0] - states[i]["named"][1], states[i]["decisions"]


def masks(states, index, viewers, out):
    out[:] = 0
    for n, (i, viewer) in enumerate(zip(index, viewers)):
        if states[i]["asked"] == viewer:
            out[n, states[i]["options"]] = 1


def outcomes(states, index, out):
    winner = states["winner"][index]
    for seat in (0, 1):
        out[:, seat] = np.where(winner < 0, 0, np.where(winner == seat, 1, -1))


def first_illegal(states, index, actions):
    for n, (i, action) in enumerate(zip(index, actions)):
        if action not in states[i]["options"][: states[i]["option_count"]]:
            return n
    return -1


def draw_any(states, cards, sets, index, seeds, out):
    for n, (i, seed) in enumerate(zip(index, seeds)):
        out[n] = np.random.default_rng(seed).choice(states[i]["options"])


def decide_one(states, cards, action):
    if first_illegal(states, [0], [action]) >= 0:
        raise ValueError("illegal action")
    step(states, cards, None, [0], [action])
    return tuple(int(states[0][field]) for field in ("asked", "turn", "victory"))


def look_one(states, cards, viewer, observation, mask):
    observe(states, cards, None, [0], [viewer], observation[None])
    masks(states, [0], [viewer], mask[None])


def not_needed(*_):
    raise NotImplementedError


TOY = Game(
    **{
        **vars(NEW_YORK),
        "name": "toy",
        "seats": ("first", "second"),
        "endings": ("", "named"),
        "moves": tuple(f"name {colour}" for colour in range(COLOURS)),
        "state_dtype": STATE,
        "layout": LAYOUT,
        "full_layout": FULL_LAYOUT,
        "low": 0.0,
        "high": 1.0,
        "kernels": Kernels(
            deal=deal,
            start=not_needed,
            first_illegal=first_illegal,
            draw_legal=not_needed,
            step=step,
            decide_one=decide_one,
            look_one=look_one,
            observe=observe,
            full=full,
            masks=masks,
            outcomes=outcomes,
            copy=not_needed,
            redeal=not_needed,
            rollout=not_needed,
        ),
        "policies": {"random": draw_any, "heuristic": draw_any},
        "load": lambda card_set=None, rules=None: SimpleNamespace(record=None),
        "engine": None,
    }
)
