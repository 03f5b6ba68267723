"""PettingZoo's door to the game: `skirmish_v0.env()`.

| | |
|---|---|
| import | `from skirmish_env import skirmish_v0` |
| agents | `villains`, `heroes` |
| actions | `Discrete(242)`, masked by `observation["action_mask"]` |
| observations | `Dict(observation=Box, action_mask=Box)` |
| parallel | no: one seat decides at a time, so there is no `parallel_env` |

Version history: v0, the first.
"""

from __future__ import annotations

from skirmish_env.aec import env, raw_env

__all__ = ["env", "raw_env"]
