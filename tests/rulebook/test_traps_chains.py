"""Chains of plays inside plays: how deep they go, and why none is endless (ruling 20)."""

from __future__ import annotations

from functools import cache

import pytest

from skirmish_env.new_york import cards, ids
from tests.rulebook.helpers import moves, shows
from tests.rulebook.turns import heroes_turn, villains_turn

CARDS = cards.load().ids
K = cards.load().record[0]
LONGEST = 9  # effects of one chain, each under the next
FRAMES_OF_AN_EFFECT = 2  # a card's play, and its program


def depth(t) -> int:
    """How many frames are open: plays, programs, what an attack asks."""
    return int(t.states[0].depth)


# ---- Played to the full depth

LINKS = [
    # what opens the effect; the moves until it asks; its question
    ("kang_1", ["play kang_1", "discard hela_1", "discard ares_1", "discard ares_2", "slot 1"],
     "fetch"),
    ("hydra_agents_green", ["fetch hydra_agents_green", "slot 2"], "play for any"),
    ("kang_1", ["play kang_1"], "fetch"),
    ("hydra_agents_green", ["fetch hydra_agents_green", "slot 3"], "play for any"),
    ("kang_2", ["play kang_2"], "fetch"),
    ("iron_man_2", ["fetch iron_man_2", "slot 4"], "play free"),
    ("kang_2", ["play kang_2"], "fetch"),
    ("iron_man_2", ["fetch iron_man_2"], "play free"),
]  # fmt: skip
KANGS = ["kang_1", "kang_1", "kang_2", "kang_2"]
AGENTS = ["hydra_agents_green", "hydra_agents_green"]


def eight_effects_open(**heroes):
    """Kang, agents, Kang, agents, Kang, Iron Man, Kang, Iron Man: and Thanos in the hand."""
    t = villains_turn(
        hand=[*KANGS, "thanos_1", "hela_1", "ares_1", "ares_2"],
        facing={4: "hawkeye_1", 5: "black_panther_1+doctor_strange_1", 6: "hulk_2"},
        villains={"discard": [*AGENTS, "iron_man_2", "iron_man_2"], "artifacts": ["warlocks_eye"]},
        heroes=heroes,
    )
    for _, played, _ in LINKS:
        t.play(*played)
    return t


@pytest.mark.rule("ruling 20", "ruling 16", "ruling 17", "card kang_1", "card iron_man_2")
def test_the_effects_of_a_chain_open_one_by_one():
    """Ruling 20: each link adds its play, then its effect; the newest one asks."""
    t = villains_turn(
        hand=[*KANGS, "hela_1", "ares_1", "ares_2", "loki_1"],
        villains={"discard": [*AGENTS, "iron_man_2", "iron_man_2"]},
    )
    assert depth(t) == 0
    for number, (card, played, question) in enumerate(LINKS, start=1):
        for move in played[:-1]:
            t.play(move)
            assert depth(t) == FRAMES_OF_AN_EFFECT * (number - 1) + 1
        t.play(played[-1])
        assert (t.question, t.question_source) == (question, card)
        assert depth(t) == FRAMES_OF_AN_EFFECT * number
    assert moves(t) == {"play loki_1", "no"}
    t.play("no")
    assert (t.question, depth(t)) == ("recruitment", 0)
    agents = "hydra_agents_green"
    shows(t, villains={"slots": ["kang_2", agents, agents, "iron_man_2", None, None]})
    shows(t, villains={
        "hand": ["loki_1"],
        "discard": ["ares_1", "ares_2", "hela_1", "iron_man_2", "kang_1", "kang_1", "kang_2"],
    })  # fmt: skip


@pytest.mark.rule("ruling 20", "ruling 37", "ruling 46", "ruling 47", "card thanos_1")
def test_nine_effects_and_the_flame_above_them():
    """Rulings 20, 46, 47: Thanos ninth, three answers to him, then the Eyes inside out."""
    t = eight_effects_open(
        artifacts=["eternal_flame"],
        hand=["ant_man_1", "ant_man_2", "hawkeye_2", "nick_fury_1", "nick_fury_2", *2 * ["thor_1"]],
    )
    t.play("play thanos_1")
    assert (t.question, depth(t)) == ("placement", 17)
    t.play("slot 5")
    shows(t, heroes={"slots": {6: "hulk_2:2"}})
    shows(t, villains={"slots": {1: "kang_2:2", 4: "iron_man_2:2", 5: "thanos_1:2"}})
    left = ["v1", "v4", "v5"]
    while left:
        assert (t.to_move, t.question, depth(t)) == ("heroes", "flame", 19)
        assert moves(t) == {f"target {place}" for place in left} | {"no"}
        t.play(f"target {left.pop(0)}")
    shows(t, villains={"slots": {}})
    # Thanos, Iron Man, Kang, Iron Man, Kang, (agents), Kang, (agents), Kang
    for number in (9, 8, 7, 6, 5, 3, 1):
        assert (t.to_move, t.question, depth(t)) == ("heroes", "warlock discard", 2 * number - 1)
        t.play(t.legal()[0])
    assert (t.to_move, t.question, moves(t)) == ("villains", "recruitment", {"done"})
    assert depth(t) == 0
    shows(t, heroes={"hand": []})
    shows(t, villains={"hand": [], "discard": [
        *KANGS, *AGENTS, "iron_man_2", "iron_man_2", "thanos_1", "hela_1", "ares_1", "ares_2",
    ]})  # fmt: skip


def agents_call(iron_men, captive):
    """Agents of the hand have called Kang, he Iron Man, he Kang, and that one is about to fetch."""
    t = villains_turn(
        hand=["hydra_agents_green", *KANGS, "ares_1", "ares_1", "ares_2", "ares_2", "zola_1"],
        villains={
            "discard": ["hydra_agents_green", *iron_men, captive],
            "artifacts": ["warlocks_eye"],
        },
        heroes={"hand": ["thor_1"]},
        victory=8,
    )
    t.play("play hydra_agents_green", "discard zola_1", "slot 1")
    t.play("play kang_2", "discard ares_1", "discard ares_1", "discard ares_2", "discard ares_2")
    t.play("slot 2", "fetch iron_man_2", "slot 3", "play kang_2")
    assert (t.question, depth(t)) == ("fetch", 8)
    return t


@pytest.mark.rule("ruling 6", "ruling 20", "card shield_agents_red", "card hydra_agents_green")
def test_the_ninth_effect_wins_and_closes_all_of_them():
    """Rulings 6, 20: the ninth effect is a captive's point, and no Eye is asked any more."""
    t = agents_call(["iron_man_2", "iron_man_2"], "shield_agents_red")
    t.play("fetch iron_man_2", "play kang_1", "fetch hydra_agents_green", "slot 4", "play kang_1")
    assert (t.question, depth(t)) == ("fetch", 16)
    t.play("fetch shield_agents_red")
    assert (t.question, depth(t)) == ("placement", 17)
    t.play("slot 5")
    assert (t.winner, t.ending, t.question, depth(t)) == ("villains", "victory", None, 0)
    shows(t, victory=9, heroes={"hand": ["thor_1"]})


@pytest.mark.rule("ruling 15", "ruling 16", "ruling 20", "card iron_man_1", "card kang_1")
def test_the_first_iron_man_can_call_no_kang():
    """Ruling 15: either Kang has more than two symbols, replacing or not."""
    t = agents_call(["iron_man_1", "iron_man_2"], "iron_man_1")
    t.play("fetch iron_man_1")
    assert (t.to_move, t.question) == ("heroes", "warlock discard")


@pytest.mark.rule("ruling 20", "ruling 13", "card iron_man_1", "card iron_man_2")
def test_three_iron_men_and_their_last_card():
    """Rulings 13, 20: the dear ones first; each replaces the one before him."""
    t = heroes_turn(
        hand=["iron_man_2", "iron_man_2", "iron_man_1", "hawkeye_1"],
        slots={3: "iron_man_1"},
        facing={4: "leader_1"},
    )
    for number, card in enumerate(("iron_man_2", "iron_man_2", "iron_man_1"), start=1):
        t.play(f"play {card}")
        assert (t.question, depth(t)) == ("play free", FRAMES_OF_AN_EFFECT * number)
    t.play("play hawkeye_1", "slot 4")
    assert (t.question, depth(t)) == ("damage opposite", 8)
    t.play("yes")
    assert (t.question, depth(t)) == ("recruitment", 0)
    shows(t, heroes={"slots": {3: "iron_man_1", 4: "hawkeye_1"}, "hand": []})
    shows(t, villains={"slots": {4: "leader_1:2"}})


# ---- No chain is endless: an argument from the cards

OPENING = (ids.MAY_PLAY, ids.MAY_PLAY_FOR_ANY, ids.MAY_FETCH)


def opening(card: int) -> tuple[int, int]:
    """Verb and limit with which a card's immediate effect opens another one; (END, 0) if none."""
    lines = [line for line in K.code[card, ids.IMMEDIATE] if line[0] in OPENING]
    return (int(lines[0][0]), int(lines[0][1])) if lines else (ids.END, 0)


OPENERS = [card for card in range(ids.CARDS) if opening(card)[0] != ids.END]


@pytest.mark.rule("ruling 20", "ruling 16")
def test_only_these_cards_open_other_cards_effects():
    assert {CARDS[card] for card in OPENERS} == {
        "kang_1", "kang_2", "hydra_agents_green", "iron_man_1", "iron_man_2",
    }  # fmt: skip
    assert not set(OPENING) & set(K.code[:, ids.ATTACK_EFFECT, :, 0].flat)
    assert not set(OPENING) & set(K.code[ids.CARDS :, :, :, 0].flat)


@pytest.mark.rule("ruling 20", "ruling 16")
def test_every_second_link_of_a_chain_takes_a_card_from_the_hand():
    """Fetchers are copies of one character who never fetches himself, and no opener draws.

    So two links in a row shrink the hand, and a hand is finite: no chain is endless.
    """
    for card in OPENERS:
        assert [int(line[0]) for line in K.code[card, ids.IMMEDIATE]][1:] == [ids.END] * 3
    fetchers = [card for card in OPENERS if opening(card)[0] == ids.MAY_FETCH]
    assert {int(K.character[card]) for card in fetchers} == {int(K.character[fetchers[0]])}
    assert K.character[fetchers[0]] >= 0


# ---- No chain is longer than nine effects: a search over the copies there are

Pile = tuple[int, ...]


def without(pile: Pile, card: int) -> Pile:
    at = pile.index(card)
    return pile[:at] + pile[at + 1 :]


def with_(pile: Pile, card: int) -> Pile:
    return tuple(sorted((*pile, card)))


def is_copy(one: int, other: int) -> bool:
    return K.character[one] >= 0 and K.character[one] == K.character[other]


@cache
def longest(card: int, hand: Pile, discard: Pile, stands: Pile) -> int:
    """Most effects in a row, from this card's own on.

    Slots and costs are no obstacle, a leaf is always at hand, and any card of the hand may be
    discarded on the way, as a payment: more is possible here than in a game.
    """
    old = [other for other in stands if is_copy(card, other)]
    for other in old:
        stands, discard = without(stands, other), with_(discard, other)
    stands = with_(stands, card)
    best = 2  # itself and a card that opens nothing
    verb, limit = opening(card)
    for paid_hand, paid_discard in payments(hand, discard):
        source = paid_discard if verb == ids.MAY_FETCH else paid_hand
        for other in set(source):
            if limit not in (0, ids.NO_LIMIT) and K.symbols[other] > limit:
                continue
            if verb == ids.MAY_FETCH:
                if not is_copy(card, other):
                    rest = without(paid_discard, other)
                    best = max(best, 1 + longest(other, paid_hand, rest, stands))
            else:
                rest = without(paid_hand, other)
                best = max(best, 1 + longest(other, rest, paid_discard, stands))
    return best


@cache
def payments(hand: Pile, discard: Pile) -> frozenset[tuple[Pile, Pile]]:
    """Every hand and discard pile that giving up cards can lead to."""
    found = {(hand, discard)}
    for card in set(hand):
        found |= payments(without(hand, card), with_(discard, card))
    return frozenset(found)


def longest_of(seat: int) -> int:
    """Longest chain of a side that holds all its openers, captured ones in the discard pile."""
    copies = [card for card in OPENERS for _ in range(int(K.copies[card]))]
    hand = tuple(card for card in copies if K.faction[card] == seat)
    captives = tuple(card for card in copies if K.faction[card] != seat and seat == ids.VILLAINS)
    return max(longest(card, without(hand, card), captives, ()) for card in set(hand))


@pytest.mark.rule("ruling 20", "ruling 16", "ruling 17")
def test_no_chain_is_longer_than_nine_effects():
    """Ruling 20: four Kangs, two agents, two Iron Men for the dear Kangs, and a last card."""
    assert longest_of(ids.VILLAINS) == LONGEST
    assert longest_of(ids.HEROES) == 4


@pytest.mark.rule("ruling 20", "ruling 41", "ruling 46")
def test_an_attack_opens_three_frames_at_most():
    """The attack, its effect, and what a strike or a defeat asks on top of that."""
    heroes = {"artifacts": ["eternal_flame"]}
    t = villains_turn({1: "ares_1"}, {1: "hawkeye_1", 2: "shield_agents_red"}, heroes=heroes)
    t.play("done")
    assert (t.question, depth(t)) == ("flame", 2)
    t.play("no")
    assert (t.question, depth(t)) == ("damage", 2)
    t.play("target h2")
    assert (t.question, depth(t)) == ("flame", 3)
    t = villains_turn({4: "taskmaster_2"}, artifact_marker=1).play("done", "yes")
    assert (t.question, depth(t)) == ("choose tile", 3)
    t = villains_turn({1: "loki_1"}, {1: "hawkeye_1"}).play("done")
    assert (t.question, depth(t)) == ("capture", 2)
    t = heroes_turn(slots={1: "hulk_1"}).play("done")
    assert (t.question, depth(t)) == ("free civilian", 2)


@pytest.mark.rule("ruling 20", "ruling 46")
def test_the_record_has_room_for_every_chain():
    """Above the last effect comes one frame at most: a tile, or the Flame, never twice."""
    assert FRAMES_OF_AN_EFFECT * LONGEST + 1 < ids.MAX_FRAMES


CHAIN_QUESTIONS = ("play for any", "play free", "fetch")


@pytest.mark.rule("ruling 20", "ruling 16", "ruling 17")
@pytest.mark.parametrize(("agents", "effects"), [(0, 9), (1, 9), (2, 8)])
def test_the_rules_find_the_same_depth(agents, effects):
    """All choices of cards from a hand of Kangs and some agents on, played out in the game.

    Without agents in the discard pile only one of the cheap Kangs can pass the word on.
    """
    start = villains_turn(
        hand=[*KANGS, *AGENTS[:agents], "hela_1", "hela_1", "ares_1", "ares_1", "leader_1"],
        villains={"discard": [*AGENTS[agents:], "iron_man_1", "iron_man_2", "iron_man_2"]},
    )
    open_tables = [start.clone().play(move) for move in start.legal() if move != "done"]
    depths = []
    while open_tables:
        t = open_tables.pop()
        if t.question != "recruitment":
            depths.append(depth(t))
            choices = t.legal() if t.question in CHAIN_QUESTIONS else t.legal()[:1]
            open_tables += [t.clone().play(move) for move in choices]
    assert max(depths) == FRAMES_OF_AN_EFFECT * effects
