"""Playing a card: which can be played, the payment symbol by symbol, the placement."""

from __future__ import annotations

from skirmish_env.common.jit import compiled
from skirmish_env.new_york.ids import (
    ANY,
    ASK_PAYMENT,
    ASK_PLACEMENT,
    ASK_WARLOCK,
    BATTLEGROUND,
    BLUE,
    CIVILIAN,
    COSMIC_CUBE,
    DISCARD,
    F_A,
    F_CARD,
    F_PLACE,
    F_SIDE,
    FETCH,
    FETCHED,
    FIRST_ARTIFACT_SOURCE,
    FIRST_TUCKED_PLACE,
    FREE,
    GREEN,
    HEROES,
    IMMEDIATE,
    MAIN,
    NO_ACTION,
    NO_CARD,
    OVER,
    PAID,
    PAID_WITH_ANY,
    PLAY,
    R_PROGRAM,
    RED,
    RETURNED,
    SLOT,
    STAGE,
    TEN_RINGS,
    TUCK,
    WAIVE,
    WARLOCKS_EYE,
    YELLOW,
)
from skirmish_env.new_york.state import (
    HAND_TYPES,
    ask,
    discard_from_hand,
    hand_type,
    has_empty_slot,
    offer,
    opponent,
    owed_in_all,
    owns,
    place_at,
    pop,
    push,
    put,
    seat_at,
    take_answer,
    take_from_hand,
)
from skirmish_env.new_york.verbs import (
    barred,
    battleground_done,
    can_tuck,
    can_tuck_at,
    copy_in_play,
    gain,
)

# ---------------------------------------------------------------------------------------------
# Means of payment.


@compiled
def in_hand(g, frame_card, from_hand, seat, card):
    """Copies of a hand card that can pay: the played card cannot pay for itself (ruling 10)."""
    count = int(g.hand[seat, card])
    return count - 1 if from_hand and card == frame_card else count


@compiled
def means_of_colour(g, k, seat, colour, played, from_hand, cards_only):
    """How many cards and civilians can pay a colour."""
    count = 0
    for n in range(HAND_TYPES):
        card = hand_type(seat, n)
        if g.hand[seat, card] > 0 and k.colour[card] == colour:
            count += in_hand(g, played, from_hand, seat, card)
    if seat == HEROES and not cards_only:
        count += int(g.freed[colour])
    return count


@compiled
def waivers(any_owed, total_owed, cube, rings):
    """How many symbols can be left out in all (ruling 19)."""
    by_cube = min(cube, any_owed)
    return by_cube + min(rings, total_owed - by_cube)


@compiled
def set_owed(g, k, seat, card, way):
    """Write what a card costs, and which discounts there are, into the record."""
    for symbol in range(ANY + 1):
        cost = k.return_cost[card, symbol] if way == RETURNED else k.cost[card, symbol]
        g.owed[symbol] = 0 if way == PAID_WITH_ANY else cost
    if way == PAID_WITH_ANY:
        g.owed[ANY] = k.symbols[card]
    printed_any = k.return_cost[card, ANY] if way == RETURNED else k.cost[card, ANY]
    g.cube = 1 if owns(g, seat, COSMIC_CUBE) and printed_any > 0 else 0
    g.rings = 1 if owns(g, seat, TEN_RINGS) and k.kind[card] == BATTLEGROUND else 0
    g.paid_last = NO_ACTION


@compiled
def count_means(g, k, seat, cards_only):
    """Count what could pay red, yellow, green, blue, and anything at all."""
    red, yellow, green, blue, everything = 0, 0, 0, 0, 0
    for n in range(HAND_TYPES):
        card = hand_type(seat, n)
        count = int(g.hand[seat, card])
        if count > 0:
            everything += count
            colour = int(k.colour[card])
            if colour == RED:
                red += count
            elif colour == YELLOW:
                yellow += count
            elif colour == GREEN:
                green += count
            elif colour == BLUE:
                blue += count
    if seat == HEROES and not cards_only:
        red += int(g.freed[RED])
        yellow += int(g.freed[YELLOW])
        green += int(g.freed[GREEN])
        blue += int(g.freed[BLUE])
        for colour in range(4):
            everything += int(g.freed[colour])
    return red, yellow, green, blue, everything


@compiled
def payable(g, k, seat, card, way, means):
    """Whether a cost can be paid in full from `means` (see `count_means`), discounts used."""
    returned = way == RETURNED
    total, printed_any, short = 0, 0, 0
    for symbol in range(ANY + 1):
        cost = int(k.return_cost[card, symbol]) if returned else int(k.cost[card, symbol])
        total += cost
        if symbol == ANY:
            printed_any = cost
        elif cost > 0 and way != PAID_WITH_ANY:
            itself = 0 if returned or k.colour[card] != symbol else 1
            short += max(0, cost - means[symbol] + itself)
    if total == 0:
        return True
    any_owed = total if way == PAID_WITH_ANY else printed_any
    cube = 1 if printed_any > 0 and owns(g, seat, COSMIC_CUBE) else 0
    rings = 1 if k.kind[card] == BATTLEGROUND and owns(g, seat, TEN_RINGS) else 0
    if short > rings:
        return False
    itself = 0 if returned else 1
    return means[ANY] - itself >= total - waivers(any_owed, total, cube, rings)


# ---------------------------------------------------------------------------------------------
# What can be played.


@compiled
def has_room(g, k, seat, card):
    """Whether a character can be placed other than as a replacement (ruling 14)."""
    return has_empty_slot(g, k, seat) or can_tuck(g, k, seat, card)


@compiled
def can_play(g, k, seat, card, way, means):
    """Whether a card of the hand can be played in this way, paid from `means`."""
    if k.kind[card] == BATTLEGROUND:
        return way == PAID and payable(g, k, seat, card, way, means)
    if barred(g, k, seat, card):
        return False
    if copy_in_play(g, k, seat, card) >= 0:
        return True
    if not has_room(g, k, seat, card):
        return False
    return way == FREE or payable(g, k, seat, card, way, means)


@compiled
def offer_plays(g, k, seat, way, limit):
    """Offer the playable cards of the hand with at most `limit` printed symbols."""
    means = count_means(g, k, seat, False)
    for n in range(HAND_TYPES):
        card = hand_type(seat, n)
        if g.hand[seat, card] == 0 or k.symbols[card] > limit:
            continue
        if can_play(g, k, seat, card, way, means):
            offer(g, PLAY + card)


@compiled
def can_fetch(g, k, seat, card, fetcher, limit):
    """Whether Kang may fetch a card from the own discard pile (ruling 16)."""
    if g.discard[seat, card] == 0 or k.symbols[card] > limit:
        return False
    if k.character[card] >= 0 and k.character[card] == k.character[fetcher]:
        return False
    if barred(g, k, seat, card):
        return False
    return copy_in_play(g, k, seat, card) >= 0 or has_room(g, k, seat, card)


@compiled
def offer_fetches(g, k, seat, fetcher, limit):
    for card in range(2 * 28):
        if can_fetch(g, k, seat, card, fetcher, limit):
            offer(g, FETCH + card)


@compiled
def offer_returns(g, k, seat):
    """Offer each Hela that can come back to an empty slot (ruling 18)."""
    means = count_means(g, k, seat, True)
    for n in range(28):
        card = hand_type(seat, n)
        if g.discard[seat, card] == 0 or not k.returns[card]:
            continue
        if not has_empty_slot(g, k, seat) or copy_in_play(g, k, seat, card) >= 0:
            continue
        if payable(g, k, seat, card, RETURNED, means):
            offer(g, FETCH + card)


# ---------------------------------------------------------------------------------------------
# The routine: payment, placement, effect, Warlock's Eye.

(
    PLAY_PAY,
    PLAY_PAYING,
    PLAY_PLACE,
    PLAY_PLACED,
    PLAY_EFFECT,
    PLAY_BATTLEGROUND_END,
    PLAY_WARLOCK,
    PLAY_WARLOCK_PAID,
) = range(8)


@compiled
def run_play(g, k, frame):
    """Carry a play one step further (frame: side, card, F_A the way, F_PLACE where it lies)."""
    stage, seat = int(frame[STAGE]), int(frame[F_SIDE])
    card, way = int(frame[F_CARD]), int(frame[F_A])
    if stage == PLAY_PAY:
        begin_payment(g, k, frame, seat, card, way)
    elif stage == PLAY_PAYING:
        take_payment(g, seat)
        ask_payment(g, k, frame, seat, card, way)
    elif stage == PLAY_PLACE:
        choose_place(g, k, frame, seat, card, way)
    elif stage == PLAY_PLACED:
        answer = take_answer(g)
        place = place_at(seat, answer - SLOT)
        if answer >= TUCK:
            place = FIRST_TUCKED_PLACE + answer - TUCK
        lay_down(g, frame, seat, card, way, place)
    elif stage == PLAY_EFFECT:
        begin_effect(g, k, frame, seat, card, way)
    elif stage == PLAY_BATTLEGROUND_END:
        battleground_done(g, seat, card)
        pop(g)
    elif stage == PLAY_WARLOCK:
        ask_warlock(g, k, frame, seat, card)
    else:
        discard_from_hand(g, opponent(seat), take_answer(g) - DISCARD)
        pop(g)


@compiled
def begin_payment(g, k, frame, seat, card, way):
    replaces = way != RETURNED and copy_in_play(g, k, seat, card) >= 0
    if way == FREE or way == FETCHED or replaces:
        frame[STAGE] = PLAY_PLACE
        return
    set_owed(g, k, seat, card, way)
    ask_payment(g, k, frame, seat, card, way)


@compiled
def ask_payment(g, k, frame, seat, card, way):
    """Ask for the next symbol owed, or go on to the placement when all is paid."""
    if owed_in_all(g) == 0:
        g.cube = 0
        g.rings = 0
        frame[STAGE] = PLAY_PLACE
        return
    frame[STAGE] = PLAY_PAYING
    symbol = next_symbol(g)
    ask(g, seat, ASK_PAYMENT, card, owed_in_all(g))
    offer_payments(g, k, seat, card, way, symbol)


@compiled
def next_symbol(g):
    for symbol in range(ANY):
        if g.owed[symbol] > 0:
            return symbol
    return ANY


@compiled
def offer_payments(g, k, seat, card, way, symbol):
    """Offer what can pay a symbol and leaves the rest payable.

    Equal symbols are paid in ascending action order, so that a set of cards can be paid in one
    order only: a means is open when enough equal means stand at or behind it.
    """
    from_hand, cards_only = way != RETURNED, way == RETURNED
    owed, last = int(g.owed[symbol]), int(g.paid_last)
    later_short = 0
    for colour in range(symbol + 1, BLUE + 1):
        if g.owed[colour] > 0:
            means = means_of_colour(g, k, seat, colour, card, from_hand, cards_only)
            later_short += max(0, int(g.owed[colour]) - means)
    spare = int(g.rings) - later_short  # symbols of this kind that may stay unpaid
    if spare < 0:  # only in a hand that was dealt anew: the rest cannot be paid
        return
    if symbol == ANY:
        spare += int(g.cube)
    behind = 0  # equal means at or behind an action
    for n in range(HAND_TYPES):
        other = hand_type(seat, n)
        if DISCARD + other >= last and pays(k, other, symbol):
            behind += in_hand(g, card, from_hand, seat, other)
    civilians = seat == HEROES and not cards_only
    if civilians:
        for colour in range(4):
            if CIVILIAN + colour >= last and symbol in (colour, ANY):
                behind += int(g.freed[colour])
    for n in range(HAND_TYPES):
        other = hand_type(seat, n)
        if DISCARD + other < last or not pays(k, other, symbol):
            continue
        count = in_hand(g, card, from_hand, seat, other)
        if count > 0 and behind + spare >= owed:
            offer(g, DISCARD + other)
        behind -= count
    if civilians:
        for colour in range(4):
            if CIVILIAN + colour < last or symbol not in (colour, ANY):
                continue
            count = int(g.freed[colour])
            if count > 0 and behind + spare >= owed:
                offer(g, CIVILIAN + colour)
            behind -= count
    if spare > 0 and spare >= owed:
        offer(g, WAIVE)


@compiled
def pays(k, card, symbol):
    return symbol == ANY or k.colour[card] == symbol


@compiled
def take_payment(g, seat):
    """Move the means just chosen and strike off the symbol."""
    answer = take_answer(g)
    symbol = next_symbol(g)
    g.owed[symbol] -= 1
    g.paid_last = answer if g.owed[symbol] > 0 else NO_ACTION
    if answer == WAIVE:
        if symbol == ANY and g.cube > 0:
            g.cube = 0
        else:
            g.rings = 0
    elif answer >= CIVILIAN:
        g.freed[answer - CIVILIAN] -= 1
    else:
        discard_from_hand(g, seat, answer - DISCARD)


@compiled
def choose_place(g, k, frame, seat, card, way):
    """Put a battleground to work, replace a copy, or ask for a slot."""
    if k.kind[card] == BATTLEGROUND:
        frame[STAGE] = PLAY_EFFECT
        return
    old = copy_in_play(g, k, seat, card)
    if old >= 0:
        g.discard[seat_at(old), g.card[old]] += 1
        lay_down(g, frame, seat, card, way, old)
        return
    frame[STAGE] = PLAY_PLACED
    ask(g, seat, ASK_PLACEMENT, card, 0)
    for slot in range(k.slots):
        if g.card[place_at(seat, slot)] == NO_CARD:
            offer(g, SLOT + slot)
    if seat == HEROES and k.tucks[card] and way != RETURNED:
        for slot in range(k.slots):
            if can_tuck_at(g, slot):
                offer(g, TUCK + slot)


@compiled
def lay_down(g, frame, seat, card, way, place):
    """Move the card from its pile to its place."""
    if way == FETCHED or way == RETURNED:
        g.discard[seat, card] -= 1
    else:
        take_from_hand(g, seat, card)
    put(g, place, card)
    frame[F_PLACE] = place
    if way == RETURNED:
        pop(g)
    else:
        frame[STAGE] = PLAY_EFFECT


@compiled
def begin_effect(g, k, frame, seat, card, way):
    """Start the immediate effect; a battleground first gives its victory points."""
    place = int(frame[F_PLACE])
    if k.kind[card] == BATTLEGROUND:
        frame[STAGE] = PLAY_BATTLEGROUND_END
        gain(g, k, seat, int(k.points[card]) + owns(g, seat, TEN_RINGS))
        if g.phase == OVER:
            return
    else:
        frame[STAGE] = PLAY_WARLOCK
    if k.code[card, IMMEDIATE, 0, 0] != 0:
        push(g, R_PROGRAM, seat, card, place, IMMEDIATE)


@compiled
def ask_warlock(g, k, frame, seat, card):
    """Let the opponent give up a card after a main character was played (ruling 47)."""
    other = opponent(seat)
    if k.kind[card] != MAIN or not owns(g, seat, WARLOCKS_EYE) or g.hand_size[other] == 0:
        pop(g)
        return
    frame[STAGE] = PLAY_WARLOCK_PAID
    ask(g, other, ASK_WARLOCK, FIRST_ARTIFACT_SOURCE + WARLOCKS_EYE, 1)
    offer_hand(g, other)


@compiled
def offer_hand(g, seat):
    """Offer to give up each card of the hand."""
    for n in range(HAND_TYPES):
        card = hand_type(seat, n)
        if g.hand[seat, card] > 0:
            offer(g, DISCARD + card)
