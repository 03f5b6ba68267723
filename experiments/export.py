"""Turn a run into an agent that comes with the package: `python -m experiments.export`.

`run=runs/<folder> name=ppo-v1` writes the weights, a JSON file that says all about them, and the
model card, after the weights as written have answered thousands of decisions as the checkpoint
does.
"""

from __future__ import annotations

import copy
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from agents import base, checkpoint, shipped
from agents.ppo import PPOAgent
from agents.shipped import NetworkAgent
from configs.schema import ConfigError, ExportConfig, RunConfig
from experiments import environment, model_card, runs
from experiments.compare import newest_evaluation, told_apart
from experiments.launch import launch
from experiments.pairs import play_pairs
from experiments.runs import RunFolder
from skirmish_env.game import Game
from skirmish_env.views import View

OPPONENT = "expert"  # plays the games whose decisions are compared
DEALS = 16  # of one round of them
CARDS = Path("docs/models")


def export(config: ExportConfig) -> Path:
    """Write a run's weights as an agent for play, and its model card; return their folder."""
    if config.run is None or config.name is None:
        raise ConfigError("run, name: both are needed, as in run=runs/<folder> name=ppo-v1")
    run, name = RunFolder.open(config.run), config.name
    folder, cards = targets(config)
    refuse_to_overwrite(config, folder)
    of_run = run.read_config()
    game, _ = runs.find_game(of_run)
    zip_file = checkpoint.find(run.checkpoints / f"{config.checkpoint}.zip")
    agent = PPOAgent.load(zip_file, game=game)
    if not config.unfinished:
        refuse_unfinished(run, checkpoint.read(zip_file))
    details = describe(run, of_run, zip_file)
    text = model_card.weaknesses(config.weaknesses, cards / f"{name}.md")
    parts = agent.policy.parts()
    with tempfile.TemporaryDirectory() as draft:
        shipped.write(name, parts, details, Path(draft), game=game)
        written = shipped.load(name, game=game, folder=Path(draft))
        compared = verify(written, agent, config.decisions, game)
    details["compared_decisions"] = compared
    data = shipped.write(name, parts, details, folder, game=game)
    print(f"Same answers as the checkpoint in {compared:,} decisions.")
    card = model_card.write(data, run.read_metrics(), cards, text)
    size = (folder / f"{name}{shipped.WEIGHTS}").stat().st_size
    print(f"Written: {folder / name}{shipped.WEIGHTS} ({size / 1e6:.1f} MB), .json, and {card}")
    if folder != own_folder():
        print(beside_shipped(name, written, data["sha256"]))
    return folder


# ---- where to


def own_folder() -> Path:
    """Return the package's folder of weights."""
    return Path(str(shipped.home()))


def targets(config: ExportConfig) -> tuple[Path, Path]:
    """Return the folders of the weights and of the model card."""
    folder = Path(config.folder).expanduser().resolve() if config.folder else own_folder()
    if config.card is not None:
        return folder, Path(config.card).expanduser()
    return folder, folder if config.folder else CARDS


def refuse_to_overwrite(config: ExportConfig, folder: Path) -> None:
    """Raise a ConfigError for a name that is taken."""
    if config.name in base.BUILT_IN:
        raise ConfigError(f"name: {config.name!r} is a scripted player; choose another name")
    if config.name in shipped.names(folder) and not config.overwrite:
        raise ConfigError(
            f"name: {config.name!r} is in {folder} already; overwrite=true replaces it, a new "
            "name is better: results that others have published name the old weights"
        )


def refuse_unfinished(run: RunFolder, data: dict[str, Any]) -> None:
    """Raise a ConfigError for a checkpoint from before the end of a training's schedules."""
    done, wanted = data["decisions"], data["total_decisions"]
    if done < wanted:
        raise ConfigError(
            f"run: {run.path.name} has made {done:,} of {wanted:,} decisions; python -m "
            f"experiments.train resume={run.path} finishes it (unfinished=true exports it as it is)"
        )


# ---- what is said about the weights


def describe(run: RunFolder, config: RunConfig, zip_file: Path) -> dict[str, Any]:
    """Return all that an agent's JSON file says beside its layouts and its checksum.

    Raises:
        ConfigError: the checkpoint was never evaluated as the agent will play.
    """
    data = checkpoint.read(zip_file)
    done = data["decisions"]
    rows = [row for row in run.read_metrics() if int(row["decisions"]) <= done]
    return {
        **{key: data[key] for key in ("network", "card_set", "rules", "seed")},
        **{key: data[key] for key in ("decisions", "total_decisions")},
        "checkpoint": zip_file.stem,
        "seconds": float(rows[-1]["seconds"]) if rows else None,
        "settings": without_paths(told_apart(config)),
        "starts": [
            {key: one[key] for key in ("decisions", "command", "versions", "git", "processors")}
            for one in environment.read(run.environment)
            if one["decisions"] <= done
        ],
        "evaluation": without_paths(evaluation(run, zip_file, done)),
    }


def evaluation(run: RunFolder, zip_file: Path, decisions: int) -> dict[str, Any]:
    """Return settings and results of a run's newest arena.

    Raises:
        ConfigError: there is none, it was another checkpoint's, or moves were drawn in it.
    """
    path = newest_evaluation(run.path)
    again = f"python -m experiments.evaluate run={run.path} checkpoint={zip_file.stem} plays one"
    if path is None:
        raise ConfigError(f"run: {run.path.name} has no evaluation; {again}")
    found = runs.read_results(path)
    rated = found.get("decisions")
    if rated != decisions:
        raise ConfigError(
            f"run: {path} rates the checkpoint of {rated} decisions, not of {decisions}; {again}"
        )
    if not found["settings"]["deterministic"]:
        raise ConfigError(
            f"run: {path} rates drawn moves, but a shipped agent plays its most probable ones; "
            f"{again} with deterministic=true"
        )
    return {"settings": found["settings"], "results": found["results"]}


def without_paths(data: Any) -> Any:
    """Return plain data with `<path>` for paths that begin at the root."""
    if isinstance(data, dict):
        return {key: without_paths(value) for key, value in data.items()}
    if isinstance(data, list):
        return [without_paths(value) for value in data]
    return environment.ABSOLUTE.sub("<path>", data) if isinstance(data, str) else data


# ---- the same answers


class Compared:
    """Plays as one agent and counts the rows in which another answers otherwise.

    Attributes:
        decisions, different: rows so far, and those with different answers.
    """

    def __init__(self, agent: PPOAgent, other: NetworkAgent) -> None:
        self.name = agent.name
        self.agent, self.other = agent, other
        self.decisions = self.different = 0

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row; both agents draw the same random numbers."""
        twin = copy.deepcopy(rng)
        actions = self.agent.act(view, rng)
        self.decisions += len(view)
        self.different += int((self.other.act(view, twin) != actions).sum())
        return actions


def differing(written: NetworkAgent, agent: PPOAgent, decisions: int, game: Game) -> Compared:
    """Compare answers in so many decisions or more of whole games, from both seats.

    They are drawn in the first half of these decisions, and most probable ones in the other.
    """
    compared = Compared(agent, written)
    opponent, rounds = base.load(OPPONENT), 0
    for deterministic in (False, True):
        agent.deterministic = written.deterministic = deterministic
        while compared.decisions < decisions * (2 if deterministic else 1) / 2:
            deals = np.arange(rounds * DEALS, (rounds + 1) * DEALS)
            play_pairs(compared, opponent, deals, game=game)
            rounds += 1
    return compared


def verify(written: NetworkAgent, agent: PPOAgent, decisions: int, game: Game) -> int:
    """Return the number of decisions in which weights as written answered as the checkpoint.

    Raises:
        ConfigError: they answered one of them otherwise.
    """
    compared = differing(written, agent, decisions, game)
    if compared.different:
        raise ConfigError(
            f"run: {compared.different:,} of {compared.decisions:,} decisions come out otherwise "
            "than the checkpoint's, so nothing is written; is agents.forward right on this machine?"
        )
    return compared.decisions


def beside_shipped(name: str, written: NetworkAgent, sha256: str) -> str:
    """Say whether weights are those that the package brings under the same name."""
    if name not in shipped.names():
        return f"The package brings no {name} to compare these weights with."
    theirs = shipped.load(name)
    if theirs.sha256 == sha256:
        return f"These weights equal the package's {name}, to the bit (SHA-256 {sha256})."
    if theirs.shape != written.shape:
        return f"These weights are NOT the package's {name}: the network has another shape."
    gap = float(np.abs(theirs.weights - written.weights).max())
    return (
        f"These weights are NOT the package's {name}: the greatest difference of two numbers is "
        f"{gap:.2g}. Training repeats to the bit on the same machine with the versions that "
        f"{name}.json names."
    )


def main() -> None:
    """Export with the settings of the command line."""
    launch(export, "export")


if __name__ == "__main__":
    main()
