"""Every setting of the experiments: its type, its default, and a sentence on what it does.

The YAML groups beside this folder only say where a choice differs from these defaults. Counts of
decisions are decisions of the learner.
"""

from configs.schema.arena import ArenaConfig, ExploitConfig, LeaderboardConfig, PlayStatsConfig
from configs.schema.base import ConfigError, nearest, settings
from configs.schema.games import BenchConfig, FuzzConfig, RecordConfig
from configs.schema.run import (
    AgentConfig,
    BestResponseConfig,
    EnvConfig,
    EvaluateConfig,
    OpponentsConfig,
    RunConfig,
    TrainConfig,
)
from configs.schema.runs import CompareConfig, EvaluationConfig, ExportConfig, RunsConfig
from configs.schema.several import AblateConfig, ReplicateConfig, SweepConfig
from configs.schema.space import search_space

__all__ = [
    "AblateConfig",
    "AgentConfig",
    "ArenaConfig",
    "BenchConfig",
    "BestResponseConfig",
    "CompareConfig",
    "ConfigError",
    "EnvConfig",
    "EvaluateConfig",
    "EvaluationConfig",
    "ExploitConfig",
    "ExportConfig",
    "FuzzConfig",
    "LeaderboardConfig",
    "OpponentsConfig",
    "PlayStatsConfig",
    "RecordConfig",
    "ReplicateConfig",
    "RunConfig",
    "RunsConfig",
    "SweepConfig",
    "TrainConfig",
    "nearest",
    "search_space",
    "settings",
]
