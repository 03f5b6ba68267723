"""What the idle player can take a hidden hand for, question by question (rulings 10-19, 50).

A redeal for the player who is not asked deals a hand to the other one that can be asked the open
question; the options are those of that hand.
"""

import pytest

from skirmish_env.common.jit import PLAIN
from skirmish_env.new_york import ids, redeal, rules
from skirmish_env.new_york.actions import MOVES
from skirmish_env.new_york.cards import card_ids, load
from tests.rulebook.helpers import side, table
from tests.rulebook.test_contract import ONE_SET

SEEDS = range(8)


def guesses(t, viewer, skip_forced=0):
    """Records of several redeals for a viewer."""
    for seed in SEEDS:
        states = t.states
        states["skip_forced"] = skip_forced
        rules.redeal(states, 0, load().record, ONE_SET, viewer, seed)
        yield states[0]


def options(g):
    return [MOVES[a] for a in g.options[: g.option_count]]


def held(g, seat):
    return [name for name, n in zip(card_ids(), g.hand[seat]) if n]


def colour(card):
    return load().record[0].colour[card_ids().index(card)]


@pytest.mark.rule("ruling 50", "ruling 10")
def test_recruitment_offers_what_the_other_hand_could_play():
    t = table(villains=side(hand=["ares_1", "zola_1", "hydra_agents_blue"]))
    for g in guesses(t, ids.HEROES):
        plays = {move.split()[1] for move in options(g) if move.startswith("play")}
        assert plays <= set(held(g, ids.VILLAINS))
        assert options(g)[-1] == "done"


@pytest.mark.rule("ruling 50", "ruling 10", "ruling 19")
def test_a_payment_goes_on_with_a_hand_that_can_finish_it():
    """The Alley costs yellow, green and blue: the two cards left hold a green and a blue one."""
    t = table(
        villains=side(hand=["run_down_alley", "zola_1", "loki_1", "ultron_1"]),
        battlegrounds=["street_corner"],
    )
    t.play("play run_down_alley", "discard zola_1")
    for g in guesses(t, ids.HEROES):
        others = [card for card in held(g, ids.VILLAINS) if card != "run_down_alley"]
        assert "run_down_alley" in held(g, ids.VILLAINS)
        assert {colour(card) for card in others} == {ids.GREEN, ids.BLUE}
        assert options(g) == [f"discard {card}" for card in others if colour(card) == ids.GREEN]


@pytest.mark.rule("ruling 50", "card iron_man_1", "ruling 15")
def test_a_free_play_is_offered_from_a_hand_that_has_one():
    t = table(
        to_move="heroes",
        heroes=side(hand=["iron_man_1", "iron_man_2", "ant_man_1", "hulk_1"],
                    slots={1: "iron_man_2"}),
    )  # fmt: skip
    t.play("play iron_man_1")
    assert t.question == "play free"
    for g in guesses(t, ids.VILLAINS, skip_forced=1):
        plays = [move.split()[1] for move in options(g)[:-1]]
        assert plays
        assert set(plays) <= set(held(g, ids.HEROES))
        assert options(g)[-1] == "no"


@pytest.mark.rule("ruling 50", "card baron_zemo_1", "ruling 21")
def test_a_card_to_give_up_comes_from_the_hand_dealt():
    t = table(villains=side(hand=["ares_1", "kang_1"], slots={4: "baron_zemo_1"}))
    t.play("done")
    assert t.question == "give up card"
    for g in guesses(t, ids.HEROES):
        assert options(g) == [f"discard {card}" for card in held(g, ids.VILLAINS)] + ["no"]


@pytest.mark.rule("ruling 50", "ruling 47", "artifact warlocks_eye")
def test_warlocks_eye_asks_for_a_card_of_the_hand_dealt():
    t = table(
        villains=side(hand=["ultron_2"], slots={2: "ultron_1"}, artifacts=["warlocks_eye"]),
        heroes=side(hand=["hulk_1", "thor_1", "thor_1"]),
    )
    t.play("play ultron_2")
    for g in guesses(t, ids.VILLAINS):
        assert options(g) == [f"discard {card}" for card in held(g, ids.HEROES)]


@pytest.mark.rule("ruling 50")
def test_options_that_do_not_hang_on_hidden_cards_stay():
    t = table(villains=side(slots={1: "zola_1:1"}))
    t.play("done")
    for g in guesses(t, ids.HEROES):
        assert options(g) == ["yes", "no"]


@pytest.mark.rule("ruling 50")
def test_a_question_that_no_hand_could_be_asked_is_an_error(monkeypatch):
    """No game comes here: by hand, every green card but the one being played is discarded."""
    if PLAIN:
        monkeypatch.setattr(redeal, "MOST_DEALS", 10)
    t = table(villains=side(hand=["leader_1", "loki_1", "ares_1"]))
    t.play("play leader_1")
    states = t.states
    hand, discard = states[0].hand[ids.VILLAINS], states[0].discard[ids.VILLAINS]
    hand[card_ids().index("loki_1")] = 0
    hand[card_ids().index("ares_1")] = 2
    for number, card in enumerate(card_ids()[:28]):
        if colour(card) == ids.GREEN:
            discard[number] = 2 - hand[number]
    with pytest.raises(RuntimeError, match="no hand found"):
        rules.redeal(states, 0, load().record, ONE_SET, ids.HEROES, 0)
