"""The scripted players' forecast: what the open table promises when nobody plays another card."""

from __future__ import annotations

from skirmish_env.common.jit import compiled
from skirmish_env.new_york.ids import (
    ATTACK_EFFECT,
    DAMAGE_EACH,
    END,
    FIRST_HERO_PLACE,
    FIRST_TUCKED_PLACE,
    GAIN,
    HEROES,
    INSTRUCTIONS,
    MAY_ATTACK_AGAIN,
    MAY_DRAW,
    MAY_FETCH,
    MAY_GIVE_UP,
    MAY_HEAL_EACH,
    MAY_HEAL_SELF,
    MAY_PLAY,
    MAY_PLAY_FOR_ANY,
    MAY_RELOCATE,
    MUST_HEAL,
    NO_CARD,
    OPPONENT_MAY_DRAW,
    SANCTUM,
    STEP,
    TOWER,
    VILLAINS,
)
from skirmish_env.new_york.phases import (
    WAND_CARDS,
)
from skirmish_env.new_york.state import (
    end_place,
    facing,
    first_place,
    gone_below,
    opponent,
    place_at,
    seat_at,
    slot_of,
)
from skirmish_env.new_york.verbs import (
    bit_count,
    can_be_hit,
)
from skirmish_env.new_york.weights import (
    FRAILTIES,
    HALF_TURNS,
    NOBODY_FIRST,
)

# ---------------------------------------------------------------------------------------------
# Effects at a glance.


@compiled
def verb_worth(w, fade, verb, amount):
    """Worth of an effect's verb where the table is not looked at."""
    if verb == MAY_DRAW:
        return w.draw * fade * amount
    if verb == OPPONENT_MAY_DRAW:
        return -w.draw * fade * amount
    if verb == MAY_HEAL_SELF or verb == MUST_HEAL:
        return w.mend * amount
    if verb == MAY_HEAL_EACH:
        return 2 * w.mend * amount
    if verb == MAY_GIVE_UP:
        return w.trade
    if verb == MAY_RELOCATE:
        return w.roam
    if verb == MAY_PLAY or verb == MAY_FETCH or verb == MAY_PLAY_FOR_ANY:
        return w.further
    if verb == GAIN:
        return w.point * amount
    if verb == STEP:
        return w.step * amount
    if verb == DAMAGE_EACH or verb == END or verb == MAY_ATTACK_AGAIN:
        return 0.0
    return w.ping * amount  # damage of every kind


@compiled
def effect_worth(k, w, fade, card, occasion):
    """Worth of a card's program where the table is not looked at."""
    total = 0.0
    for line in range(INSTRUCTIONS):
        verb, amount = k.code[card, occasion, line, 0], int(k.code[card, occasion, line, 1])
        if verb == END:
            break
        total += verb_worth(w, fade, verb, amount)
    return total


# ---------------------------------------------------------------------------------------------
# The forecast.


@compiled
def standing(k, w, victory):
    """Worth of the victory marker to the Villains."""
    share = victory / k.goal[VILLAINS] if victory > 0 else victory / k.goal[HEROES]
    return w.point * victory + w.edge * share * abs(share)


@compiled
def civilians_at_first(k):
    """How many civilians Manhattan holds at the start of a game."""
    total = 0
    for slot in range(k.slots):
        total += bit_count(int(k.civilians[slot]))
    return total


@compiled
def rescued(k, w, total, left):
    """Worth to the Heroes of having freed all but `left` of so many civilians."""
    if total <= k.civilian_floor:
        return 0.0
    share = (total - left) / (total - k.civilian_floor)
    return w.civilian * (total - left) + w.rescue * share * share


@compiled
def count(o, seat, worth):
    """Add a worth to one side in the forecast."""
    o.value += o.weight * worth if seat == o.seat else -o.weight * worth


@compiled
def conclude(w, o, winner):
    """Count a win in the forecast and stop."""
    o.over = 1
    count(o, winner, w.win)


@compiled
def advance(k, w, o, seat, points):
    """Move the victory marker in the forecast."""
    before = o.standing
    o.victory += points if seat == VILLAINS else -points
    o.standing = standing(k, w, o.victory)
    count(o, VILLAINS, o.standing - before)
    if o.victory >= k.goal[VILLAINS]:
        conclude(w, o, VILLAINS)
    elif -o.victory >= k.goal[HEROES]:
        conclude(w, o, HEROES)


@compiled
def step_forward(k, w, o, seat):
    """Move the artifact marker in the forecast."""
    direction = 1 if seat == VILLAINS else -1
    o.marker += direction
    if o.marker * direction >= k.track:
        o.marker = -direction * k.arrow
        count(o, seat, w.tile)
    else:
        count(o, seat, w.step)


@compiled
def take_bonus(k, w, o, seat, slot):
    """Take a location bonus in the forecast."""
    if k.location[slot] == SANCTUM:
        step_forward(k, w, o, seat)
    elif k.location[slot] == TOWER:
        if o.sites > 0:
            o.sites -= 1
            count(o, seat, w.battleground * o.fade)
    elif seat == VILLAINS or o.civilians[slot] == 0:
        advance(k, w, o, seat, 1)
    elif not o.withheld[slot]:
        before = o.rescued
        o.civilians[slot] -= 1
        o.left -= 1
        o.rescued = rescued(k, w, o.total, o.left)
        count(o, HEROES, o.rescued - before)
        if o.left <= k.civilian_floor:
            conclude(w, o, HEROES)


@compiled
def clash(b, k, w, o, seat, place, front):
    """Deal an attack's damage in the forecast."""
    damage = o.strength[place]
    if o.guard[front] > 0:
        taken = min(damage, o.guard[front])
        o.guard[front] -= taken
        damage -= taken
        if o.guard[front] == 0:
            o.strength[front] -= o.help[front]
    if damage <= 0 or not o.harms[place]:
        return
    o.health[front] -= max(0, damage - o.armour[front])
    o.armour[front] = 0
    if o.health[front] <= 0:
        o.health[front] = 0
        count(o, seat, w.fall)
        if seat == VILLAINS and k.captures[b.card[place]]:
            count(o, seat, w.capture)


@compiled
def activate(b, k, w, o, place):
    """Attack from a slot place in the forecast, attack effect included."""
    seat = seat_at(place)
    taken = 0
    for _ in range(o.attacks[place]):
        front = facing(place)
        if o.health[front] > 0:
            clash(b, k, w, o, seat, place, front)
        elif taken < o.bonuses[place]:
            taken += 1
            take_bonus(k, w, o, seat, slot_of(place))
        if o.over:
            return
    count(o, seat, o.extra[place])
    if o.points[place] > 0:
        advance(k, w, o, seat, o.points[place])


@compiled
def read_effect(k, w, o, card):
    """Note what a card's attack effect brings, once for all the forecasts of a decision."""
    o.read[card] = 1
    o.card_attacks[card], o.card_bonuses[card], o.card_points[card] = 1, 1, 0
    o.card_extra[card] = w.lead * k.leads[card]
    given = False
    for line in range(INSTRUCTIONS):
        verb = k.code[card, ATTACK_EFFECT, line, 0]
        amount = int(k.code[card, ATTACK_EFFECT, line, 1])
        if verb == END:
            break
        if verb == GAIN:
            o.card_points[card] += 0 if given else amount
        elif verb == MAY_ATTACK_AGAIN:
            o.card_attacks[card], o.card_bonuses[card] = 2, amount
        else:
            o.card_extra[card] += verb_worth(w, o.fade, verb, amount)
        given = given or verb == MAY_GIVE_UP


@compiled
def read_place(b, k, w, o, place, spirit):
    """Note how a slot place attacks and stands; `spirit` is the strength its side is given."""
    card = int(b.card[place])
    o.health[place], o.strength[place], o.guard[place], o.help[place] = 0, 0, 0, 0
    if card == NO_CARD:
        return
    o.health[place] = int(k.health[card]) - int(b.damage[place])
    o.strength[place] = int(k.strength[card]) + spirit - int(k.inspires[card])
    under = gone_below(b, place)
    if under >= 0:
        lower = int(b.card[under])
        o.guard[place] = int(k.health[lower]) - int(b.damage[under])
        o.help[place] = int(k.strength[lower]) + spirit - int(k.inspires[lower])
        o.strength[place] += o.help[place]
    armour = int(k.armour[card])
    o.armour[place] = 0 if b.armour_used[place] else armour
    o.plates |= armour
    o.harms[place] = can_be_hit(b, k, facing(place), int(k.colour[card]))
    if o.read[card] == 0:
        read_effect(k, w, o, card)
    o.attacks[place], o.bonuses[place] = o.card_attacks[card], o.card_bonuses[card]
    o.points[place], o.extra[place] = o.card_points[card], o.card_extra[card]


@compiled
def read_civilians(b, k, o):
    """Note how many civilians each slot holds, and where a Red Hulk keeps them (ruling 34)."""
    nobody = full_sets = False
    for place in range(FIRST_HERO_PLACE):
        card = int(b.card[place])
        if card != NO_CARD:
            nobody |= k.frees_nobody[card] != 0
            full_sets |= k.frees_full_sets_only[card] != 0
    o.left = 0
    for slot in range(k.slots):
        o.civilians[slot] = bit_count(int(b.civilians[slot]))
        o.withheld[slot] = nobody or (full_sets and b.civilians[slot] != k.civilians[slot])
        o.left += o.civilians[slot]


@compiled
def read_table(b, k, w, o):
    """Start a forecast: note how everything stands."""
    o.plates = 0
    for seat in range(2):
        spirit = 0
        for place in range(first_place(seat), end_place(seat)):
            if b.card[place] != NO_CARD:
                spirit += int(k.inspires[b.card[place]])
        for slot in range(k.slots):
            read_place(b, k, w, o, place_at(seat, slot), spirit)
    read_civilians(b, k, o)
    o.victory = int(b.victory)
    o.marker = int(b.artifact_marker)
    o.sites = int(b.stack_size)
    o.weight = 1.0
    o.over = 0
    o.value = 0.0
    o.standing = standing(k, w, o.victory)
    o.rescued = rescued(k, w, o.total, o.left)
    count(o, VILLAINS, o.standing)
    if o.victory >= k.goal[VILLAINS]:
        conclude(w, o, VILLAINS)
    elif -o.victory >= k.goal[HEROES]:
        conclude(w, o, HEROES)


@compiled
def begin_forecast_turn(b, k, w, o, wand, seat):
    """Ready the armour, and count the Wand of Watoomb's point."""
    if o.plates:
        for place in range(FIRST_TUCKED_PLACE):
            if o.health[place] > 0:
                o.armour[place] = int(k.armour[b.card[place]])
    if wand == seat:
        cards = 0
        for slot in range(k.slots):
            place = place_at(seat, slot)
            if o.health[place] > 0:
                cards += 1 + (o.guard[place] > 0)
        if cards >= WAND_CARDS:
            advance(k, w, o, seat, 1)


@compiled
def attack_all(b, k, w, o, seat, turn):
    """Attack slot by slot in the forecast; in the turn under way, with who has yet to."""
    for slot in range(b.slot if turn == 0 else 0, k.slots):
        place = place_at(seat, slot)
        if o.over:
            return
        if o.health[place] > 0 and o.strength[place] > 0 and not (turn == 0 and b.moved[place]):
            activate(b, k, w, o, place)


@compiled
def weigh_open(w, o):
    """Count the cards that nobody faces: a fresh card can strike them first."""
    for place in range(FIRST_TUCKED_PLACE):
        if o.health[place] > 0 and o.health[facing(place)] == 0:
            frailty = min(FRAILTIES, o.health[place] + o.guard[place]) - 1
            seat = seat_at(place)
            if seat == o.seat:
                o.value -= o.ready[opponent(seat)] * w.frail[frailty]
            else:
                o.value += o.ready[opponent(seat)] * w.prey[frailty]


@compiled
def forecast(b, k, w, o, seat, wand):
    """Worth of a table to `o.seat` if both sides go on attacking and nobody plays a card.

    It is `seat`'s turn; `wand` is the owner of the Wand of Watoomb.
    """
    read_table(b, k, w, o)
    if b.leader != NOBODY_FIRST and not o.over:
        activate(b, k, w, o, int(b.leader))
    villains, heroes = int(b.deck_size[VILLAINS]), int(b.deck_size[HEROES])
    for turn in range(HALF_TURNS):
        if turn > 0:
            begin_forecast_turn(b, k, w, o, wand, seat)
        attack_all(b, k, w, o, seat, turn)
        if o.over:
            return o.value
        if seat == VILLAINS:
            villains -= k.draws
        else:
            heroes -= k.draws
        if villains <= 0 or heroes <= 0:
            if o.victory != 0:
                conclude(w, o, VILLAINS if o.victory > 0 else HEROES)
            return o.value
        if turn == 0:
            weigh_open(w, o)
        o.weight *= o.again if turn == 1 else w.discount
        seat = opponent(seat)
    for place in range(FIRST_TUCKED_PLACE):
        if o.health[place] > 0:
            body = w.strength * o.strength[place] + w.health * (o.health[place] + o.guard[place])
            count(o, seat_at(place), body)
    return o.value
