"""The scripted player: legal, blind to what is hidden, the same again, sensible, and strong."""

from collections import Counter

import numpy as np
import pytest

from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK as game
from skirmish_env.views import View
from tests.agents.duel import play

# Rare questions need help: artifacts come sooner on a short track.
SHORT_TRACK = {"artifact_track": 1, "artifact_arrow": 0}


def choose(view: View, seed: int = 0) -> np.ndarray:
    """Ask the expert: the heuristic is the same code with other weights."""
    return view.policy("expert", np.random.default_rng(seed))


def walk(batch: Batch, seeds: np.ndarray, random_share: float):
    """Deal games and play them on, with some decisions at random; yield before each decision."""
    rng = np.random.default_rng(int(seeds[0]))
    batch.deal(seeds)
    while not batch.over.all():
        index = np.flatnonzero(~batch.over)
        view = batch.view(index)
        yield index, view
        actions, wild = choose(view, len(index)), rng.random(len(index)) < random_share
        batch.step(np.where(wild, view.policy("random", rng), actions), index)


@pytest.mark.parametrize("random_share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("rules", [{}, SHORT_TRACK], ids=["printed", "short track"])
def test_is_legal_and_leaves_the_game_alone(rules, random_share):
    batch = Batch(40, rules=rules)
    for index, view in walk(batch, np.arange(40), random_share):
        before = batch.states.tobytes()
        actions = choose(view)
        assert batch.states.tobytes() == before
        assert (view.mask[np.arange(len(index)), actions] == 1).all()


def test_hidden_cards_change_nothing_at_any_kind_of_question():
    """Both hands, decks and stacks redealt, with the same lots: the same actions (ruling 50)."""
    seen: Counter[str] = Counter()
    for rules, random_share in (({}, 0.1), (SHORT_TRACK, 0.1), ({}, 0.9), (SHORT_TRACK, 0.6)):
        batch, rng = Batch(250, rules=rules), np.random.default_rng(3)
        for index, view in walk(batch, np.arange(250), random_share):
            asked = batch.states["question"][index]
            actions = choose(view)
            for _ in range(2):
                twins = view.redeal(rng)
                wrong = np.flatnonzero(choose(twins.view()) != actions)
                assert not len(wrong), [game.questions[asked[n]] for n in wrong]
            seen.update(game.questions[question] for question in asked)
    assert set(seen) == set(game.questions[1:])
    assert min(seen.values()) >= 10, seen


def test_redealing_does_vary_what_is_hidden():
    """The twins above are no mere copies: hands and decks of the other seat differ."""
    batch = Batch(50)
    batch.deal(np.arange(50))
    twins = batch.view().redeal(np.random.default_rng(0))
    other = 1 - batch.seat[0]
    differs = (twins.states["hand"][:, other] != batch.states["hand"][:, other]).any(axis=1)
    assert differs.mean() > 0.9
    assert (twins.states["deck"] != batch.states["deck"]).any(axis=(1, 2)).all()


def test_the_same_position_and_seed_give_the_same_action():
    for _, view in walk(Batch(30), np.arange(30), 0.2):
        assert np.array_equal(choose(view, 5), choose(view, 5))


def row(*cards: str | None) -> list[str | None]:
    return [*cards, *[None] * (6 - len(cards))]


def advise(position: dict, *moves: str) -> str:
    """Return the scripted player's next move after some moves from a position."""
    return advise_at(game.table.from_position(position).play(*moves))


def advise_at(table) -> str:
    """Return the scripted player's next move at a table."""
    batch = Batch(1, skip_forced=False)
    batch.states[:] = table.states
    return game.action_to_move(int(choose(batch.view())[0]))


def test_takes_the_point_that_wins():
    position = {
        "victory": 8,
        "villains": {"hand": ["hydra_agents_blue", "thanos_2", "loki_1", "ares_1", "ares_2"]},
    }
    assert advise(position) == "play hydra_agents_blue"
    placed = advise(position, "play hydra_agents_blue")
    assert placed in ("slot 1", "slot 2", "slot 3")


def test_gives_up_cards_for_the_point_that_wins():
    position = {
        "victory": 7,
        "villains": {"hand": ["thanos_2"], "slots": row("baron_zemo_1")},
    }
    assert advise(position, "done") == "discard thanos_2"


def test_blocks_the_card_that_would_win():
    position = {
        "to_move": "heroes",
        "victory": 8,
        "villains": {"hand": [], "slots": row(None, "zola_2")},
        "heroes": {"hand": ["thor_1", "hulk_2", "shield_agents_red", "black_panther_2"]},
    }
    assert advise(position, "play thor_1", "discard black_panther_2", "discard hulk_2",
                  "discard shield_agents_red") == "slot 2"  # fmt: skip


def test_replaces_a_damaged_card_by_a_fresh_copy():
    position = {
        "villains": {"hand": ["loki_1", "modok_1"], "slots": row("loki_1:2")},
        "heroes": {"hand": [], "slots": row("captain_america_2")},
    }
    assert advise(position) == "play loki_1"


def test_defeats_a_card_rather_than_scratching_one():
    position = {
        "to_move": "heroes",
        "villains": {"hand": [], "slots": row("thanos_2", None, "zola_2:2")},
        "heroes": {"hand": ["captain_marvel_1", "ant_man_1", "ant_man_1", "ant_man_2"]},
    }
    moves = ("play captain_marvel_1", "discard ant_man_1", "discard ant_man_1",
             "discard ant_man_2", "slot 2")  # fmt: skip
    assert advise(position, *moves) == "target v3"


def test_attacks_again():
    position = {"villains": {"hand": [], "slots": row("taskmaster_2")}}
    assert advise(position, "done") == "yes"


def test_keeps_a_free_replacement_and_pays_with_what_is_worth_less():
    position = {
        "to_move": "heroes",
        "villains": {"hand": [], "slots": row("thanos_1")},
        "heroes": {
            "hand": ["thor_2", "black_panther_1", "captain_america_1", "hulk_2", "ant_man_1",
                     "shield_agents_red", "hawkeye_1"],
            "slots": row("hulk_1:2"),
        },
    }  # fmt: skip
    table = game.table.from_position(position).play("play thor_2")
    while table.question == "payment":
        table.play(advise_at(table))
    assert "hulk_2" in table.position()["heroes"]["hand"]


@pytest.mark.parametrize(("victory", "answer"), [(2, "yes"), (-2, "no")])
def test_ends_the_game_by_drawing_only_when_ahead(victory, answer):
    """Three cards left: with the Leader's draw this turn's two empty the deck."""
    position = {
        "turn": 25,
        "victory": victory,
        "villains": {
            "hand": ["leader_1", "loki_1", "ares_1"],
            "deck": ["ares_1", "ares_2", "zola_1"],
            "slots": row("hydra_agents_yellow"),
        },
        "heroes": {"hand": [], "slots": row("thor_2", "hulk_2:1"), "deck": ["ant_man_1"] * 2},
    }
    moves = ("play leader_1", "discard loki_1", "discard ares_1", "slot 2")
    assert advise(position, *moves) == answer


@pytest.mark.parametrize(("policy", "least"), [("heuristic", 0.87), ("expert", 0.94)])
@pytest.mark.parametrize("seat", [0, 1])
def test_beats_random_play_in_either_seat(policy, least, seat):
    seeds = np.arange(300)
    sides = (policy, "random") if seat == 0 else ("random", policy)
    scores = play(*sides, seeds)
    assert (scores if seat == 0 else 1 - scores).mean() >= least


def test_the_expert_beats_the_heuristic_over_both_seats():
    seeds = np.arange(300)
    scores = (play("expert", "heuristic", seeds) + 1 - play("heuristic", "expert", seeds)) / 2
    assert scores.mean() - 1.96 * scores.std() / np.sqrt(len(scores)) >= 0.6


def test_the_heuristic_is_legal_and_blind_too():
    batch, rng = Batch(60), np.random.default_rng(4)
    for index, view in walk(batch, np.arange(60), 0.2):
        actions = view.policy("heuristic", np.random.default_rng(0))
        assert (view.mask[np.arange(len(index)), actions] == 1).all()
        twins = view.redeal(rng).view()
        assert np.array_equal(twins.policy("heuristic", np.random.default_rng(0)), actions)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["heuristic", "expert"])
def test_beats_random_play_on_two_thousand_deals(policy):
    """At least 93 of 100 over both seats, by the lower end of the 95% interval."""
    seeds = np.arange(10_000, 12_000)
    scores = (play(policy, "random", seeds) + 1 - play("random", policy, seeds)) / 2
    assert scores.mean() - 1.96 * scores.std() / np.sqrt(len(scores)) >= 0.93
