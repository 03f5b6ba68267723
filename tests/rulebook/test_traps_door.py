"""What the door of the rules answers: refusals, masks, rewards, guards, and the words of a view."""

from __future__ import annotations

import copy
import re

import numpy as np
import pytest

from skirmish_env import IllegalAction, Table, action_to_move
from skirmish_env.new_york import cards, ids, rules, state
from skirmish_env.new_york import table as table_module
from skirmish_env.new_york.actions import MOVES, move_to_action
from skirmish_env.new_york.explain import explain
from skirmish_env.new_york.observation import FULL_LAYOUT, FULL_SIZE, SIZE
from skirmish_env.new_york.state import STATE
from skirmish_env.new_york.table import replay_of
from tests.rulebook.helpers import shows, side, table
from tests.rulebook.turns import heroes_turn, villains_turn

ONE_SET = np.zeros(1, np.int64)
SEATS = {"villains": ids.VILLAINS, "heroes": ids.HEROES}


def seen_by(t: Table, viewer: str) -> list[str]:
    """A player's observation, put back into words."""
    out = np.zeros(SIZE, np.float32)
    rules.observe(t.states, 0, t.card_set.record, ONE_SET, SEATS[viewer], out)
    return explain(out)


def source_of(function):
    """The plain Python function behind a compiled one."""
    return getattr(function, "py_func", function)


# ---- Decisions


@pytest.mark.rule("rule notation.illegal")
def test_an_illegal_action_is_refused_and_changes_nothing():
    t = villains_turn(hand=["ares_1"])
    states = t.states
    with pytest.raises(ValueError, match="illegal action"):
        rules.step(states, 0, t.card_set.record, ONE_SET, move_to_action("play ares_1"))
    assert states.tobytes() == t.states.tobytes()


@pytest.mark.rule("rule notation.illegal")
def test_a_copied_game_is_played_on_without_its_original():
    t = villains_turn(hand=["ares_1", "zola_1", "modok_1"])
    original, twin = t.states, np.zeros(1, STATE)
    rules.copy(original, 0, twin, 0)
    assert twin.tobytes() == original.tobytes()
    rules.step(twin, 0, t.card_set.record, ONE_SET, move_to_action("done"))
    assert twin.tobytes() != original.tobytes() == t.states.tobytes()


@pytest.mark.rule("rule notation.ids")
@pytest.mark.parametrize("action", ["done", 1.0, None, True, -1, 242])
def test_an_action_is_a_whole_number_in_range(action):
    with pytest.raises(IllegalAction, match="a whole number 0 to 241"):
        action_to_move(action)


@pytest.mark.rule("ruling 49")
def test_the_mask_belongs_to_the_player_who_is_asked():
    """Only the Heroes may answer the Flame, in the middle of the Villains' attack."""
    t = villains_turn({1: "ares_1"}, {1: "hawkeye_1"}, heroes={"artifacts": ["eternal_flame"]})
    t.play("done")
    mask = np.ones(ids.ACTIONS, np.int8)
    rules.legal(t.states, 0, ids.VILLAINS, mask)
    assert not mask.any()
    rules.legal(t.states, 0, ids.HEROES, mask)
    assert [MOVES[a] for a in np.flatnonzero(mask)] == ["target v1", "no"]
    seen, looked = np.zeros(SIZE, np.float32), np.ones(ids.ACTIONS, np.int8)
    rules.look(t.states, 0, t.card_set.record, ONE_SET, ids.HEROES, seen, looked)
    assert (looked == mask).all()
    assert explain(seen) == seen_by(t, "heroes")


@pytest.mark.rule("ruling 7")
@pytest.mark.parametrize(
    ("victory", "rewards"), [(1, [1, -1]), (-1, [-1, 1]), (0, [0, 0]), (None, [0, 0])]
)
def test_rewards_come_at_the_end_to_both(victory, rewards):
    """Ruling 7: a draw rewards nobody, and neither does a game that goes on (None)."""
    t = villains_turn(villains={"deck": ["ares_1"]}, victory=victory or 0)
    if victory is not None:
        t.play("done")
    out = np.full(2, 5, np.float32)
    rules.outcome(t.states, 0, out)
    assert list(out) == rewards


@pytest.mark.rule("rule notation.forced")
def test_forced_questions_answer_themselves():
    """One blue card pays Hela's return and one slot is free: neither is asked."""
    t = villains_turn(
        ["hydra_agents_yellow", "hydra_agents_red", "zola_1:1", "loki_1", "kang_1"],
        hand=["ultron_1", "zola_2"],
        villains={"discard": ["hela_1"], "artifacts": ["lifeline_tablet"]},
    )
    states = t.states
    states["skip_forced"] = 1
    rules.step(states, 0, t.card_set.record, ONE_SET, move_to_action("fetch hela_1"))
    g = states[0]
    assert ids.QUESTIONS[g.question] == "recruitment"
    assert cards.card_ids()[g.card[5]] == "hela_1"
    assert g.decisions == 3


@pytest.mark.rule("ruling 50")
def test_a_redeal_keeps_how_many_battlegrounds_the_other_hand_holds():
    """Ruling 50: every draw at the Tower was public, which card it was is not."""
    hand = ["street_corner", "busy_main_street", "ares_1"]
    t = heroes_turn(hand=["run_down_alley"], villains={"hand": hand})
    found = set()
    for seed in range(8):
        states = t.states
        rules.redeal(states, 0, t.card_set.record, ONE_SET, ids.HEROES, seed)
        other = states[0].hand[ids.VILLAINS, ids.FIRST_BATTLEGROUND :]
        assert (other.sum(), states[0].hand_size[ids.VILLAINS]) == (2, 3)
        held = {cards.card_ids()[ids.FIRST_BATTLEGROUND + n] for n in np.flatnonzero(other)}
        stack = {cards.card_ids()[c] for c in states[0].stack[: states[0].stack_size]}
        assert held | stack == set(cards.card_ids()[ids.FIRST_BATTLEGROUND :]) - {"run_down_alley"}
        found |= held
    assert len(found) > 2


@pytest.mark.rule("ruling 50")
def test_a_redeal_leaves_a_card_that_is_being_played_in_its_hand():
    """Ruling 50: it lies open, and the cards that still pay for it are among those dealt."""
    t = villains_turn(hand=["leader_1", "thanos_1", "ares_1"])
    t.play("play leader_1")
    for seed in range(5):
        states = t.states
        rules.redeal(states, 0, t.card_set.record, ONE_SET, ids.HEROES, seed)
        hand = states[0].hand[ids.VILLAINS]
        assert hand[cards.card_ids().index("leader_1")] >= 1
        assert hand.sum() == 3


# ---- Guards: records that no game reaches


@pytest.mark.rule("ruling 20")
def test_a_full_stack_of_effects_is_refused():
    """No chain fills it (test_traps_chains): the effects below are copies of the open one."""
    t = villains_turn(hand=["hydra_agents_green", "hydra_agents_blue", "ares_1"])
    t.play("play hydra_agents_green", "discard ares_1", "slot 1")
    states = t.states
    states[0].frame[ids.MAX_FRAMES - 1] = states[0].frame[1]
    states["depth"] = ids.MAX_FRAMES
    action = move_to_action("play hydra_agents_blue")
    with pytest.raises(RuntimeError, match="more open effects than the record can hold"):
        rules.step(states, 0, t.card_set.record, ONE_SET, action)


@pytest.mark.rule("rule notation.legal-order")
def test_a_full_list_of_options_is_refused():
    g = np.zeros(1, STATE)[0]
    for n in range(ids.MAX_OPTIONS):
        source_of(state.offer)(g, n)
    with pytest.raises(RuntimeError, match="more options than the record can hold"):
        source_of(state.offer)(g, 0)
    with pytest.raises(RuntimeError, match="more options than the record can hold"):
        source_of(state.offer_where)(g, 0, True)


# ---- The Table


@pytest.mark.rule("rule notation.seed")
@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7", True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Table.new(seed=seed)


@pytest.mark.rule("rule notation.clone")
def test_copies_are_independent_and_named():
    t = villains_turn({1: "zola_1:1"})
    t.play("done")
    assert repr(t) == "<Table turn 1, villains to move, heal self>"
    assert t.question_source == "zola_1"
    twins = [copy.copy(t), copy.deepcopy(t)]
    t.play("yes")
    assert t.question_source is None
    for twin in twins:
        assert twin.question_source == "zola_1"
        shows(twin, villains={"slots": {1: "zola_1:1"}})


@pytest.mark.rule("rule notation.replays")
def test_a_replay_is_refused_under_other_rules():
    data = villains_turn().play("done").replay_data()
    with pytest.raises(ValueError, match="a replay of rules version '0'; this is '1'"):
        Table.replay({**data, "rules_version": "0"})
    with pytest.raises(ValueError, match="a replay with rules options"):
        Table.replay(data, card_set=cards.load(rules={"draws_per_turn": 3}))


@pytest.mark.rule("rule notation.replay-viewer", "ruling 50")
def test_what_one_player_saw_of_a_running_game_is_no_replay():
    data = villains_turn({1: "zola_1:1"}).play("done").replay_data(viewer="heroes")
    with pytest.raises(ValueError, match="a replay as heroes saw a running game"):
        Table.replay(data)


@pytest.mark.rule("rule notation.impossible")
@pytest.mark.parametrize(
    ("position", "said"),
    [
        ([], "position: expected a dictionary, not []"),
        ({"villains": "ares_1"}, "villains: expected a dictionary, not 'ares_1'"),
        ({"heroes": {"slots": [3, *[None] * 5]}}, "heroes.slots[1]: expected 'CARD'"),
        ({"heroes": {"slots": ["thor_1+ant_man_1+hulk_1", *[None] * 5]}}, "heroes.slots[1]: exp"),
        ({"heroes": {"freed": "p"}}, "heroes.freed: unknown colour 'p'"),
    ],
)
def test_a_position_of_the_wrong_kind_is_refused(position, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        Table.from_position(position)


@pytest.mark.rule("rule notation.impossible")
def test_more_civilians_than_were_set_up_are_refused():
    """A card set may begin with fewer colours."""
    with pytest.raises(ValueError, match=re.escape("civilians[1]: 'ry' is more than was set up")):
        Table.from_position({"civilians": ["ry", "", ""]}, rules={"civilians": "rgb"})


@pytest.mark.rule("rule notation.text")
def test_the_board_as_text():
    """Artifacts and freed civilians stand behind their side; a finished game says so."""
    t = table(
        villains=side(slots={1: "ares_1:1"}, artifacts=["darkhold"], deck=["zola_1"]),
        heroes=side(slots={1: "thor_1+doctor_strange_1"}, freed="ry"),
        civilians=["gb", "rygb", "rgb"],
    )
    text = str(t)
    assert text.startswith("turn 1 (villains), recruitment: villains to decide (recruitment)\n")
    assert "Villains: hand 0; deck 1; discard 0; artifacts darkhold" in text
    assert "Heroes: hand 0; deck 8; discard 0; freed ry" in text
    assert re.search(r"1 Manhattan \(gb\) +ares_1:1 +\| thor_1\+doctor_strange_1", text)
    t.play("done", "done", "no", "done")
    assert str(t).startswith("turn 1: the game is over\n")


# ---- A view in words


@pytest.mark.rule("rule notation.observation", "ruling 50")
def test_what_the_heroes_see_in_the_middle_of_black_panthers_effect():
    t = heroes_turn(
        hand=["black_panther_2", "hulk_1"],
        slots=["black_panther_1", "hulk_2:1+doctor_strange_2:1", "ant_man_2", "shield_agents_red"],
        facing={1: "shield_agents_blue", 2: "ultron_2", 5: "leader_1:1"},
        heroes={"artifacts": ["lifeline_tablet"], "freed": "r", "discard": ["thor_1"]},
        villains={
            "artifacts": ["cosmic_cube"],
            "discard": ["ares_1", "hawkeye_1"],
            "hand": ["kang_1", "zola_1"],
        },
        victory=2,
        artifact_marker=-1,
        civilians=["ygb", "rygb", "rygb"],
    )
    t.play("artifact lifeline_tablet", "target h2u", "play black_panther_2", "target h2")
    lines = seen_by(t, "heroes")
    assert lines[:11] == [
        "you are heroes; turn 2 of heroes, recruitment",
        "you decide",
        "asked: move to by black_panther_2, amount 1, from h2",
        "under way: black_panther_2",
        "victory: you lead by -2, 9 to go, 7 for the other",
        "artifact marker: +1 towards your end, 2 to go",
        "civilians: ygb rygb rygb - - -; freed r; 9 to go",
        "sizes: own hand 1, other hand 2, own deck 8, other deck 8, battlegrounds 8, tiles 8",
        "own hand: hulk_1",
        "own discard: black_panther_1, thor_1",
        "other discard: ares_1",
    ]
    assert lines[11] == "captives discarded: hawkeye_1"
    own, other = lines[12].split(": ")[1].split(", "), lines[13].split(": ")[1].split(", ")
    assert {"black_panther_1", "black_panther_2", "hawkeye_1", "thor_1"} <= set(own)
    assert "hulk_1" in own and "hulk_2" in own and "thor_2 x2" in own
    assert "ares_1" in other and "kang_1 x2" in other and "shield_agents_blue" not in other
    assert lines[14:22] == [
        "h1: black_panther_2, strength 2, health left 2, damage 0",
        "h2: hulk_2, strength 6, health left 3, damage 1",
        "h3: ant_man_2, strength 2, health left 2, damage 0, armour ready",
        "h4: shield_agents_red, strength 1, health left 1, damage 0",
        "v1: shield_agents_blue, strength 1, health left 1, damage 0, captive",
        "v2: ultron_2, strength 2, health left 2, damage 0",
        "v5: leader_1, strength 1, health left 2, damage 1",
        "h2u: doctor_strange_2, strength 2, health left 2, damage 0",
    ]
    assert lines[22].count(",") == 7
    assert lines[23:] == [
        "battlegrounds in other hand: -",
        "battlegrounds shown: -",
        "battlegrounds in stack: -",
        "artifact casket_of_ancient_winters: face up",
        "artifact cosmic_cube: the other's",
        "artifact darkhold: face up",
        "artifact lifeline_tablet: yours, used this turn",
        "before: heroes target h2",
        "before: heroes play black_panther_2",
        "before: heroes target h2u",
        "before: heroes artifact lifeline_tablet",
    ]
    assert "you do not decide" in seen_by(t, "villains")
    assert "asked: move to by black_panther_2, amount 1, from h2" in seen_by(t, "villains")


@pytest.mark.rule("rule notation.observation")
def test_a_token_that_leaves_a_strange_below_is_seen_by_both():
    t = heroes_turn(
        hand=["black_panther_1"],
        slots={1: "black_panther_2", 3: "hulk_2+doctor_strange_2:1"},
        facing={1: "ares_1"},
    )
    t.play("play black_panther_1", "target h3u")
    for viewer in SEATS:
        assert "asked: move to by black_panther_1, amount 1, from h3u" in seen_by(t, viewer)


@pytest.mark.rule("rule notation.observation", "ruling 50", "ruling 41")
def test_what_went_under_the_stacks_in_sight_stays_seen():
    """Rulings 41, 50: a battleground that paid, and the tile that was not taken."""
    t = villains_turn(
        {4: "ares_1", 5: "zola_1:1"},
        {1: "hulk_1"},
        hand=["hydra_agents_blue", "hydra_agents_green", "street_corner"],
        artifact_marker=2,
    )
    t.play("play hydra_agents_green", "discard street_corner", "slot 1", "no", "done")
    assert "asked: choose tile, amount 1" in seen_by(t, "heroes")
    t.play("artifact cosmic_cube", "target h1")
    assert t.question == "heal self"
    for viewer in SEATS:
        lines = seen_by(t, viewer)
        assert lines[0] == f"you are {viewer}; turn 1 of villains, attack, slot 5 is up"
        assert "asked: heal self by zola_1, amount 1" in lines
        assert "battlegrounds in stack: street_corner as card 8" in lines
        assert "artifact casket_of_ancient_winters: tile 9 of the stack" in lines
        owner = "yours" if viewer == "villains" else "the other's"
        assert f"artifact cosmic_cube: {owner}" in lines
        spent = [line for line in lines if line.endswith("effect spent")]
        assert [line[:10] for line in spent] == ["v4: ares_1", "v5: zola_1"]


@pytest.mark.rule("rule notation.observation", "ruling 30")
def test_a_thor_who_moved_is_seen_so():
    t = heroes_turn(slots={4: "thor_1", 5: "war_machine_1"})
    t.play("done", "slot 6")
    assert t.question == "draw"
    assert (
        "h6: thor_1, strength 2, health left 3, damage 0, effect spent, moved"
        in seen_by(t, "villains")
    )


@pytest.mark.rule("rule notation.observation", "ruling 19")
def test_what_is_owed_and_may_stay_open_is_seen():
    t = heroes_turn(
        hand=["luxurious_rooftops", "nick_fury_1", "hulk_1", "thor_1", "thor_2"],
        heroes={"artifacts": ["cosmic_cube", "ten_rings"]},
    )
    t.play("play luxurious_rooftops")
    lines = seen_by(t, "heroes")
    assert "asked: payment by luxurious_rooftops, amount 5" in lines
    assert "owed: ygb**, an any-symbol may stay unpaid, a symbol may stay unpaid" in lines
    assert "battlegrounds shown: luxurious_rooftops" in lines
    assert "battlegrounds in other hand: luxurious_rooftops" in seen_by(t, "villains")


@pytest.mark.rule("rule notation.observation")
def test_after_the_end_nothing_is_asked():
    t = villains_turn({1: "ares_1"}, victory=8).play("done")
    for viewer in SEATS:
        lines = seen_by(t, viewer)
        assert lines[0] == f"you are {viewer}; turn 1 of villains, over"
        assert lines[1:3] == ["you do not decide", "nothing is asked"]


@pytest.mark.rule("rule notation.observation")
def test_a_vector_of_another_shape_is_no_observation():
    with pytest.raises(ValueError, match=r"an observation has shape \(943,\), not \(3,\)"):
        explain(np.zeros(3))


@pytest.mark.rule("rule notation.observation", "ruling 50")
def test_full_information_shows_what_is_hidden():
    """For critics only: the Heroes' hand, both decks, and what comes next from each stack."""
    t = table(
        villains=side(deck=["zola_1", "ares_1", "ares_1"]),
        heroes=side(hand=["thor_1", "street_corner"], deck=["hulk_1", "thor_2"]),
        battlegrounds=["run_down_alley", "busy_main_street"],
        artifact_row=["darkhold", "tactigon"],
        artifact_stack=["ten_rings", "casket_of_ancient_winters"],
    )
    out = np.zeros(FULL_SIZE, np.float32)
    rules.observe_full(t.states, 0, t.card_set.record, ONE_SET, out)

    def part(name: str, names: list[str]) -> dict[str, float]:
        entries = out[FULL_LAYOUT.span(name)]
        return {names[n]: float(entries[n]) for n in np.flatnonzero(entries)}

    names = list(cards.card_ids())
    villains, heroes, battlegrounds = names[:28], names[28:56], names[56:]
    assert part("heroes' hand", heroes + battlegrounds) == {"thor_1": 0.5, "street_corner": 0.5}
    assert part("villains' deck", villains) == {"zola_1": 0.5, "ares_1": 1.0}
    assert part("heroes' deck", heroes) == {"hulk_1": 0.5, "thor_2": 0.5}
    assert part("next draws", villains + heroes) == {"zola_1": 1.0, "hulk_1": 1.0}
    assert part("next battleground", battlegrounds) == {"run_down_alley": 1.0}
    assert part("next tile", list(ids.ARTIFACT_IDS)) == {"ten_rings": 1.0}


@pytest.mark.rule("rule notation.observation", "ruling 46")
def test_flames_still_to_come_are_seen_by_both():
    """The Darkhold fells two heroes at once: after the first question one more will be put."""
    t = villains_turn(
        {1: "ares_1", 2: "zola_1"},
        {1: "hawkeye_1", 2: "doctor_strange_1"},
        villains={"artifacts": ["darkhold"]},
        heroes={"artifacts": ["eternal_flame"]},
    )
    t.play("artifact darkhold")
    assert (t.to_move, t.question) == ("heroes", "flame")
    for seat in ("villains", "heroes"):
        assert "flame: 1 more answers" in seen_by(t, seat)
    t.play("no")
    assert t.question == "flame"
    assert not [line for line in seen_by(t, "heroes") if line.startswith("flame:")]


@pytest.mark.rule("rule notation.observation", "ruling 42")
def test_a_slot_that_has_attacked_is_seen_by_both():
    t = villains_turn({1: "zola_1:1"})
    t.play("done")
    assert t.question == "heal self"
    for seat in ("villains", "heroes"):
        assert "the slot that is up has begun" in seen_by(t, seat)


@pytest.mark.rule("rule notation.replays")
def test_a_replay_made_of_a_start_and_actions_plays_the_game():
    t = villains_turn({1: "zola_1:1"})
    actions = [MOVES.index(move) for move in ("done", "yes")]
    twin = Table.replay(replay_of(t.position(), actions, t.card_set))
    assert twin.position() == t.play("done", "yes").position()


@pytest.mark.rule("rule notation.card-sets")
def test_card_sets_are_forgotten_in_the_order_they_came():
    """However many rules options are tried, only the last ones stay in memory."""
    goals = range(9, 10 + cards.MOST_KEPT)
    for goal in goals:
        assert cards.load(rules={"villains_goal": goal}).rules["villains_goal"] == goal
    assert cards.load(rules={"villains_goal": 9}).record["goal"][0, 0] == 9


@pytest.mark.rule("rule notation.illegal")
def test_an_error_inside_the_rules_is_not_taken_for_a_refusal(monkeypatch):
    t = villains_turn({1: "zola_1:1"})
    before = t.to_bytes()

    def broken(*arguments):
        raise ValueError("a rule is broken")

    monkeypatch.setattr(table_module._rules, "step", broken)
    with pytest.raises(ValueError, match="a rule is broken"):
        t.play("done")
    assert (t.to_bytes(), t.log) == (before, [])
