"""What somebody can do who has installed the wheel and nothing else: run with `python -I`.

Nothing of the repository may be in sight, and none of the packages that only training or
development needs may be installed.
"""

import subprocess
import sys
import tempfile
import tomllib
from importlib import metadata, resources
from importlib.util import find_spec
from pathlib import Path

import gymnasium
import numpy as np

import skirmish_env
from agents import shipped
from skirmish_env import Table, deals, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from skirmish_env.opponents import find_opponent

AGENTS = {"random", "greedy", "heuristic", "expert", "mc100", "ismcts", "ppo"}
NOT_NEEDED = (
    *("safetensors", "torch", "stable_baselines3", "hydra", "matplotlib"),
    *("pytest", "hypothesis", "mypy"),
)
RESULTS = {"villains", "heroes", "draw"}


# ---- what was installed


def check_installation() -> None:
    """The wheel's files and metadata are here, and nothing but what it asks for."""
    assert "site-packages" in skirmish_env.__file__, skirmish_env.__file__
    assert not Path("pyproject.toml").exists(), "this must run outside the repository"
    assert metadata.version("skirmish-env") == skirmish_env.__version__
    present = [name for name in NOT_NEEDED if find_spec(name)]
    assert not present, f"installed without need: {present}"
    data = resources.files("skirmish_env").joinpath("card_sets/in_new_york.toml")
    assert tomllib.loads(data.read_text(encoding="utf-8"))
    assert len(NEW_YORK.load().hash) >= 8
    assert resources.files("skirmish_env").joinpath("py.typed").is_file()
    assert resources.files("configs").joinpath("run.yaml").is_file()


def check_agents() -> None:
    """Every agent is registered; the trained one says what it lacks."""
    named = {agent.name: agent for agent in metadata.entry_points(group="skirmish_env.agents")}
    assert named.keys() == AGENTS, named
    for name in AGENTS - {"ppo"}:
        assert named[name].load()().name == name
    try:
        find_opponent("ppo:nowhere.zip", NEW_YORK)
    except ValueError as error:
        assert "pip install 'skirmish-env[train]'" in str(error), error
    else:
        raise AssertionError("a trained agent loads without torch")
    for name in shipped.names():
        try:
            find_opponent(name, NEW_YORK)
        except ValueError as error:
            assert "pip install 'skirmish-env[play]'" in str(error), error
        else:
            raise AssertionError("weights are read without safetensors")


def check_warm() -> None:
    """Compiling ahead works as a command; what follows finds its code in the cache."""
    command = [sys.executable, "-I", "-W", "error", "-m", "skirmish_env.warm"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("compiled and cached in "), done.stdout


# ---- whole games


def play_at_the_table(seed: int) -> str:
    """Play legal moves at random to the end, save the game and play the file again."""
    rng, table = np.random.default_rng(seed), Table.new(seed=seed)
    while table.winner is None:
        table.play(rng.choice(table.legal()).item())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.json")
        table.save(file)
        assert Table.replay(file).position() == table.position()
    return table.winner


def play_by_turns(seed: int) -> str:
    """Play a PettingZoo game at random."""
    env, rng = skirmish_v0.env(render_mode="ansi"), np.random.default_rng(seed)
    env.reset(seed=seed)
    assert "turn 1" in env.render()
    results = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        if termination or truncation:
            results[agent] = (reward, info["winner"])
        env.step(None if termination or truncation else rng.choice(legal))
    assert sum(reward for reward, _ in results.values()) == 0
    return results["villains"][1]


def play_against(opponent: str, seed: int) -> str:
    """Play a Gymnasium game at random against somebody."""
    env = gymnasium.make("skirmish_env/Skirmish-v0", opponent=opponent)
    rng, over = np.random.default_rng(seed), False
    _, info = env.reset(seed=seed)
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, _, over, _, info = env.step(action)
    return info["winner"]


def play_side_by_side(policy: str) -> None:
    """Play the first named deals to their ends."""
    batch, rng = Batch(16), np.random.default_rng(0)
    batch.deal(deals("deals-v1", 16))
    while (live := np.flatnonzero(~batch.over)).size:
        batch.step(batch.view(live).policy(policy, rng), live)
    assert (batch.rewards.sum(axis=1) == 0).all()
    assert (batch.turns > 1).all()


def main() -> None:
    """Fail with the first thing that is missing."""
    check_installation()
    check_agents()
    check_warm()
    assert play_at_the_table(seed=7) in RESULTS
    assert play_by_turns(seed=7) in RESULTS
    for policy in sorted(NEW_YORK.policies):
        assert play_against(policy, seed=7) in RESULTS
        play_side_by_side(policy)
    assert "torch" not in sys.modules
    print(f"skirmish-env {skirmish_env.__version__} works on {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
