"""What `import skirmish_env` brings along, and what it leaves for later."""

import subprocess
import sys

# Training, drawing and the other doors; each is imported by whoever asks for it.
LATER = {
    *("torch", "stable_baselines3", "sb3_contrib", "hydra", "omegaconf", "matplotlib", "rich"),
    *("pettingzoo", "pandas", "agents", "experiments", "configs"),
    *("skirmish_env.aec", "skirmish_env.batch", "skirmish_env.game", "skirmish_env.gym_env"),
    *("skirmish_env.vector_env", "skirmish_env.opponents", "skirmish_env.testing"),
    *("skirmish_env.new_york.heuristic", "skirmish_env.new_york.problems"),
}


def imported(statement: str) -> set[str]:
    """Return the modules that a new process has after a statement."""
    script = f"import sys\n{statement}\nprint(*sys.modules)"
    command = [sys.executable, "-W", "error", "-c", script]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_the_import_leaves_training_and_the_other_doors_for_later() -> None:
    modules = imported("import skirmish_env")
    assert "skirmish_env.new_york.table" in modules
    assert not modules & LATER


def test_the_doors_to_single_games_need_no_training_either() -> None:
    modules = imported("from skirmish_env import aec, gym_env, vector_env")
    assert {"pettingzoo", "skirmish_env.game", "skirmish_env.new_york.problems"} <= modules
    assert not modules & {"torch", "stable_baselines3", "hydra", "matplotlib", "experiments"}
