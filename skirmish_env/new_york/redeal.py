"""Resample what a player cannot know: determinised games for search, never reading the truth."""

from __future__ import annotations

import numpy as np

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import REDEAL_STREAM, seed_rng, shuffle
from skirmish_env.new_york.effects import ask_again
from skirmish_env.new_york.ids import (
    ARTIFACTS,
    ASK_GIVE_UP,
    ASK_PAYMENT,
    ASK_PLAY_ANY,
    ASK_PLAY_FREE,
    ASK_RECRUITMENT,
    ASK_WARLOCK,
    BATTLEGROUNDS,
    F_A,
    F_CARD,
    F_SIDE,
    FACTION_CARDS,
    FETCHED,
    FIRST_BATTLEGROUND,
    MAX_OPTIONS,
    NO_ACTION,
    NO_CARD,
    NO_QUESTION,
    NO_TILE,
    NOBODY,
    PLACES,
    R_PLAY,
    RETURNED,
    ROUTINE,
    STAGE,
)
from skirmish_env.new_york.phases import ask_recruitment
from skirmish_env.new_york.play import PLAY_PLACED, ask_payment, offer_hand
from skirmish_env.new_york.state import ask, is_played, opponent

MOST_DEALS = 1_000_000


@compiled
def redeal_hidden(g, k, viewer, seed):
    """Deal again, uniformly, all that `viewer` cannot know; the rest of the record stays.

    What stays: both hands' sizes, how many battlegrounds the other hand holds (every draw of one
    is public), cards that everybody knows to be in a hand or a stack, and a card that is being
    played. Where the other player decides, only hands that can be asked this question count: a
    hand that could not pay the rest of the card that lies open is dealt anew. What could be
    concluded from earlier play, or from a question that was not put, is not used.
    """
    seed_rng(g.rng, seed, REDEAL_STREAM)
    redeal_faction(g, k, viewer, 0, False)
    redeal_tiles(g)
    deal_other_hand(g, k, viewer)
    deals = 1
    while g.asked == opponent(viewer) and not can_be_asked(g, k):
        if deals == MOST_DEALS:
            raise RuntimeError("no hand found that the open question could be put to")
        deal_other_hand(g, k, viewer)
        deals += 1
    for n in range(int(g.option_count), MAX_OPTIONS):
        g.options[n] = NO_ACTION  # of earlier questions, perhaps the other player's


@compiled
def deal_other_hand(g, k, viewer):
    """Deal the other player's hand and deck, and the battlegrounds of unknown place."""
    other = opponent(viewer)
    battlegrounds = 0
    for n in range(BATTLEGROUNDS):
        battlegrounds += int(g.hand[other, FIRST_BATTLEGROUND + n])
    redeal_faction(g, k, other, int(g.hand_size[other]) - battlegrounds, True)
    redeal_battlegrounds(g, k, viewer, battlegrounds)


@compiled
def can_be_asked(g, k):
    """Put the open question again, to the hand now dealt; return whether it can be put.

    Under `skip_forced` a question with one option would not have been put.
    """
    question, seat = int(g.question), int(g.asked)
    if question == ASK_RECRUITMENT:
        ask_recruitment(g, k, seat)
    elif question == ASK_PAYMENT:
        frame = g.frame[int(g.depth) - 1]
        ask_payment(g, k, frame, seat, int(frame[F_CARD]), int(frame[F_A]))
    elif question == ASK_PLAY_FREE or question == ASK_PLAY_ANY or question == ASK_GIVE_UP:
        amount, source = int(g.amount), int(g.source)
        ask_again(g, k)
        if g.question == NO_QUESTION:
            ask(g, seat, question, source, amount)
    elif question == ASK_WARLOCK:
        ask(g, seat, question, int(g.source), int(g.amount))
        offer_hand(g, seat)
    return g.option_count > (1 if g.skip_forced else 0)


@compiled
def card_being_played(g, seat):
    """Return the faction card that lies open in a hand until it is placed, or -1."""
    for n in range(g.depth):
        frame = g.frame[n]
        if frame[ROUTINE] != R_PLAY or frame[F_SIDE] != seat or frame[STAGE] > PLAY_PLACED:
            continue
        if frame[F_A] != FETCHED and frame[F_A] != RETURNED:
            card = int(frame[F_CARD])
            return card if card < FIRST_BATTLEGROUND else NO_CARD
    return NO_CARD


@compiled
def redeal_faction(g, k, seat, hand_size, hand_hidden):
    """Deal a faction's unseen cards to its hand (if hidden) and deck; the rest is out."""
    pool = np.zeros(64, np.int8)
    first = seat * FACTION_CARDS
    kept = card_being_played(g, seat) if hand_hidden else NO_CARD
    size = 0
    for card in range(first, first + FACTION_CARDS):
        unseen = int(k.copies[card]) - int(g.discard[0, card]) - int(g.discard[1, card])
        for place in range(PLACES):
            unseen -= g.card[place] == card
        if hand_hidden:
            g.hand[seat, card] = card == kept
            unseen -= card == kept
        else:
            unseen -= int(g.hand[seat, card])
        for _ in range(unseen):
            pool[size] = card
            size += 1
    shuffle(g.rng, pool, size)
    dealt = 0
    if hand_hidden:
        dealt = hand_size - (kept != NO_CARD)
        for n in range(dealt):
            g.hand[seat, pool[n]] += 1
    for n in range(g.deck_size[seat]):
        g.deck[seat, n] = pool[dealt + n]


@compiled
def redeal_battlegrounds(g, k, viewer, others):
    """Deal the battlegrounds of unknown place to the other hand and the stack."""
    other = opponent(viewer)
    pool = np.zeros(BATTLEGROUNDS, np.int8)
    size = 0
    for n in range(BATTLEGROUNDS):
        card = FIRST_BATTLEGROUND + n
        known = k.copies[card] == 0 or g.hand[viewer, card] > 0 or g.hand_known[other, n] != 0
        for m in range(g.stack_size):
            known = known or (g.stack_known[m] != 0 and g.stack[m] == card)
        known = known or is_played(g, other, card)
        if not known:
            pool[size] = card
            size += 1
    shuffle(g.rng, pool, size)
    dealt = 0
    open_cards = 0
    for n in range(BATTLEGROUNDS):
        card = FIRST_BATTLEGROUND + n
        kept = g.hand_known[other, n] != 0 or is_played(g, other, card)
        g.hand[other, card] = kept
        open_cards += kept
    for _ in range(others - open_cards):
        g.hand[other, pool[dealt]] = 1
        dealt += 1
    for m in range(g.stack_size):
        if g.stack_known[m] == 0:
            g.stack[m] = pool[dealt]
            dealt += 1


@compiled
def redeal_tiles(g):
    """Deal the artifact tiles of unknown place to the unknown places of their stack."""
    pool = np.zeros(ARTIFACTS, np.int8)
    size = 0
    for tile in range(ARTIFACTS):
        known = g.artifact_owner[tile] != NOBODY or g.row[0] == tile or g.row[1] == tile
        for m in range(g.tiles_size):
            known = known or (g.tiles_known[m] != 0 and g.tiles[m] == tile)
        if not known:
            pool[size] = tile
            size += 1
    shuffle(g.rng, pool, size)
    dealt = 0
    for m in range(g.tiles_size):
        if g.tiles_known[m] == 0:
            g.tiles[m] = pool[dealt]
            dealt += 1


assert NO_TILE == NO_CARD
