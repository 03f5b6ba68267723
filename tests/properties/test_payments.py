"""Which cards can be played and how they can be paid, against an exhaustive search in words."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from itertools import islice

import numpy as np
import pytest

from skirmish_env import action_to_move, card_sets, move_to_action
from skirmish_env.common.jit import PLAIN
from skirmish_env.new_york import ids, notation, rules
from skirmish_env.new_york.cards import load
from skirmish_env.new_york.state import STATE
from tests.properties.paying import (
    LIMITS,
    PRINTED,
    SYMBOLS,
    Bill,
    Payment,
    Position,
    bill_of,
    can_enter,
    candidates,
    character,
    characters_in_play,
    offers,
    one_short,
    only_just,
    other,
    payments,
    replaces,
)
from tests.properties.paying_positions import EFFECTS, drawn_position
from tests.rulebook.helpers import FACTION_CARDS

CARDS = load()
ONE_SET = np.zeros(1, np.int64)
HERO_CARDS = frozenset(FACTION_CARDS["heroes"])
CHOICES = ("recruitment", "play free", "play for any", "fetch")
LONGEST_WALK = 40
SCALE = pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.slow)])
POSITIONS = 220 if PLAIN else 1200
GAMES = 4 if PLAIN else 25
WALKS = 80 if PLAIN else 300
MOST_PAYMENTS = 40 if PLAIN else 200


# -- The core in words ----------------------------------------------------------------------------


def started(position: Position) -> np.ndarray:
    states = notation.build(position, CARDS)
    rules.start(states, 0, CARDS.record, ONE_SET)
    return states


def after(states: np.ndarray, move: str) -> np.ndarray:
    twin = states.copy()
    rules.step(twin, 0, CARDS.record, ONE_SET, move_to_action(move))
    return twin


def legal(states: np.ndarray) -> list[str]:
    g = states[0]
    return [action_to_move(int(action)) for action in g.options[: g.option_count]]


def question(states: np.ndarray) -> str:
    return ids.QUESTIONS[states[0].question]


def source(states: np.ndarray) -> str | None:
    return CARDS.ids[states[0].source] if states[0].source >= 0 else None


def paths(states: np.ndarray, path: tuple[str, ...] = ()) -> Iterator[tuple[np.ndarray, list[str]]]:
    """Every way through a payment, with the record that it ends in."""
    if question(states) != "payment":
        yield states, list(path)
        return
    moves = legal(states)
    assert moves, f"a dead end after {path}"
    for move in moves:
        yield from paths(after(states, move), (*path, move))


# -- Comparing ------------------------------------------------------------------------------------


def check_offers(states: np.ndarray, met: Counter[str]) -> Position:
    """Compare what a question offers with the search; the position it was asked in."""
    position = notation.describe(states, 0, CARDS)
    asked, asking = question(states), source(states)
    found = [move for move in legal(states) if move.split()[0] in ("play", "fetch")]
    expected = offers(position, asked, asking)
    assert set(found) == expected, f"{asked} of {asking} in {position}"
    assert asked == "recruitment" or expected, f"{asked} of {asking} with nothing to accept"
    note_offers(position, asked, asking, expected, met)
    return position


def check_payments(states: np.ndarray, position: Position, move: str, met: Counter[str]) -> None:
    """Compare all ways through one payment with the search, unless they are very many."""
    bill = bill_of(position, move, question(states))
    expected = set(islice(payments(bill), MOST_PAYMENTS + 1))
    if len(expected) > MOST_PAYMENTS:
        return
    found = []
    for end, path in paths(after(states, move)):
        found.append(as_payment(bill, path))
        if bill.cost:
            assert given_up(states, end) == given(move, path, end), f"{move}, {path}: {position}"
    assert len(found) == len(set(found)), f"{move} can be paid alike in two ways in {position}"
    assert set(found) == expected, f"{move} of {question(states)} in {position}"
    note_payments(bill, expected, met)


def as_payment(bill: Bill, path: list[str]) -> Payment:
    """The moves of a payment, symbol by symbol; within a symbol their ids never fall."""
    assert len(path) == len(bill.cost)
    moves, groups = iter(path), []
    for symbol in SYMBOLS:
        group = [next(moves) for _ in range(bill.cost.count(symbol))]
        assert group == sorted(group, key=move_to_action), f"{path} pays {bill.cost}"
        groups.append(tuple(sorted(group, key=lambda m: (m == "waive", m))))
    return tuple(groups)


def given_up(before: np.ndarray, end: np.ndarray) -> Counter[str]:
    """What left the hand and the freed civilians of the one who paid."""
    seat = int(before[0].asked)
    cards = before[0].hand[seat] - end[0].hand[seat]
    freed = before[0].freed - end[0].freed
    lost = {f"discard {card}": int(n) for card, n in zip(CARDS.ids, cards)}
    return +Counter({**lost, **{f"civilian {c}": int(n) for c, n in zip(ids.COLOURS, freed)}})


def given(move: str, path: list[str], end: np.ndarray) -> Counter[str]:
    """A character stays in its pile until it is placed, a battleground until its effect is over."""
    card = move.split()[1]
    ground = PRINTED[card]["kind"] == "battleground"
    own = {f"discard {card}": int(ground and question(end) == "recruitment")}
    return +(Counter(m for m in path if m != "waive") + Counter(own))


# -- What was met ---------------------------------------------------------------------------------


def note_offers(
    position: Position, asked: str, asking: str | None, expected: set[str], met: Counter[str]
) -> None:
    met[asked] += 1
    own = position[position["to_move"]]
    full = None not in own["slots"]
    for move in candidates(position, asked, asking):
        bill = bill_of(position, move, asked)
        met["one symbol short"] += one_short(bill)
        met["only just payable"] += bool(bill.cost) and only_just(bill)
        met["replacing"] += replaces(position, move.split()[1])
        met["Hela returns"] += asked == "recruitment" and move.startswith("fetch") and (
            move in expected
        )  # fmt: skip
    note_left_out(position, asked, asking, met)
    for card in set(own["hand"]) - {c for c in own["hand"] if not character(c)}:
        enters = can_enter(position, card)
        captive = character(card) in characters_in_play(position, other(position["to_move"]))
        met["barred by a captive"] += captive
        met["no room"] += full and not enters
        met["Strange with no empty slot"] += (
            full and card.startswith("doctor") and not replaces(position, card)
            and f"play {card}" in expected
        )  # fmt: skip


def note_left_out(position: Position, asked: str, asking: str | None, met: Counter[str]) -> None:
    """Cards that only the limit of two symbols, or a copy across the board, keeps from coming."""
    if asked not in ("play free", "fetch"):
        return
    own = position[position["to_move"]]
    pile = own["discard"] if asked == "fetch" else own["hand"]
    enter = [card for card in pile if character(card) and can_enter(position, card)]
    met[f"{asked}: too dear"] += LIMITS[asking or ""] < max(
        (len(PRINTED[card]["cost"]) for card in enter), default=0
    )
    across = characters_in_play(position, other(position["to_move"]))
    met[f"{asked}: held across"] += any(character(card) in across for card in pile)
    met["a captive fetched"] += asked == "fetch" and any(c in HERO_CARDS for c in enter)


def note_payments(bill: Bill, found: set[Payment], met: Counter[str]) -> None:
    met["payments"] += len(found)
    for payment in found:
        coloured = [move for group in payment[:-1] for move in group]
        waived = coloured.count("waive") + payment[-1].count("waive")
        met["waived a colour"] += "waive" in coloured
        met["waived an any-symbol"] += "waive" in payment[-1]
        met["waived two symbols"] += waived == 2
        met["a civilian for a colour"] += any(m.startswith("civilian") for m in coloured)
        met["a civilian for any"] += any(m.startswith("civilian") for m in payment[-1])
        met["a battleground for any"] += any(
            m.startswith("discard") and PRINTED[m.split()[1]]["kind"] == "battleground"
            for m in payment[-1]
        )
        met["a second copy pays"] += any(
            len(group) != len(set(group) | {"waive"}) - ("waive" not in group) for group in payment
        )
    met["all symbols as any"] += bill.cost != "" and set(bill.cost) == {"*"}


def assert_met(met: Counter[str], least: int, *names: str) -> None:
    rare = {name: met[name] for name in names if met[name] < least}
    assert not rare, f"the positions hardly hold {rare} of {dict(met)}"


# -- Recruitment ----------------------------------------------------------------------------------


def recruitments(numbers: range) -> Counter[str]:
    """Compare drawn Recruitments, and in each all ways to pay one of the cards."""
    met: Counter[str] = Counter()
    for number in numbers:
        states = started(drawn_position(number))
        position = check_offers(states, met)
        offered = sorted(offers(position, "recruitment", None))
        paid = [move for move in offered if bill_of(position, move, "recruitment").cost]
        if paid:
            check_payments(states, position, random.Random(number).choice(paid), met)
    return met


@SCALE
def test_recruitment_offers_exactly_what_can_be_paid_and_enter(times):
    """Rulings 10 to 19: the cards offered at the first question of drawn Recruitments."""
    met = recruitments(range(POSITIONS * times))
    assert met["recruitment"] == POSITIONS * times
    assert_met(met, 3 if PLAIN else 20, *EVERYTHING)


EVERYTHING = (
    "one symbol short", "only just payable", "replacing", "Hela returns", "barred by a captive",
    "no room", "Strange with no empty slot", "waived a colour", "waived an any-symbol",
    "waived two symbols", "a civilian for a colour", "a civilian for any",
    "a battleground for any", "all symbols as any",
)  # fmt: skip


# -- Inside effects -------------------------------------------------------------------------------


def walk(number: int, met: Counter[str]) -> None:
    """Play a card that brings others, then on at random; compare every choice of cards."""
    rng = random.Random(number)
    states = started(drawn_position(number, EFFECTS))
    for _ in range(LONGEST_WALK):
        if states[0].phase != ids.RECRUITMENT:
            return
        moves = legal(states)
        if question(states) in CHOICES:
            position = check_offers(states, met)
            accepting = [m for m in moves if m.split()[0] in ("play", "fetch")]
            asked = question(states)
            if accepting and asked in ("recruitment", "play for any"):
                check_payments(states, position, rng.choice(accepting), met)
            effects = [m for m in accepting if m.split()[1] in EFFECTS]
            moves = effects or accepting or moves
        states = after(states, rng.choice(moves))


@SCALE
def test_effects_offer_exactly_what_can_be_paid_and_enter(times):
    """Rulings 15 to 17: Iron Man's free cards, the green agents' any-symbols, Kang's pile."""
    met: Counter[str] = Counter()
    for number in range(WALKS * times):
        walk(number, met)
    assert_met(met, 5 if PLAIN else 20, *CHOICES, "all symbols as any", "replacing")
    assert_met(met, 1 if PLAIN else 3, *LEFT_OUT)


LEFT_OUT = (
    "play free: too dear", "fetch: too dear", "play free: held across", "fetch: held across",
    "a captive fetched",
)  # fmt: skip


# -- Under other costs ----------------------------------------------------------------------------


@pytest.fixture(params=[1, pytest.param(2, marks=pytest.mark.slow)])
def other_costs(request, monkeypatch, tmp_path):
    """A card set with drawn costs, in the core and in the search."""
    rng = random.Random(request.param)
    text = (resources.files(card_sets) / "in_new_york.toml").read_text(encoding="utf-8")
    for card, printed in PRINTED.items():
        cost = "".join(sorted(rng.choices("rygb**", k=rng.randrange(5)), key=SYMBOLS.index))
        head, entry = text.split(f"[cards.{card}]\n")
        entry = entry.replace(f'\ncost = "{printed["cost"]}"', f'\ncost = "{cost}"', 1)
        text = f"{head}[cards.{card}]\n{entry}"
        monkeypatch.setitem(printed, "cost", cost)
    path = tmp_path / "other_costs.toml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(f"{__name__}.CARDS", load(path))


def test_other_costs_are_offered_and_paid_alike(other_costs):
    """Ruling 5: costs are assumed and may be corrected; every corrected one must be paid right."""
    met = recruitments(range(POSITIONS // 4))
    for number in range(WALKS // 4):
        walk(number, met)
    assert_met(met, 1, *CHOICES, "waived a colour", "waived two symbols", "only just payable")


def test_the_cube_asks_the_green_agents_for_a_printed_any_symbol(other_costs):
    """Ruling 17: the symbols that become any-symbols do not wake the Cosmic Cube."""
    payers = "ares_1 red_hulk_1 zola_1 modok_1 loki_1 thanos_1 ultron_1 hela_1".split()
    met: Counter[str] = Counter()
    for card in FACTION_CARDS["villains"]:
        hand = ["hydra_agents_green", card, *payers]
        start = started({"villains": {"hand": hand, "artifacts": ["cosmic_cube"]}})
        states, _ = next(paths(after(start, "play hydra_agents_green")))
        states = after(states, "slot 1")
        position = check_offers(states, met)
        if f"play {card}" in legal(states):
            check_payments(states, position, f"play {card}", met)
            cost = PRINTED[card]["cost"]
            met["a printed any-symbol" if "*" in cost else "none printed"] += bool(cost)
    assert_met(met, 3, "a printed any-symbol", "none printed")


# -- In dealt games -------------------------------------------------------------------------------


@SCALE
def test_dealt_games_offer_exactly_what_can_be_paid_and_enter(times):
    """The same at every such question of games played at random from the deal."""
    met: Counter[str] = Counter()
    for seed in range(GAMES * times):
        rng = random.Random(seed)
        states = np.zeros(1, STATE)
        rules.new_game(states, 0, CARDS.record, ONE_SET, seed, 0)
        while states[0].phase != ids.OVER:
            if question(states) in CHOICES:
                position = check_offers(states, met)
                accepting = [m for m in legal(states) if m.split()[0] in ("play", "fetch")]
                if accepting and question(states) in ("recruitment", "play for any"):
                    check_payments(states, position, rng.choice(accepting), met)
            states = after(states, min(rng.choices(legal(states), k=2), key=move_to_action))
    assert_met(met, 5 * GAMES * times, "recruitment", "one symbol short")
    assert_met(met, 1, "a civilian for a colour", "a battleground for any")
    assert PLAIN or all(met[choice] for choice in CHOICES)
