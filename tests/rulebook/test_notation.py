"""Words for moves, the Table and replays."""

from __future__ import annotations

import copy
import json

import pytest

from skirmish_env import IllegalAction, Table, action_to_move, move_to_action
from tests.rulebook.helpers import (
    ARTIFACTS,
    BATTLEGROUNDS,
    FACTION_CARDS,
    moves,
    shows,
    side,
    table,
)

CARDS = [*FACTION_CARDS["villains"], *FACTION_CARDS["heroes"], *BATTLEGROUNDS]
PLACES = [f"{s}{n}" for s in "vh" for n in range(1, 7)] + [f"h{n}u" for n in range(1, 7)]
MOVES_IN_ORDER = [
    *[f"{word} {card}" for word in ("play", "fetch", "discard") for card in CARDS],
    *[f"civilian {colour}" for colour in ("red", "yellow", "green", "blue")],
    "waive",
    *[f"slot {n}" for n in range(1, 7)],
    *[f"tuck {n}" for n in range(1, 7)],
    *[f"target {place}" for place in PLACES],
    *[f"artifact {tile}" for tile in ARTIFACTS],
    "yes",
    "no",
    "done",
]


# Moves and action ids


@pytest.mark.rule("rule notation.ids")
def test_action_ids_follow_the_table_of_moves():
    """Notation, Moves: 242 ids, from cards in list order down to done, one to one."""
    assert [action_to_move(i) for i in range(242)] == MOVES_IN_ORDER
    assert [move_to_action(move) for move in MOVES_IN_ORDER] == list(range(242))


@pytest.mark.rule("rule notation.moves")
@pytest.mark.parametrize(
    "text",
    [
        *("", "play", "play nobody", "Play ares_1", "play  ares_1", "done ", "yes no"),
        *("slot 7", "tuck 0", "target v1u", "target h7", "civilian purple", "artifact cube"),
    ],
)
def test_words_that_are_no_move_are_refused(text):
    """Notation, Moves: only the exact words name a move."""
    with pytest.raises(ValueError):
        move_to_action(text)


@pytest.mark.rule("rule notation.ids")
@pytest.mark.parametrize("action", [-1, 242])
def test_numbers_that_are_no_action_are_refused(action):
    """Notation, Moves: ids run from 0 to 241, none counts from the end."""
    with pytest.raises(ValueError):
        action_to_move(action)


@pytest.mark.rule("rule notation.legal-order")
def test_legal_moves_stand_in_action_order():
    """Notation, Table: legal() is sorted by id, whatever the question."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["doctor_strange_1", "thor_1", "captain_marvel_1", "street_corner", "hulk_1"],
            slots={2: "nick_fury_1:1", 5: "ant_man_1"},
            artifacts=["lifeline_tablet", "darkhold", "ebony_blade"],
            freed="rb",
        ),
        villains=side(slots={1: "leader_1", 3: "ares_1"}),
        civilians=["yg", "rygb", "rygb"],
    )
    assert t.legal() == [
        "play captain_marvel_1",
        "play doctor_strange_1",
        "play thor_1",
        "artifact darkhold",
        "artifact ebony_blade",
        "artifact lifeline_tablet",
        "done",
    ]
    t.play("play doctor_strange_1")
    assert t.legal() == ["discard captain_marvel_1", "civilian red"]
    t.play("civilian red")
    assert t.legal() == [
        "discard captain_marvel_1",
        "discard hulk_1",
        "discard thor_1",
        "discard street_corner",
        "civilian blue",
    ]
    t.play("civilian blue")
    assert t.legal() == ["slot 1", "slot 3", "slot 4", "slot 6", "tuck 2", "tuck 5"]


@pytest.mark.rule("rule notation.symbol-order")
def test_symbols_are_paid_red_yellow_green_blue_any():
    """Notation, Order of decisions: colours in this order whatever the card prints."""
    hand = ["zola_1", "loki_1", "ares_1", "hydra_agents_red", "hydra_agents_blue"]
    t = table(villains=side(hand=["avengers_mansion", *hand]), heroes=side())
    t.play("play avengers_mansion")
    for options, choice in (
        ({"discard ares_1", "discard hydra_agents_red"}, "discard hydra_agents_red"),
        ({"discard zola_1"}, "discard zola_1"),
        ({"discard loki_1"}, "discard loki_1"),
        ({"discard ares_1"}, "discard ares_1"),
        ({"discard hydra_agents_blue"}, "discard hydra_agents_blue"),
    ):
        assert moves(t) == options
        t.play(choice)
    shows(t, victory=4)


@pytest.mark.rule("rule notation.payable")
def test_a_colour_needed_later_is_not_offered_for_an_earlier_symbol():
    """Notation, Order of decisions: every option leaves the rest payable."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["black_panther_2", "hulk_1", "thor_1", "hulk_2"]),
    )
    t.play("play black_panther_2")
    assert moves(t) == {"discard hulk_1", "discard hulk_2"}
    t.play("discard hulk_1")
    assert moves(t) == {"discard thor_1"}
    t.play("discard thor_1")
    assert moves(t) == {"discard hulk_2"}


@pytest.mark.rule("rule notation.rising")
def test_equal_symbols_are_paid_in_rising_order():
    """Notation, Order of decisions: the second of two equal symbols starts at the first's id."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["shield_agents_red", "ant_man_1", "hulk_1", "hulk_1", "thor_1"], freed="rb"
        ),
        civilians=["yg", "rygb", "rygb"],
    )
    t.play("play shield_agents_red")
    assert moves(t) == {"discard ant_man_1", "discard hulk_1", "discard thor_1", "civilian red"}
    for first, second in {
        "discard ant_man_1": {"discard hulk_1", "discard thor_1", "civilian red", "civilian blue"},
        "discard hulk_1": {"discard hulk_1", "discard thor_1", "civilian red", "civilian blue"},
        "discard thor_1": {"civilian red", "civilian blue"},
        "civilian red": {"civilian blue"},
    }.items():
        branch = t.clone()
        branch.play(first)
        assert moves(branch) == second


@pytest.mark.rule(
    "rule playing.pay-first", "rule playing.own-discard", "rule notation.payment-at-once"
)
def test_payments_move_at_once_and_the_card_waits_for_its_place():
    """Notation, Order of decisions: the card stays in hand until it is placed."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["thor_1", "black_panther_1", "hulk_1", "street_corner"]),
        battlegrounds=[],
    )
    t.play("play thor_1", "discard black_panther_1")
    shows(t, heroes={"hand": ["hulk_1", "thor_1", "street_corner"], "discard": ["black_panther_1"]})
    t.play("discard hulk_1", "discard street_corner")
    shows(t, heroes={"hand": ["thor_1"]}, battlegrounds=["street_corner"])
    t.play("slot 3")
    shows(t, heroes={"hand": [], "slots": {3: "thor_1"}})


@pytest.mark.rule("rule notation.payment-at-once")
def test_a_fetched_card_waits_in_the_discard_pile():
    """Notation, Order of decisions: the pile holds it until the slot is named."""
    t = table(
        villains=side(hand=["kang_1"], slots={1: "kang_2"}, discard=["ares_1"]), heroes=side()
    )
    t.play("play kang_1", "fetch ares_1")
    shows(t, villains={"discard": ["ares_1", "kang_2"]})
    t.play("slot 2")
    shows(t, villains={"discard": ["kang_2"], "slots": {1: "kang_1", 2: "ares_1"}})


# The Table


@pytest.mark.rule("ruling 4", "rule setup.hands", "rule notation.seed")
def test_a_new_game_is_dealt_by_its_seed():
    """Setup; ruling 4: 5 and 7 cards in hand, 36 and 34 in the decks, the Villains begin."""
    t = Table.new(seed=7)
    assert (t.to_move, t.question, t.winner, t.log) == ("villains", "recruitment", None, [])
    position = t.position()
    assert (len(position["villains"]["hand"]), len(position["villains"]["deck"])) == (5, 36)
    assert (len(position["heroes"]["hand"]), len(position["heroes"]["deck"])) == (7, 34)
    assert (len(position["artifact_row"]), len(position["artifact_stack"])) == (2, 10)
    assert sorted(position["battlegrounds"]) == BATTLEGROUNDS
    assert Table.new(seed=7).position() == position
    assert Table.new(seed=8).position() != position


@pytest.mark.rule("rule notation.illegal")
def test_an_illegal_move_names_the_legal_ones_and_changes_nothing():
    """Notation, Table: IllegalAction is a ValueError."""
    t = table(villains=side(hand=["hydra_agents_yellow"], slots={1: "leader_1"}), heroes=side())
    before = t.position()
    with pytest.raises(IllegalAction) as error:
        t.play("slot 3")
    assert isinstance(error.value, ValueError)
    for words in ("slot 3", "play hydra_agents_yellow", "done"):
        assert words in str(error.value)
    assert (t.position(), t.log, t.legal()) == (before, [], ["play hydra_agents_yellow", "done"])


@pytest.mark.rule("rule notation.all-or-nothing")
def test_several_moves_are_played_all_or_none():
    """Notation, Table: a bad third move takes the first two back."""
    t = table(villains=side(hand=["hydra_agents_yellow"], slots={1: "leader_1"}), heroes=side())
    before = t.position()
    with pytest.raises(IllegalAction, match="slot 1"):
        t.play("play hydra_agents_yellow", "slot 1")
    assert (t.position(), t.log) == (before, [])
    with pytest.raises(ValueError):
        t.play("play hydra_agents_yellow", "slot 2", "march")
    assert (t.position(), t.log, t.question) == (before, [], "recruitment")
    t.play("play hydra_agents_yellow", "slot 2")
    assert t.log == ["play hydra_agents_yellow", "slot 2"]


@pytest.mark.rule("ruling 50", "rule notation.illegal")
def test_an_illegal_move_of_one_side_tells_nothing_about_the_other_hand():
    """Ruling 50: the error text names the mover's own moves only."""
    t = table(
        villains=side(hand=["zola_1"], slots={1: "leader_1"}),
        heroes=side(hand=["thor_1"]),
    )
    with pytest.raises(IllegalAction) as error:
        t.play("play zola_1")
    assert "thor" not in str(error.value)


@pytest.mark.rule("rule notation.clone")
def test_a_clone_goes_its_own_way():
    """Notation, Table: also from the middle of an effect."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["black_panther_2"], slots={1: "nick_fury_1:2", 2: "black_panther_1"}),
        villains=side(slots={1: "loki_1"}),
    )
    t.play("play black_panther_2", "target h1")
    twin = t.clone()
    assert (twin.position(), twin.legal(), twin.log) == (t.position(), t.legal(), t.log)
    twin.play("target v1", "no")
    shows(t, villains={"slots": {1: "loki_1"}})
    shows(twin, villains={"slots": {1: "loki_1:1"}})
    assert t.log == ["play black_panther_2", "target h1"]
    assert moves(t) == {"target v1"}


@pytest.mark.rule("rule notation.bytes")
def test_bytes_hold_a_game_in_mid_effect():
    """Notation, Positions: bytes keep the open question that a position cannot."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["black_panther_2"], slots={1: "nick_fury_1:2", 2: "black_panther_1"}),
        villains=side(slots={1: "loki_1"}),
    )
    t.play("play black_panther_2", "target h1")
    twin = Table.from_bytes(t.to_bytes())
    assert (twin.position(), twin.question, twin.legal()) == (t.position(), t.question, t.legal())
    twin.play("target v1")
    shows(twin, villains={"slots": {1: "loki_1:1"}})
    with pytest.raises(ValueError, match="bytes"):
        Table.from_bytes(t.to_bytes()[:-1])


@pytest.mark.rule("rule notation.forced")
def test_forced_questions_are_asked_unless_skipped():
    """Notation, Which questions: skip_forced answers lone moves and reaches the same place."""
    start = {
        "villains": {
            "hand": ["leader_1", "loki_1", "ares_2"],
            "deck": ["zola_1", "zola_2", "ares_1"],
        },
        "heroes": {"hand": [], "deck": ["thor_1", "thor_2", "hulk_1"]},
    }
    asked = Table.from_position(start)
    asked.play("play leader_1", "discard loki_1", "discard ares_2", "slot 4", "no", "done")
    skipped = Table.from_position(start, skip_forced=True)
    skipped.play("play leader_1")
    assert skipped.legal() == [f"slot {n}" for n in range(1, 7)]
    skipped.play("slot 4", "no")
    assert skipped.position()["villains"]["slots"][3] == "leader_1"
    assert skipped.log[: len(asked.log)] == asked.log


@pytest.mark.rule("rule notation.text")
def test_the_board_as_text_shows_what_lies_on_it():
    """Notation, Table: str() names the cards in play and changes with them."""
    t = table(villains=side(hand=["hydra_agents_yellow"]), heroes=side(slots={2: "thor_1"}))
    before = str(t)
    assert "thor_1" in before
    t.play("play hydra_agents_yellow", "slot 2")
    assert str(t) != before


@pytest.mark.rule("ruling 50", "rule notation.text")
def test_the_text_for_a_viewer_hides_the_other_hand():
    """Ruling 50: rendering is no road to hidden cards."""
    twins = [
        table(
            villains=side(hand=[card], deck=["ares_1", "ares_2"]),
            heroes=side(deck=["thor_1", "thor_2"]),
            to_move="heroes",
        )
        for card in ("zola_1", "kang_1")
    ]
    assert twins[0].text(viewer="heroes") == twins[1].text(viewer="heroes")
    assert twins[0].text(viewer="villains") != twins[1].text(viewer="villains")


# Replays


def a_short_game():
    """A game that ends with a draw on empty decks."""
    t = table(villains=side(deck=["ares_1"], slots={4: "leader_1"}), heroes=side(hand=["thor_1"]))
    t.play("done")
    return t


@pytest.mark.rule("rule notation.replays")
def test_a_replay_plays_the_whole_game_again(tmp_path):
    """Notation, Replays: same end, same moves, from a file or its data."""
    t = a_short_game()
    assert t.winner == "draw"
    path = tmp_path / "game.json"
    t.save(path)
    for again in (Table.replay(path), Table.replay(json.loads(path.read_text("utf-8")))):
        assert (again.position(), again.winner, again.log) == (t.position(), "draw", ["done"])


@pytest.mark.rule("rule notation.replays")
def test_a_replay_does_not_depend_on_skipping():
    """Notation, Replays: forced moves stand in it."""
    t = Table.new(seed=3, skip_forced=True)
    while t.winner is None:
        t.play(t.legal()[0])
    again = Table.replay(t.replay_data())
    assert (again.position(), again.log) == (t.position(), t.log)


@pytest.mark.rule("rule notation.replays")
@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["rules_version"], "0", "version"),
        (["format_version"], 99, "99"),
        (["card_set", "name"], "another_set", "another_set"),
        (["card_set", "version"], "0", "version"),
        (["card_set", "hash"], "0000", "0000"),
        (["game"], "los_angeles", "los_angeles"),
        (["moves"], ["march"], "march"),
        (["moves"], ["yes"], "yes"),
        (["result", "winner"], "heroes", "heroes"),
    ],
)
def test_a_replay_of_something_else_is_refused(path, value, said):
    """Notation, Replays: another version, card set, game or outcome is named."""
    data = copy.deepcopy(a_short_game().replay_data())
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    assert inner[path[-1]] != value
    inner[path[-1]] = value
    with pytest.raises((ValueError, OSError), match=said):
        Table.replay(data)


@pytest.mark.rule("ruling 50", "rule notation.replay-viewer")
def test_a_running_games_replay_for_a_viewer_hides_what_he_did_not_see():
    """Notation, Replays: no seed, no hidden list; once the game is over it is complete."""
    running = table(
        villains=side(hand=["zola_1", "kang_1"], deck=["ares_1", "ares_2", "ultron_1"]),
        heroes=side(hand=["thor_1"], deck=["hulk_1", "hulk_2", "hawkeye_1"]),
    )
    running.play("done")
    text = json.dumps(running.replay_data(viewer="heroes"))
    for hidden in ("zola_1", "kang_1", "ares_1", "ultron_1", "hawkeye_1", "hulk_1", "seed"):
        assert hidden not in text
    assert "thor_1" in text
    over = a_short_game()
    assert Table.replay(over.replay_data(viewer="heroes")).winner == "draw"


@pytest.mark.rule("ruling 50", "rule notation.replay-viewer")
def test_a_viewers_replay_hides_answers_that_name_hidden_cards():
    """Ruling 50: moves in a running game's replay are those that both could follow."""
    t = table(
        villains=side(hand=["zola_1", "ares_1", "ares_2"], slots={4: "baron_zemo_1"}),
        heroes=side(hand=["thor_1"]),
    )
    t.play("done", "discard zola_1")
    data = t.replay_data(viewer="heroes")
    assert data["moves"] == ["done", "discard zola_1"]
    assert "ares_2" not in json.dumps(data)
