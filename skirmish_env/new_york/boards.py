"""What the options of a scripted player lead to: cards given up, tables as a choice leaves them."""

from __future__ import annotations

from skirmish_env.common.jit import compiled
from skirmish_env.new_york.effects import (
    colour_of,
    relocate,
)
from skirmish_env.new_york.forecast import (
    civilians_at_first,
    effect_worth,
    verb_worth,
)
from skirmish_env.new_york.ids import (
    ANY,
    ARTIFACT,
    ARTIFACTS,
    ASK_CAPTURE,
    ASK_DRAW_THREE,
    ASK_HEAL,
    ASK_LEAD_ATTACK,
    ASK_MOVE_FROM,
    ASK_PLACEMENT,
    ASK_PLAY_ANY,
    ASK_RECRUITMENT,
    ASK_RELOCATE,
    ATTACK,
    BATTLEGROUND,
    CARDS,
    CASKET,
    COSMIC_CUBE,
    DAMAGE_EACH,
    DAMAGE_FACED,
    DISCARD,
    DONE,
    DRAW,
    END,
    EYE_OF_AGAMOTTO,
    F_A,
    F_B,
    F_CARD,
    F_PLACE,
    FETCH,
    FETCHED,
    FIRST_ARTIFACT_SOURCE,
    FIRST_BATTLEGROUND,
    FIRST_TUCKED_PLACE,
    FREE,
    GAIN,
    HEROES,
    IMMEDIATE,
    INSTRUCTIONS,
    MAIN,
    MAY_DAMAGE,
    MAY_DAMAGE_OPPOSITE,
    MAY_FETCH,
    MAY_GIVE_UP,
    MAY_PLAY,
    MUST_DAMAGE,
    MUST_HEAL,
    NO,
    NO_CARD,
    NO_LIMIT,
    NO_SOURCE,
    ONE_TIME,
    PAID,
    PAID_WITH_ANY,
    PHASE_END,
    PLACES,
    PLAY,
    RETURNED,
    SLOT,
    SLOTS,
    TARGET,
    TEN_RINGS,
    TUCK,
    VILLAINS,
    WARLOCKS_EYE,
    YES,
)
from skirmish_env.new_york.state import (
    HAND_TYPES,
    end_place,
    facing,
    first_place,
    hand_type,
    opponent,
    owns,
    place_at,
    put,
    seat_at,
    slot_of,
)
from skirmish_env.new_york.verbs import (
    barred,
    can_be_hit,
    can_tuck_at,
    copy_in_play,
    heal,
    hit,
    hit_each,
    hit_faced,
    is_beaten,
    step_up,
)
from skirmish_env.new_york.weights import (
    EASE,
    NOBODY_FIRST,
    READY,
)

# ---------------------------------------------------------------------------------------------
# Cards in hand.


@compiled
def keep_worth(g, k, w, o, seat, card):
    """Worth of keeping a card in hand."""
    if card >= FIRST_BATTLEGROUND:
        return o.fade * (w.card + o.scarce + w.site * k.points[card])
    worth = w.card + o.scarce
    if not barred(g, k, seat, card):
        worth += w.bold * k.strength[card] + w.tough * k.health[card] - w.dear * k.symbols[card]
        for occasion in range(2):
            worth += w.effect * effect_worth(k, w, o.fade, card, occasion)
        if copy_in_play(g, k, seat, card) >= 0:
            worth += w.spare
        elif g.hand[seat, card] > 1:
            worth += w.double
    return o.fade * (worth + w.hue * o.need[k.colour[card]])


@compiled
def need_of(g, k, seat, colour):
    """How many cards of the hand cost a colour, for each card or civilian that could pay it."""
    asked, there = 0, int(g.freed[colour]) if seat == HEROES else 0
    for n in range(HAND_TYPES):
        card = hand_type(seat, n)
        asked += int(g.hand[seat, card]) * min(1, int(k.cost[card, colour]))
        there += int(g.hand[seat, card]) * (k.colour[card] == colour)
    return min(2.0, asked / max(1, there))


@compiled
def begin(g, k, w, o, seat):
    """Note what every question needs: how near the end is, and what the hand is worth."""
    o.seat = seat
    o.ties = 0
    for card in range(CARDS):
        o.read[card] = 0
    for place in range(FIRST_TUCKED_PLACE):
        o.health[place] = 0  # a game with more slots may have used these notes before
    o.total = civilians_at_first(k)
    shorter = min(int(g.deck_size[VILLAINS]), int(g.deck_size[HEROES]))
    for side in range(2):
        o.ready[side] = min(1.0, g.hand_size[side] / READY)
    o.again = w.discount - w.crowd * g.hand_size[opponent(seat)]
    o.scarce = w.thin * (EASE - g.hand_size[seat])
    o.fade = min(1.0, shorter / (w.endgame * k.draws))
    for colour in range(4):
        o.need[colour] = need_of(g, k, seat, colour)
        o.keep[CARDS + colour] = o.fade * (w.freed + w.hue * o.need[colour])
    for n in range(HAND_TYPES):
        card = hand_type(seat, n)
        if g.hand[seat, card] > 0:
            o.keep[card] = keep_worth(g, k, w, o, seat, card)


@compiled
def means(g, seat, played, n):
    """How many of a means of payment there are, the card played left out."""
    if n < CARDS:
        return int(g.hand[seat, n]) - (n == played)
    return int(g.freed[n - CARDS]) if seat == HEROES else 0


@compiled
def cheapest(g, k, o, seat, played, symbol):
    """Return the means of least worth that pays a symbol and is not yet spent, or -1."""
    found = -1
    for n in range(HAND_TYPES + 4):
        m = hand_type(seat, n) if n < HAND_TYPES else CARDS + n - HAND_TYPES
        if found >= 0 and o.keep[m] >= o.keep[found]:
            continue
        if means(g, seat, played, m) <= o.spent[m]:
            continue
        if symbol == ANY or m - CARDS == symbol or (m < CARDS and k.colour[m] == symbol):
            found = m
    return found


@compiled
def payment_worth(g, k, o, seat, card, way):
    """Worth of the cheapest payment for a card."""
    o.spent[:] = 0
    total = 0.0
    cube = owns(g, seat, COSMIC_CUBE)
    rings = k.kind[card] == BATTLEGROUND and owns(g, seat, TEN_RINGS)
    played = NO_CARD if way == RETURNED else card
    for symbol in range(ANY + 1):
        cost = int(k.return_cost[card, symbol]) if way == RETURNED else int(k.cost[card, symbol])
        if symbol == ANY and cost > 0:
            cost -= cube + rings
        for _ in range(cost):
            pays_as = ANY if way == PAID_WITH_ANY else symbol
            used = cheapest(g, k, o, seat, played, pays_as)
            if used >= 0:
                o.spent[used] += 1
                total += o.keep[used]
    return total


# ---------------------------------------------------------------------------------------------
# Boards: the tables that an option can lead to.


@compiled
def new_board(g, k, o):
    """Return one more table for the option under consideration: what lies open now."""
    b = o.tables[o.boards]
    o.boards += 1
    for place in range(PLACES):
        b.card[place] = g.card[place]
        b.damage[place] = g.damage[place]
        b.armour_used[place] = g.armour_used[place]
        b.spent[place] = 0
        b.moved[place] = g.moved[place]
    for slot in range(SLOTS):
        b.civilians[slot] = g.civilians[slot]
    for seat in range(2):
        b.deck_size[seat] = g.deck_size[seat]
    b.victory = g.victory
    b.artifact_marker = g.artifact_marker
    b.stack_size = g.stack_size
    b.slot = 0
    if g.phase == ATTACK:
        b.slot = g.slot + (g.step == PHASE_END)
    elif g.phase == DRAW:
        b.slot = k.slots
    b.leader = NOBODY_FIRST
    return b


@compiled
def copy_board(b, goal):
    """Make one table equal to another that came from the same position."""
    for place in range(PLACES):
        goal.card[place] = b.card[place]
        goal.damage[place] = b.damage[place]
        goal.armour_used[place] = b.armour_used[place]
    goal.victory = b.victory


@compiled
def clear_beaten(b, k):
    """Take beaten cards off a table; a Strange below steps up."""
    for place in range(PLACES - 1, -1, -1):
        if is_beaten(b, k, place):
            put(b, place, NO_CARD)
            step_up(b, place)


@compiled
def move_marker(b, k, seat, points):
    """Move the victory marker of a table, not past its ends."""
    moved = int(b.victory) + (points if seat == VILLAINS else -points)
    b.victory = max(-int(k.goal[HEROES]), min(moved, int(k.goal[VILLAINS])))


@compiled
def act(b, k, seat, source, place):
    """Carry out on a table those first effects of a source that ask for no target."""
    colour = colour_of(k, source)
    for line in range(INSTRUCTIONS):
        verb, amount = k.code[source, IMMEDIATE, line, 0], int(k.code[source, IMMEDIATE, line, 1])
        if verb == END or verb == MAY_GIVE_UP:
            break
        if verb == MAY_DAMAGE_OPPOSITE:
            hit(b, k, facing(place), amount, colour)
        elif verb == DAMAGE_EACH:
            hit_each(b, k, opponent(seat), amount, colour)
            hit_each(b, k, seat, int(k.code[source, IMMEDIATE, line, 2]), colour)
        elif verb == GAIN:
            move_marker(b, k, seat, amount)
    clear_beaten(b, k)


@compiled
def aim(g, k, o, seat):
    """Let the damage or healing of `o.aim` branch each table into one for each target."""
    if o.aim == NO_SOURCE:
        return
    verb, amount = k.code[o.aim, IMMEDIATE, 0, 0], int(k.code[o.aim, IMMEDIATE, 0, 1])
    heals = verb == MUST_HEAL
    if verb != MAY_DAMAGE and verb != MUST_DAMAGE and not heals:
        return
    side = seat if heals else opponent(seat)
    for n in range(o.boards):
        for place in range(first_place(side), end_place(side)):
            if o.tables[n].card[place] == NO_CARD or (heals and o.tables[n].damage[place] == 0):
                continue
            b = new_board(g, k, o)
            copy_board(o.tables[n], b)
            put_damage(b, k, place, -amount if heals else amount, colour_of(k, o.aim))


@compiled
def put_damage(b, k, place, damage, colour):
    """Put damage on a card of a table, or take it off if negative."""
    if damage < 0:
        heal(b, place, -damage)
    else:
        hit(b, k, place, damage, colour)
        clear_beaten(b, k)


@compiled
def arrive(g, k, o, seat, card, only):
    """Set up a table for each place where a card can be laid, or for `only` one."""
    old = copy_in_play(g, k, seat, card)
    for place in range(first_place(seat), end_place(seat)):
        possible = place == only
        if only < 0 and old >= 0:
            possible = place == old
        elif only < 0 and place < FIRST_TUCKED_PLACE:
            possible = slot_of(place) < k.slots and g.card[place] == NO_CARD
        elif only < 0:
            possible = k.tucks[card] and can_tuck_at(g, slot_of(place))
        if possible:
            b = new_board(g, k, o)
            put(b, place, card)
            act(b, k, seat, card, place)
    o.aim = card


@compiled
def best_further(g, k, seat, card, verb, amount):
    """Printed symbols of the best card that Kang or Iron Man could bring along."""
    best = 0
    limit = 127 if amount == NO_LIMIT else amount
    for n in range(28):
        other = hand_type(seat, n)
        if k.symbols[other] <= limit and k.character[other] != k.character[card]:
            count = g.hand[seat, other] if verb == MAY_PLAY else g.discard[seat, other]
            if count > 0 and not barred(g, k, seat, other):
                best = max(best, int(k.symbols[other]))
    return best


@compiled
def weigh_effect(g, k, w, o, seat, card):
    """Add what a played card's effect does beyond the table."""
    for line in range(INSTRUCTIONS):
        verb, amount = k.code[card, IMMEDIATE, line, 0], int(k.code[card, IMMEDIATE, line, 1])
        if verb == END:
            break
        if verb not in (GAIN, MAY_DAMAGE, MUST_DAMAGE, MUST_HEAL, MAY_DAMAGE_OPPOSITE):
            o.added += verb_worth(w, o.fade, verb, amount)
        if verb in (MAY_FETCH, MAY_PLAY):
            o.added += w.chain * best_further(g, k, seat, card, verb, amount)
    if k.kind[card] == MAIN and owns(g, seat, WARLOCKS_EYE) and g.hand_size[opponent(seat)] > 0:
        o.added += w.strip


@compiled
def way_of(question, action):
    """Way in which an option plays a card."""
    if question == ASK_RECRUITMENT:
        return RETURNED if action >= FETCH else PAID
    if question == ASK_PLAY_ANY:
        return PAID_WITH_ANY
    return FETCHED if action >= FETCH else FREE


@compiled
def propose_play(g, k, w, o, seat, action):
    """Set up what playing a card can lead to, and weigh what it costs."""
    card = action - FETCH if action >= FETCH else action - PLAY
    way = way_of(g.question, action)
    if k.kind[card] == BATTLEGROUND:
        b = new_board(g, k, o)
        move_marker(b, k, seat, int(k.points[card]) + owns(g, seat, TEN_RINGS))
        o.aim = card
    else:
        arrive(g, k, o, seat, card, -1)
    if way != RETURNED:
        weigh_effect(g, k, w, o, seat, card)
    if action < FETCH:
        o.added -= o.keep[card]
    if way == FREE or way == FETCHED:
        return
    if way != RETURNED and (k.symbols[card] == 0 or copy_in_play(g, k, seat, card) >= 0):
        o.added += w.first
    else:
        o.added -= payment_worth(g, k, o, seat, card, way) + w.effort


@compiled
def best_artifact(g, w, seat):
    """Worth of the best artifact that a player owns."""
    best = 0.0
    for artifact in range(ARTIFACTS):
        if owns(g, seat, artifact):
            best = max(best, w.artifact[artifact])
    return best


@compiled
def propose_artifact(g, k, w, o, seat, artifact):
    """Set up what using an artifact can lead to."""
    o.aim = FIRST_ARTIFACT_SOURCE + artifact
    act(new_board(g, k, o), k, seat, o.aim, 0)
    if artifact == CASKET:
        o.added += w.card * o.fade * g.hand_size[opponent(seat)]
        for n in range(HAND_TYPES):
            o.added -= g.hand[seat, hand_type(seat, n)] * o.keep[hand_type(seat, n)]
    elif artifact == EYE_OF_AGAMOTTO:
        o.added += best_artifact(g, w, opponent(seat))
    o.added += -w.patience * o.fade if k.artifact_kind[artifact] == ONE_TIME else w.first


@compiled
def propose_giving_up(g, k, o, seat, action):
    """Set up what follows on giving up a card."""
    frame = g.frame[int(g.depth) - 1]
    source, line = int(frame[F_CARD]), int(frame[F_B]) + 1
    verb = k.code[source, int(frame[F_A]), line, 0]
    amount = int(k.code[source, int(frame[F_A]), line, 1])
    colour = int(k.colour[source])
    o.added -= o.keep[action - DISCARD]
    if verb == MUST_DAMAGE:
        for place in range(PLACES):
            if seat_at(place) != seat and can_be_hit(g, k, place, colour):
                put_damage(new_board(g, k, o), k, place, amount, colour)
        return
    b = new_board(g, k, o)
    if verb == GAIN:
        move_marker(b, k, seat, amount)
    elif verb == DAMAGE_FACED:
        hit_faced(b, k, seat, int(frame[F_PLACE]), amount, colour)
        clear_beaten(b, k)


@compiled
def propose_capture(g, k, o, seat, action):
    """Set up Loki's captive in a slot, or in its discard pile."""
    front = facing(int(g.frame[int(g.depth) - 1][F_PLACE]))
    b = new_board(g, k, o)
    put(b, front, NO_CARD)
    step_up(b, front)
    if action != NO:
        put(b, place_at(seat, action - SLOT), int(g.card[front]))


@compiled
def propose_slot(g, k, o, seat, action):
    """Set up a card laid in a slot, Thor's next slot, or the attack M.O.D.O.K. leads."""
    if g.question == ASK_PLACEMENT:
        place = place_at(seat, action - SLOT)
        if action >= TUCK:
            place = FIRST_TUCKED_PLACE + action - TUCK
        arrive(g, k, o, seat, int(g.source), place)
        return
    b = new_board(g, k, o)
    if g.question == ASK_RELOCATE:
        if action != NO:
            relocate(b, seat, int(g.frame[int(g.depth) - 1][F_PLACE]), action - SLOT)
        return
    b.slot = int(g.slot) + 1
    if action != DONE:
        b.leader = place_at(seat, int(g.slot) if action == NO else action - SLOT)


@compiled
def propose_target(g, k, o, action):
    """Set up damage put on a card or taken off it."""
    amount = max(1, int(g.amount))
    if g.question == ASK_HEAL or g.question == ASK_MOVE_FROM:
        amount = -amount
    put_damage(new_board(g, k, o), k, action - TARGET, amount, colour_of(k, int(g.source)))


@compiled
def propose_draw(g, k, w, o, seat):
    """Set up a deck with cards drawn: its end may come too soon."""
    cards = 1 if g.question == ASK_DRAW_THREE else int(g.amount)
    b = new_board(g, k, o)
    b.deck_size[seat] = max(0, int(g.deck_size[seat]) - cards)
    o.added += w.draw * o.fade * cards


@compiled
def propose(g, k, w, o, seat, action):
    """Set up the tables that an option can lead to."""
    o.added = 0.0
    o.boards = 0
    o.aim = NO_SOURCE
    asked = g.question
    if asked == ASK_CAPTURE:
        propose_capture(g, k, o, seat, action)
    elif asked == ASK_PLACEMENT or asked == ASK_RELOCATE or asked == ASK_LEAD_ATTACK:
        propose_slot(g, k, o, seat, action)
    elif action == NO or action == DONE:
        new_board(g, k, o)
    elif action == YES:
        propose_draw(g, k, w, o, seat)
    elif action >= ARTIFACT:
        propose_artifact(g, k, w, o, seat, action - ARTIFACT)
    elif action >= TARGET:
        propose_target(g, k, o, action)
    elif action >= DISCARD:
        propose_giving_up(g, k, o, seat, action)
    else:
        propose_play(g, k, w, o, seat, action)
    aim(g, k, o, seat)
