"""Details of the contract that games rarely reach: windows, copies, refusals, hidden cards."""

import re

import numpy as np
import pytest

from skirmish_env import IllegalAction, Table
from skirmish_env.game import NEW_YORK
from skirmish_env.new_york import cards, ids, rules
from skirmish_env.new_york.observation import LAYOUT, SIZE
from tests.rulebook.helpers import side, table

ONE_SET = np.zeros(1, np.int64)


def observed(t, seat):
    out = np.zeros(SIZE, np.float32)
    rules.observe(t.states, 0, cards.load().record, ONE_SET, seat, out)
    return out


@pytest.mark.rule("ruling 42")
def test_a_slot_whose_card_falls_in_its_window_is_passed():
    """The Darkhold kills Hawkeye in his own window; Strange steps up, but the slot is over."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "hawkeye_1+doctor_strange_1"}, artifacts=["darkhold"]),
    )
    t.play("done", "artifact darkhold")
    assert t.position()["heroes"]["slots"][3] == "doctor_strange_1:1"
    assert t.position()["artifact_marker"] == 0
    assert t.to_move == "villains"


@pytest.mark.rule("ruling 42")
def test_a_card_that_survives_its_window_attacks():
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "doctor_strange_1"}, artifacts=["darkhold"]),
    )
    t.play("done", "artifact darkhold")
    assert t.position()["artifact_marker"] == -1


@pytest.mark.rule("rule notation.observation")
def test_the_slot_that_is_up_is_the_one_that_attacks():
    """Zola asks about healing during his own attack: slot 1 is up, then slot 6."""
    for slot in (1, 6):
        t = table(villains=side(slots={slot: "zola_1:1"}))
        t.play("done")
        assert t.question == "heal self"
        up = observed(t, ids.VILLAINS)[LAYOUT.span("attacking slot")]
        assert list(np.flatnonzero(up)) == [slot - 1]


@pytest.mark.rule("ruling 50")
def test_a_battleground_being_played_is_known_to_both():
    """It stays in the hand until its effect is over, but it lies open."""
    t = table(
        villains=side(hand=["street_corner", "ares_1", "zola_1", "ultron_1"]),
        heroes=side(slots={1: "hulk_1"}),
        battlegrounds=["run_down_alley"],
    )
    t.play("play street_corner")
    seen = observed(t, ids.HEROES)
    number = cards.card_ids().index("street_corner") - ids.FIRST_BATTLEGROUND
    assert seen[LAYOUT.offset("battlegrounds in other hand") + number] == 1
    assert seen[LAYOUT.offset("battlegrounds unseen") + number] == 0
    assert observed(t, ids.VILLAINS)[LAYOUT.offset("battlegrounds shown") + number] == 1
    assert t.position(viewer="heroes")["villains"]["hand"] == ["street_corner", "?", "?", "?"]


@pytest.mark.rule("ruling 50")
def test_a_redeal_forgets_the_options_of_earlier_questions():
    """Options of the other player's last question would name cards of the true hand."""
    hand = ["hydra_agents_blue", "hydra_agents_yellow", "ares_1", "zola_1", "kang_1"]
    t = table(villains=side(hand=hand), heroes=side(deck=["thor_1", "thor_1"]))
    t.play("play hydra_agents_blue", "slot 1")
    assert t.to_move == "heroes"
    guess = t.states
    rules.redeal(guess, 0, cards.load().record, ONE_SET, ids.HEROES, 5)
    assert set(guess[0].options[guess[0].option_count :]) == {ids.NO_ACTION}


@pytest.mark.rule("rule notation.open-symbols")
def test_unused_discounts_are_forgotten_after_the_payment():
    t = table(
        villains=side(hand=["leader_1", "loki_1", "ares_1"], artifacts=["cosmic_cube"]),
    )
    t.play("play leader_1")
    t.play("discard loki_1", "discard ares_1")
    assert t.question == "placement"
    assert list(observed(t, ids.VILLAINS)[LAYOUT.span("waivers")]) == [0, 0]


@pytest.mark.rule("rule notation.bytes")
def test_a_game_from_bytes_plays_on_but_saves_no_replay():
    t = table(villains=side(slots={1: "loki_1"}), heroes=side(slots={1: "hawkeye_1"}))
    t.play("done")
    assert t.question == "capture"
    twin = Table.from_bytes(t.to_bytes())
    twin.play("slot 2")
    assert twin.position()["villains"]["slots"][1] == "hawkeye_1"
    with pytest.raises(ValueError, match="rebuilt from bytes"):
        twin.replay_data()


@pytest.mark.rule("rule notation.bytes")
@pytest.mark.parametrize("data", [b"", b"x", bytes(len(Table.new().to_bytes()))])
def test_bytes_that_are_no_game_are_refused(data):
    with pytest.raises(ValueError, match="no game of rules version"):
        Table.from_bytes(data)


@pytest.mark.rule("rule notation.all-or-nothing")
@pytest.mark.parametrize("wrong", [["x"], None, 7, "play nobody"])
def test_no_move_is_played_when_a_later_one_is_wrong(wrong):
    t = table(villains=side(slots={1: "zola_1:1"}))
    before = t.to_bytes()
    with pytest.raises(IllegalAction, match=re.escape("no such move")):
        t.play("done", wrong)
    assert t.to_bytes() == before
    assert t.log == []


@pytest.mark.rule("rule components.civilian-markers", "rule notation.impossible")
@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"heroes": {"freed": "r" * 256}}, "heroes.freed: more 'r' civilians than the 3"),
        ({"heroes": {"freed": 5}}, "heroes.freed: expected colour letters, not 5"),
        ({"heroes": {"freed": None}}, "heroes.freed: expected colour letters, not None"),
        ({"civilians": [None, "rygb", ""]}, "civilians[1]: expected colour letters, not None"),
    ],
)
def test_impossible_civilians_are_refused(position, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        Table.from_position(position)


@pytest.mark.rule("rule notation.observation")
def test_observations_stay_inside_their_bounds_at_the_widest_goals():
    t = Table.from_position({"victory": 48}, rules={"villains_goal": 49, "heroes_goal": 49})
    for seat in range(2):
        out = np.zeros(SIZE, np.float32)
        rules.observe(t.states, 0, t.card_set.record, ONE_SET, seat, out)
        assert out.min() >= NEW_YORK.low
        assert out.max() <= NEW_YORK.high
