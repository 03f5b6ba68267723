"""Positions in words: a record becomes a plain dictionary and comes back checked.

The form is described in docs/notation.md; names and orders are part of the public interface.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from skirmish_env.common.rng import DEAL_STREAM, seed_rng, shuffle
from skirmish_env.common.words import nearest
from skirmish_env.new_york import ids, rules
from skirmish_env.new_york.actions import CARD_IDS
from skirmish_env.new_york.cards import CardSet, colour_bits
from skirmish_env.new_york.phases import begin_attack
from skirmish_env.new_york.play import PLAY_BATTLEGROUND_END, PLAY_PLACED
from skirmish_env.new_york.state import STATE

UNKNOWN = "?"
POSITION_KEYS = (
    "to_move", "on_turn", "phase", "turn", "victory", "artifact_marker", "civilians",
    "villains", "heroes", "battlegrounds", "artifact_row", "artifact_stack",
)  # fmt: skip
SIDE_KEYS = ("hand", "deck", "discard", "slots", "artifacts")

Position = dict[str, Any]


# ---------------------------------------------------------------------------------------------
# From a record to words.


def describe(states: np.ndarray, i: int, card_set: CardSet, viewer: int | None = None) -> Position:
    """Position of one game; for a viewer (seat) only what that seat may know."""
    g, k = states[i], card_set.record[0]
    on_turn = ids.SIDES[g.on_turn]
    heroes = _describe_side(g, k, ids.HEROES, viewer)
    heroes["freed"] = "".join(
        letter * int(n) for letter, n in zip(ids.COLOUR_LETTERS, g.freed, strict=True)
    )
    return {
        "to_move": ids.SIDES[g.asked] if g.asked >= 0 else on_turn,
        "on_turn": on_turn,
        "phase": ids.PHASES[g.phase],
        "turn": int(g.turn),
        "victory": int(g.victory),
        "artifact_marker": int(g.artifact_marker),
        "civilians": [
            _letters(int(g.civilians[slot]))
            for slot in range(ids.SLOTS)
            if k.location[slot] == ids.MANHATTAN
        ],
        "villains": _describe_side(g, k, ids.VILLAINS, viewer),
        "heroes": heroes,
        "battlegrounds": _stack(
            [CARD_IDS[c] for c in g.stack[: g.stack_size]], g.stack_known, viewer
        ),
        "artifact_row": [ids.ARTIFACT_IDS[t] for t in sorted(g.row) if t != ids.NO_TILE],
        "artifact_stack": _stack(
            [ids.ARTIFACT_IDS[t] for t in g.tiles[: g.tiles_size]], g.tiles_known, viewer
        ),
    }


def _letters(bits: int) -> str:
    return "".join(letter for n, letter in enumerate(ids.COLOUR_LETTERS) if bits >> n & 1)


def _describe_side(g: Any, k: Any, seat: int, viewer: int | None) -> dict[str, Any]:
    deck = [CARD_IDS[c] for c in g.deck[seat, : g.deck_size[seat]][::-1]]
    hand = _multiset(g.hand[seat])
    if viewer is not None and viewer != seat:
        known = _multiset(known_in_hand(g, seat))
        hidden = int(g.hand_size[seat]) - len(known)
        hand = known + [UNKNOWN] * hidden if known else hidden  # type: ignore[assignment]
    return {
        "hand": hand,
        "deck": deck if viewer is None else len(deck),
        "discard": _multiset(g.discard[seat]),
        "slots": [_slot(g, ids.SLOTS * seat + n) for n in range(k.slots)],
        "artifacts": [
            name for n, name in enumerate(ids.ARTIFACT_IDS) if g.artifact_owner[n] == seat
        ],
    }


def _multiset(counts: np.ndarray) -> list[str]:
    return [CARD_IDS[c] for c in np.repeat(np.arange(len(counts)), counts)]


def _slot(g: Any, place: int) -> str | None:
    if g.card[place] == ids.NO_CARD:
        return None
    words = _card_with_damage(g, place)
    below = place + ids.SLOTS
    if place >= ids.FIRST_HERO_PLACE and g.card[below] != ids.NO_CARD:
        words += "+" + _card_with_damage(g, below)
    return words


def _card_with_damage(g: Any, place: int) -> str:
    damage = f":{g.damage[place]}" if g.damage[place] else ""
    return CARD_IDS[g.card[place]] + damage


def _stack(items: list[str], known: np.ndarray, viewer: int | None) -> list[str] | int:
    if viewer is None:
        return items
    if not known[: len(items)].any():
        return len(items)
    return [item if known[n] else UNKNOWN for n, item in enumerate(items)]


def known_in_hand(g: Any, seat: int) -> np.ndarray:
    """Copies by card id of what everybody knows to be in a hand: `known_in_hands` for one game."""
    return known_in_hands(np.asarray(g).reshape(1), seat)[0]


def known_in_hands(states: np.ndarray, seat: int) -> np.ndarray:
    """Copies by card id of what everybody knows to be in a seat's hand, int8 (n, 64) (ruling 50).

    A battleground that was followed from its stack, and the card that is being played: it stays
    in hand until it is placed.
    """
    known = np.zeros((len(states), ids.CARDS), np.int8)
    known[:, ids.FIRST_BATTLEGROUND :] = states["hand_known"][:, seat]
    frames = states["frame"]
    open_now = np.arange(frames.shape[1]) < states["depth"][:, None]
    open_now &= frames[..., ids.ROUTINE] == ids.R_PLAY
    open_now &= frames[..., ids.F_SIDE] == seat
    open_now &= ~np.isin(frames[..., ids.F_A], (ids.FETCHED, ids.RETURNED))
    battleground = frames[..., ids.F_CARD] >= ids.FIRST_BATTLEGROUND
    in_hand_until = np.where(battleground, PLAY_BATTLEGROUND_END, PLAY_PLACED)
    rows, numbers = np.nonzero(open_now & (frames[..., ids.STAGE] <= in_hand_until))
    cards = frames[rows, numbers, ids.F_CARD]
    np.add.at(known, (rows, cards), ~battleground[rows, numbers])
    known[rows[cards >= ids.FIRST_BATTLEGROUND], cards[cards >= ids.FIRST_BATTLEGROUND]] = 1
    return known


# ---------------------------------------------------------------------------------------------
# From words to a record.


def build(position: Position, card_set: CardSet, seed: int = 0) -> np.ndarray:
    """Read a position into a record (array of length 1) that waits for `rules.start`.

    Raises:
        ValueError: says what is impossible and where.
    """
    _known_keys(position, POSITION_KEYS, "position")
    states = np.zeros(1, STATE)
    rules.clear(states[0])
    g, k = states[0], card_set.record[0]
    seed_rng(g.rng, seed, DEAL_STREAM)
    left = Counter({CARD_IDS[c]: int(n) for c, n in enumerate(k.copies)})
    tiles = Counter({ids.ARTIFACT_IDS[t]: int(n) for t, n in enumerate(k.artifact_copies)})
    _read_course(g, k, position)
    for seat, side in enumerate(ids.SIDES):
        _read_side(g, k, seat, position.get(side, {}), left, tiles)
    _read_civilians(g, k, position)
    _read_row(g, position, tiles)
    for seat, side in enumerate(ids.SIDES):
        _read_deck(g, k, seat, position.get(side, {}), left)
    _read_stack(g, position, left)
    _read_tiles(g, position, tiles)
    _check_characters(g, k)
    _enter_phase(g, k, position.get("phase", "recruitment"))
    return states


def _known_keys(values: Any, known: tuple[str, ...], where: str) -> None:
    if not isinstance(values, dict):
        raise ValueError(f"{where}: expected a dictionary, not {values!r}")
    for key in values:
        if key not in known:
            raise ValueError(f"{where}: unknown key {key!r}; {nearest(key, known)}")


def _whole(values: Position, key: str, default: int, least: int, most: int, why: str = "") -> int:
    value = values.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"{key}: expected a whole number, not {value!r}")
    if not least <= value <= most:
        raise ValueError(f"{key}: {value} is outside {least} to {most}{why}")
    return int(value)


def _one_of(values: Position, key: str, default: str, known: tuple[str, ...]) -> int:
    value = values.get(key, default)
    if value not in known:
        raise ValueError(f"{key}: {value!r} is none of {', '.join(known)}")
    return known.index(value)


def _items(values: Position, key: str, where: str) -> list[Any]:
    found = values.get(key, [])
    if not isinstance(found, (list, tuple)):
        raise ValueError(
            f"{where}: expected a list of names, not {found!r} (a position as one player sees it "
            "leaves cards open and cannot be loaded)"
        )
    return list(found)


def _read_course(g: Any, k: Any, position: Position) -> None:
    over = position.get("phase") == "over"
    mover = _one_of(position, "to_move", "villains", ids.SIDES)
    g.on_turn = _one_of(position, "on_turn", ids.SIDES[mover], ids.SIDES)
    _one_of(position, "phase", "recruitment", ids.PHASES)
    g.turn = _whole(position, "turn", 1, 1, 9999)
    inside = 0 if over else 1
    why = "" if over else ": on an end the game would be over"
    goals = [int(n) for n in k.goal]
    g.victory = _whole(position, "victory", 0, inside - goals[1], goals[0] - inside, why)
    ends = int(k.track) - 1
    g.artifact_marker = _whole(
        position, "artifact_marker", 0, -ends, ends, ": the marker never rests on an end"
    )


def _card(name: Any, where: str) -> int:
    if name not in CARD_IDS:
        raise ValueError(f"{where}: no such card: {name!r}; {nearest(name, CARD_IDS)}")
    return CARD_IDS.index(name)


def _take(left: Counter[str], name: str, where: str) -> None:
    if left[name] == 0:
        raise ValueError(f"{where}: one {name} too many; no further copy exists")
    left[name] -= 1


def _read_side(
    g: Any, k: Any, seat: int, values: Position, left: Counter[str], tiles: Counter[str]
) -> None:
    side = ids.SIDES[seat]
    _known_keys(values, SIDE_KEYS + (("freed",) if seat == ids.HEROES else ()), side)
    for name in _items(values, "hand", f"{side}.hand"):
        card = _card(name, f"{side}.hand")
        if k.faction[card] not in (seat, ids.NOBODY):
            raise ValueError(f"{side}.hand: {name} belongs to the other faction")
        _take(left, name, f"{side}.hand")
        g.hand[seat, card] += 1
        g.hand_size[seat] += 1
    for name in _items(values, "discard", f"{side}.discard"):
        card = _card(name, f"{side}.discard")
        if k.kind[card] == ids.BATTLEGROUND:
            raise ValueError(f"{side}.discard: {name} is a battleground: these go under the stack")
        if k.faction[card] == ids.VILLAINS and seat == ids.HEROES:
            raise ValueError(f"{side}.discard: {name} belongs to the other faction")
        _take(left, name, f"{side}.discard")
        g.discard[seat, card] += 1
    _read_slots(g, k, seat, values, left)
    for name in _items(values, "artifacts", f"{side}.artifacts"):
        g.artifact_owner[_tile(name, tiles, f"{side}.artifacts")] = seat


def _read_slots(g: Any, k: Any, seat: int, values: Position, left: Counter[str]) -> None:
    side = ids.SIDES[seat]
    slots = values.get("slots", [None] * int(k.slots))
    if not isinstance(slots, (list, tuple)) or len(slots) != k.slots:
        raise ValueError(f"{side}.slots: expected a list of {k.slots} entries, not {slots!r}")
    for slot, words in enumerate(slots):
        if words is None:
            continue
        where = f"{side}.slots[{slot + 1}]"
        if not isinstance(words, str) or words.count("+") > 1:
            raise ValueError(f"{where}: expected 'CARD', 'CARD:DAMAGE' or 'CARD+CARD': {words!r}")
        host, _, below = words.partition("+")
        place = seat * ids.FIRST_HERO_PLACE + slot
        _read_place(g, k, seat, place, host, left, where)
        if "+" in words:
            if seat == ids.VILLAINS:
                raise ValueError(f"{where}: nothing lies below a villain")
            _read_place(g, k, seat, place + ids.SLOTS, below, left, where)
            if not k.tucks[g.card[place + ids.SLOTS]]:
                raise ValueError(f"{where}: {below} cannot lie below another card")


def _read_place(
    g: Any, k: Any, seat: int, place: int, words: str, left: Counter[str], where: str
) -> None:
    name, colon, damage = words.partition(":")
    card = _card(name, where)
    if k.kind[card] == ids.BATTLEGROUND:
        raise ValueError(f"{where}: {name} is a battleground: these are never placed")
    if k.faction[card] == ids.VILLAINS and seat == ids.HEROES:
        raise ValueError(f"{where}: {name} cannot stand on the other side")
    if colon and not damage.isdecimal():
        raise ValueError(f"{where}: damage must be a whole number, not {damage!r}")
    amount = int(damage or 0)
    if amount >= k.health[card]:
        raise ValueError(f"{where}: {name} with damage {amount} is defeated: {k.health[card]} do")
    _take(left, name, where)
    g.card[place] = card
    g.damage[place] = amount


def _read_deck(g: Any, k: Any, seat: int, values: Position, left: Counter[str]) -> None:
    where = f"{ids.SIDES[seat]}.deck"
    if "deck" in values:
        deck = []
        for name in _items(values, "deck", where):
            card = _card(name, where)
            if k.faction[card] != seat:
                raise ValueError(f"{where}: {name} does not belong to this deck")
            _take(left, name, where)
            deck.append(card)
        deck.reverse()
    else:
        own = [CARD_IDS[c] for c in range(seat * 28, seat * 28 + 28)]
        deck = [_card(name, where) for name in own for _ in range(left[name])]
        for name in own:
            left[name] = 0
        _shuffle(g, deck)
    g.deck[seat, : len(deck)] = deck
    g.deck_size[seat] = len(deck)


def _shuffle(g: Any, items: list[int]) -> None:
    order = np.array(items, np.int8)
    shuffle(g.rng, order, len(items))
    items[:] = [int(n) for n in order]


def _read_stack(g: Any, position: Position, left: Counter[str]) -> None:
    where = "battlegrounds"
    if where in position:
        stack = []
        for name in _items(position, where, where):
            card = _card(name, where)
            if card < ids.FIRST_BATTLEGROUND:
                raise ValueError(f"{where}: {name} is no battleground")
            _take(left, name, where)
            stack.append(card)
    else:
        stack = [c for c in range(ids.FIRST_BATTLEGROUND, ids.CARDS) if left[CARD_IDS[c]]]
        _shuffle(g, stack)
    g.stack[: len(stack)] = stack
    g.stack_size = len(stack)


def _tile(name: Any, tiles: Counter[str], where: str) -> int:
    if name not in ids.ARTIFACT_IDS:
        hint = nearest(name, ids.ARTIFACT_IDS)
        raise ValueError(f"{where}: no such artifact: {name!r}; {hint}")
    _take(tiles, name, where)
    return ids.ARTIFACT_IDS.index(name)


def _read_row(g: Any, position: Position, tiles: Counter[str]) -> None:
    row = _items(position, "artifact_row", "artifact_row")
    if len(row) > 2:
        raise ValueError(f"artifact_row: {len(row)} tiles; two are face up at most")
    for n, name in enumerate(row):
        g.row[n] = _tile(name, tiles, "artifact_row")


def _read_tiles(g: Any, position: Position, tiles: Counter[str]) -> None:
    where = "artifact_stack"
    if where in position:
        stack = [_tile(name, tiles, where) for name in _items(position, where, where)]
    else:
        stack = [n for n, name in enumerate(ids.ARTIFACT_IDS) if tiles[name]]
        _shuffle(g, stack)
    if "artifact_row" not in position:
        g.row[: len(stack[:2])] = stack[:2]
        stack = stack[2:]
    g.tiles[: len(stack)] = stack
    g.tiles_size = len(stack)
    for tile in range(ids.ARTIFACTS):
        if tile not in g.row and tile not in stack and g.artifact_owner[tile] == ids.NOBODY:
            g.artifact_owner[tile] = ids.GONE


def _read_civilians(g: Any, k: Any, position: Position) -> None:
    slots = [slot for slot in range(ids.SLOTS) if k.location[slot] == ids.MANHATTAN]
    full = [_letters(int(k.civilians[slot])) for slot in slots]
    words = position.get("civilians", full)
    if not isinstance(words, (list, tuple)) or len(words) != len(slots):
        raise ValueError(f"civilians: expected {len(slots)} texts of colour letters, not {words!r}")
    for slot, letters in zip(slots, words, strict=True):
        if not isinstance(letters, str):
            raise ValueError(f"civilians[{slot + 1}]: expected colour letters, not {letters!r}")
        bits = colour_bits(letters, f"civilians[{slot + 1}]")
        if bits & ~int(k.civilians[slot]):
            raise ValueError(f"civilians[{slot + 1}]: {letters!r} is more than was set up there")
        g.civilians[slot] = bits
    freed = position.get("heroes", {}).get("freed", "")
    if not isinstance(freed, str):
        raise ValueError(f"heroes.freed: expected colour letters, not {freed!r}")
    for letter in freed:
        if letter not in ids.COLOUR_LETTERS:
            raise ValueError(f"heroes.freed: unknown colour {letter!r}; colours are r, y, g, b")
    for colour, letter in enumerate(ids.COLOUR_LETTERS):
        there = sum(text.count(letter) for text in words)
        made = sum(text.count(letter) for text in full)
        if there + freed.count(letter) > made:
            raise ValueError(f"heroes.freed: more {letter!r} civilians than the {made} there are")
        g.freed[colour] = freed.count(letter)
    left = sum(len(text) for text in words)
    if left <= k.civilian_floor and position.get("phase") != "over":
        raise ValueError(f"civilians: with {left} left in Manhattan the game would be over")


def _check_characters(g: Any, k: Any) -> None:
    """No two copies of a main character in play, captives included (rulings 13, 33)."""
    seen: dict[int, str] = {}
    for place in range(ids.PLACES):
        card = int(g.card[place])
        if card == ids.NO_CARD or k.character[card] < 0:
            continue
        name, number = ids.PLACE_NAMES[place], int(k.character[card])
        if number in seen:
            raise ValueError(
                f"{CARD_IDS[card]} in {name}: a copy of this main character is in {seen[number]}"
            )
        seen[number] = name


def _enter_phase(g: Any, k: Any, phase: str) -> None:
    g.phase = ids.PHASES.index(phase)
    if phase == "recruitment":
        g.step = ids.PHASE_ACT
    elif phase == "attack":
        begin_attack(g)
    elif phase == "draw":
        g.step = ids.PHASE_START
    else:
        _read_ending(g, k)


def _read_ending(g: Any, k: Any) -> None:
    """Say who won a position that is over."""
    left = sum(int(bits).bit_count() for bits in g.civilians)
    if g.victory in (k.goal[ids.VILLAINS], -k.goal[ids.HEROES]):
        g.winner = ids.VILLAINS if g.victory > 0 else ids.HEROES
        g.ending = ids.BY_VICTORY
    elif left <= k.civilian_floor:
        g.winner, g.ending = ids.HEROES, ids.BY_CIVILIANS
    elif min(g.deck_size) == 0:
        g.winner = (ids.NOBODY, ids.VILLAINS, ids.HEROES)[int(np.sign(g.victory))]
        g.ending = ids.BY_DECK
    else:
        raise ValueError("phase: nothing has ended this game: no goal, no empty deck")
