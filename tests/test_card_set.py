"""The card set: equal to the agreed values, and strict about what it reads."""

import copy
import csv
import pickle
import re
from importlib import resources
from pathlib import Path

import pytest

from skirmish_env import Table, card_sets
from skirmish_env.new_york import cards, ids

VALUES = Path(__file__).parent / "data" / "cards.csv"
TEXT = (resources.files(card_sets) / "in_new_york.toml").read_text(encoding="utf-8")


def rows():
    with VALUES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def write(tmp_path):
    """Write the card set with a change, and return its path."""

    def written(old, new, count=1):
        assert old in TEXT
        path = tmp_path / "mine.toml"
        path.write_text(TEXT.replace(old, new, count), encoding="utf-8")
        return path

    return written


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_card_has_the_agreed_values(row):
    k = cards.load().record[0]
    card = cards.card_ids().index(row["id"])
    assert card == [r["id"] for r in rows()].index(row["id"])
    assert cards.load().names[row["id"]] == row["name"]
    assert ids.KINDS[k.kind[card]] == row["kind"]
    assert [*ids.SIDES, "none"][k.faction[card]] == row["faction"]
    assert [*ids.COLOURS, "none"][k.colour[card]] == row["colour"]
    assert list(k.cost[card]) == [row["cost"].count(s) for s in "rygb*"]
    assert k.symbols[card] == len(row["cost"])
    assert k.strength[card] == int(row["strength"] or 0)
    assert k.health[card] == int(row["health"] or 0)
    assert k.points[card] == int(row["victory_points"] or 0)
    assert k.copies[card] == int(row["copies"])


@pytest.mark.parametrize("row", [r for r in rows() if "=" in r["fixed_by_rulebook"]],
                         ids=lambda row: row["id"])  # fmt: skip
def test_value_that_the_rulebook_fixes_is_not_called_assumed(row):
    basis = cards.load().basis[row["id"]]
    for key in re.findall(r"(strength|health)(?:[<>]?=)", row["fixed_by_rulebook"]):
        assert basis[key] in ("printed", "derived"), key


def test_every_value_says_how_it_is_known():
    for name, basis in cards.load().basis.items():
        assert set(basis.values()) <= {"printed", "derived", "assumed"}, name
        assert basis["name"] == "printed"


def test_defaults_of_the_rules_options():
    assert cards.load().rules == {
        "manhattan_slots": 3, "sanctum_slots": 2, "tower_slots": 1, "artifact_track": 3,
        "artifact_arrow": 1, "attack_effect": "once_per_phase", "villains_goal": 9,
        "heroes_goal": 7, "villains_opening_hand": 5, "heroes_opening_hand": 7,
        "cards_removed": 15, "draws_per_turn": 2, "civilians": "rygb", "civilian_floor": 2,
    }  # fmt: skip


def test_a_card_set_of_ones_own_plays(write):
    table = Table.new(seed=1, card_set=write("health = 2\ncopies", "health = 9\ncopies"))
    assert table.card_set.record[0].health[cards.card_ids().index("ares_1")] == 9
    assert table.card_set.hash != cards.load().hash


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"may damage 1"', '"may damaeg 1"', "ares_1: attack: unknown verb 'may damaeg 1'; "
         "did you mean 'may damage'?"),
        ('"may damage 1"', '"may damage"', "ares_1: attack: 'may damage' needs 1 number"),
        ('"may damage 1"', '"may damage 10"', "'may damage 10': '10' must be 0 to 8"),
        ('cost = "r*"', 'cost = "x*"', "ares_1: unknown cost symbol 'x'"),
        ('colour = "red"', 'colour = "rde"', "ares_1: colour 'rde'; did you mean 'red'?"),
        ("strength = 2", 'strength = "2"', "ares_1: strength must be a whole number"),
        ("health = 2", "helath = 2", "ares_1: unknown key 'helath'; did you mean 'health'?"),
        ("[cards.ares_1]", "[cards.aris_1]", "card 0 is 'aris_1'; 'ares_1' belongs there"),
        ('faction = "villains"', 'faction = "heroes"', "ares_1: faction must be 'villains'"),
        ("copies = 2", "copies = 3", "ares_1: copies must be a whole number 0 to 2"),
        ("villains_goal = 9", "villain_goal = 9", "unknown key 'villain_goal'; did you mean"),
        ("sanctum_slots = 2", "sanctum_slots = 3", "7 slots per side; 1 to 6 are possible"),
        ("artifact_arrow = 1", "artifact_arrow = 3", "artifact_arrow must be less than"),
        ('civilians = "rygb"', 'civilians = "rryg"', "the 'r' civilian stands twice"),
        ("cards_removed = 15", "cards_removed = 55", "fewer than the opening hand"),
        ('"may damage 1"', '"may damage any"', "'any' must be 0 to 8"),
        ('"may damage 1"', '"may fetch any"', "only one main character may fetch"),
        ('["may draw 1"]', '["may attack again 1"]', "only as an attack effect"),
        ('["must heal 1"]', '["may heal self 1"]', "only for a card in play"),
        ('["step 1"]', '["step 2"]', "'2' must be 0 to 1"),
        ('cost = "r*"', 'cost = "rrrrr*****"', "ares_1: a cost has at most 9 symbols, not 10"),
        ('cost = "r*"', "cost = 2", "ares_1: cost must be a text in quotes, not 2"),
        ('name = "Ares"', "name = 3", "ares_1: name must be a text in quotes, not 3"),
        ('attack = ["may damage 1"]', 'attack = "may damage 1"', "expected a list of phrases"),
        ("inspires = 1", "inspires = 9", "inspires must be a whole number 0 to 3"),
        ('immune = ["red"]', 'immune = "red"', "ultron_1: immune must be a list of colours"),
        ('name = "in_new_york"', "name = 1", "[card_set]: name must be a text in quotes"),
        ("[rules]", "[options]", "unknown key 'options'"),
        ('kind = "one_time"', 'kind = "permanent"', "kind must be 'one_time': the phases use"),
        ("civilian_floor = 2", "civilian_floor = 12", "with 12 civilians the Heroes would"),
        ("villains_goal = 9", "villains_goal = 50", "villains_goal must be 1 to 49, not 50"),
        ('kind = "one_time"', 'kind = "onetime"', "did you mean 'one_time'?"),
        ("basis = { printed", "basis = { prnted", "unknown key 'prnted'; did you mean 'printed'"),
        ("[card_set]", "[card_set", "not valid TOML"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_by_name_and_place(write, old, new, said):
    path = write(old, new)
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        cards.load(path)
    assert "mine.toml" in str(error.value)


def test_a_missing_table_is_named(write):
    path = write("[rules]", "[card_set.extra]")
    with pytest.raises(ValueError, match=re.escape("the table [rules] is missing")):
        cards.load(path)


def test_a_strange_below_a_captured_hero_takes_the_slot(write):
    """A Strange of one's own making may outlive the hero whom Loki takes over."""
    path = write(
        'colour = "red"\ncost = "r*"\nstrength = 1\nhealth = 2\ncopies = 2\ntucks = true',
        'colour = "red"\ncost = "r*"\nstrength = 1\nhealth = 2\ncopies = 2\ntucks = true\n'
        "armour = 1",
    )
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace(
            'armour = 1\ntext = "He may go below another hero: they attack as one, and he takes an '
            "attack's damage first.\"\nbasis = { printed = [",
            'armour = 1\ntext = "He may go below."\nbasis = { printed = ["armour", ',
            1,
        ),
        encoding="utf-8",
    )
    t = Table.from_position(
        {
            "villains": {"slots": [None, "loki_2", None, None, None, None], "deck": ["ares_1"] * 2},
            "heroes": {
                "slots": [None, "hawkeye_1+doctor_strange_1", None, None, None, None],
                "deck": ["thor_1"] * 2,
            },
        },
        card_set=path,
    )
    t.play("done", "slot 1")
    assert t.position()["villains"]["slots"][0] == "hawkeye_1"
    assert t.position()["heroes"]["slots"][1] == "doctor_strange_1:1"


def test_without_manhattan_only_without_the_civilian_ending():
    rules = {"manhattan_slots": 0, "tower_slots": 3}
    with pytest.raises(ValueError, match="with 0 civilians the Heroes would have won"):
        cards.load(rules=rules)
    t = Table.new(rules={**rules, "civilian_floor": -1})
    while t.winner is None:
        t.play(t.legal()[-1])
    assert Table.replay(t.replay_data()).winner == t.winner


def test_an_unknown_card_set_names_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown card set 'nope': use one of \['in_new_york'"):
        cards.load("nope")


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"heroes_goals": 5}, "unknown key 'heroes_goals'; did you mean 'heroes_goal'?"),
        ({"heroes_goal": "5"}, "heroes_goal must be int, not '5'"),
        ({"heroes_goal": 0}, "heroes_goal must be 1 to 49, not 0"),
        ({"attack_effect": "each"}, "attack_effect 'each'"),
        ({"draws_per_turn": True}, "draws_per_turn must be int, not True"),
    ],
)
def test_a_wrong_rules_option_is_refused(rules, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        cards.load(rules=rules)


def test_rules_options_reach_the_game():
    """A small variant: few slots, low goals, small decks."""
    t = Table.new(
        seed=3,
        rules={"manhattan_slots": 1, "sanctum_slots": 1, "tower_slots": 1, "villains_goal": 3,
               "heroes_goal": 3, "cards_removed": 40, "heroes_opening_hand": 4,
               "draws_per_turn": 1, "civilians": "rg", "civilian_floor": 0},
    )  # fmt: skip
    p = t.position()
    assert p["villains"]["slots"] == [None] * 3
    assert p["civilians"] == ["rg"]
    assert len(p["heroes"]["hand"]) == 4
    assert len(p["heroes"]["deck"]) == 12
    while t.winner is None:
        t.play(t.legal()[0])
    assert abs(t.position()["victory"]) <= 3


def test_a_loaded_card_set_is_the_callers_own_and_an_edit_is_seen(tmp_path):
    first, second = cards.load(), cards.load()
    first.record["goal"][0, 0] = 40
    assert second.record["goal"][0, 0] == cards.load().record["goal"][0, 0] == 9
    path = tmp_path / "mine.toml"
    path.write_text(TEXT, encoding="utf-8")
    assert cards.load(path).rules["villains_goal"] == 9
    path.write_text(TEXT.replace("villains_goal = 9", "villains_goal = 8"), encoding="utf-8")
    assert cards.load(path).rules["villains_goal"] == 8


def test_rules_options_of_a_card_set_cannot_be_changed():
    t = Table.new(seed=0)
    for change in (
        lambda rules: rules.update(heroes_goal=1),
        lambda rules: rules.__setitem__("heroes_goal", 1),
        lambda rules: rules.pop("heroes_goal"),
        lambda rules: rules.clear(),
    ):
        with pytest.raises(TypeError, match="cannot be changed"):
            change(t.card_set.rules)
    for twin in (copy.deepcopy(t.card_set), pickle.loads(pickle.dumps(t.card_set))):
        assert twin.rules == t.card_set.rules
    data = t.replay_data()
    data["rules"]["heroes_goal"] = 1
    assert t.clone().replay_data()["rules"]["heroes_goal"] == 7
