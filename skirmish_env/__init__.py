"""skirmish-env: "MARVEL: Skirmish! In New York" as an environment for AI research."""

from __future__ import annotations

from skirmish_env.new_york.actions import IllegalAction, action_to_move, move_to_action
from skirmish_env.new_york.table import Table

__version__ = "0.1.0"

__all__ = ["IllegalAction", "Table", "action_to_move", "move_to_action"]
