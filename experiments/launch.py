"""Start an experiment from the command line: Hydra's overrides, errors in words, `--help`."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable
from typing import Any

import hydra
from hydra import compose, initialize_config_module
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from agents.checkpoint import CheckpointError
from configs.schema import (
    AblateConfig,
    ArenaConfig,
    BenchConfig,
    BestResponseConfig,
    CompareConfig,
    ConfigError,
    EvaluationConfig,
    ExploitConfig,
    ExportConfig,
    FuzzConfig,
    LeaderboardConfig,
    PlayStatsConfig,
    RecordConfig,
    ReplicateConfig,
    RunConfig,
    RunsConfig,
    SweepConfig,
    nearest,
    settings,
)

SCHEMAS = {
    "run": RunConfig,
    "runs": RunsConfig,
    "evaluation": EvaluationConfig,
    "export": ExportConfig,
    "arena": ArenaConfig,
    "leaderboard": LeaderboardConfig,
    "play_stats": PlayStatsConfig,
    "bench": BenchConfig,
    "fuzz": FuzzConfig,
    "record": RecordConfig,
    "sweep": SweepConfig,
    "compare": CompareConfig,
    "replicate": ReplicateConfig,
    "ablate": AblateConfig,
    "exploit": ExploitConfig,
    "best_response": BestResponseConfig,
}
FAILURE = 2
INTERRUPTED = 130  # as shells say it of Ctrl-C
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # on the disk, or below a limit

for _name, _schema in SCHEMAS.items():
    ConfigStore.instance().store(f"{_name}_schema", _schema)


def launch(task: Callable[[Any], object], config_name: str) -> None:
    """Run a task with the settings of `configs/<config_name>.yaml` and the command line.

    The task gets an object of the schema. Mistakes in settings end the process with status 2
    and one message that names the key and the nearest right one.
    """
    schema = SCHEMAS[config_name]
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(describe(schema, task.__doc__ or ""))
        return
    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors reach us instead of ending in Hydra

    @hydra.main(version_base="1.3", config_path="pkg://configs", config_name=config_name)
    def main(config: DictConfig) -> None:
        refuse_unknown(config, schema)
        task(OmegaConf.to_object(config))

    try:
        main()
    except (ConfigError, CheckpointError) as error:
        fail(str(error))
    except (HydraException, OmegaConfBaseException) as error:
        fail(explain(error, schema))
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        fail(f"{error.filename or 'a file'}: could not be written: {error.strerror}")
    except KeyboardInterrupt:
        print("Ended at once.", file=sys.stderr)
        sys.exit(INTERRUPTED)


def refuse_unknown(config: DictConfig, schema: type) -> None:
    """Raise a ConfigError for settings that `+key=value` brought in beside the schema's."""
    known = [key for key, *_ in settings(schema)]
    for key in _keys(config):
        if not any(key == one or key.startswith(f"{one}.") for one in known):
            raise ConfigError(_unknown(key, schema))


def _keys(config: DictConfig, above: str = "") -> list[str]:
    found = []
    for name, value in config.items_ex(resolve=False):
        key = f"{above}{name}"
        inside = isinstance(value, DictConfig) and len(value)
        found += _keys(value, f"{key}.") if inside else [key]
    return found


def _unknown(key: str, schema: type) -> str:
    near = nearest(key, schema)
    hint = f"; the nearest is {near}" if near else ""
    return f"{key}: there is no such setting{hint} (--help lists all)"


def command_line() -> list[str]:
    """Return the overrides that this run was started with."""
    return list(HydraConfig.get().overrides.task) if HydraConfig.initialized() else []


def composed(overrides: list[str]) -> RunConfig:
    """Return the settings of `experiments.train` with these overrides.

    Raises:
        ConfigError: there are no such settings.
    """
    try:
        if GlobalHydra.instance().is_initialized():
            return OmegaConf.to_object(compose("run", overrides))
        with initialize_config_module("configs", version_base="1.3"):
            return OmegaConf.to_object(compose("run", overrides))
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(explain(error, RunConfig)) from error


def fail(message: str) -> None:
    """End the process with a message."""
    print(f"error: {message}", file=sys.stderr)
    sys.exit(FAILURE)


def explain(error: Exception, schema: type) -> str:
    """Say in one line what is wrong with the settings, and what would be right."""
    lines = _messages(error)
    text = "\n".join(lines)
    unknown = re.search(r"Could not override '([^'@]+)'", text)
    full_key = re.search(r"full_key: (\S+)", text)
    if unknown or re.search(r"Key '[^']*' not in", text):
        return _unknown((unknown or full_key).group(1), schema)
    if full_key:
        key = full_key.group(1)
        wrong = next((line for line in lines if line.startswith(("Value", "Cannot"))), lines[0])
        kinds = {known: kind for known, kind, *_ in settings(schema)}
        right = f" (it is of type {kinds[key]})" if key in kinds else ""
        return f"{key}: {wrong.splitlines()[0]}{right}"
    return text


def _messages(error: BaseException | None) -> list[str]:
    lines: list[str] = []
    while error is not None:
        lines += [line.strip() for line in str(error).splitlines() if line.strip()]
        error = error.__cause__ or error.__context__
    return lines


def describe(schema: type, about: str) -> str:
    """Return the text of `--help`: every setting with type, default and its sentence."""
    rows = list(settings(schema))
    width = max(len(f"{key}={default}") for key, _, default, _ in rows)
    lines = [f"  {f'{key}={default}':{width}}  {sentence}" for key, _, default, sentence in rows]
    return "\n".join([about.strip().splitlines()[0], "", "Settings, with their defaults:", *lines])
