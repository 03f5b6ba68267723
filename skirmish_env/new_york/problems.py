"""What can be seen to be wrong with a record, named: the invariants of the rules.

`problems` is for people and tests; `find_problems` is its compiled half, made to run after every
decision of millions of games.
"""

from __future__ import annotations

import numpy as np

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import MASK
from skirmish_env.new_york import ids
from skirmish_env.new_york.actions import CARD_IDS, MOVES
from skirmish_env.new_york.cards import CardSet
from skirmish_env.new_york.ids import (
    ACTIONS,
    ANY,
    ARTIFACTS,
    ASK_ARTIFACT_WINDOW,
    ASK_CAPTURE,
    ASK_DRAW,
    ASK_DRAW_THREE,
    ASK_FLAME,
    ASK_LEAD_ATTACK,
    ASK_PAYMENT,
    ASK_RECRUITMENT,
    ASK_TILE,
    ASK_WARLOCK,
    ATTACK,
    BATTLEGROUNDS,
    BY_CIVILIANS,
    BY_DECK,
    BY_VICTORY,
    CARDS,
    DRAW,
    EVENTS,
    F_CARD,
    F_PLACE,
    F_SIDE,
    FACTION_CARDS,
    FIRST_BATTLEGROUND,
    FIRST_HERO_PLACE,
    FIRST_TUCKED_PLACE,
    GONE,
    HEROES,
    MAX_FRAMES,
    MAX_OPTIONS,
    NO_ACTION,
    NO_CARD,
    NO_QUESTION,
    NO_TILE,
    NOBODY,
    OVER,
    PHASE_END,
    PLACES,
    R_FLAME,
    RECRUITMENT,
    ROUTINE,
    SLOTS,
    SOURCES,
    VILLAINS,
)
from skirmish_env.new_york.state import facing, slot_of
from skirmish_env.new_york.verbs import civilians_left

MOST_FOUND = 16
QUESTION_KINDS = len(ids.QUESTIONS)
LATEST_TURN = CARDS + ARTIFACTS  # place of this number behind the stock of cards and artifacts
STOCK_SIZE = LATEST_TURN + 1

# What a number in a problem stands for.
NUMBER, CARD, PLACE, SEAT, TILE, ACTION = range(6)

# Code -> words, and what their two numbers stand for.
WORDS: tuple[tuple[str, int, int], ...] = (
    ("{0}: {1} copies more than exist", CARD, NUMBER),
    ("{0}: {1} copies more than at the start", CARD, NUMBER),
    ("{0}: {1} in a hand that cannot hold it or fewer than none", CARD, NUMBER),
    ("{0}: {1} in a discard pile that cannot hold it or fewer than none", CARD, NUMBER),
    ("{0}: the hand's size is not the number of its cards: {1}", SEAT, NUMBER),
    ("{0}: entry {1} of the deck is no card of it", SEAT, NUMBER),
    ("{0}: the deck's size {1} is out of range", SEAT, NUMBER),
    ("entry {0} of the battleground stack (size {1}) is wrong", NUMBER, NUMBER),
    ("{0}: known to be in the hand of {1}, where it is not", CARD, SEAT),
    ("{0}: in {1} places", TILE, NUMBER),
    ("entry {0} of the artifact stack (size {1}) is wrong", NUMBER, NUMBER),
    ("{0}: its owner or its use is out of range: {1}", TILE, NUMBER),
    ("{0}: {1} cannot be here", PLACE, CARD),
    ("{0}: damage {1} is out of range", PLACE, NUMBER),
    ("{0}: a mark lies here that cannot be: {1}", PLACE, NUMBER),
    ("{0}: nothing stands above {1}", PLACE, CARD),
    ("{0}: another copy of {1} is in play", PLACE, CARD),
    ("the victory marker on {0} is off its track or on an end (over: {1})", NUMBER, NUMBER),
    ("the artifact marker on {0} is off its track or on an end (question {1})", NUMBER, NUMBER),
    ("slot {0}: civilians {1} were never there", NUMBER, NUMBER),
    ("colour {0}: {1} civilians more than exist", NUMBER, NUMBER),
    ("{0} civilians are left in Manhattan and nobody has won (floor {1})", NUMBER, NUMBER),
    ("phase {0} or step {1} is out of range", NUMBER, NUMBER),
    ("turn {0} or slot {1} is out of range", NUMBER, NUMBER),
    ("turn {0}: a game ends with turn {1} at the latest", NUMBER, NUMBER),
    ("question {0} with {1} options", NUMBER, NUMBER),
    ("{0} is asked question {1}, which cannot be", SEAT, NUMBER),
    ("option {0} is out of order: {1}", NUMBER, ACTION),
    ("question source {0} or amount {1} is out of range", NUMBER, NUMBER),
    ("effect stack: depth {0} (the record holds {1})", NUMBER, NUMBER),
    ("effect stack: frame {0} is wrong in column {1}", NUMBER, NUMBER),
    ("symbols {0} are owed {1} times outside a payment or fewer than none", NUMBER, NUMBER),
    ("an answer is left over: {0} ({1})", ACTION, NUMBER),
    ("event {0} is out of range: {1}", NUMBER, NUMBER),
    ("winner {0} does not follow from ending {1}", NUMBER, NUMBER),
    ("rewards of the seats: {0} and {1} do not follow from the winner", NUMBER, NUMBER),
    ("the random generator's word {0} is out of range ({1})", NUMBER, NUMBER),
    ("a redeal for {0} is no game that this side could be in (seed {1})", SEAT, NUMBER),
    ("the game is not over after {1} decisions (turn {0})", NUMBER, NUMBER),
    ("the face-up tile {0} is out of range: {1}", NUMBER, NUMBER),
    ("question {0} cannot be put in phase {1}", NUMBER, NUMBER),
    ("skip_forced {0} or the last means of payment {1} is out of range", NUMBER, NUMBER),
)
(
    TOO_MANY_COPIES,
    COPIES_CHANGED,
    WRONG_HAND,
    WRONG_DISCARD,
    WRONG_HAND_SIZE,
    WRONG_DECK,
    WRONG_DECK_SIZE,
    WRONG_STACK,
    WRONG_KNOWN,
    TILE_PLACES,
    WRONG_TILES,
    WRONG_OWNER,
    WRONG_PLACE,
    WRONG_DAMAGE,
    WRONG_MARK,
    NO_HOST,
    TWO_COPIES,
    WRONG_VICTORY,
    WRONG_MARKER,
    WRONG_CIVILIANS,
    TOO_MANY_CIVILIANS,
    CIVILIANS_GONE,
    WRONG_PHASE,
    WRONG_TURN,
    TOO_LONG,
    NO_OPTIONS,
    WRONG_ASKED,
    WRONG_OPTION,
    WRONG_SOURCE,
    WRONG_DEPTH,
    WRONG_FRAME,
    WRONG_OWED,
    WRONG_ANSWER,
    WRONG_EVENT,
    WRONG_WINNER,
    WRONG_REWARDS,
    WRONG_RNG,
    WRONG_REDEAL,
    NO_END,
    WRONG_ROW,
    WRONG_MOMENT,
    WRONG_SETTING,
) = range(42)


def problems(
    states: np.ndarray, i: int, card_set: CardSet, start: np.ndarray | None = None
) -> list[str]:
    """Name all that the record `states[i]` shows to be wrong; an empty list if it is nothing.

    `start`, a record array of length 1 of the same game at an earlier moment, adds that no card
    and no artifact came or went since then.
    """
    found = np.zeros((MOST_FOUND, 3), np.int64)
    stock = np.full(STOCK_SIZE, -1, np.int64)
    if start is not None:
        take_stock(start[0], card_set.record[0], stock)
    count = find_problems(states[i], card_set.record[0], stock, found)
    return in_words(found[:count])


def in_words(found: np.ndarray) -> list[str]:
    """Put rows (code, number, number) into words."""
    told = []
    for code, first, second in found.tolist():
        words, one, other = WORDS[code]
        told.append(words.format(_name(one, first), _name(other, second)))
    return told


def _name(kind: int, number: int) -> str | int:
    names: dict[int, tuple[str, ...]] = {
        CARD: CARD_IDS,
        PLACE: ids.PLACE_NAMES,
        SEAT: ids.SIDES,
        TILE: ids.ARTIFACT_IDS,
        ACTION: MOVES,
    }
    known = names.get(kind, ())
    return known[number] if 0 <= number < len(known) else number


# ---------------------------------------------------------------------------------------------
# The compiled half. `found` is int64 (MOST_FOUND, 3); each check returns the rows used so far.


@compiled
def note(found, count, code, first, second):
    """Add a row; when the table is full, the first ones are enough."""
    if count >= len(found):
        return count
    found[count, 0] = code
    found[count, 1] = first
    found[count, 2] = second
    return count + 1


@compiled
def find_problems(g, k, stock, found):
    """Write what is wrong with a record into `found`; return the number of rows.

    `stock` int64 (STOCK_SIZE,) is what `take_stock` wrote, or -1 throughout where the start of
    the game is not known.
    """
    count = check_cards(g, k, stock, found, 0)
    count = check_hands(g, k, found, count)
    count = check_decks(g, found, count)
    count = check_stack(g, found, count)
    count = check_artifacts(g, stock, found, count)
    count = check_places(g, k, found, count)
    count = check_marks(g, k, found, count)
    count = check_characters(g, k, found, count)
    count = check_markers(g, k, found, count)
    count = check_civilians(g, k, found, count)
    count = check_course(g, k, stock, found, count)
    count = check_question(g, found, count)
    count = check_options(g, found, count)
    count = check_frames(g, found, count)
    count = check_payment(g, found, count)
    count = check_result(g, k, found, count)
    return count


@compiled
def places_of(g, tile):
    """How often an artifact stands in the row, in the stack, with a seat or out of the game."""
    places = int(g.artifact_owner[tile] != NOBODY)
    for n in range(2):
        places += g.row[n] == tile
    for n in range(min(int(g.tiles_size), ARTIFACTS)):
        places += g.tiles[n] == tile
    return places


@compiled
def count_cards(g, counts):
    """Count the copies of each card, wherever they are; entries that are no cards are left out."""
    for card in range(CARDS):
        counts[card] = 0
    for seat in range(2):
        for card in range(CARDS):
            counts[card] += int(g.hand[seat, card]) + int(g.discard[seat, card])
        for n in range(min(int(g.deck_size[seat]), 2 * FACTION_CARDS)):
            if 0 <= g.deck[seat, n] < CARDS:
                counts[g.deck[seat, n]] += 1
    for n in range(min(int(g.stack_size), BATTLEGROUNDS)):
        if 0 <= g.stack[n] < CARDS:
            counts[g.stack[n]] += 1
    for place in range(PLACES):
        if 0 <= g.card[place] < CARDS:
            counts[g.card[place]] += 1


@compiled
def take_stock(g, k, stock):
    """Write what a game holds into `stock`: cards, artifacts, and the latest turn it can see."""
    count_cards(g, stock)
    for tile in range(ARTIFACTS):
        stock[CARDS + tile] = places_of(g, tile)
    stock[LATEST_TURN] = latest_turn(g, k)


@compiled
def check_cards(g, k, stock, found, count):
    """Cards by type and copy: no more than exist, and as many as at the start."""
    counts = np.zeros(CARDS, np.int64)
    count_cards(g, counts)
    for card in range(CARDS):
        copies = counts[card]
        if copies > k.copies[card]:
            count = note(found, count, TOO_MANY_COPIES, card, copies - int(k.copies[card]))
        if stock[card] >= 0 and copies != stock[card]:
            count = note(found, count, COPIES_CHANGED, card, copies - stock[card])
    return count


@compiled
def check_hands(g, k, found, count):
    for seat in range(2):
        size = 0
        for card in range(CARDS):
            held, given_up = int(g.hand[seat, card]), int(g.discard[seat, card])
            size += held
            if held < 0 or (held > 0 and k.faction[card] == 1 - seat):
                count = note(found, count, WRONG_HAND, card, held)
            villain_with_heroes = seat == HEROES and k.faction[card] == VILLAINS
            if given_up < 0 or (
                given_up > 0 and (card >= FIRST_BATTLEGROUND or villain_with_heroes)
            ):
                count = note(found, count, WRONG_DISCARD, card, given_up)
        if size != g.hand_size[seat]:
            count = note(found, count, WRONG_HAND_SIZE, seat, int(g.hand_size[seat]))
        for n in range(BATTLEGROUNDS):
            known = int(g.hand_known[seat, n])
            if not 0 <= known <= int(g.hand[seat, FIRST_BATTLEGROUND + n]):
                count = note(found, count, WRONG_KNOWN, FIRST_BATTLEGROUND + n, seat)
    return count


@compiled
def check_decks(g, found, count):
    for seat in range(2):
        size, first = int(g.deck_size[seat]), seat * FACTION_CARDS
        if not 0 <= size <= 2 * FACTION_CARDS:
            return note(found, count, WRONG_DECK_SIZE, seat, size)
        for n in range(2 * FACTION_CARDS):
            card = int(g.deck[seat, n])
            own = first <= card < first + FACTION_CARDS
            if (n < size and not own) or (n >= size and card != NO_CARD):
                count = note(found, count, WRONG_DECK, seat, n)
    return count


@compiled
def check_stack(g, found, count):
    size = int(g.stack_size)
    for n in range(BATTLEGROUNDS):
        card = int(g.stack[n])
        inside = n < size
        right = FIRST_BATTLEGROUND <= card < CARDS if inside else card == NO_CARD
        if not right or not 0 <= size <= BATTLEGROUNDS or not known_right(g.stack_known[n], inside):
            count = note(found, count, WRONG_STACK, n, size)
    return count


@compiled
def known_right(known, inside):
    """Whether a mark of public knowledge is 0 or 1, and 0 outside its list."""
    return known == 0 or (known == 1 and inside)


@compiled
def check_artifacts(g, stock, found, count):
    size = int(g.tiles_size)
    for n in range(ARTIFACTS):
        inside = n < size
        right = 0 <= g.tiles[n] < ARTIFACTS if inside else g.tiles[n] == NO_TILE
        if not right or not 0 <= size <= ARTIFACTS or not known_right(g.tiles_known[n], inside):
            count = note(found, count, WRONG_TILES, n, size)
    for n in range(2):
        if not NO_TILE <= g.row[n] < ARTIFACTS:
            count = note(found, count, WRONG_ROW, n, int(g.row[n]))
    for tile in range(ARTIFACTS):
        places = places_of(g, tile)
        expected = stock[CARDS + tile]
        if places > 1 or (expected >= 0 and places != expected):
            count = note(found, count, TILE_PLACES, tile, places)
        owner = int(g.artifact_owner[tile])
        if not GONE <= owner <= HEROES or not 0 <= g.used[tile] <= 1:
            count = note(found, count, WRONG_OWNER, tile, owner)
    return count


@compiled
def check_places(g, k, found, count):
    """Cards in play: whose they are, where they may lie, and their damage."""
    for place in range(PLACES):
        card, damage = int(g.card[place]), int(g.damage[place])
        if card == NO_CARD:
            if damage != 0:
                count = note(found, count, WRONG_DAMAGE, place, damage)
            continue
        heroes_only = place >= FIRST_HERO_PLACE
        if (
            not 0 <= card < FIRST_BATTLEGROUND
            or slot_of(place) >= k.slots
            or (heroes_only and k.faction[card] != HEROES)
            or (place >= FIRST_TUCKED_PLACE and not k.tucks[card])
        ):
            count = note(found, count, WRONG_PLACE, place, card)
            continue
        if place >= FIRST_TUCKED_PLACE and g.card[place - SLOTS] == NO_CARD:
            count = note(found, count, NO_HOST, place, card)
        if damage < 0 or (damage >= k.health[card] and not may_be_beaten(g, place)):
            count = note(found, count, WRONG_DAMAGE, place, damage)
    return count


@compiled
def may_be_beaten(g, place):
    """Whether a beaten card waits for Loki's decision, in the slot that he faces (ruling 33)."""
    if g.question != ASK_CAPTURE or g.depth < 1:
        return False
    return facing(int(g.frame[int(g.depth) - 1, F_PLACE])) == place


@compiled
def check_marks(g, k, found, count):
    for place in range(PLACES):
        armour, spent, moved = int(g.armour_used[place]), int(g.spent[place]), int(g.moved[place])
        marks = armour + spent + moved
        wrong = min(armour, spent, moved) < 0 or max(armour, spent, moved) > 1
        card = int(g.card[place])
        no_armour = 0 <= card < CARDS and k.armour[card] == 0
        if wrong or (marks and card == NO_CARD) or (armour and no_armour):
            count = note(found, count, WRONG_MARK, place, marks)
    return count


@compiled
def check_characters(g, k, found, count):
    """One copy of a main character in play at most, captives counted (rulings 13, 33)."""
    seen = 0
    for place in range(PLACES):
        card = int(g.card[place])
        if not 0 <= card < CARDS or k.character[card] < 0:
            continue
        bit = 1 << int(k.character[card])
        if seen & bit:
            count = note(found, count, TWO_COPIES, place, card)
        seen |= bit
    return count


@compiled
def check_markers(g, k, found, count):
    over = g.phase == OVER
    victory, marker = int(g.victory), int(g.artifact_marker)
    high, low = int(k.goal[VILLAINS]), -int(k.goal[HEROES])
    on_end = victory >= high or victory <= low
    if victory > high or victory < low or (on_end and not over):
        count = note(found, count, WRONG_VICTORY, victory, int(over))
    end = int(k.track)
    if abs(marker) > end or (abs(marker) == end and g.question != ASK_TILE):
        count = note(found, count, WRONG_MARKER, marker, int(g.question))
    return count


@compiled
def check_civilians(g, k, found, count):
    for slot in range(SLOTS):
        if int(g.civilians[slot]) & ~int(k.civilians[slot]):
            count = note(found, count, WRONG_CIVILIANS, slot + 1, int(g.civilians[slot]))
    made_in_all = 0
    for colour in range(4):
        made, there = 0, int(g.freed[colour])
        for slot in range(SLOTS):
            made += (int(k.civilians[slot]) >> colour) & 1
            there += (int(g.civilians[slot]) >> colour) & 1
        made_in_all += made
        if g.freed[colour] < 0 or there > made:
            count = note(found, count, TOO_MANY_CIVILIANS, colour, there - made)
    left = civilians_left(g)
    if left <= k.civilian_floor and left < made_in_all and g.phase != OVER:
        count = note(found, count, CIVILIANS_GONE, left, int(k.civilian_floor))
    return count


@compiled
def latest_turn(g, k):
    """Return the last turn that a game can have: each side draws in its own turns (ruling 4)."""
    seat, draws = int(g.on_turn), int(k.draws)
    own = (int(g.deck_size[seat]) + draws - 1) // draws
    others = (int(g.deck_size[1 - seat]) + draws - 1) // draws
    return int(g.turn) + min(max(2 * own - 2, 0), max(2 * others - 1, 0))


@compiled
def check_course(g, k, stock, found, count):
    phase, step, slot = int(g.phase), int(g.step), int(g.slot)
    if not 0 <= phase <= OVER or not 0 <= step <= PHASE_END or not 0 <= g.on_turn <= 1:
        count = note(found, count, WRONG_PHASE, phase, step)
    if not 0 <= slot <= k.slots or not NO_CARD <= g.up < CARDS or g.turn < 1:
        count = note(found, count, WRONG_TURN, int(g.turn), slot)
    if 0 <= stock[LATEST_TURN] < g.turn:
        count = note(found, count, TOO_LONG, int(g.turn), stock[LATEST_TURN])
    for n in range(4):
        if not 0 <= g.rng[n] <= MASK:
            count = note(found, count, WRONG_RNG, n, 0)
    return count


@compiled
def check_question(g, found, count):
    question, asked, options = int(g.question), int(g.asked), int(g.option_count)
    if g.phase == OVER:
        if question != NO_QUESTION or asked != NOBODY or options != 0:
            count = note(found, count, WRONG_ASKED, asked, question)
        return count
    fewest = 2 if g.skip_forced else 1
    if not fewest <= options <= MAX_OPTIONS:
        count = note(found, count, NO_OPTIONS, question, options)
    elsewhere = asked != g.on_turn and question not in (ASK_DRAW, ASK_WARLOCK, ASK_FLAME)
    if not 0 <= asked <= 1 or not 1 <= question < QUESTION_KINDS or elsewhere:
        count = note(found, count, WRONG_ASKED, asked, question)
    if not fits_the_moment(g, question):
        count = note(found, count, WRONG_MOMENT, question, int(g.phase))
    if not -1 <= g.source < SOURCES or g.amount < 0:
        count = note(found, count, WRONG_SOURCE, int(g.source), int(g.amount))
    if g.answer != NO_ACTION:
        count = note(found, count, WRONG_ANSWER, int(g.answer), int(g.answer))
    return count


@compiled
def fits_the_moment(g, question):
    """Whether phase and open effects are those in which a question can be put."""
    if question == ASK_RECRUITMENT:
        return g.phase == RECRUITMENT and g.depth == 0
    if question == ASK_LEAD_ATTACK:
        return g.phase == ATTACK and g.depth == 0
    if question == ASK_ARTIFACT_WINDOW:
        return g.phase in (ATTACK, DRAW) and g.depth == 0
    if question == ASK_DRAW_THREE:
        return g.phase == DRAW and g.depth == 0
    return g.depth > 0


@compiled
def check_options(g, found, count):
    before = -1
    for n in range(min(int(g.option_count), MAX_OPTIONS)):
        action = int(g.options[n])
        if not before < action < ACTIONS:
            count = note(found, count, WRONG_OPTION, n, action)
        before = action
    for n in range(EVENTS):
        happened = g.event_action[n] != NO_ACTION
        seated = 0 <= g.event_seat[n] <= 1
        if not NO_ACTION <= g.event_action[n] < ACTIONS or happened != seated:
            count = note(found, count, WRONG_EVENT, n, int(g.event_action[n]))
    return count


@compiled
def check_frames(g, found, count):
    depth = int(g.depth)
    if not 0 <= depth <= MAX_FRAMES or (depth > 0 and g.phase == OVER):
        return note(found, count, WRONG_DEPTH, depth, MAX_FRAMES)
    for n in range(depth):
        frame = g.frame[n]
        if not 1 <= frame[ROUTINE] <= R_FLAME:
            count = note(found, count, WRONG_FRAME, n, ROUTINE)
        if not 0 <= frame[F_SIDE] <= 1:
            count = note(found, count, WRONG_FRAME, n, F_SIDE)
        if not -1 <= frame[F_CARD] < SOURCES:
            count = note(found, count, WRONG_FRAME, n, F_CARD)
        if not 0 <= frame[F_PLACE] < PLACES:
            count = note(found, count, WRONG_FRAME, n, F_PLACE)
    return count


@compiled
def check_payment(g, found, count):
    """Symbols are owed while they are being paid, and only then."""
    paying = g.question == ASK_PAYMENT
    total = 0
    for symbol in range(ANY + 1):
        owed = int(g.owed[symbol])
        total += owed
        if owed < 0 or (owed > 0 and not paying):
            count = note(found, count, WRONG_OWED, symbol, owed)
    if paying and total == 0:
        count = note(found, count, WRONG_OWED, ANY, 0)
    if not NO_ACTION <= g.paid_last < ACTIONS or not 0 <= g.skip_forced <= 1:
        count = note(found, count, WRONG_SETTING, int(g.skip_forced), int(g.paid_last))
    for flag in (int(g.cube), int(g.rings)):
        if not 0 <= flag <= 1 or (flag == 1 and not paying):
            count = note(found, count, WRONG_OWED, ANY, flag)
    return count


@compiled
def check_result(g, k, found, count):
    """The winner follows from what ended the game; rewards sum to zero."""
    ending, winner, victory = int(g.ending), int(g.winner), int(g.victory)
    expected = NOBODY
    if ending == BY_VICTORY:
        right = victory == k.goal[VILLAINS] or victory == -int(k.goal[HEROES])
        expected = VILLAINS if victory > 0 else HEROES
    elif ending == BY_CIVILIANS:
        right = civilians_left(g) <= k.civilian_floor
        expected = HEROES
    elif ending == BY_DECK:
        right = g.deck_size[VILLAINS] == 0 or g.deck_size[HEROES] == 0
        if victory != 0:
            expected = VILLAINS if victory > 0 else HEROES
    else:
        right = ending == 0
    if not right or winner != expected or (ending != 0) != (g.phase == OVER):
        count = note(found, count, WRONG_WINNER, winner, ending)
    return count


assert len(WORDS) == WRONG_SETTING + 1
