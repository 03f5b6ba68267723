"""One attack: damage or location bonus, Loki's capture, then the attack effect."""

from __future__ import annotations

from skirmish_env.common.jit import compiled
from skirmish_env.new_york.ids import (
    ASK_CAPTURE,
    ASK_CIVILIAN,
    ATTACK_EFFECT,
    CIVILIAN,
    F_A,
    F_C,
    F_CARD,
    F_PLACE,
    F_SIDE,
    FIRST_HERO_PLACE,
    HEROES,
    MANHATTAN,
    NO,
    NO_CARD,
    R_PROGRAM,
    R_STRIKE,
    SANCTUM,
    SLOT,
    SLOTS,
    STAGE,
    TOWER,
    VILLAINS,
)
from skirmish_env.new_york.state import (
    ask,
    facing,
    gone_below,
    has_empty_slot,
    offer,
    place_at,
    pop,
    push,
    put,
    slot_of,
    take_answer,
)
from skirmish_env.new_york.verbs import (
    can_be_hit,
    civilians_withheld,
    defeat,
    draw_battleground,
    free_civilian,
    gain,
    hit,
    is_beaten,
    offer_civilians,
    settle,
    step_marker,
    step_up,
    strength_at,
)

ATTACK_STRIKE, ATTACK_EFFECT_DUE, ATTACK_OVER = range(3)


@compiled
def run_attack(g, k, frame):
    """Carry an activation further (frame: side, attacking card, place, F_A bonuses taken)."""
    stage, seat = int(frame[STAGE]), int(frame[F_SIDE])
    card, place = int(frame[F_CARD]), int(frame[F_PLACE])
    if stage == ATTACK_STRIKE:
        frame[STAGE] = ATTACK_EFFECT_DUE
        strike(g, k, frame, seat, card, place)
    elif stage == ATTACK_EFFECT_DUE and effect_due(g, k, card, place):
        g.spent[place] = 1
        frame[STAGE] = ATTACK_OVER
        push(g, R_PROGRAM, seat, card, place, ATTACK_EFFECT)
    else:
        pop(g)


@compiled
def effect_due(g, k, card, place):
    """Whether the attacker still stands and its attack effect is unspent (rulings 27, 40)."""
    if g.card[place] != card or k.code[card, ATTACK_EFFECT, 0, 0] == 0:
        return False
    return k.each_attack != 0 or g.spent[place] == 0


@compiled
def strike(g, k, attack, seat, card, place):
    """Deal the attack's damage or take the location bonus, counted in the attack's frame."""
    front = facing(place)
    if g.card[front] == NO_CARD:
        attack[F_A] += 1
        take_bonus(g, k, seat, card, place)
        return
    below = gone_below(g, front)
    damage, colour = strength_at(g, k, place), int(k.colour[card])
    if below >= 0:
        taken = min(damage, int(k.health[g.card[below]]) - int(g.damage[below]))
        hit(g, k, below, taken, colour)
        damage -= taken
    hit(g, k, front, damage, colour)
    if seat == VILLAINS and k.captures[card] and is_beaten(g, k, front):
        push(g, R_STRIKE, seat, card, place, 0)
    else:
        settle(g, k, 0)


@compiled
def take_bonus(g, k, seat, card, place):
    """Take the bonus of an undefended location (rulebook: Phase II; rulings 34, 35)."""
    slot = slot_of(place)
    location = k.location[slot]
    if location == MANHATTAN:
        if seat == VILLAINS or g.civilians[slot] == 0:
            gain(g, k, seat, 1)
        elif not civilians_withheld(g, k, slot):
            push(g, R_STRIKE, seat, card, place, 0)
    elif location == SANCTUM:
        step_marker(g, k, seat)
    elif location == TOWER:
        draw_battleground(g, seat)


@compiled
def bonus_would_do(g, k, seat, slot):
    """Whether the location bonus of a slot would change anything."""
    if k.location[slot] == TOWER:
        return g.stack_size > 0
    if k.location[slot] == MANHATTAN and seat == HEROES and g.civilians[slot] != 0:
        return not civilians_withheld(g, k, slot)
    return True


@compiled
def second_attack_would_do(g, k, seat, place, card, bonuses, limit):
    """Whether a further attack would change anything (notation: which questions are put)."""
    front = facing(place)
    if strength_at(g, k, place) < 1:
        return False
    if g.card[front] == NO_CARD:
        return bonuses < limit and bonus_would_do(g, k, seat, slot_of(place))
    colour = int(k.colour[card])
    below = gone_below(g, front)
    return can_be_hit(g, k, front, colour) or (below >= 0 and can_be_hit(g, k, below, colour))


# ---------------------------------------------------------------------------------------------
# The routine of what a strike asks: which civilian to free, whether to take over a hero.

STRIKE_ASK, STRIKE_CIVILIAN, STRIKE_CAPTURE = range(3)


@compiled
def run_strike(g, k, frame):
    """Ask and carry out the choice inside a strike (frame: side, card, place, F_C fallen)."""
    stage, seat = int(frame[STAGE]), int(frame[F_SIDE])
    card, place = int(frame[F_CARD]), int(frame[F_PLACE])
    if stage == STRIKE_CIVILIAN:
        colour = take_answer(g) - CIVILIAN
        pop(g)
        free_civilian(g, k, slot_of(place), colour)
    elif stage == STRIKE_CAPTURE:
        capture(g, k, frame, take_answer(g), facing(place))
    elif g.card[facing(place)] == NO_CARD:
        frame[STAGE] = STRIKE_CIVILIAN
        ask(g, seat, ASK_CIVILIAN, card, 1)
        offer_civilians(g, slot_of(place))
    else:
        ask_capture(g, k, frame, seat, card, place)


@compiled
def ask_capture(g, k, frame, seat, card, place):
    """Let Loki take over the hero he just defeated; a Strange below falls first (ruling 33)."""
    front = facing(place)
    below = gone_below(g, front)
    if below >= 0 and is_beaten(g, k, below):
        defeat(g, below)
        frame[F_C] += 1
    unspent = k.each_attack != 0 or g.spent[place] == 0
    g.spent[place] = 1
    if not unspent or not has_empty_slot(g, k, seat):
        capture(g, k, frame, NO, front)
        return
    frame[STAGE] = STRIKE_CAPTURE
    ask(g, seat, ASK_CAPTURE, card, 0)
    for slot in range(k.slots):
        if g.card[place_at(seat, slot)] == NO_CARD:
            offer(g, SLOT + slot)
    offer(g, NO)


@compiled
def capture(g, k, frame, answer, front):
    """Lay the defeated hero into a villain slot, or leave it to its discard pile."""
    fallen = int(frame[F_C])
    pop(g)
    if answer != NO:
        captive, armour_used = g.card[front], g.armour_used[front]
        put(g, front, NO_CARD)
        step_up(g, front)
        goal = place_at(VILLAINS, answer - SLOT)
        put(g, goal, captive)
        g.armour_used[goal] = armour_used
        fallen += 1
    settle(g, k, fallen)


assert FIRST_HERO_PLACE == SLOTS
