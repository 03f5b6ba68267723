"""What the rulebook's verbs do to the board: gain, draw, damage, heal, defeat, free, step."""

from __future__ import annotations

from skirmish_env.common.bits import lowest
from skirmish_env.common.jit import compiled
from skirmish_env.new_york.ids import (
    BY_CIVILIANS,
    BY_VICTORY,
    CARDS,
    CASKET,
    CIVILIAN,
    DARKHOLD,
    ETERNAL_FLAME,
    EYE_OF_AGAMOTTO,
    F_CARD,
    F_SIDE,
    FIRST_BATTLEGROUND,
    FIRST_HERO_PLACE,
    FIRST_TUCKED_PLACE,
    GONE,
    HEROES,
    MAIN,
    NO_CARD,
    NO_SOURCE,
    NO_TILE,
    ONE_TIME,
    OVER,
    PLACES,
    R_FLAME,
    R_PLAY,
    R_TILE,
    ROUTINE,
    SLOTS,
    TACTIGON,
    TARGET,
    VILLAINS,
)
from skirmish_env.new_york.state import (
    cards_in_play,
    discard_from_hand,
    end_place,
    facing,
    first_place,
    gone_below,
    hand_type,
    held,
    offer,
    opponent,
    owns,
    push,
    put,
    put_under_stack,
    seat_at,
    shift,
    slot_of,
    withdraw,
)

# ---------------------------------------------------------------------------------------------
# Victory points and the end of the game.


@compiled
def end_game(g, winner, ending):
    """Stop at once: open effects and questions are cut off (ruling 6).

    A battleground whose play is cut off stays in its hand, where everybody saw it (ruling 50).
    """
    g.winner = winner
    g.ending = ending
    g.phase = OVER
    for n in range(g.depth):
        frame = g.frame[n]
        if frame[ROUTINE] == R_PLAY and frame[F_CARD] >= FIRST_BATTLEGROUND:
            g.hand_known[frame[F_SIDE], frame[F_CARD] - FIRST_BATTLEGROUND] = 1
    g.depth = 0
    withdraw(g)


@compiled
def gain(g, k, seat, points):
    """Move the victory marker, clamped at its ends, and end the game there (rulings 2, 6)."""
    if seat == VILLAINS:
        g.victory = min(int(g.victory) + points, int(k.goal[VILLAINS]))
    else:
        g.victory = max(int(g.victory) - points, -int(k.goal[HEROES]))
    if g.victory >= k.goal[VILLAINS]:
        end_game(g, VILLAINS, BY_VICTORY)
    elif g.victory <= -k.goal[HEROES]:
        end_game(g, HEROES, BY_VICTORY)


@compiled
def bit_count(bits):
    count = 0
    for n in range(4):
        count += (bits >> n) & 1
    return count


@compiled
def civilians_left(g):
    count = 0
    for slot in range(SLOTS):
        count += bit_count(int(g.civilians[slot]))
    return count


@compiled
def free_civilian(g, k, slot, colour):
    """Take a civilian from a Manhattan slot; few enough left win the game (ruling 8)."""
    g.civilians[slot] = int(g.civilians[slot]) & ~(1 << colour)
    g.freed[colour] += 1
    if civilians_left(g) <= k.civilian_floor:
        end_game(g, HEROES, BY_CIVILIANS)


@compiled
def civilians_withheld(g, k, slot):
    """Whether a Red Hulk keeps the Heroes from the civilians of a slot (ruling 34)."""
    for place in range(FIRST_HERO_PLACE):
        card = int(g.card[place])
        if card == NO_CARD:
            continue
        if k.frees_nobody[card]:
            return True
        if k.frees_full_sets_only[card] and g.civilians[slot] != k.civilians[slot]:
            return True
    return False


@compiled
def offer_civilians(g, slot):
    for colour in range(4):
        if (int(g.civilians[slot]) >> colour) & 1:
            offer(g, CIVILIAN + colour)


# ---------------------------------------------------------------------------------------------
# Cards.


@compiled
def draw(g, seat, count):
    """Draw cards; a shorter deck gives what it has (ruling 9)."""
    for _ in range(min(count, int(g.deck_size[seat]))):
        size = int(g.deck_size[seat]) - 1
        g.hand[seat, g.deck[seat, size]] += 1
        g.deck[seat, size] = NO_CARD
        g.deck_size[seat] = size
        g.hand_size[seat] += 1


@compiled
def draw_battleground(g, seat):
    """Draw the top of the battleground stack; who saw it go under follows it (ruling 50)."""
    size = int(g.stack_size)
    if size == 0:
        return
    card = int(g.stack[0])
    g.hand[seat, card] += 1
    g.hand_size[seat] += 1
    g.hand_known[seat, card - FIRST_BATTLEGROUND] = g.stack_known[0]
    for n in range(size - 1):
        g.stack[n] = g.stack[n + 1]
        g.stack_known[n] = g.stack_known[n + 1]
    g.stack[size - 1] = NO_CARD
    g.stack_known[size - 1] = 0
    g.stack_size = size - 1


@compiled
def discard_hands(g, user):
    """Both players discard everything, the user first (ruling 43)."""
    for turn in range(2):
        seat = user if turn == 0 else opponent(user)
        left = held(g, seat)
        while left:
            card = hand_type(seat, lowest(left))
            left &= left - 1
            for _ in range(int(g.hand[seat, card])):
                discard_from_hand(g, seat, card)


@compiled
def battleground_done(g, seat, card):
    """Lay a played battleground under its stack."""
    g.hand[seat, card] -= 1
    g.hand_size[seat] -= 1
    g.hand_known[seat, card - FIRST_BATTLEGROUND] = 0
    put_under_stack(g, card)


@compiled
def copy_in_play(g, k, seat, card):
    """Place of a copy of the same main character on a side, or -1."""
    character = int(k.character[card])
    if character < 0:
        return -1
    for place in range(first_place(seat), end_place(seat)):
        if g.card[place] != NO_CARD and k.character[g.card[place]] == character:
            return place
    return -1


@compiled
def characters_in_play(g, k, seat):
    """Set of the main characters on a side, as bits."""
    bits = 0
    for place in range(first_place(seat), end_place(seat)):
        card = int(g.card[place])
        character = int(k.character[card & (CARDS - 1)])
        bits |= ((card != NO_CARD) & (character >= 0)) << (character & 31)
    return bits


@compiled
def barred(g, k, seat, card):
    """Whether a copy on the other side keeps a main character out (rulings 16, 33)."""
    if k.kind[card] != MAIN:
        return False
    return copy_in_play(g, k, opponent(seat), card) >= 0


@compiled
def has_host(g, k, seat):
    """Whether some hero has nobody below: a place for a Doctor Strange (ruling 39)."""
    if seat != HEROES:
        return False
    for slot in range(k.slots):
        if can_tuck_at(g, slot):
            return True
    return False


@compiled
def can_tuck_at(g, slot):
    place = FIRST_HERO_PLACE + slot
    return g.card[place] != NO_CARD and g.card[place + SLOTS] == NO_CARD


# ---------------------------------------------------------------------------------------------
# Strength, damage, defeat.


@compiled
def strength_at(g, k, place):
    """Attack strength of the card or pair in a slot place (rulings 25, 26, 39)."""
    return inspired_strength(g, k, place, inspiration(g, k, seat_at(place)))


@compiled
def inspired_strength(g, k, place, lent):
    """Strength of a card or pair whose side lends so much to each of its cards, to others only."""
    card = int(g.card[place])
    total = int(k.strength[card]) + lent - int(k.inspires[card])
    below = gone_below(g, place)
    if below >= 0:
        card = int(g.card[below])
        total += int(k.strength[card]) + lent - int(k.inspires[card])
    return total


@compiled
def inspiration(g, k, seat):
    """Strength that the cards of a side lend to each other card of it, all added up."""
    total = 0
    for place in range(first_place(seat), end_place(seat)):
        card = int(g.card[place])
        if card != NO_CARD:
            total += int(k.inspires[card])
    return total


@compiled
def can_attack(g, k, place):
    """Whether a slot holds a card of strength 1 or more that has not moved (rulings 23, 30)."""
    card = int(g.card[place])
    if card == NO_CARD or g.moved[place] != 0:
        return False
    return k.strength[card] >= 1 or strength_at(g, k, place) >= 1


@compiled
def can_be_hit(g, k, place, colour):
    """Whether a place holds a card that damage from a colour (-1: none) reaches."""
    card = int(g.card[place])
    if card == NO_CARD:
        return False
    return colour < 0 or ((int(k.immune[card]) >> colour) & 1) == 0


@compiled
def hit(g, k, place, damage, colour):
    """Put damage on a card, less its armour, without looking at defeat (ruling 38)."""
    if damage <= 0 or not can_be_hit(g, k, place, colour):
        return
    armour = int(k.armour[g.card[place]])
    if armour > 0 and g.armour_used[place] == 0:
        g.armour_used[place] = 1
        damage = max(0, damage - armour)
    g.damage[place] += damage


@compiled
def is_beaten(g, k, place):
    card = int(g.card[place])
    return card != NO_CARD and g.damage[place] >= k.health[card]


@compiled
def defeat(g, place):
    """Discard a card in play; a Strange below steps up into the slot (ruling 39)."""
    g.discard[seat_at(place), g.card[place]] += 1
    put(g, place, NO_CARD)
    step_up(g, place)


@compiled
def step_up(g, place):
    below = gone_below(g, place)
    if below >= 0:
        shift(g, below, place)


@compiled
def settle(g, k, taken_over):
    """Defeat every beaten card at once, then let the Eternal Flame answer (rulings 37, 46).

    `taken_over` hero cards left by Loki's hand and count as defeated too (ruling 33).
    """
    flame = int(g.artifact_owner[ETERNAL_FLAME])
    answers = taken_over if flame == HEROES else 0
    for below in range(FIRST_TUCKED_PLACE, PLACES):
        if is_beaten(g, k, below):
            answers += flame == HEROES
            defeat(g, below)
    for place in range(FIRST_TUCKED_PLACE):
        if is_beaten(g, k, place):
            answers += flame == seat_at(place)
            defeat(g, place)
    if answers > 0:
        push(g, R_FLAME, flame, NO_SOURCE, 0, answers)


@compiled
def hit_each(g, k, seat, damage, colour):
    """Put damage on every card of a side, tucked ones included (ruling 37)."""
    for place in range(first_place(seat), end_place(seat)):
        hit(g, k, place, damage, colour)


@compiled
def is_faced(g, seat, place, own_place):
    """Whether a card of `seat` faces this opposing place, other than from `own_place`."""
    front = facing(first_place(opponent(seat)) + slot_of(place))
    return g.card[front] != NO_CARD and front != own_place


@compiled
def hit_faced(g, k, seat, own_place, damage, colour):
    """Put damage on each opposing card that faces one of `seat`'s, except `own_place`'s."""
    other = opponent(seat)
    for place in range(first_place(other), end_place(other)):
        if is_faced(g, seat, place, own_place):
            hit(g, k, place, damage, colour)


@compiled
def any_faced(g, k, seat, own_place, colour):
    other = opponent(seat)
    for place in range(first_place(other), end_place(other)):
        if is_faced(g, seat, place, own_place) and can_be_hit(g, k, place, colour):
            return True
    return False


@compiled
def any_target(g, k, seat, colour):
    """Whether `seat` has a card that damage from a colour reaches."""
    for place in range(first_place(seat), end_place(seat)):
        if can_be_hit(g, k, place, colour):
            return True
    return False


@compiled
def offer_targets(g, k, seat, colour):
    """Offer each card of `seat` that damage from a colour reaches."""
    for place in range(first_place(seat), end_place(seat)):
        if can_be_hit(g, k, place, colour):
            offer(g, TARGET + place)


@compiled
def any_damaged(g, seat):
    for place in range(first_place(seat), end_place(seat)):
        if g.damage[place] > 0:
            return True
    return False


@compiled
def offer_damaged(g, seat):
    """Offer each card of `seat` that has damage."""
    for place in range(first_place(seat), end_place(seat)):
        if g.damage[place] > 0:
            offer(g, TARGET + place)


@compiled
def heal(g, place, amount):
    g.damage[place] = max(0, int(g.damage[place]) - amount)


@compiled
def heal_each(g, seat, amount):
    for place in range(first_place(seat), end_place(seat)):
        heal(g, place, amount)


# ---------------------------------------------------------------------------------------------
# Artifacts.


@compiled
def owns_any(g, seat):
    for artifact in range(12):
        if owns(g, seat, artifact):
            return True
    return False


@compiled
def one_time_usable(g, k, seat, artifact):
    """Whether the use of an own one-time artifact would be legal (ruling 43)."""
    if not owns(g, seat, artifact) or k.artifact_kind[artifact] != ONE_TIME:
        return False
    if artifact == CASKET or artifact == DARKHOLD:
        return True
    if artifact == EYE_OF_AGAMOTTO:
        return owns_any(g, opponent(seat))
    return artifact == TACTIGON and cards_in_play(g, opponent(seat)) > 0


@compiled
def step_marker(g, k, seat):
    """Move the artifact marker a step; at the end of the track a tile is taken (ruling 41)."""
    direction = 1 if seat == VILLAINS else -1
    g.artifact_marker = int(g.artifact_marker) + direction
    if abs(int(g.artifact_marker)) < k.track:
        return
    if g.row[0] == NO_TILE and g.row[1] == NO_TILE:
        back_to_arrow(g, k, seat)
    else:
        push(g, R_TILE, seat, NO_SOURCE, 0, 0)


@compiled
def back_to_arrow(g, k, seat):
    """Set the marker on the arrow space on the opponent's side."""
    g.artifact_marker = -k.arrow if seat == VILLAINS else k.arrow


@compiled
def take_tile(g, k, seat, tile):
    """Own a face-up tile; the other goes under the stack, two new ones are revealed."""
    g.artifact_owner[tile] = seat
    for n in range(2):
        other = int(g.row[n])
        if other not in (NO_TILE, tile):
            size = int(g.tiles_size)
            g.tiles[size] = other
            g.tiles_known[size] = 1
            g.tiles_size = size + 1
        g.row[n] = NO_TILE
    for n in range(2):
        reveal_tile(g, n)
    back_to_arrow(g, k, seat)


@compiled
def reveal_tile(g, n):
    size = int(g.tiles_size)
    if size == 0:
        return
    g.row[n] = g.tiles[0]
    for m in range(size - 1):
        g.tiles[m] = g.tiles[m + 1]
        g.tiles_known[m] = g.tiles_known[m + 1]
    g.tiles[size - 1] = NO_TILE
    g.tiles_known[size - 1] = 0
    g.tiles_size = size - 1


@compiled
def lose_artifact(g, artifact):
    """Take an owned artifact out of the game."""
    g.artifact_owner[artifact] = GONE
