"""skirmish-env: "MARVEL: Skirmish! In New York" as an environment for AI research."""

from __future__ import annotations

import gymnasium

from skirmish_env.named_deals import deals
from skirmish_env.new_york.actions import IllegalAction, action_to_move, move_to_action
from skirmish_env.new_york.table import Table

__version__ = "0.1.0"

ENV_ID = "skirmish_env/Skirmish-v0"

if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        ENV_ID,
        entry_point="skirmish_env.gym_env:SkirmishEnv",
        vector_entry_point="skirmish_env.vector_env:SkirmishVectorEnv",
    )

__all__ = ["IllegalAction", "Table", "action_to_move", "deals", "move_to_action"]
