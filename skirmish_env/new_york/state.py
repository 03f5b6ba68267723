"""The whole game in one record, and the smallest things done to it."""

from __future__ import annotations

import numpy as np

from skirmish_env.common.jit import compiled
from skirmish_env.new_york.ids import (
    ACTIONS,
    ANY,
    ARTIFACTS,
    BATTLEGROUNDS,
    EVENTS,
    F_A,
    F_B,
    F_C,
    F_CARD,
    F_PLACE,
    F_SIDE,
    FACTION_CARDS,
    FIRST_BATTLEGROUND,
    FIRST_HERO_PLACE,
    FIRST_TUCKED_PLACE,
    FRAME_COLUMNS,
    HEROES,
    MAX_FRAMES,
    MAX_OPTIONS,
    NO_ACTION,
    NO_CARD,
    NO_QUESTION,
    NO_SOURCE,
    PLACES,
    R_PLAY,
    ROUTINE,
    SLOTS,
    STAGE,
    VILLAINS,
)

STATE = np.dtype(
    (
        np.record,
        [
            ("rng", "i8", (4,)),  # the generator that dealt the game
            ("decisions", "i4"),  # answered so far, forced ones included
            ("turn", "i2"),  # 1 is the Villains' first
            ("answer", "i2"),  # the action just taken; -1 once consumed
            ("options", "i2", (MAX_OPTIONS,)),  # legal actions in ascending order
            ("event_action", "i2", (EVENTS,)),  # last actions, newest first; -1 where none
            ("event_seat", "i1", (EVENTS,)),
            ("option_count", "i1"),
            ("skip_forced", "i1"),  # answer questions with one option by themselves
            # The open question.
            ("question", "i1"),  # 0 when nothing is asked
            ("asked", "i1"),  # seat that must answer; -1 when nothing is asked
            ("source", "i1"),  # card or artifact that asks: 0..63, 64..75; -1
            ("amount", "i1"),  # damage, cards or symbols at stake
            # The course of the game.
            ("on_turn", "i1"),
            ("phase", "i1"),
            ("step", "i1"),  # where in the phase
            ("slot", "i1"),  # slot that is up, 0..5; the number of slots when all are done
            ("up", "i1"),  # card that stood in this slot when its artifact window opened; -1
            ("ending", "i1"),  # 0 while the game runs
            ("winner", "i1"),  # seat; -1 for none or a draw
            ("victory", "i1"),  # positive towards the Villains' win
            ("artifact_marker", "i1"),
            # Places 0..17: v1-v6, h1-h6, and below h1-h6.
            ("card", "i1", (PLACES,)),  # -1 when empty
            ("damage", "i1", (PLACES,)),
            ("armour_used", "i1", (PLACES,)),  # this turn
            ("spent", "i1", (PLACES,)),  # attack effect, in this Attack phase
            ("moved", "i1", (PLACES,)),  # relocated in this Attack phase: attacks no more
            # Cards elsewhere, by seat.
            ("hand", "i1", (2, 64)),  # copies of each card
            ("discard", "i1", (2, 64)),
            ("hand_size", "i1", (2,)),
            ("deck", "i1", (2, 56)),  # the next draw stands last
            ("deck_size", "i1", (2,)),
            ("hand_known", "i1", (2, 8)),  # 1: everybody knows this battleground is in this hand
            ("stack", "i1", (8,)),  # battlegrounds, next draw first
            ("stack_known", "i1", (8,)),  # 1: everybody saw which card lies here
            ("stack_size", "i1"),
            # Artifacts and civilians.
            ("artifact_owner", "i1", (12,)),  # seat; -1 nobody; -2 out of the game
            ("row", "i1", (2,)),  # face-up tiles; -1
            ("tiles", "i1", (12,)),  # face-down stack, next first
            ("tiles_known", "i1", (12,)),
            ("tiles_size", "i1"),
            ("used", "i1", (12,)),  # each-recruitment artifacts used this turn
            ("civilians", "i1", (SLOTS,)),  # colour bits left in each Manhattan slot
            ("freed", "i1", (4,)),  # in front of the Heroes, by colour
            # The payment under way.
            ("owed", "i1", (5,)),  # symbols red, yellow, green, blue, any
            ("cube", "i1"),  # 1: one any-symbol may be left out
            ("rings", "i1"),  # 1: one symbol may be left out
            ("paid_last", "i2"),  # last action for an equal symbol; -1
            # Effects under way, innermost last.
            ("depth", "i1"),
            ("frame", "i1", (MAX_FRAMES, FRAME_COLUMNS)),
        ],
    )
)


def copied(states: np.ndarray) -> np.ndarray:
    """Copy records as plain bytes: numpy by itself goes field by field, 20 times as slow."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


@compiled
def opponent(seat):
    return 1 - seat


@compiled
def place_at(seat, slot):
    """Place of a side's slot (0..5)."""
    return seat * FIRST_HERO_PLACE + slot


@compiled
def slot_of(place):
    """Slot 0..5 of a place, tucked places included."""
    return place % SLOTS


@compiled
def seat_at(place):
    """Seat on whose side a place lies."""
    return VILLAINS if place < FIRST_HERO_PLACE else HEROES


@compiled
def first_place(seat):
    return seat * FIRST_HERO_PLACE


@compiled
def end_place(seat):
    """One past the last place of a side: the Heroes' tucked places belong to them."""
    return FIRST_HERO_PLACE if seat == VILLAINS else PLACES


@compiled
def facing(place):
    """Return the slot place opposite a slot place."""
    return (place + FIRST_HERO_PLACE) % FIRST_TUCKED_PLACE


@compiled
def cards_in_play(g, seat):
    """How many cards a side has in play, a tucked one included."""
    count = 0
    for place in range(first_place(seat), end_place(seat)):
        count += g.card[place] != NO_CARD
    return count


@compiled
def has_empty_slot(g, k, seat):
    for slot in range(k.slots):
        if g.card[place_at(seat, slot)] == NO_CARD:
            return True
    return False


@compiled
def put(g, place, card):
    """Lay a fresh card on a place."""
    g.card[place] = card
    g.damage[place] = 0
    g.armour_used[place] = 0
    g.spent[place] = 0
    g.moved[place] = 0


@compiled
def shift(g, source, goal):
    """Move a card with all that lies on it."""
    card = g.card[source]
    damage, armour = g.damage[source], g.armour_used[source]
    spent, moved = g.spent[source], g.moved[source]
    put(g, source, NO_CARD)
    g.card[goal] = card
    g.damage[goal] = damage
    g.armour_used[goal] = armour
    g.spent[goal] = spent
    g.moved[goal] = moved


@compiled
def owns(g, seat, artifact):
    return g.artifact_owner[artifact] == seat


@compiled
def owned(g, seat):
    """Set of the artifacts of a seat, as bits."""
    bits = 0
    for artifact in range(ARTIFACTS):
        bits |= int(g.artifact_owner[artifact] == seat) << artifact
    return bits


@compiled
def gone_below(g, place):
    """Return the tucked place of a hero slot place, or -1 where nothing lies below."""
    if FIRST_HERO_PLACE <= place < FIRST_TUCKED_PLACE and g.card[place + SLOTS] != NO_CARD:
        return place + SLOTS
    return -1


# ---------------------------------------------------------------------------------------------
# Questions: asking fills the options; the options are the mask.


@compiled
def ask(g, seat, question, source, amount):
    """Open a question without options; `offer` adds them in ascending order."""
    g.question = question
    g.asked = seat
    g.source = source
    g.amount = amount
    g.option_count = 0


@compiled
def offer(g, action):
    count = int(g.option_count)
    if count >= MAX_OPTIONS:
        raise RuntimeError("more options than the record can hold")
    g.options[count] = action
    g.option_count = count + 1


@compiled
def offer_where(g, action, true):
    """Offer an action if a condition holds, without a branch for it."""
    count = int(g.option_count)
    if count >= MAX_OPTIONS:
        raise RuntimeError("more options than the record can hold")
    g.options[count] = action
    g.option_count = count + (true != 0)


@compiled
def withdraw(g):
    """Close the question: nothing is asked."""
    g.question = NO_QUESTION
    g.asked = -1
    g.source = NO_SOURCE
    g.amount = 0
    g.option_count = 0


@compiled
def is_legal(g, action):
    for n in range(g.option_count):
        if g.options[n] == action:
            return True
    return False


@compiled
def take_answer(g):
    """Return the action just taken and mark it consumed."""
    answer = int(g.answer)
    g.answer = NO_ACTION
    return answer


@compiled
def record_event(g, seat, action):
    for n in range(EVENTS - 1, 0, -1):
        g.event_action[n] = g.event_action[n - 1]
        g.event_seat[n] = g.event_seat[n - 1]
    g.event_action[0] = action
    g.event_seat[0] = seat


# ---------------------------------------------------------------------------------------------
# Frames: effects under way.


@compiled
def push(g, routine, seat, card, place, a):
    """Open an effect on top of all others."""
    top = int(g.depth)
    if top >= MAX_FRAMES:
        raise RuntimeError("more open effects than the record can hold")
    frame = g.frame[top]
    frame[ROUTINE] = routine
    frame[STAGE] = 0
    frame[F_SIDE] = seat
    frame[F_CARD] = card
    frame[F_PLACE] = place
    frame[F_A] = a
    frame[F_B] = 0
    frame[F_C] = 0
    g.depth = top + 1


@compiled
def pop(g):
    g.depth = int(g.depth) - 1


@compiled
def is_played(g, seat, card):
    """Whether a card is being played by a seat: it lies open until its play is over."""
    for n in range(g.depth):
        frame = g.frame[n]
        if frame[ROUTINE] == R_PLAY and frame[F_SIDE] == seat and frame[F_CARD] == card:
            return True
    return False


@compiled
def battlegrounds_played(g, seat):
    """Set of the battlegrounds that a seat is playing, as bits."""
    bits = 0
    for n in range(g.depth):
        frame = g.frame[n]
        number = int(frame[F_CARD]) - FIRST_BATTLEGROUND
        if frame[ROUTINE] == R_PLAY and frame[F_SIDE] == seat and number >= 0:
            bits |= 1 << number
    return bits


# ---------------------------------------------------------------------------------------------
# Hands and piles.


@compiled
def hand_type(seat, n):
    """Return the n-th card a hand can hold, ascending: 28 of the faction, 8 battlegrounds."""
    if n < FACTION_CARDS:
        return seat * FACTION_CARDS + n
    return FIRST_BATTLEGROUND - FACTION_CARDS + n


HAND_TYPES = 36


@compiled
def held(g, seat):
    """Set of the hand types (see `hand_type`) that a hand holds a copy of, as bits."""
    hand = g.hand[seat]
    first = seat * FACTION_CARDS
    bits = 0
    for n in range(FACTION_CARDS):
        bits |= int(hand[first + n] > 0) << n
    for n in range(BATTLEGROUNDS):
        bits |= int(hand[FIRST_BATTLEGROUND + n] > 0) << (FACTION_CARDS + n)
    return bits


@compiled
def take_from_hand(g, seat, card):
    g.hand[seat, card] -= 1
    g.hand_size[seat] -= 1
    if card >= FIRST_BATTLEGROUND:
        g.hand_known[seat, card - FIRST_BATTLEGROUND] = 0


@compiled
def put_under_stack(g, card):
    """Lay a battleground under its stack, in sight of both (rulings 11, 50)."""
    size = int(g.stack_size)
    g.stack[size] = card
    g.stack_known[size] = 1
    g.stack_size = size + 1


@compiled
def discard_from_hand(g, seat, card):
    """Give up a card: to the own discard pile, a battleground under its stack (ruling 11)."""
    take_from_hand(g, seat, card)
    if card >= FIRST_BATTLEGROUND:
        put_under_stack(g, card)
    else:
        g.discard[seat, card] += 1


@compiled
def owed_in_all(g):
    total = 0
    for symbol in range(ANY + 1):
        total += int(g.owed[symbol])
    return total


assert ACTIONS < 2**15
