"""Redeals: what a viewer cannot know is dealt anew, uniformly, without a look at the truth."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations
from math import sqrt

import numpy as np
import pytest

from skirmish_env import Table
from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.new_york import ids, kernels, rules
from skirmish_env.new_york.actions import CARD_IDS
from skirmish_env.new_york.cards import load
from skirmish_env.new_york.knowledge import known
from skirmish_env.new_york.notation import known_in_hand
from skirmish_env.new_york.problems import problems
from tests.properties.games import CARD_SETS, ONE_SET, dealt, legal, moments, step
from tests.rulebook.helpers import FACTION_CARDS, side, table

CARDS = CARD_SETS[0]
GAMES = 2 if PLAIN else 30
DEALS = 12_000

# Thousands of redeals each; the parity tests show that both modes deal the same.
statistical = pytest.mark.skipif(PLAIN, reason="statistics are for compiled code")


def redealt(states, viewer, seed, card_set=CARDS):
    guess = states.copy()
    rules.redeal(guess, 0, card_set.record, ONE_SET, viewer, seed)
    return guess


def many(t, viewer, n=DEALS):
    """Return n redeals of a table's game."""
    states = np.repeat(t.states, n)
    games = np.arange(n)
    kernels.redeal_many(
        states, t.card_set.record, 0 * games, games, np.full(n, viewer), games
    )
    return states


def looked_at():
    """Moments of random games, with a number of their own."""
    for game in range(GAMES):
        for n, states in enumerate(moments(game, skip_forced=game % 2)):
            if (n + game) % 5 == 0:
                yield 1000 * game + n, states


# ---------------------------------------------------------------------------------------------
# What stays.


def test_a_redeal_keeps_all_that_the_viewer_knows():
    for number, states in looked_at():
        for viewer in range(2):
            guess = redealt(states, viewer, number)
            assert known(guess, 0, viewer) == known(states, 0, viewer)
            assert problems(guess, 0, CARDS) == []


def test_a_redeal_can_be_played_on_to_the_end():
    chooser = random.Random(0)
    for number, states in looked_at():
        if number % 2:
            guess = redealt(states, number // 2 % 2, number)
            while guess[0].phase != ids.OVER:
                step(guess, chooser.choice(legal(guess)))
            assert problems(guess, 0, CARDS) == []


def test_the_same_seed_deals_the_same_and_another_one_does_not():
    states = dealt(1)
    first, again, other = (redealt(states, 0, seed).tobytes() for seed in (0, 0, 1))
    assert first == again != other


def test_views_redeal_from_their_generator_for_both_seats():
    batch = Batch(4)
    batch.deal(np.arange(4))
    for seat in range(2):
        view = batch.view(viewer=np.full(4, seat))
        first, again = (view.redeal(np.random.default_rng(3)).states for _ in range(2))
        assert first.tobytes() == again.tobytes()
        assert first.tobytes() != view.redeal(np.random.default_rng(4)).states.tobytes()


# ---------------------------------------------------------------------------------------------
# The truth is not looked at.


def scrambled(states, viewer, chooser):
    """The same knowledge over other hidden cards, dealt by hand: hands, decks, removed, stacks."""
    twin = states.copy()
    g, other = twin[0], 1 - viewer
    scramble_faction(g, viewer, 0, chooser)
    open_cards = known_in_hand(g, other)
    size = int(g.hand_size[other]) - int(g.hand[other, ids.FIRST_BATTLEGROUND :].sum())
    scramble_faction(g, other, size, chooser, open_cards)
    scramble_battlegrounds(g, other, open_cards, chooser)
    places = [n for n in range(g.tiles_size) if not g.tiles_known[n]]
    tiles = [int(g.tiles[n]) for n in places]
    chooser.shuffle(tiles)
    g.tiles[places] = tiles
    return twin


def scramble_faction(g, seat, hand_size, chooser, open_cards=None):
    types = range(28 * seat, 28 * seat + 28)
    in_hand = open_cards if open_cards is not None else g.hand[seat]
    pool = []
    for card in types:
        seen = int(g.discard[:, card].sum()) + int((g.card == card).sum()) + int(in_hand[card])
        pool += [card] * (2 - seen)
    chooser.shuffle(pool)
    if open_cards is not None:
        g.hand[seat, list(types)] = open_cards[list(types)]
        for _ in range(hand_size - int(open_cards[: ids.FIRST_BATTLEGROUND].sum())):
            g.hand[seat, pool.pop()] += 1
    for n in range(g.deck_size[seat]):
        g.deck[seat, n] = pool.pop()


def scramble_battlegrounds(g, other, open_cards, chooser):
    hidden = [
        card
        for card in range(ids.FIRST_BATTLEGROUND, ids.CARDS)
        if g.hand[other, card] and not open_cards[card]
    ]
    places = [n for n in range(g.stack_size) if not g.stack_known[n]]
    pool = hidden + [int(g.stack[n]) for n in places]
    chooser.shuffle(pool)
    g.hand[other, hidden] = 0
    for _ in hidden:
        g.hand[other, pool.pop()] = 1
    for n in places:
        g.stack[n] = pool.pop()


def test_equal_knowledge_gives_equal_redeals():
    """Whatever the hidden cards are, the same seed deals the same game to the viewer."""
    chooser = random.Random(5)
    changed = 0
    for number, states in looked_at():
        for viewer in range(2):
            twin = scrambled(states, viewer, chooser)
            changed += twin.tobytes() != states.tobytes()
            assert known(twin, 0, viewer) == known(states, 0, viewer)
            assert (
                redealt(twin, viewer, number).tobytes() == redealt(states, viewer, number).tobytes()
            )
    assert changed > 10 * GAMES


# ---------------------------------------------------------------------------------------------
# Uniform over the possibilities: every physical deal that fits is as likely as any other.


def fits(counts, expected):
    """Chi-square over outcomes with expected shares; far outside chance fails."""
    total, shares = sum(counts.values()), sum(expected.values())
    assert set(counts) <= set(expected), set(counts) - set(expected)
    statistic = 0.0
    for outcome, share in expected.items():
        mean = total * share / shares
        assert mean > 5, "too few redeals for so many outcomes"
        statistic += (counts[outcome] - mean) ** 2 / mean
    freedom = len(expected) - 1
    limit = freedom * (1 - 2 / (9 * freedom) + 5 * sqrt(2 / (9 * freedom))) ** 3
    assert statistic < limit, f"chi-square {statistic:.1f}, five sigma are {limit:.1f}"


def all_but(faction, *kept):
    """The discard pile that leaves only so many cards of a faction to be seen elsewhere."""
    left = Counter(kept)
    return [c for c in FACTION_CARDS[faction] for _ in range(2 - left[c])]


def hand_of(g, seat):
    return tuple(CARD_IDS[c] for c in np.repeat(np.arange(ids.CARDS), g.hand[seat]))


def deck_of(g, seat):
    return tuple(CARD_IDS[c] for c in g.deck[seat, : g.deck_size[seat]][::-1])


def in_list_order(cards):
    return tuple(sorted(cards, key=CARD_IDS.index))


@statistical
def test_the_other_hand_and_deck_are_uniform():
    """Five cards are unseen, two copies of Thor among them: two in hand, two in the deck."""
    unseen = ["thor_1", "thor_1", "hulk_1", "ant_man_1", "hawkeye_1"]
    t = table(
        villains=side(slots={1: "zola_1:1"}),
        heroes=side(
            hand=unseen[:2], deck=unseen[2:4], discard=all_but("heroes", *unseen)
        ),
    )
    t.play("done")
    assert (t.to_move, t.question) == ("villains", "heal self")
    counts = Counter((hand_of(g, 1), deck_of(g, 1)) for g in many(t, ids.VILLAINS))
    expected = Counter()
    for order in permutations(unseen):
        expected[in_list_order(order[:2]), order[2:4]] += 1
    fits(counts, expected)


@statistical
def test_the_own_deck_is_uniform():
    unseen = ["leader_1", "zola_2", "ares_1", "ares_1"]
    t = table(
        villains=side(
            slots={1: "zola_1:1"},
            deck=unseen[:3],
            discard=all_but("villains", *unseen, "zola_1"),
        ),
    )
    t.play("done")
    counts = Counter(deck_of(g, 0) for g in many(t, ids.VILLAINS))
    fits(counts, Counter(order[:3] for order in permutations(unseen)))


# Villains pay for the Leader (green and any) from three more cards of these six.
PAYING = ["loki_1", "thanos_1", "ares_1", "zola_1", "kang_1", "ares_1"]
GREEN = {"loki_1", "thanos_1"}


def paying_table():
    return table(
        villains=side(
            hand=["leader_1", *PAYING[:3]],
            deck=PAYING[3:5],
            discard=all_but("villains", "leader_1", *PAYING),
        ),
    )


@statistical
@pytest.mark.parametrize("skip_forced", [0, 1])
def test_a_hand_that_pays_can_pay(skip_forced):
    """The idle Heroes know that a green card is there; with a choice, that two are."""
    t = paying_table()
    t.play("play leader_1")
    states = t.states
    states["skip_forced"] = skip_forced
    counts = Counter()
    for seed in range(DEALS):
        guess = redealt(states, ids.HEROES, seed)
        assert legal(guess) == [
            ids.DISCARD + CARD_IDS.index(c) for c in in_list_order(set(hand_of(guess[0], 0)))
            if c in GREEN
        ]  # fmt: skip
        counts[tuple(c for c in hand_of(guess[0], 0) if c != "leader_1")] += 1
    expected = Counter(
        in_list_order(hand)
        for hand in combinations(PAYING, 3)
        if len(GREEN & set(hand)) > skip_forced
    )
    fits(counts, expected)


@statistical
def test_a_hand_that_is_asked_to_give_up_a_card_has_a_choice():
    """Warlock's Eye under `skip_forced`: two copies of one card would have left no question."""
    unseen = ["thor_1", "thor_1", "hulk_1", "hulk_1", "ant_man_1"]
    t = table(
        villains=side(hand=["ultron_2"], slots={2: "ultron_1"}, artifacts=["warlocks_eye"]),
        heroes=side(hand=unseen[1:3], deck=unseen[3:], discard=all_but("heroes", *unseen)),
    )
    t.play("play ultron_2")
    assert (t.to_move, t.question) == ("heroes", "warlock discard")
    states = t.states
    states["skip_forced"] = 1
    counts = Counter(
        hand_of(redealt(states, ids.VILLAINS, seed)[0], 1) for seed in range(DEALS)
    )
    expected = Counter(
        in_list_order(hand) for hand in combinations(unseen, 2) if len(set(hand)) == 2
    )
    fits(counts, expected)


@statistical
def test_unseen_battlegrounds_lie_anywhere_that_nobody_saw():
    """Two of four unseen ones in the other hand, two in the stack above one that went back."""
    t = table(
        villains=side(slots={6: "zola_1:1"}, hand=["street_corner", "busy_main_street"]),
        heroes=side(hand=["run_down_alley", "avengers_mansion"], deck=["thor_1", "thor_1"]),
        battlegrounds=["luxurious_rooftops", "financial_district", "destroyed_park_area"],
    )
    states = t.states
    states[0].stack_known[2] = 1
    hidden = ["run_down_alley", "avengers_mansion", "luxurious_rooftops", "financial_district",
              "abandoned_neighborhood"]  # fmt: skip
    counts = Counter()
    for seed in range(DEALS):
        g = redealt(states, ids.VILLAINS, seed)[0]
        stack = tuple(CARD_IDS[c] for c in g.stack[: g.stack_size])
        assert stack[2] == "destroyed_park_area"
        counts[hand_of(g, 1), stack[:2]] += 1
    expected = Counter()
    for order in permutations(hidden):
        expected[in_list_order(order[:2]), order[2:4]] += 1
    fits(counts, expected)


def test_a_followed_battleground_stays_in_the_other_hand():
    t = table(heroes=side(hand=["run_down_alley", "avengers_mansion"]))
    states = t.states
    number = CARD_IDS.index("run_down_alley") - ids.FIRST_BATTLEGROUND
    states[0].hand_known[1, number] = 1
    others = set()
    for seed in range(200):
        held = hand_of(redealt(states, ids.VILLAINS, seed)[0], 1)
        assert "run_down_alley" in held
        others |= set(held)
    assert len(others) == 8


@statistical
def test_unseen_artifact_tiles_are_uniform():
    unseen = ["norn_stones", "ebony_blade", "casket_of_ancient_winters", "warlocks_eye"]
    t = table(
        villains=side(artifacts=["cosmic_cube", "eternal_flame", "eye_of_agamotto"]),
        heroes=side(artifacts=["lifeline_tablet", "wand_of_watoomb"]),
        artifact_row=["darkhold", "tactigon"],
        artifact_stack=[unseen[0], "ten_rings", *unseen[1:]],
    )
    states = t.states
    states[0].tiles_known[1] = 1
    counts = Counter()
    for seed in range(DEALS // 4):
        g = redealt(states, ids.HEROES, seed)[0]
        first, second, *others = (ids.ARTIFACT_IDS[n] for n in g.tiles[:5])
        assert second == "ten_rings"
        counts[first, *others] += 1
    fits(counts, Counter(permutations(unseen)))


@statistical
def test_the_next_draw_is_guessed_at_the_base_rate_only():
    """Over 500 redeals: own and other deck, battleground stack and artifact stack."""
    hits, expected, spread = Counter(), Counter(), Counter()
    chooser = random.Random(11)
    for seed in range(500):
        states = dealt(seed)
        for _ in range(chooser.randrange(60)):
            if states[0].phase != ids.OVER:
                step(states, chooser.choice(legal(states)))
        viewer = seed % 2
        guess = redealt(states, viewer, seed)[0]
        for what, (true, dealt_card, rate) in next_draws(states[0], guess, viewer).items():
            hits[what] += true == dealt_card
            expected[what] += rate
            spread[what] += rate * (1 - rate)
    for what, mean in expected.items():
        assert abs(hits[what] - mean) < 4.5 * sqrt(spread[what]), (what, hits[what], mean)
    assert len(expected) == 4


def next_draws(g, guess, viewer):
    """Next card of each hidden pile: the true one, the guessed one, the chance of a hit."""
    found = {}
    for what, seat in (("own deck", viewer), ("other deck", 1 - viewer)):
        if g.deck_size[seat]:
            last = g.deck_size[seat] - 1
            true = int(g.deck[seat, last])
            seen = g.discard.sum(0) + np.bincount(g.card[g.card >= 0], minlength=ids.CARDS)
            seen = seen + (g.hand[seat] if seat == viewer else known_in_hand(g, seat))
            pool = 2 - seen[28 * seat : 28 * seat + 28]
            rate = (2 - seen[true]) / pool.sum()
            found[what] = true, int(guess.deck[seat, last]), rate
    if g.stack_size and not g.stack_known[0]:
        unseen = int((g.stack_known[: g.stack_size] == 0).sum())
        other = g.hand[1 - viewer] - known_in_hand(g, 1 - viewer)
        unseen += int(other[ids.FIRST_BATTLEGROUND :].sum())
        found["battlegrounds"] = int(g.stack[0]), int(guess.stack[0]), 1 / unseen
    if g.tiles_size and not g.tiles_known[0]:
        unseen = int((g.tiles_known[: g.tiles_size] == 0).sum())
        found["artifacts"] = int(g.tiles[0]), int(guess.tiles[0]), 1 / unseen
    return found


def test_a_redeal_of_a_finished_game_changes_nothing_that_is_known():
    *_, states = moments(0)
    assert states[0].phase == ids.OVER
    for viewer in range(2):
        guess = redealt(states, viewer, 1)
        assert known(guess, 0, viewer) == known(states, 0, viewer)


def test_a_table_position_can_be_redealt_under_other_rules():
    other = load(rules={"attack_effect": "each_attack", "tower_slots": 2, "sanctum_slots": 1})
    t = Table.new(seed=5, rules=other.rules)
    for viewer in range(2):
        guess = redealt(t.states, viewer, 3, t.card_set)
        assert problems(guess, 0, t.card_set) == []
