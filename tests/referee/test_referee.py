"""The core against an independent referee, on tangled positions and with random answers."""

import os
from collections import Counter

import pytest

from skirmish_env import Table
from tests.referee.compare import (
    Disagreement,
    compare_attacks,
    compare_games,
    compare_turns,
)
from tests.referee.mutants import ATTACK_MUTANTS, RECRUITMENT_MUTANTS, EachAttack

PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") == "1"
ATTACKS = range(300 if PLAIN else 2_000)
TURNS = range(150 if PLAIN else 200)
GAMES = range(3 if PLAIN else 15)

# How often 1,000 positions must come to what, so that the comparison cannot silently thin out.
IN_ATTACKS = {
    "ant-man shrinks": 150,
    "attackers fall": 15,
    "attacks on pairs": 40,
    "captives attack": 150,
    "captures": 25,
    "casket_of_ancient_winters": 60,
    "civilian wins": 15,
    "darkhold": 150,
    "deck-outs": 100,
    "double defeats": 250,
    "eye_of_agamotto": 60,
    "flame chains": 100,
    "flames in the own turn": 20,
    "flames of the heroes": 150,
    "flames of the villains": 150,
    "flames that kill": 150,
    "immune": 12,
    "neighbour attacks": 50,
    "norn stones": 30,
    "pairs fall to loki": 2,
    "point wins": 60,
    "red hulk forbids": 20,
    "second attacks": 35,
    "strange steps up": 15,
    "tactigon": 100,
    "thor moves": 100,
    "thor takes strange along": 20,
    "tiles taken": 30,
    "wand points": 3,
    "winter soldier hits": 20,
    "zola heals": 25,
}
IN_TURNS = {
    "battlegrounds": 50,
    "hela returns": 5,
    "kang fetches": 8,
    "pays by civilian": 150,
    "pays by discard": 800,
    "pays by waive": 40,
    "plays inside plays": 30,
    "plays thanos": 25,
    "replacements": 300,
    "tokens moved": 25,
    "tucks": 10,
    "warlock's eye": 80,
}


def demand(floors: dict[str, int], seen: Counter[str], positions: range) -> None:
    seldom = {
        what: seen[what]
        for what, least in floors.items()
        if seen[what] * 1_000 < least * len(positions)
    }
    assert not seldom, f"seldom reached in {len(positions)} positions: {seldom}"


@pytest.mark.rule("rulings 6-9, 22-43, 45, 46, 48")
def test_attack_phases() -> None:
    demand(IN_ATTACKS, compare_attacks(ATTACKS), ATTACKS)


@pytest.mark.rule("rulings 10-22, 42-47")
def test_whole_turns() -> None:
    demand(IN_TURNS, compare_turns(TURNS), TURNS)


@pytest.mark.rule("rulings 4, 6-8")
def test_whole_games() -> None:
    seen = compare_games(GAMES)
    over = sum(seen[f"games ended in {phase}"] for phase in ("recruitment", "attack", "draw"))
    assert over == len(GAMES)


@pytest.mark.rule("ruling 27")
def test_the_option_of_an_effect_with_each_attack() -> None:
    seeds = range(100_000, 100_000 + len(ATTACKS) // 8)
    seen = compare_attacks(seeds, EachAttack, attack_effect="each_attack")
    demand({"effects again": 20}, seen, seeds)


@pytest.mark.slow
def test_many_attack_phases() -> None:
    seeds = range(50_000)
    demand(IN_ATTACKS, compare_attacks(seeds), seeds)


@pytest.mark.slow
def test_many_turns_and_games() -> None:
    seeds = range(5_000)
    demand(IN_TURNS, compare_turns(seeds), seeds)
    compare_games(range(300))


@pytest.mark.skipif(PLAIN, reason="what the comparison can see does not depend on the mode")
@pytest.mark.parametrize("mutant", ATTACK_MUTANTS, ids=lambda kind: kind.__name__)
def test_a_wrong_attack_is_caught(mutant: type) -> None:
    with pytest.raises(Disagreement):
        compare_attacks(ATTACKS, mutant)


@pytest.mark.skipif(PLAIN, reason="what the comparison can see does not depend on the mode")
@pytest.mark.parametrize("mutant", RECRUITMENT_MUTANTS, ids=lambda kind: kind.__name__)
def test_a_wrong_recruitment_is_caught(mutant: type) -> None:
    with pytest.raises(Disagreement):
        compare_turns(TURNS, mutant)


@pytest.mark.rule("rulings 23, 30, 39")
def test_strange_who_steps_up_in_a_slot_to_come_attacks_from_there() -> None:
    """Only Thor is through after moving; the slot that Strange is left in has not been up yet."""
    t = Table.from_position(
        {
            "on_turn": "heroes",
            "phase": "attack",
            "villains": {
                "deck": ["ares_1"],
                "slots": [None, "ares_2:2", None, None, None, None],
                "artifacts": ["eternal_flame"],
            },
            "heroes": {
                "deck": ["hulk_1", "hulk_1", "hulk_2"],
                "slots": ["thor_1:2+doctor_strange_1", "nick_fury_1", None, None, None, None],
            },
            "civilians": ["", "rygb", "rygb"],
            "battlegrounds": ["street_corner"],
        }
    )
    t.play("slot 6", "target h6")
    assert "street_corner" in t.position()["heroes"]["hand"]
