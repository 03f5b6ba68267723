import re
import subprocess
import sys
from pathlib import Path

import pytest
from omegaconf import OmegaConf

import configs
from configs import schema
from configs.schema import ConfigError, RunConfig, nearest, settings
from experiments import launch
from experiments.runs import find_game

CONFIGS = Path(configs.__file__).parent
SCHEMAS = [
    schema.RunConfig,
    schema.RunsConfig,
    schema.CompareConfig,
    schema.ReplicateConfig,
    schema.AblateConfig,
    schema.EvaluationConfig,
    schema.ExportConfig,
    schema.ArenaConfig,
    schema.LeaderboardConfig,
    schema.PlayStatsConfig,
    schema.BenchConfig,
    schema.FuzzConfig,
    schema.RecordConfig,
    schema.SweepConfig,
    schema.ExploitConfig,
    schema.BestResponseConfig,
]


def start(monkeypatch, capsys, *overrides, config="run"):
    """Start an experiment that only keeps its settings: (settings, exit status, message)."""
    kept = []
    monkeypatch.setattr(sys, "argv", ["experiment", *overrides])
    status = 0
    try:
        launch.launch(kept.append, config)
    except SystemExit as stop:
        status = stop.code
    return (kept[0] if kept else None), status, capsys.readouterr().err


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_setting_has_one_sentence(kind):
    for key, _, _, sentence in settings(kind):
        assert sentence[0].isupper(), key
        assert sentence.endswith("."), key
        assert len(sentence) <= 72, key


def test_overrides_reach_the_settings(monkeypatch, capsys):
    config, status, _ = start(monkeypatch, capsys, "seed=3", "train=quick", "train.clip=0.1")
    assert status == 0
    assert isinstance(config, RunConfig)
    assert (config.seed, config.train.clip, config.train.games) == (3, 0.1, 64)
    assert config.env.game == "new_york"


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("train.decisons=5", "train.decisons: there is no such setting; the nearest is train.dec"),
        ("trian.games=5", "trian.games: there is no such setting; the nearest is train.games"),
        ("+train.minbatch=5", "train.minbatch: .*the nearest is train.minibatch"),
        ("sede=5", "sede: there is no such setting; the nearest is seed"),
        ("train.opponents.heuristics=1", "the nearest is train.opponents.heuristic"),
        ("train.decisions=many", "train.decisions: .*'many'.* could not be converted to Integer"),
        ("train.games=1.5", "train.games: .*could not be converted to Integer"),
        ("train.games=0", "train.games: must be above 0, not 0"),
        ("train.gamma=1.1", "train.gamma: must be above 0 and at most 1, not 1.1"),
        ("train.minibatch=40000", "train.minibatch: must be at most games x steps"),
        ("agent.activation=gelu", "agent.activation: must be relu or tanh or silu, not 'gelu'"),
        ("evaluate.first_deal=4294967295", "evaluate.first_deal: must be 0 or more, all deals be"),
        ("evaluate.deals=0", "evaluate.deals: must be above 0, not 0"),
        ("evaluate.deals=1.5", "evaluate.deals: .*'1.5'.*int"),
        (
            "evaluate={deals: deals-v1, first_deal: 5}",
            "evaluate.first_deal: must be 0 where evaluate.deals is a name, not 5",
        ),
        ("train=slow", "Could not find 'train/slow'"),
    ],
)
def test_a_wrong_setting_is_named(monkeypatch, capsys, override, message):
    config, status, error = start(monkeypatch, capsys, override)
    assert config is None
    assert status == launch.FAILURE
    assert "Traceback" not in error
    assert re.search(message, error), error


@pytest.mark.parametrize("chosen", [7, "deals-v1", "deals-v1:500"])
def test_deals_are_a_number_or_a_name(monkeypatch, capsys, chosen):
    config, status, _ = start(monkeypatch, capsys, f"evaluate.deals={chosen}")
    assert status == 0
    assert config.evaluate.deals == chosen
    config, status, _ = start(monkeypatch, capsys, f"deals={chosen}", config="evaluation")
    assert status == 0
    assert config.deals == chosen


def test_a_misspelt_key_in_a_file_is_named(monkeypatch, capsys, tmp_path):
    folder = tmp_path / "train"
    folder.mkdir()
    (folder / "mine.yaml").write_text("decisions: 5\nlerning_rate: 0.1\n")
    arguments = ("train=mine", "--config-dir", str(tmp_path))
    _, status, error = start(monkeypatch, capsys, *arguments)
    assert status == launch.FAILURE
    assert "train.lerning_rate: there is no such setting; the nearest is train.learning_r" in error


def test_rules_options_are_free_here_and_checked_by_the_game(monkeypatch, capsys):
    config, status, _ = start(monkeypatch, capsys, "+env.rules.attack_effect=each_attack")
    assert status == 0
    assert find_game(config)[1].rules["attack_effect"] == "each_attack"
    config.env.rules = {"attack_efect": "each_attack"}
    with pytest.raises(ConfigError, match=r"env: .*attack_efect"):
        find_game(config)
    config.env.game = "old_york"
    with pytest.raises(ConfigError, match=r"env\.game: 'old_york' is unknown; there is new_york"):
        find_game(config)


def test_the_env_group_never_mentions_the_agent():
    text = "".join(file.read_text() for file in (CONFIGS / "env").glob("*.yaml"))
    assert "agent" not in text.lower()
    assert not any(key.startswith("agent") for key, *_ in settings(schema.EnvConfig))


@pytest.mark.parametrize("file", sorted(CONFIGS.glob("*/*.yaml")), ids=lambda file: file.stem)
def test_every_file_of_a_group_fits_the_schema(file):
    section = OmegaConf.structured(RunConfig)[file.parent.name]
    OmegaConf.merge(section, OmegaConf.load(file))


def test_the_nearest_key():
    assert nearest("decisions", RunConfig) == "train.decisions"
    assert nearest("zzz.qqq", RunConfig) is None


def test_help_lists_every_setting(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["experiment", "--help"])
    launch.launch(print, "run")
    shown = capsys.readouterr().out
    for key, *_ in settings(RunConfig):
        assert f"  {key}=" in shown


def test_settings_are_found_from_any_folder(tmp_path):
    program = (
        "import sys; sys.argv = ['x', 'seed=4']\n"
        "from experiments.launch import launch\n"
        "launch(lambda config: print('seed', config.seed), 'run')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "seed 4"
    assert not list(tmp_path.iterdir())
