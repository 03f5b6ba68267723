"""Card sets of one's own: cards that the printed game has not, and files that cannot be."""

from __future__ import annotations

import dataclasses
import re
from importlib import resources

import pytest

from skirmish_env import Table, card_sets
from skirmish_env.new_york import cards, ids
from tests.rulebook.helpers import moves, shows

TEXT = (resources.files(card_sets) / "in_new_york.toml").read_text(encoding="utf-8")


@pytest.fixture
def with_words(tmp_path):
    """Write the card set with some words changed, in one table only, and return its path."""

    def written(table: str, *changes: tuple[str, str]):
        start = TEXT.index(f"[{table}]\n")
        end = (TEXT + "\n[").index("\n[", start + 1)
        words = TEXT[start:end]
        for old, new in changes:
            assert old in words, f"{old!r} is not in [{table}]"
            words = words.replace(old, new, 1)
        path = tmp_path / "mine.toml"
        path.write_text(TEXT[:start] + words + TEXT[end:], encoding="utf-8")
        return path

    return written


def row(**slots: str) -> list[str | None]:
    return [slots.get(f"s{n}") for n in range(1, 7)]


def hero_taskmaster(with_words, victory=0, **sides) -> Table:
    """War Machine, who may attack twice and take both bonuses, on his own side."""
    words = ('attack = ["may draw 1"]', 'attack = ["may attack again 2"]')
    position = {"to_move": "heroes", "on_turn": "heroes", "turn": 2, "victory": victory}
    decks = {"deck": ["hydra_agents_blue"]}, {"deck": ["shield_agents_blue"]}
    for side, deck in zip(ids.SIDES, decks):
        position[side] = {**deck, **sides.get(side, {})}
    position["civilians"] = sides.get("civilians", ["rygb", "rygb", "rygb"])
    return Table.from_position(position, card_set=with_words("cards.war_machine_1", words))


@pytest.mark.rule("ruling 27", "ruling 34")
@pytest.mark.parametrize(
    ("civilians", "hulk", "asked"),
    [
        (["rygb", "rygb", "rygb"], None, True),  # another civilian to free
        (["r", "rygb", "rygb"], None, True),  # a point, as none is left
        (["rygb", "rygb", "rygb"], "red_hulk_1", False),  # the set is no longer whole
        (["rygb", "rygb", "rygb"], "red_hulk_2", False),
        (["", "rygb", "rygb"], "red_hulk_2", True),  # a point, which nobody withholds
    ],
)
def test_a_hero_who_attacks_twice_asks_only_for_a_bonus_that_is_one(
    with_words, civilians, hulk, asked
):
    """Ruling 34: whether his second bonus would give anything depends on Red Hulk."""
    t = hero_taskmaster(
        with_words,
        heroes={"slots": row(s1="war_machine_1")},
        villains={"slots": row(s5=hulk) if hulk else row()},
        civilians=civilians,
    )
    t.play("done")
    if t.question == "free civilian":
        t.play("civilian red")
    assert (t.question == "attack again") == asked


@pytest.mark.rule("ruling 26", "ruling 40", "ruling 46")
@pytest.mark.parametrize(("answer", "asked"), [("target v2", False), ("no", True)])
def test_a_second_attack_needs_strength(with_words, answer, asked):
    """Rulings 26, 40: a captured Winter Soldier lent it, and the Flame fells him in between."""
    words = (
        ("copies = 2", 'copies = 2\nattack = ["may attack again 2"]'),
        ('assumed = ["cost"', 'assumed = ["attack", "cost"'),
    )
    t = Table.from_position(
        {
            "villains": {
                "slots": row(s1="hydra_agents_yellow", s2="winter_soldier_2:1"),
                "deck": ["ares_1"] * 2,
            },
            "heroes": {
                "slots": row(s1="hawkeye_1", s2="hulk_1"),
                "deck": ["thor_1"],
                "artifacts": ["eternal_flame"],
            },
        },
        card_set=with_words("cards.hydra_agents_yellow", *words),
    )
    t.play("done", answer)
    assert (t.question == "attack again") == asked
    if asked:
        t.play("yes")
        shows(t, victory=1)


@pytest.mark.rule("ruling 14", "ruling 39")
@pytest.mark.parametrize(("slots", "playable"), [(1, False), (2, True)])
def test_a_second_card_that_goes_below_needs_a_hero_without_one(with_words, slots, playable):
    """Ruling 39: one below each hero; on a board of one slot no place is left for Ant-Man."""
    words = (
        ("armour = 1", "armour = 1\ntucks = true"),
        ('printed = ["name"', 'printed = ["tucks", "name"'),
    )
    t = Table.from_position(
        {
            "to_move": "heroes",
            "heroes": {
                "slots": ["hawkeye_1+doctor_strange_1", "thor_1"][:slots],
                "hand": ["ant_man_1", "captain_marvel_1", "captain_marvel_2"],
            },
            "civilians": ["rygb", "rygb"][:slots],
        },
        card_set=with_words("cards.ant_man_1", *words),
        rules={"manhattan_slots": slots, "sanctum_slots": 0, "tower_slots": 0},
    )
    assert ("play ant_man_1" in moves(t)) == playable
    if playable:
        t.play("play ant_man_1", "discard captain_marvel_1", "discard captain_marvel_2")
        assert moves(t) == {"tuck 2"}


@pytest.mark.rule("ruling 43")
def test_a_one_time_artifact_that_no_rule_knows_is_never_usable():
    """A record of one's own making: the reader refuses another kind of artifact."""
    card_set = cards.load()
    record = card_set.record.copy()
    record[0].artifact_kind[ids.NORN_STONES] = ids.ONE_TIME
    t = Table.from_position(
        {"villains": {"artifacts": ["norn_stones"], "slots": row(s1="ares_1")}},
        card_set=dataclasses.replace(card_set, record=record),
    )
    assert t.question == "recruitment"
    assert "artifact norn_stones" not in moves(t)
    t.play("done")
    assert t.question == "draw three"


# ---- Files that cannot be

ARES = "cards.ares_1"


@pytest.mark.rule("rule notation.card-sets")
@pytest.mark.parametrize(
    ("table", "old", "new", "said"),
    [
        (ARES, "[cards.ares_1]", "[cards.aris_1]", "card 0 is 'aris_1'; 'ares_1' belongs there"),
        ("artifacts.casket_of_ancient_winters", "casket_of", "basket_of", "the artifacts must be"),
        ("card_set", "[card_set]", "[cardset]", "unknown key 'cardset'"),
        ("card_set", 'version = "1"', "version = 1", "version must be a text in quotes, not 1"),
        ("rules", "[rules]", "[card_set.more]", "the table [rules] is missing"),
        ("rules", "draws_per_turn = 2", "", "[rules]: draws_per_turn is missing"),
        ("rules", "draws_per_turn = 2", 'draws_per_turn = "2"', "draws_per_turn must be int"),
        ("rules", "draws_per_turn = 2", "draws_per_turn = 0", "draws_per_turn must be 1 to 9"),
        ("rules", "manhattan_slots = 3", "manhattan_slots = 6", "9 slots per side"),
        ("rules", "artifact_track = 3", "artifact_track = 1", "artifact_arrow must be less than"),
        ("rules", '= "once_per_phase"', '= "once"', "attack_effect 'once'"),
        ("rules", "civilian_floor = 2", "civilian_floor = 12", "with 12 civilians the Heroes"),
        ("rules", "cards_removed = 15", "cards_removed = 55", "fewer than the opening hand"),
        (ARES, "strength = 2", "strenght = 2", "unknown key 'strenght'; did you mean 'strength'?"),
        (ARES, "strength = 2", "strength = 10", "strength must be a whole number 0 to 9, not 10"),
        (ARES, "health = 2", "health = 0", "health must be 1 or more"),
        (ARES, 'cost = "r*"', 'cost = "rrrrr*****"', "a cost has at most 9 symbols, not 10"),
        (ARES, 'cost = "r*"', 'cost = "p*"', "unknown cost symbol 'p'"),
        (ARES, 'colour = "red"', 'colour = "pink"', "colour 'pink'; known: red, yellow"),
        (ARES, '= "villains"', '= "heroes"', "faction must be 'villains' in this place"),
        (ARES, 'kind = "main"', 'kind = "battleground"', "'battleground' does not go with"),
        ("cards.street_corner", "copies = 1", "copies = 2", "a battleground has 1 copy"),
        ("cards.ultron_1", '["red"]', '"red"', "immune must be a list of colours, not 'red'"),
        ("cards.loki_1", "captures = true", "captures = 1", "captures must be true or false"),
        ("artifacts.darkhold", '"one_time"', '"permanent"', "kind must be 'one_time'"),
        ("artifacts.darkhold", 'use = ["damage each 2 1"]\n', "", "`use` belongs to one_time"),
        (ARES, "basis = {", "source = {", "unknown key 'source'"),
        ("artifacts.darkhold", "basis = { printed", "basis = 1 #", "basis must say how"),
        (ARES, '"name", ', '"name", "name", ', "basis names 'name' twice"),
        (ARES, '"name", ', "", "basis does not say how ['name'] are known"),
        (ARES, '["may damage 1"]', '"may damage 1"', "expected a list of phrases"),
        (ARES, '["may damage 1"]', str(["may damage 1"] * 5), "5 phrases; at most 4 fit"),
        (ARES, '["may damage 1"]', '["might damage 1"]', "unknown verb 'might damage 1'"),
        (ARES, '["may damage 1"]', '["may damage"]', "'may damage' needs 1 number(s)"),
        (ARES, '["may damage 1"]', '["may damage 9"]', "'9' must be 0 to 8"),
        (ARES, '["may damage 1"]', '["may play 9"]', "'9' must be 0 to 8, or \"any\""),
        ("cards.street_corner", "must heal 1", "may heal self 1", "only for a card in play"),
        (ARES, '["may damage 1"]', '["may fetch any"]', "only one main character may fetch"),
    ],
)  # fmt: skip
def test_a_card_set_that_cannot_be_is_refused(with_words, table, old, new, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        cards.load(with_words(table, (old, new)))


@pytest.mark.rule("rule notation.card-sets")
def test_a_card_set_has_64_cards(tmp_path):
    path = tmp_path / "mine.toml"
    last = TEXT[TEXT.index("[cards.street_corner]") : TEXT.index("[artifacts.")]
    path.write_text(TEXT.replace(last, ""), encoding="utf-8")
    with pytest.raises(ValueError, match="63 cards, but 64 are expected"):
        cards.load(path)


@pytest.mark.rule("rule notation.card-sets")
def test_at_most_sixteen_cards_may_return(tmp_path):
    """More would not fit into the choices of one Recruitment."""
    head, *tables = TEXT.split("\n\n[")
    for n, words in enumerate(tables):
        if 'faction = "heroes"' in words:
            words = words.replace("\ntext =", '\nreturn_cost = "b"\ntext =')
            tables[n] = words.replace('"faction"', '"faction", "return_cost"')
    path = tmp_path / "mine.toml"
    path.write_text("\n\n[".join([head, *tables]), encoding="utf-8")
    with pytest.raises(ValueError, match="30 cards with return_cost; at most 16 are possible"):
        cards.load(path)


@pytest.mark.rule("rule notation.card-sets")
def test_a_loaded_card_set_keeps_its_rules_options():
    loaded = cards.load(rules={"draws_per_turn": 3})
    assert cards.load(loaded) is loaded
    with pytest.raises(ValueError, match="rules options cannot change a loaded card set"):
        cards.load(loaded, rules={"draws_per_turn": 2})


@pytest.mark.rule("rule notation.card-sets")
@pytest.mark.parametrize("rules", [5, [], [{}], "villains_goal"])
def test_rules_options_are_a_dictionary(rules):
    with pytest.raises(ValueError, match="rules: a dictionary of options, not"):
        cards.load(None, rules)
