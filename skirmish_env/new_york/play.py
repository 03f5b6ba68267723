"""Playing a card: which can be played, the payment symbol by symbol, the placement."""

from __future__ import annotations

from skirmish_env.common.bits import lowest
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
    NO_COLOUR,
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
    ask,
    discard_from_hand,
    hand_type,
    has_empty_slot,
    held,
    offer,
    offer_where,
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
    can_tuck_at,
    characters_in_play,
    copy_in_play,
    gain,
    has_host,
)

# ---------------------------------------------------------------------------------------------
# Means of payment.


@compiled
def in_hand(g, frame_card, from_hand, seat, card):
    """Copies of a hand card that can pay: the played card cannot pay for itself (ruling 10)."""
    return int(g.hand[seat, card]) - (from_hand & (card == frame_card))


@compiled
def means_of_colour(g, k, seat, colour, played, from_hand, cards_only):
    """How many cards and civilians can pay a colour."""
    count = 0
    left = held(g, seat)
    while left:
        card = hand_type(seat, lowest(left))
        left &= left - 1
        count += in_hand(g, played, from_hand, seat, card) * (k.colour[card] == colour)
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
def count_means(g, k, seat, hand, cards_only):
    """Count what could pay red, yellow, green, blue, and anything at all; `hand` is `held`."""
    red, yellow, green, blue, everything = 0, 0, 0, 0, 0
    left = hand
    while left:
        card = hand_type(seat, lowest(left))
        left &= left - 1
        count, colour = int(g.hand[seat, card]), int(k.colour[card])
        everything += count
        red += count * (colour == RED)
        yellow += count * (colour == YELLOW)
        green += count * (colour == GREEN)
        blue += count * (colour == BLUE)
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
    """Whether a cost can be paid in full from `means` (see `count_means`), discounts used.

    Written without branches: which cards can be paid is as good as random.
    """
    red, yellow, green, blue, everything = means
    cost = k.return_cost[card] if way == RETURNED else k.cost[card]
    itself = way != RETURNED
    colour = int(k.colour[card]) if itself else NO_COLOUR
    printed_any = int(cost[ANY])
    total = printed_any + int(cost[RED]) + int(cost[YELLOW]) + int(cost[GREEN]) + int(cost[BLUE])
    short = missing(cost, RED, red, colour) + missing(cost, YELLOW, yellow, colour)
    short += missing(cost, GREEN, green, colour) + missing(cost, BLUE, blue, colour)
    if way == PAID_WITH_ANY:
        short = 0
    any_owed = total if way == PAID_WITH_ANY else printed_any
    cube = int((printed_any > 0) & owns(g, seat, COSMIC_CUBE))
    rings = int((k.kind[card] == BATTLEGROUND) & owns(g, seat, TEN_RINGS))
    enough = everything - itself >= total - waivers(any_owed, total, cube, rings)
    return (total == 0) | (enough & (short <= rings))


@compiled
def missing(cost, symbol, means, own_colour):
    """How many means of a colour are lacking; the card itself cannot pay (ruling 10)."""
    needed = int(cost[symbol])
    return max(0, needed - means + (own_colour == symbol)) * (needed > 0)


# ---------------------------------------------------------------------------------------------
# What can be played.


@compiled
def has_room(g, k, seat, card):
    """Whether a character can be placed other than as a replacement (ruling 14)."""
    return has_empty_slot(g, k, seat) or (k.tucks[card] != 0 and has_host(g, k, seat))


@compiled
def can_play(g, k, seat, card, way, means, own, others, empty_slot, host):
    """Whether a card of the hand can be played in this way, paid from `means`.

    `own` and `others` are the characters in play on either side; `empty_slot` and `host` say
    whether there is a place, and one below a hero. Without branches, as `payable`.
    """
    paid = payable(g, k, seat, card, way, means)
    character = int(k.character[card])
    bit = (character >= 0) << (character & 31)
    room = empty_slot | (host & (k.tucks[card] != 0))
    placed = ((own & bit) != 0) | (room & (paid | (way == FREE)))
    battleground = k.kind[card] == BATTLEGROUND
    return (battleground & paid & (way == PAID)) | (
        (not battleground) & ((others & bit) == 0) & placed
    )


@compiled
def offer_plays(g, k, seat, way, limit):
    """Offer the playable cards of the hand with at most `limit` printed symbols."""
    left = held(g, seat)
    if left == 0:
        return
    means = count_means(g, k, seat, left, False)
    own, others = characters_in_play(g, k, seat), characters_in_play(g, k, opponent(seat))
    empty_slot = has_empty_slot(g, k, seat)
    host = has_host(g, k, seat)
    while left:
        card = hand_type(seat, lowest(left))
        left &= left - 1
        can = can_play(g, k, seat, card, way, means, own, others, empty_slot, host)
        offer_where(g, PLAY + card, can & (k.symbols[card] <= limit))


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
    left = int(k.returning[seat])
    while left:
        card = hand_type(seat, lowest(left))
        left &= left - 1
        if g.discard[seat, card] == 0 or copy_in_play(g, k, seat, card) >= 0:
            continue
        means = count_means(g, k, seat, held(g, seat), True)
        if has_empty_slot(g, k, seat) and payable(g, k, seat, card, RETURNED, means):
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
    left = hand = held(g, seat)
    while left:
        other = hand_type(seat, lowest(left))
        left &= left - 1
        counts = (DISCARD + other >= last) & pays(k, other, symbol)
        behind += in_hand(g, card, from_hand, seat, other) * counts
    civilians = seat == HEROES and not cards_only
    if civilians:
        for colour in range(4):
            if CIVILIAN + colour >= last and symbol in (colour, ANY):
                behind += int(g.freed[colour])
    left = hand
    while left:
        other = hand_type(seat, lowest(left))
        left &= left - 1
        counts = (DISCARD + other >= last) & pays(k, other, symbol)
        count = in_hand(g, card, from_hand, seat, other) * counts
        offer_where(g, DISCARD + other, (count > 0) & (behind + spare >= owed))
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
    return (symbol == ANY) | (k.colour[card] == symbol)


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
    left = held(g, seat)
    while left:
        card = hand_type(seat, lowest(left))
        left &= left - 1
        offer(g, DISCARD + card)
