"""What a player may know, as one float32 vector; `LAYOUT` is its only description.

"Own" is the viewer, "other" the opponent: the same entries mean the same for both seats. Cards
of a faction are counted in card-id order (28 each), then the 8 battlegrounds.
"""

from __future__ import annotations

import numpy as np

from skirmish_env.common.jit import compiled
from skirmish_env.common.sections import Layout, Section
from skirmish_env.new_york.actions import MOVES, VERB_STARTS, VERBS
from skirmish_env.new_york.ids import (
    ARTIFACTS,
    ASK_MOVE_TO,
    ATTACK,
    BATTLEGROUNDS,
    EVENTS,
    F_A,
    F_C,
    F_CARD,
    FACTION_CARDS,
    FIRST_BATTLEGROUND,
    FIRST_HERO_PLACE,
    FIRST_TUCKED_PLACE,
    HEROES,
    MAIN,
    NO_CARD,
    NO_TILE,
    NOBODY,
    PHASE_END,
    PHASES,
    PLACES,
    QUESTIONS,
    R_FLAME,
    ROUTINE,
    SLOTS,
    SOURCES,
    VILLAINS,
)
from skirmish_env.new_york.state import (
    HAND_TYPES,
    battlegrounds_played,
    hand_type,
    opponent,
    place_at,
)
from skirmish_env.new_york.verbs import civilians_left, inspiration, inspired_strength

OBSERVATION_VERSION = 1

CHARACTERS = 13  # 12 main characters of a faction, then its side characters
PLACE_FEATURES = 1 + CHARACTERS + 2 + 4 + 6
BELOW_FEATURES = 5
ARTIFACT_FEATURES = 6
SHOWN_EVENTS = 4
EVENT_FEATURES = 2 + len(VERBS) + 1

_PER_COPY = 0.5
PER_POINT = 0.125  # strength, health, damage
_PER_CARD = 0.05
_PER_STEP = 0.1
_HALF = np.float32(_PER_COPY)  # so that compiled code stays in float32
_WIDE = 32  # cards converted at once: see write_piles

LAYOUT = Layout(
    OBSERVATION_VERSION,
    Section("own hand", 36, "copies of each card that can be in the hand", _PER_COPY),
    Section("own discard", 28, "own faction's cards in the own discard pile", _PER_COPY),
    Section("other discard", 28, "other faction's cards in the other discard pile", _PER_COPY),
    Section("captives discarded", 28, "heroes in the Villains' discard pile", _PER_COPY),
    Section("own unseen", 28, "own cards in no known place: deck or removed", _PER_COPY),
    Section("other unseen", 28, "other's cards in no known place: hand, deck, removed", _PER_COPY),
    Section("battlegrounds unseen", 8, "1: in the other hand or in an unknown place of the stack"),
    Section("battlegrounds in other hand", 8, "1: known to be in the other hand"),
    Section("battlegrounds shown", 8, "1: in the own hand, and the other player knows it"),
    Section("battlegrounds in stack", 8, "known place in the stack: 1 next, less further down"),
    Section(
        "own slots",
        SLOTS * PLACE_FEATURES,
        "slot by slot: occupied; which character (13); empowered; captive; colour (4); strength "
        "of the attack, health left, damage (each times 0.125); armour ready; attack effect "
        "spent; moved",
    ),
    Section("other slots", SLOTS * PLACE_FEATURES, "the same for the other side"),
    Section(
        "below heroes",
        SLOTS * BELOW_FEATURES,
        "slot by slot: a card lies below the hero; empowered; strength, health left, damage "
        "(each times 0.125)",
    ),
    Section(
        "artifacts",
        ARTIFACTS * ARTIFACT_FEATURES,
        "artifact by artifact: own; other's; face up; known place in the stack (1 next, less "
        "further down); used this turn; out of the game",
    ),
    Section("victory", 3, "own lead; own points to go; other's points to go", _PER_STEP),
    Section("artifact marker", 2, "steps towards the own end; steps to go to it", _PER_STEP),
    Section("civilians", 24, "slot by slot r y g b: 1 where one is left"),
    Section("freed", 4, "freed civilians r y g b", 0.25),
    Section("civilians to go", 1, "how many more the Heroes must free to win", _PER_STEP),
    Section("sizes", 6, "own hand, other hand, own deck, other deck, stack, tiles", _PER_CARD),
    Section("turn", 4, "viewer is Heroes; viewer's turn; viewer decides; turn times 0.02"),
    Section("phase", len(PHASES), "one-hot: " + ", ".join(PHASES)),
    Section("attacking slot", SLOTS, "one-hot in the Attack phase: the slot that is up"),
    Section("question", len(QUESTIONS), "one-hot: the open question, first none"),
    Section("source", SOURCES, "one-hot: own card (28), other's (28), battleground, artifact"),
    Section("amount", 1, "damage, cards or symbols at stake", _PER_STEP),
    Section("chosen", PLACES, "one-hot: where moved damage comes from, own places first (12/6)"),
    Section("under way", SOURCES, "1: an effect or attack of this source is open; as in source"),
    Section("attack begun", 1, "1: the slot that is up has attacked or passed its turn on"),
    Section("flame answers", 1, "questions of the Eternal Flame still to come", _PER_STEP),
    Section("owed", 5, "symbols still owed: r y g b any", 0.2),
    Section("waivers", 2, "one any-symbol, one symbol of choice may stay unpaid"),
    Section(
        "events",
        SHOWN_EVENTS * EVENT_FEATURES,
        "last moves, newest first: own; other's; verb (12); its object's number times 1/64",
    ),
)
SIZE = LAYOUT.size

FULL_LAYOUT = Layout(
    OBSERVATION_VERSION,
    Section("villains' observation", SIZE, "see the observation layout"),
    Section("heroes' hand", 36, "copies of each card", _PER_COPY),
    Section("villains' deck", 28, "copies of each card", _PER_COPY),
    Section("heroes' deck", 28, "copies of each card", _PER_COPY),
    Section("next draws", 56, "one-hot: the Villains' next card (28), the Heroes' (28)"),
    Section("next battleground", 8, "one-hot"),
    Section("next tile", 12, "one-hot"),
)
FULL_SIZE = FULL_LAYOUT.size

_OWN_HAND = LAYOUT.offset("own hand")
_OWN_DISCARD = LAYOUT.offset("own discard")
_OTHER_DISCARD = LAYOUT.offset("other discard")
_CAPTIVES = LAYOUT.offset("captives discarded")
_OWN_UNSEEN = LAYOUT.offset("own unseen")
_OTHER_UNSEEN = LAYOUT.offset("other unseen")
_BG_UNSEEN = LAYOUT.offset("battlegrounds unseen")
_BG_OTHER = LAYOUT.offset("battlegrounds in other hand")
_BG_SHOWN = LAYOUT.offset("battlegrounds shown")
_BG_STACK = LAYOUT.offset("battlegrounds in stack")
_OWN_SLOTS = LAYOUT.offset("own slots")
_OTHER_SLOTS = LAYOUT.offset("other slots")
_BELOW = LAYOUT.offset("below heroes")
_ARTIFACTS = LAYOUT.offset("artifacts")
_VICTORY = LAYOUT.offset("victory")
_MARKER = LAYOUT.offset("artifact marker")
_CIVILIANS = LAYOUT.offset("civilians")
_FREED = LAYOUT.offset("freed")
_TO_GO = LAYOUT.offset("civilians to go")
_SIZES = LAYOUT.offset("sizes")
_TURN = LAYOUT.offset("turn")
_PHASE = LAYOUT.offset("phase")
_SLOT = LAYOUT.offset("attacking slot")
_QUESTION = LAYOUT.offset("question")
_SOURCE = LAYOUT.offset("source")
_AMOUNT = LAYOUT.offset("amount")
_CHOSEN = LAYOUT.offset("chosen")
_UNDER_WAY = LAYOUT.offset("under way")
_ATTACK_BEGUN = LAYOUT.offset("attack begun")
_FLAME = LAYOUT.offset("flame answers")
_OWED = LAYOUT.offset("owed")
_WAIVERS = LAYOUT.offset("waivers")
_EVENTS = LAYOUT.offset("events")

# Entries stay within these bounds for every card set that loads.
LOW, HIGH = -10.0, 10.0

# Colour bits 0..15 as four entries.
_COLOURS = ((np.arange(16)[:, None] >> np.arange(4)) & 1).astype(np.float32)

# Verb and number of the object of each action, for the events.
_VERB_OF = np.zeros(len(MOVES), np.int64)
for _verb, _start in enumerate(VERB_STARTS):
    _VERB_OF[_start:] = _verb
_OBJECT_OF = np.arange(len(MOVES)) - np.array(VERB_STARTS)[_VERB_OF]


@compiled
def write_observation(g, k, viewer, out):
    """Write what `viewer` may know into `out` (float32, `SIZE` entries)."""
    other = opponent(viewer)
    write_piles(g, k, viewer, other, out)
    for n in range(_BG_UNSEEN, SIZE):
        out[n] = 0.0
    write_battlegrounds(g, k, viewer, other, out)
    write_side(g, k, viewer, viewer, out, _OWN_SLOTS)
    write_side(g, k, other, viewer, out, _OTHER_SLOTS)
    for slot in range(k.slots):
        start = _BELOW + slot * BELOW_FEATURES
        write_below(g, k, FIRST_TUCKED_PLACE + slot, viewer, out, start)
    write_artifacts(g, viewer, out)
    write_markers(g, k, viewer, other, out)
    write_question(g, viewer, out)
    write_effects(g, viewer, out)
    write_events(g, viewer, out)


@compiled
def write_piles(g, k, viewer, other, out):
    """Write the counts of cards outside the table, in the order of the layout.

    Each row but the battlegrounds takes `_WIDE` cards: four too many, which the next row covers.
    A whole number of vectors is written three times as fast as 28 cards are.
    """
    own = slice(viewer * FACTION_CARDS, viewer * FACTION_CARDS + _WIDE)
    others = slice(other * FACTION_CARDS, other * FACTION_CARDS + _WIDE)
    hand, battlegrounds = g.hand[viewer][own], g.hand[viewer][FIRST_BATTLEGROUND:]
    discard, their_discard = g.discard[viewer][own], g.discard[other][others]
    captives = g.discard[VILLAINS][FACTION_CARDS : FACTION_CARDS + _WIDE]
    copies, their_copies = k.copies[own], k.copies[others]
    taken = 1 if viewer == HEROES else 0  # own cards among the captives
    for n in range(len(hand)):
        out[_OWN_HAND + n] = _HALF * np.float32(hand[n])
    for n in range(len(battlegrounds)):
        out[_OWN_HAND + FACTION_CARDS + n] = _HALF * np.float32(battlegrounds[n])
    for n in range(len(discard)):
        out[_OWN_DISCARD + n] = _HALF * np.float32(discard[n])
    for n in range(len(their_discard)):
        out[_OTHER_DISCARD + n] = _HALF * np.float32(their_discard[n])
    for n in range(len(captives)):
        out[_CAPTIVES + n] = _HALF * np.float32(captives[n])
    for n in range(len(copies)):
        seen = discard[n] + hand[n] + taken * captives[n]
        out[_OWN_UNSEEN + n] = _HALF * np.float32(copies[n] - seen)
    for n in range(len(their_copies)):
        seen = their_discard[n] + (1 - taken) * captives[n]
        out[_OTHER_UNSEEN + n] = _HALF * np.float32(their_copies[n] - seen)


@compiled
def write_seen(card, viewer, out):
    """Take a card that lies on the table off the unseen ones."""
    faction = VILLAINS if card < FACTION_CARDS else HEROES
    start = _OWN_UNSEEN if faction == viewer else _OTHER_UNSEEN
    out[start + card - faction * FACTION_CARDS] -= _HALF


@compiled
def write_battlegrounds(g, k, viewer, other, out):
    mine, theirs = battlegrounds_played(g, viewer), battlegrounds_played(g, other)
    for n in range(BATTLEGROUNDS):
        card = FIRST_BATTLEGROUND + n
        in_hand, exists = g.hand[viewer, card] > 0, k.copies[card] > 0
        known = (g.hand_known[other, n] != 0) | (((theirs >> n) & 1) != 0)
        out[_BG_UNSEEN + n] = exists & (not in_hand) & (not known)
        out[_BG_OTHER + n] = known
        out[_BG_SHOWN + n] = (g.hand_known[viewer, n] != 0) | (((mine >> n) & 1) != 0)
    for n in range(g.stack_size):
        if g.stack_known[n]:
            card = int(g.stack[n]) - FIRST_BATTLEGROUND
            out[_BG_STACK + card] = 1.0 - n / 8.0
            out[_BG_UNSEEN + card] = 0.0


@compiled
def write_side(g, k, seat, viewer, out, start):
    lent = inspiration(g, k, seat)
    for slot in range(k.slots):
        place = place_at(seat, slot)
        if g.card[place] != NO_CARD:
            write_seen(int(g.card[place]), viewer, out)
            write_place(g, k, place, lent, out, start + slot * PLACE_FEATURES)


@compiled
def write_place(g, k, place, lent, out, start):
    card = int(g.card[place])
    number = card if card < FACTION_CARDS else card - FACTION_CARDS
    out[start] = 1.0
    if k.kind[card] == MAIN:
        out[start + 1 + number // 2] = 1.0
        out[start + 14] = number % 2
    else:
        out[start + 13] = 1.0
    at = start + 1 + CHARACTERS + 1
    out[at] = (place < FIRST_HERO_PLACE) and card >= FACTION_CARDS
    out[at + 1 + int(k.colour[card])] = 1.0
    out[at + 5] = PER_POINT * inspired_strength(g, k, place, lent)
    out[at + 6] = PER_POINT * (int(k.health[card]) - int(g.damage[place]))
    out[at + 7] = PER_POINT * g.damage[place]
    out[at + 8] = k.armour[card] > 0 and g.armour_used[place] == 0
    out[at + 9] = g.phase == ATTACK and g.spent[place] != 0
    out[at + 10] = g.phase == ATTACK and g.moved[place] != 0


@compiled
def write_below(g, k, place, viewer, out, start):
    card = int(g.card[place])
    if card == NO_CARD:
        return
    write_seen(card, viewer, out)
    out[start] = 1.0
    out[start + 1] = card % 2
    out[start + 2] = PER_POINT * k.strength[card]
    out[start + 3] = PER_POINT * (int(k.health[card]) - int(g.damage[place]))
    out[start + 4] = PER_POINT * g.damage[place]


@compiled
def write_artifacts(g, viewer, out):
    for artifact in range(ARTIFACTS):
        start = _ARTIFACTS + artifact * ARTIFACT_FEATURES
        owner = int(g.artifact_owner[artifact])
        feature = 5 if owner < 0 else int(owner != viewer)
        out[start + feature] = owner != NOBODY
        out[start + 4] = g.used[artifact]
    for n in range(2):
        if g.row[n] != NO_TILE:
            out[_ARTIFACTS + int(g.row[n]) * ARTIFACT_FEATURES + 2] = 1.0
    for n in range(g.tiles_size):
        if g.tiles_known[n]:
            tile = int(g.tiles[n])
            out[_ARTIFACTS + tile * ARTIFACT_FEATURES + 3] = 1.0 - n / 12.0


@compiled
def write_markers(g, k, viewer, other, out):
    sign = 1 if viewer == VILLAINS else -1
    lead = sign * int(g.victory)
    out[_VICTORY] = _PER_STEP * lead
    out[_VICTORY + 1] = _PER_STEP * (int(k.goal[viewer]) - lead)
    out[_VICTORY + 2] = _PER_STEP * (int(k.goal[other]) + lead)
    steps = sign * int(g.artifact_marker)
    out[_MARKER] = _PER_STEP * steps
    out[_MARKER + 1] = _PER_STEP * (int(k.track) - steps)
    for slot in range(SLOTS):
        left = _COLOURS[int(g.civilians[slot])]
        for colour in range(4):
            out[_CIVILIANS + 4 * slot + colour] = left[colour]
    for colour in range(4):
        out[_FREED + colour] = 0.25 * g.freed[colour]
    out[_TO_GO] = _PER_STEP * (civilians_left(g) - int(k.civilian_floor))
    out[_SIZES] = _PER_CARD * g.hand_size[viewer]
    out[_SIZES + 1] = _PER_CARD * g.hand_size[other]
    out[_SIZES + 2] = _PER_CARD * g.deck_size[viewer]
    out[_SIZES + 3] = _PER_CARD * g.deck_size[other]
    out[_SIZES + 4] = _PER_CARD * g.stack_size
    out[_SIZES + 5] = _PER_CARD * g.tiles_size
    out[_TURN] = viewer == HEROES
    out[_TURN + 1] = g.on_turn == viewer
    out[_TURN + 2] = g.asked == viewer
    out[_TURN + 3] = min(0.02 * g.turn, HIGH)


@compiled
def write_question(g, viewer, out):
    out[_PHASE + int(g.phase)] = 1.0
    if g.phase == ATTACK and g.slot < SLOTS:
        out[_SLOT + int(g.slot)] = 1.0
    out[_QUESTION + int(g.question)] = 1.0
    if g.source >= 0:
        out[_SOURCE + own_source_first(int(g.source), viewer)] = 1.0
    out[_AMOUNT] = _PER_STEP * g.amount
    if g.question == ASK_MOVE_TO:
        out[_CHOSEN + own_first(int(g.frame[int(g.depth) - 1, F_C]), viewer)] = 1.0
    for symbol in range(5):
        out[_OWED + symbol] = 0.2 * g.owed[symbol]
    out[_WAIVERS] = g.cube
    out[_WAIVERS + 1] = g.rings


@compiled
def write_effects(g, viewer, out):
    """Write which effects are open: those below the innermost go on when it is over."""
    for n in range(g.depth):
        frame = g.frame[n]
        if frame[F_CARD] >= 0:
            out[_UNDER_WAY + own_source_first(int(frame[F_CARD]), viewer)] = 1.0
        if frame[ROUTINE] == R_FLAME:
            out[_FLAME] += _PER_STEP * frame[F_A]
    out[_ATTACK_BEGUN] = g.phase == ATTACK and g.step == PHASE_END


@compiled
def own_source_first(source, viewer):
    """Number of a card or artifact with the viewer's faction first."""
    if source < FIRST_BATTLEGROUND and viewer == HEROES:
        return (source + FACTION_CARDS) % FIRST_BATTLEGROUND
    return source


@compiled
def own_first(place, viewer):
    """Number of a place with the viewer's slots first; tucked places stay last."""
    if viewer == VILLAINS or place >= FIRST_TUCKED_PLACE:
        return place
    return (place + FIRST_HERO_PLACE) % FIRST_TUCKED_PLACE


@compiled
def write_events(g, viewer, out):
    for n in range(SHOWN_EVENTS):
        action = int(g.event_action[n])
        if action < 0:
            return
        start = _EVENTS + n * EVENT_FEATURES
        out[start + (0 if g.event_seat[n] == viewer else 1)] = 1.0
        out[start + 2 + _VERB_OF[action]] = 1.0
        out[start + EVENT_FEATURES - 1] = _OBJECT_OF[action] / 64.0


@compiled
def write_full(g, k, out):
    """Write the full-information vector (float32, `FULL_SIZE` entries): for critics only."""
    write_observation(g, k, VILLAINS, out[:SIZE])
    for n in range(SIZE, FULL_SIZE):
        out[n] = 0.0
    at = SIZE
    for n in range(HAND_TYPES):
        out[at + n] = _PER_COPY * g.hand[HEROES, hand_type(HEROES, n)]
    at += HAND_TYPES
    for seat in range(2):
        for n in range(g.deck_size[seat]):
            out[at + int(g.deck[seat, n]) - seat * FACTION_CARDS] += _PER_COPY
        at += FACTION_CARDS
    for seat in range(2):
        if g.deck_size[seat] > 0:
            top = int(g.deck[seat, int(g.deck_size[seat]) - 1])
            out[at + top - seat * FACTION_CARDS] = 1.0
        at += FACTION_CARDS
    if g.stack_size > 0:
        out[at + int(g.stack[0]) - FIRST_BATTLEGROUND] = 1.0
    at += BATTLEGROUNDS
    if g.tiles_size > 0:
        out[at + int(g.tiles[0])] = 1.0


assert SHOWN_EVENTS <= EVENTS
