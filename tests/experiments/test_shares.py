import pytest
from sb3_contrib import MaskablePPO

from agents.network import MaskedPolicy
from agents.ppo import Team
from configs.schema import AgentConfig, OpponentsConfig, RunConfig, TrainConfig
from experiments import shares
from experiments.collected import Collected


@pytest.fixture
def config(tmp_path):
    return RunConfig(
        folder=str(tmp_path),
        agent=AgentConfig(trunk=[16], policy=[16], value=[16]),
        train=TrainConfig(
            games=16, steps=8, minibatch=64, epochs=1, snapshot_every=128, hardness=0,
            opponents=OpponentsConfig(random=0.3),
        ),
    )  # fmt: skip


def test_the_parts_make_up_the_whole(config, tmp_path, capsys):
    classes = (MaskablePPO, MaskedPolicy, Collected, Team)
    before = [dict(vars(one)) for one in classes]
    found = shares.measure(config, 384)
    assert [dict(vars(one)) for one in classes] == before  # nothing is timed any more
    assert not list(tmp_path.iterdir())
    assert found["decisions"] == 384
    assert sum(found["parts"].values()) == pytest.approx(found["seconds"])
    assert sum(found["shares"].values()) == pytest.approx(1)
    assert found["parts"].keys() == found["work"].keys() == {
        shares.RULES, shares.ENV, shares.NETWORKS, shares.FORWARD, shares.BUFFER,
        shares.ADVANTAGES, shares.GRADIENTS, shares.OTHER, "opponents: heuristic",
        "opponents: expert", "opponents: random",
    }  # fmt: skip
    assert all(seconds > 0 for seconds in found["parts"].values())
    ours = sum(found["shares"][part] for part in (shares.RULES, shares.ENV, shares.NETWORKS))
    assert ours < found["environment"] < 1
    assert "384 decisions in" in shares.table(found)


def test_a_compiled_opponent_alone(config):
    found = shares.measure_compiled(config, "random", 256)
    assert found["decisions"] == 256
    assert {shares.RULES, shares.ENV, shares.GRADIENTS} < found["parts"].keys()
    assert shares.NETWORKS not in found["parts"]


def test_a_clock_stands_still_while_a_part_calls_another(monkeypatch):
    now = 0.0
    monkeypatch.setattr(shares.time, "perf_counter", lambda: now)
    monkeypatch.setattr(shares.time, "process_time", lambda: 2 * now)
    clock = shares.Clock()
    with clock.part("outer"):
        now = 1.0
        with clock.part("inner"):
            now = 5.0
        now = 7.0
    now = 100.0
    with clock.part("inner"):
        now = 101.0
    assert clock.seconds == {"outer": 3.0, "inner": 5.0}
    assert clock.work == {"outer": 6.0, "inner": 10.0}
