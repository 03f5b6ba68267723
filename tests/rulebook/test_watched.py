"""A turn watched stride by stride: it goes as in one step, and shows each location bonus."""

import numpy as np
import pytest

from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from skirmish_env.new_york.ids import LOCATIONS
from tests.rulebook.helpers import side, table

TO_ACTION = NEW_YORK.move_to_action


def bonuses(t, *moves):
    """Locations whose bonus a turn takes, in order; the turn comes out as it does in one step."""
    games = Batch(1, card_set=NEW_YORK.load(), skip_forced=False)
    games.states = t.states
    waiting, found = list(moves), []
    while waiting or games.seat[0] < 0:
        action = np.array([TO_ACTION(waiting.pop(0)) if games.seat[0] >= 0 else -1])
        place = NEW_YORK.story.bonus(games.states, action, games.card_set)[0]
        found += [LOCATIONS[place]] if place >= 0 else []
        games.stride(action)
    t.play(*moves)
    assert games.states.tobytes() == t.states.tobytes()
    return found


@pytest.mark.rule("rule attack.bonus")
def test_every_open_location_gives_its_bonus_in_turn():
    t = table(villains=side(slots={1: "ares_1", 4: "kang_1", 6: "leader_1"}))
    assert bonuses(t, "done") == ["manhattan", "sanctum", "tower"]


@pytest.mark.rule("rule attack.defended-no-bonus")
def test_who_stands_opposite_is_hit_and_no_bonus_taken():
    t = table(villains=side(slots={1: "ares_1", 4: "kang_1"}), heroes=side(slots={1: "hulk_1"}))
    assert bonuses(t, "done", "no") == ["sanctum"]


@pytest.mark.rule("card taskmaster_1", "card taskmaster_2")
@pytest.mark.parametrize(
    ("card", "moves", "taken"),
    [("taskmaster_1", [], 1), ("taskmaster_2", ["yes"], 2), ("taskmaster_2", ["no"], 1)],
)
def test_a_second_attack_takes_the_bonus_again_where_the_card_says_so(card, moves, taken):
    t = table(villains=side(slots={6: card}))
    assert bonuses(t, "done", *moves) == ["tower"] * taken


@pytest.mark.rule("rule attack.bonus")
def test_a_civilian_to_free_is_a_bonus_of_the_heroes():
    t = table(to_move="heroes", heroes=side(slots={1: "hulk_1"}))
    assert bonuses(t, "done", "civilian red") == ["manhattan"]
