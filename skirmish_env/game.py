"""The Game interface: what adapters, agents and experiments know of a game, and nothing more.

A game is a record (`state_dtype`), tables (a loaded card set), kernels over arrays of records,
seat names, and the two layouts (actions, observation) with their versions. Adapters assume
neither two seats nor alternating turns nor a zero sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skirmish_env.common.sections import Layout
from skirmish_env.new_york import (
    actions,
    explain,
    fuzz,
    heuristic,
    ids,
    kernels,
    knowledge,
    notation,
    observation,
    problems,
    search,
    story,
    table,
    vector,
)
from skirmish_env.new_york import cards as new_york_cards
from skirmish_env.new_york.actions import IllegalAction
from skirmish_env.new_york.cards import CardSet
from skirmish_env.new_york.draw import board_text
from skirmish_env.new_york.state import STATE

__all__ = ["NEW_YORK", "CardSet", "Game", "IllegalAction", "Kernels"]


@dataclass(frozen=True)
class Kernels:
    """Compiled functions over arrays of records; signatures as in `new_york/kernels.py`.

    `stride` is for games that can be watched between two questions.

    `play_on` holds policies, by name, that play a seat's decisions up to the learner's next in
    one call: `(states, cards, seeds, out, learner, end)`. The others are called for each one.
    """

    deal: Callable[..., Any]
    start: Callable[..., Any]
    first_illegal: Callable[..., Any]
    draw_legal: Callable[..., Any]
    step: Callable[..., Any]
    decide_one: Callable[..., tuple[int, int, int]]
    look_one: Callable[..., Any]
    observe: Callable[..., Any]
    full: Callable[..., Any]
    masks: Callable[..., Any]
    outcomes: Callable[..., Any]
    copy: Callable[..., Any]
    redeal: Callable[..., Any]
    rollout: Callable[..., Any]
    play_on: dict[str, Callable[..., tuple[int, int, int]]] = field(default_factory=dict)
    stride: Callable[..., Any] | None = None


@dataclass(frozen=True)
class Checks:
    """What `skirmish_env.testing` needs to know of a game's invariants and hidden information.

    Attributes:
        problems: what is wrong with a record, in words.
        words: the same for rows that the kernels found.
        known: all that a seat may know of a game, as bytes that compare.
        known_each: the same for a seat of every game, uint8 (n, bytes).
        fuzz, try_redeal: kernels that play random games and redeals with every check.
        fuzz_fields: what the fuzz kernel says about the game under way.
        replay: a start position and action ids as a replay.
    """

    problems: Callable[..., list[str]]
    words: Callable[[np.ndarray], list[str]]
    known: Callable[[np.ndarray, int, int], bytes]
    known_each: Callable[[np.ndarray, int], np.ndarray]
    fuzz: Callable[..., Any]
    try_redeal: Callable[..., Any]
    fuzz_fields: tuple[str, ...]
    replay: Callable[..., dict[str, Any]]


@dataclass(frozen=True)
class Story:
    """What `experiments.play_stats` needs to know to tell how a game went.

    Attributes:
        locations: their names.
        bonus: `(states, actions, card_set)` gives the location whose bonus the next stride of each
            game takes, as a number in `locations`, or -1: int64 (n,).
    """

    locations: tuple[str, ...]
    bonus: Callable[..., np.ndarray]


@dataclass(frozen=True)
class Game:
    """One game behind the common interface.

    Attributes:
        name, seats: its name, and the names of its seats in seat order.
        endings: words for the `ending` of a finished game; "" while it runs.
        questions: words for the kinds of questions.
        state_dtype: the record; fields `asked` (seat to decide or -1), `turn`, `ending`,
            `winner`, `decisions` are read by adapters.
        layout, full_layout: sections of the observation and of the full-information vector.
        action_version: version of the action table.
        low, high: bounds of every observation entry.
        policies: compiled policies by name, `(states, cards, sets, index, seeds, out)`.
        engine: plays many games on with compiled players, for `vector_env` and `Batch.playout`;
            what it must offer, `new_york/vector.py` shows. None where a game has none.
        search: grows search trees in redealt games; what it must offer, `new_york/search.py`
            shows. None where a game has none.
        checks: for `skirmish_env.testing`; None where a game has none.
        story: for `experiments.play_stats`; None where a game has none.
    """

    name: str
    seats: tuple[str, ...]
    endings: tuple[str, ...]
    questions: tuple[str, ...]
    moves: tuple[str, ...]
    state_dtype: np.dtype
    layout: Layout
    full_layout: Layout
    action_version: int
    low: float
    high: float
    kernels: Kernels
    policies: dict[str, Callable[..., Any]]
    load: Callable[..., CardSet]
    move_to_action: Callable[[str], int]
    checked_action: Callable[[Any], int]
    checked_seed: Callable[[Any], int]
    explain: Callable[[np.ndarray], list[str]]
    build: Callable[..., np.ndarray]
    describe: Callable[..., dict[str, Any]]
    draw: Callable[..., str]
    table: type
    engine: Any = None
    search: Any = None
    checks: Checks | None = None
    story: Story | None = None

    @property
    def proof(self) -> Checks:
        """Its checks; ValueError where the game has none."""
        if self.checks is None:
            raise ValueError(f"the game {self.name!r} brings no checks to test it with")
        return self.checks

    def __reduce__(self) -> str:
        """Copy and pickle a game as the name of its constant in this module."""
        return self.name.upper()

    @property
    def action_count(self) -> int:
        """Number of flat action ids."""
        return len(self.moves)

    @property
    def observation_size(self) -> int:
        """Entries of an observation."""
        return self.layout.size

    @property
    def full_observation_size(self) -> int:
        """Entries of the full-information vector."""
        return self.full_layout.size

    @property
    def observation_version(self) -> int:
        """Version of the observation's layout."""
        return self.layout.version

    def action_to_move(self, action: Any) -> str:
        """Words of a flat action id; ValueError outside the table."""
        return self.moves[self.checked_action(action)]


NEW_YORK = Game(
    name="new_york",
    seats=ids.SIDES,
    endings=ids.ENDINGS,
    questions=ids.QUESTIONS,
    moves=actions.MOVES,
    state_dtype=STATE,
    layout=observation.LAYOUT,
    full_layout=observation.FULL_LAYOUT,
    action_version=actions.ACTION_VERSION,
    low=observation.LOW,
    high=observation.HIGH,
    kernels=Kernels(
        deal=kernels.deal_many,
        start=kernels.start_many,
        first_illegal=kernels.first_illegal,
        draw_legal=kernels.draw_legal,
        step=kernels.step_many,
        decide_one=kernels.decide_one,
        look_one=kernels.look_one,
        observe=kernels.observe_many,
        full=kernels.full_many,
        masks=kernels.masks_many,
        outcomes=kernels.outcomes_many,
        copy=kernels.copy_many,
        redeal=kernels.redeal_many,
        rollout=kernels.rollout,
        play_on={"heuristic": heuristic.heuristic_on, "expert": heuristic.expert_on},
        stride=kernels.stride_many,
    ),
    policies={
        "random": kernels.random_many,
        "heuristic": heuristic.heuristic_many,
        "expert": heuristic.expert_many,
    },
    load=new_york_cards.load,
    move_to_action=actions.move_to_action,
    checked_action=actions.checked_action,
    checked_seed=table.checked_seed,
    explain=explain.explain,
    build=notation.build,
    describe=notation.describe,
    draw=board_text,
    table=table.Table,
    engine=vector.Engine,
    search=search.Search,
    checks=Checks(
        problems=problems.problems,
        words=problems.in_words,
        known=knowledge.known,
        known_each=knowledge.known_each,
        fuzz=fuzz.fuzz_many,
        try_redeal=fuzz.check_redeal,
        fuzz_fields=fuzz.FIELDS,
        replay=table.replay_of,
    ),
    story=Story(locations=ids.LOCATIONS, bonus=story.bonus),
)
