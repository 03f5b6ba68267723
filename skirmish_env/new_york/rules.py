"""The only door to the rules: deal, ask what is legal, step, look, redeal, copy.

Functions take `(states, i, cards, sets, ...)`: the game is `states[i]` (dtype `STATE`), its card
set is `cards[sets[i]]` (dtype `CARDS`). Functions of one game are serial and may be called from
any thread; those over many games stand in `kernels.py`.

Where compiled code calls once for every decision, it takes the functions that get the two records
themselves: `advance`, `write_observation`, `write_mask`, `write_outcome`. An array that goes into a
function with a loop is counted in and out of use, which costs more than many a decision.
"""

from __future__ import annotations

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import DEAL_STREAM, seed_rng, shuffle
from skirmish_env.new_york.ids import (
    ARTIFACTS,
    BATTLEGROUNDS,
    CARDS,
    EVENTS,
    FACTION_CARDS,
    FIRST_BATTLEGROUND,
    FRAME_COLUMNS,
    GONE,
    MAX_FRAMES,
    MAX_OPTIONS,
    NO_ACTION,
    NO_CARD,
    NO_QUESTION,
    NO_TILE,
    NOBODY,
    OVER,
    PLACES,
    SLOTS,
    VILLAINS,
)
from skirmish_env.new_york.observation import write_full, write_observation
from skirmish_env.new_york.phases import begin_turn, proceed
from skirmish_env.new_york.redeal import redeal_hidden
from skirmish_env.new_york.state import is_legal, put, record_event, withdraw
from skirmish_env.new_york.verbs import draw, reveal_tile


@compiled
def clear(g):
    """Empty a record: no cards anywhere, nothing asked."""
    for n in range(4):
        g.rng[n] = 0
        g.freed[n] = 0
    g.decisions = 0
    g.turn = 0
    g.answer = NO_ACTION
    for n in range(MAX_OPTIONS):
        g.options[n] = NO_ACTION
    for n in range(EVENTS):
        g.event_action[n] = NO_ACTION
        g.event_seat[n] = NOBODY
    g.skip_forced = 0
    withdraw(g)
    g.on_turn = VILLAINS
    g.phase = OVER
    g.step = 0
    g.slot = 0
    g.up = NO_CARD
    g.ending = 0
    g.winner = NOBODY
    g.victory = 0
    g.artifact_marker = 0
    clear_cards(g)
    clear_board(g)
    for n in range(5):
        g.owed[n] = 0
    g.cube = 0
    g.rings = 0
    g.paid_last = NO_ACTION
    g.depth = 0
    for n in range(MAX_FRAMES):
        for column in range(FRAME_COLUMNS):
            g.frame[n, column] = 0


@compiled
def clear_cards(g):
    for seat in range(2):
        for card in range(CARDS):
            g.hand[seat, card] = 0
            g.discard[seat, card] = 0
        for n in range(2 * FACTION_CARDS):
            g.deck[seat, n] = NO_CARD
        for n in range(BATTLEGROUNDS):
            g.hand_known[seat, n] = 0
        g.hand_size[seat] = 0
        g.deck_size[seat] = 0
        g.row[seat] = NO_TILE
    for n in range(BATTLEGROUNDS):
        g.stack[n] = NO_CARD
        g.stack_known[n] = 0
    g.stack_size = 0


@compiled
def clear_board(g):
    for place in range(PLACES):
        put(g, place, NO_CARD)
    for n in range(ARTIFACTS):
        g.artifact_owner[n] = NOBODY
        g.tiles[n] = NO_TILE
        g.tiles_known[n] = 0
        g.used[n] = 0
    g.tiles_size = 0
    for slot in range(SLOTS):
        g.civilians[slot] = 0


@compiled
def set_up(g, k, seed, skip_forced):
    """Set a game up from a seed, before its first question (rulebook: Setup)."""
    clear(g)
    seed_rng(g.rng, seed, DEAL_STREAM)
    g.skip_forced = skip_forced
    for slot in range(SLOTS):
        g.civilians[slot] = k.civilians[slot]
    for seat in range(2):
        deal_deck(g, k, seat)
    deal_tiles(g, k)
    size = 0
    for n in range(BATTLEGROUNDS):
        if k.copies[FIRST_BATTLEGROUND + n] > 0:
            g.stack[size] = FIRST_BATTLEGROUND + n
            size += 1
    g.stack_size = size
    shuffle(g.rng, g.stack, size)
    begin_turn(g, VILLAINS)


@compiled
def deal_tiles(g, k):
    """Shuffle the artifacts of the set and turn two up; the others are out of the game."""
    size = 0
    for artifact in range(ARTIFACTS):
        if k.artifact_copies[artifact] > 0:
            g.tiles[size] = artifact
            size += 1
        else:
            g.artifact_owner[artifact] = GONE
    shuffle(g.rng, g.tiles, size)
    g.tiles_size = size
    for n in range(2):
        reveal_tile(g, n)


@compiled
def deal_deck(g, k, seat):
    """Shuffle a faction, take cards out unseen, draw the opening hand (ruling 4)."""
    size = 0
    deck = g.deck[seat]
    for card in range(seat * 28, seat * 28 + 28):
        for _ in range(k.copies[card]):
            deck[size] = card
            size += 1
    shuffle(g.rng, deck, size)
    for n in range(size - k.removed, size):
        deck[n] = NO_CARD
    g.deck_size[seat] = size - k.removed
    draw(g, seat, int(k.opening_hand[seat]))


DEAL, START, STEP, STRIDE = range(4)


@compiled
def advance(g, k, what, number, skip_forced):
    """Deal a game, start a position or take a decision, and run to the next question.

    STRIDE takes the decision, where one is open, and makes the next stride only, so that what
    happens between two questions can be watched. All of these share one function, because compiled
    code repeats the whole tree of calls in each function that reaches it. `number` is the seed or
    the action. Returns what a caller asks after every step (seat to decide or -1, turn, victory
    marker): one tuple costs the caller less than one field of the record.
    """
    if what == DEAL:
        set_up(g, k, number, skip_forced)
    elif what == STEP or (what == STRIDE and g.question != NO_QUESTION):
        if not is_legal(g, number):
            raise ValueError("illegal action")
        take_action(g, number)
    while g.phase != OVER:
        if g.question != NO_QUESTION:
            if g.skip_forced == 0 or g.option_count != 1:
                break
            take_action(g, int(g.options[0]))
        proceed(g, k)
        if what == STRIDE:
            break
    return int(g.asked), int(g.turn), int(g.victory)


@compiled
def drive(states, i, cards, sets, what, number, skip_forced):
    """Deal, start, step or stride a game of an array: see `advance`."""
    return advance(states[i], cards[sets[i]], what, number, skip_forced)


@compiled
def take_action(g, action):
    """Close the question with its answer."""
    record_event(g, int(g.asked), action)
    g.decisions += 1
    g.answer = action
    withdraw(g)


def new_game(states, i, cards, sets, seed, skip_forced):
    """Set a game up from a seed and run to its first question."""
    drive(states, i, cards, sets, DEAL, seed, skip_forced)


def start(states, i, cards, sets):
    """Run a record that holds a position, but no question yet, to its first question."""
    drive(states, i, cards, sets, START, 0, 0)


def step(states, i, cards, sets, action):
    """Answer the open question with an action; an illegal one raises and changes nothing."""
    drive(states, i, cards, sets, STEP, action, 0)


@compiled
def observe(states, i, cards, sets, viewer, out):
    """Write what a seat may know into `out` (float32, see observation.LAYOUT)."""
    write_observation(states[i], cards[sets[i]], viewer, out)


@compiled
def observe_full(states, i, cards, sets, out):
    """Write the full-information vector (float32, see observation.FULL_LAYOUT)."""
    write_full(states[i], cards[sets[i]], out)


@compiled
def legal(states, i, viewer, mask):
    """Write the action mask (int8) of a seat: all zero unless it is the one to decide."""
    write_mask(states[i], viewer, mask)


@compiled
def write_mask(g, viewer, mask):
    mask[:] = 0
    if g.asked == viewer:
        for n in range(g.option_count):
            mask[g.options[n]] = 1


@compiled
def look(states, i, cards, sets, viewer, observation, mask):
    """Write what `observe` and `legal` write: one call where two would cost twice."""
    observe(states, i, cards, sets, viewer, observation)
    legal(states, i, viewer, mask)


@compiled
def outcome(states, i, rewards):
    """Write the rewards by seat (float32): +1, -1 or 0 once the game is over, else 0."""
    write_outcome(states[i], rewards)


@compiled
def write_outcome(g, rewards):
    rewards[:] = 0.0
    if g.phase == OVER and g.winner != NOBODY:
        rewards[int(g.winner)] = 1.0
        rewards[1 - int(g.winner)] = -1.0


@compiled
def copy(states, i, into, j):
    """Write game i over game j of another array, or of the same one."""
    into[j] = states[i]


@compiled
def redeal(states, i, cards, sets, viewer, seed):
    """Resample what `viewer` cannot know (see redeal.py); the game can be played on from there."""
    redeal_hidden(states[i], cards[sets[i]], viewer, seed)
