"""The scripted player: weighs each option by what the open table promises, and takes the best.

Its one idea is the `forecast`: both sides keep attacking with what lies on the table and nobody
plays another card. Slots, markers, civilians and the decks' ends are counted some turns ahead in
plain arithmetic, later turns weighing less. An option is worth the change it makes to the
forecast, plus or minus the cards that it costs or brings.

Only what the deciding seat may know is read: the own hand, what lies open, and how many cards lie
elsewhere. The forecast works on a `BOARD`, which has no room for a hand, a deck or a stack.

Short names throughout: `g` the game, `k` its card set, `w` the weights of the deciding seat, `o`
the notes of the decision, `b` a board.
"""

from __future__ import annotations

import numpy as np

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import POLICY_STREAM, below, seed_rng
from skirmish_env.new_york.effects import (
    colour_of,
    relocate,
)
from skirmish_env.new_york.ids import (
    ANY,
    ARTIFACT,
    ARTIFACTS,
    ASK_ATTACK_AGAIN,
    ASK_CAPTURE,
    ASK_CIVILIAN,
    ASK_DAMAGE_OPPOSITE,
    ASK_DRAW_THREE,
    ASK_HEAL,
    ASK_HEAL_EACH,
    ASK_HEAL_SELF,
    ASK_LEAD_ATTACK,
    ASK_MOVE_FROM,
    ASK_PAYMENT,
    ASK_PLACEMENT,
    ASK_PLAY_ANY,
    ASK_RECRUITMENT,
    ASK_RELOCATE,
    ASK_REMOVE_ARTIFACT,
    ASK_TILE,
    ASK_WARLOCK,
    ATTACK,
    ATTACK_EFFECT,
    BATTLEGROUND,
    CARDS,
    CASKET,
    CIVILIAN,
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
    MAY_ATTACK_AGAIN,
    MAY_DAMAGE,
    MAY_DAMAGE_OPPOSITE,
    MAY_DRAW,
    MAY_FETCH,
    MAY_GIVE_UP,
    MAY_HEAL_EACH,
    MAY_HEAL_SELF,
    MAY_PLAY,
    MAY_PLAY_FOR_ANY,
    MAY_RELOCATE,
    MUST_DAMAGE,
    MUST_HEAL,
    NO,
    NO_CARD,
    NO_LIMIT,
    NO_SOURCE,
    NOBODY,
    ONE_TIME,
    OPPONENT_MAY_DRAW,
    PAID,
    PAID_WITH_ANY,
    PHASE_END,
    PLACES,
    PLAY,
    RETURNED,
    SANCTUM,
    SLOT,
    SLOTS,
    STEP,
    TARGET,
    TEN_RINGS,
    TOWER,
    TUCK,
    VILLAINS,
    WAIVE,
    WAND,
    WARLOCKS_EYE,
    YES,
)
from skirmish_env.new_york.phases import (
    WAND_CARDS,
)
from skirmish_env.new_york.play import (
    next_symbol,
)
from skirmish_env.new_york.rules import STEP as DECISION
from skirmish_env.new_york.rules import drive
from skirmish_env.new_york.state import (
    HAND_TYPES,
    end_place,
    facing,
    first_place,
    gone_below,
    hand_type,
    opponent,
    owed_in_all,
    owns,
    place_at,
    put,
    seat_at,
    slot_of,
)
from skirmish_env.new_york.verbs import (
    barred,
    bit_count,
    can_be_hit,
    can_tuck_at,
    civilians_withheld,
    copy_in_play,
    heal,
    hit,
    hit_each,
    hit_faced,
    is_beaten,
    step_up,
)

# What things are worth, in victory points, to a player who has thought about it: the weights of
# `heuristic`. Each is one sentence of strategy, the same for both seats.
_SENSE = {
    "point": 1.0, "edge": 4.0, "win": 12.0, "civilian": 0.7, "rescue": 4.0, "step": 0.35,
    "tile": 0.9, "battleground": 1.0, "discount": 0.75, "strength": 0.25, "health": 0.15,
    "fall": 0.3, "capture": 1.0, "draw": 0.4, "ping": 0.3, "mend": 0.15, "trade": 0.4, "roam": 0.1,
    "lead": 0.3, "card": 0.45, "bold": 0.1, "tough": 0.05, "effect": 0.3, "dear": 0.05,
    "spare": 0.5, "double": 0.1, "site": 0.2, "hue": 0.05, "freed": 0.4, "further": 0.3,
    "chain": 0.2, "strip": 0.3, "patience": 0.8, "effort": 0.0, "first": 0.5, "endgame": 5.0,
}  # fmt: skip
_SENSE_OF_ARTIFACTS = (0.4, 1.6, 1.2, 1.6, 0.8, 0.5, 0.9, 1.0, 1.0, 1.2, 1.6, 1.2)  # list order

# The same for `expert`, to the Villains and to the Heroes, in no unit but each other: found by
# many games against each other and against random play (docs/strategy.md).
_WORTH = {
    # The forecast.
    "point": (0.00, -0.01),  # a step of the victory marker
    "edge": (1.86, 1.88),  # more of it the nearer the marker is to an end
    "win": (8.60, 8.46),  # the game
    "civilian": (1.63, 1.13),  # a freed civilian
    "rescue": (6.67, 6.26),  # more of it the nearer the Heroes are to having freed enough
    "step": (0.06, 0.06),  # a step of the artifact marker
    "tile": (0.51, 0.45),  # the artifact at the end of the track
    "battleground": (0.55, 0.88),  # a battleground card drawn
    "discount": (0.50, 0.81),  # of a turn against the one before it: boards change
    "strength": (0.42, 0.37),  # a point of strength still in play at the end of the forecast
    "health": (0.16, 0.19),  # a point of health left then
    "fall": (0.61, 0.50),  # a card defeated on the way
    "capture": (1.52, 1.62),  # a hero taken over by Loki
    # What an attack effect brings each time, beyond the forecast.
    "draw": (0.81, 0.69),  # a card drawn
    "ping": (0.37, 0.54),  # a point of damage where the player likes
    "mend": (0.09, 0.12),  # a point of damage healed
    "trade": (0.23, 0.20),  # leave to give up a card for something
    "roam": (0.12, 0.12),  # moving to another slot
    "lead": (0.23, 0.21),  # letting a neighbour attack instead
    # Cards in hand.
    "card": (0.11, 0.08),  # any card, as payment
    "bold": (0.11, 0.12),  # a point of printed strength
    "tough": (0.09, 0.12),  # a point of printed health
    "effect": (0.42, 0.50),  # share of the worth of its effects
    "dear": (0.07, 0.06),  # off for each printed symbol
    "spare": (0.36, 0.36),  # a copy stands in play: a free replacement
    "double": (0.06, 0.05),  # the hand holds a further copy
    "site": (0.01, 0.02),  # a victory point of a battleground in hand
    "hue": (0.05, 0.05),  # its colour, by how much the hand needs it
    "freed": (0.26, 0.24),  # a freed civilian, as payment
    "further": (0.47, 0.32),  # leave to play one more card
    "chain": (0.38, 0.22),  # a printed symbol of the best card that can come along for nothing
    "strip": (0.44, 0.32),  # the other player gives up a card
    # Habits.
    "patience": (0.98, 0.97),  # least gain for which a one-time artifact is used up
    "effort": (0.01, -0.01),  # least gain for which cards are paid
    "first": (0.22, 0.23),  # head start of what costs nothing
    "endgame": (10.99, 9.65),  # own turns left from which on cards in hand lose their worth
}
# Owning an artifact, in list order.
_ARTIFACTS = (
    (0.31, 1.83, 1.20, 3.13, 0.51, 0.39, 0.64, 1.37, 1.05, 1.89, 1.19, 0.70),
    (0.24, 2.20, 1.07, 2.48, 0.50, 0.48, 0.80, 1.45, 1.06, 2.29, 1.34, 0.88),
)

WEIGHTS_DTYPE = np.dtype(
    (np.record, [*((name, "f8") for name in _WORTH), ("artifact", "f8", (ARTIFACTS,))])
)


def _weights(worth, artifacts):
    """Weights by seat, from a value, or one for each seat, of every name."""
    weights = np.zeros(2, WEIGHTS_DTYPE)
    for name in _WORTH:
        weights[name] = worth[name]
    weights["artifact"] = artifacts
    return weights


SENSE_WEIGHTS = _weights(_SENSE, _SENSE_OF_ARTIFACTS)
EXPERT_WEIGHTS = _weights(_WORTH, _ARTIFACTS)

HALF_TURNS = 8  # how far the forecast looks
NOBODY_FIRST = -1
EQUAL = 1e-9  # values nearer than this count as equal

# Means of payment: 0..63 cards, 64..67 civilians, 68 leaving the symbol unpaid.
MEANS = WAIVE - DISCARD + 1

# A table as a choice would leave it. There is no room in it for a hand, a deck or a stack.
BOARD = np.dtype(
    (
        np.record,
        [
            ("card", "i1", (PLACES,)),  # these as in STATE
            ("damage", "i1", (PLACES,)),
            ("armour_used", "i1", (PLACES,)),
            ("spent", "i1", (PLACES,)),
            ("moved", "i1", (PLACES,)),
            ("civilians", "i1", (SLOTS,)),
            ("deck_size", "i1", (2,)),
            ("victory", "i1"),
            ("artifact_marker", "i1"),
            ("stack_size", "i1"),
            ("slot", "i1"),  # from here on the player on turn has yet to attack
            ("leader", "i1"),  # place that attacks before; -1: none
        ],
    )
)
MAX_BOARDS = 128  # tables that one option can lead to: places to put a card, times targets

NOTES = np.dtype(
    (
        np.record,
        [
            ("seat", "i8"),  # whose view every value is
            ("fade", "f8"),  # what is left of the worth of cards near the end, 0..1
            ("keep", "f8", (MEANS,)),  # worth of keeping each means of payment
            ("need", "f8", (4,)),  # how much the hand asks for a colour, by card of it
            ("spent", "i8", (MEANS,)),  # how many of each a payment would take
            # The option under consideration, and the best so far.
            ("added", "f8"),  # worth beyond the table: cards won and paid
            ("boards", "i8"),  # tables it can lead to
            ("aim", "i8"),  # source whose damage or healing has yet to find its target; -1
            ("action", "i8"),
            ("best", "f8"),
            ("ties", "i8"),
            # The forecast under way; slot places 0..11.
            ("value", "f8"),
            ("weight", "f8"),  # of the turn that is being counted
            ("over", "i8"),
            ("victory", "i8"),
            ("marker", "i8"),
            ("left", "i8"),  # civilians in Manhattan
            ("sites", "i8"),  # battlegrounds in their stack
            ("civilians", "i8", (SLOTS,)),
            ("withheld", "i8", (SLOTS,)),
            ("health", "i8", (12,)),  # left; 0: empty
            ("strength", "i8", (12,)),
            ("guard", "i8", (12,)),  # health left of a card below
            ("help", "i8", (12,)),  # strength of a card below
            ("armour", "i8", (12,)),  # against this turn's first damage
            ("harms", "i8", (12,)),  # 1: its attack can hurt the card it faces
            ("attacks", "i8", (12,)),
            ("bonuses", "i8", (12,)),
            ("points", "i8", (12,)),  # victory points of its attack effect
            ("extra", "f8", (12,)),  # worth of the rest of its attack effect
        ],
    )
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
def rescued(k, w, left):
    """Worth of the civilians freed so far to the Heroes."""
    total = 0
    for slot in range(k.slots):
        total += bit_count(int(k.civilians[slot]))
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
    before = standing(k, w, o.victory)
    o.victory += points if seat == VILLAINS else -points
    count(o, VILLAINS, standing(k, w, o.victory) - before)
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
        before = rescued(k, w, o.left)
        o.civilians[slot] -= 1
        o.left -= 1
        count(o, HEROES, rescued(k, w, o.left) - before)
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
def read_effect(k, w, o, place, card):
    """Note what a card's attack effect brings."""
    o.attacks[place], o.bonuses[place], o.points[place] = 1, 1, 0
    o.extra[place] = w.lead * k.leads[card]
    given = False
    for line in range(INSTRUCTIONS):
        verb = k.code[card, ATTACK_EFFECT, line, 0]
        amount = int(k.code[card, ATTACK_EFFECT, line, 1])
        if verb == END:
            break
        if verb == GAIN:
            o.points[place] += 0 if given else amount
        elif verb == MAY_ATTACK_AGAIN:
            o.attacks[place], o.bonuses[place] = 2, amount
        else:
            o.extra[place] += verb_worth(w, o.fade, verb, amount)
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
    o.armour[place] = 0 if b.armour_used[place] else int(k.armour[card])
    o.harms[place] = can_be_hit(b, k, facing(place), int(k.colour[card]))
    read_effect(k, w, o, place, card)


@compiled
def read_table(b, k, w, o):
    """Start a forecast: note how everything stands."""
    for seat in range(2):
        spirit = 0
        for place in range(first_place(seat), end_place(seat)):
            if b.card[place] != NO_CARD:
                spirit += int(k.inspires[b.card[place]])
        for slot in range(k.slots):
            read_place(b, k, w, o, place_at(seat, slot), spirit)
    o.left = 0
    for slot in range(k.slots):
        o.civilians[slot] = bit_count(int(b.civilians[slot]))
        o.withheld[slot] = civilians_withheld(b, k, slot)
        o.left += o.civilians[slot]
    o.victory = int(b.victory)
    o.marker = int(b.artifact_marker)
    o.sites = int(b.stack_size)
    o.weight = 1.0
    o.over = 0
    o.value = 0.0
    count(o, VILLAINS, standing(k, w, o.victory))
    if o.victory >= k.goal[VILLAINS]:
        conclude(w, o, VILLAINS)
    elif -o.victory >= k.goal[HEROES]:
        conclude(w, o, HEROES)


@compiled
def begin_forecast_turn(b, k, w, o, wand, seat):
    """Ready the armour, and count the Wand of Watoomb's point."""
    cards = 0
    for place in range(FIRST_TUCKED_PLACE):
        if o.health[place] > 0:
            o.armour[place] = int(k.armour[b.card[place]])
            if seat_at(place) == seat:
                cards += 1 + (o.guard[place] > 0)
    if wand == seat and cards >= WAND_CARDS:
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
        o.weight *= w.discount
        seat = opponent(seat)
    for place in range(FIRST_TUCKED_PLACE):
        if o.health[place] > 0:
            body = w.strength * o.strength[place] + w.health * (o.health[place] + o.guard[place])
            count(o, seat_at(place), body)
    return o.value


# ---------------------------------------------------------------------------------------------
# Cards in hand.


@compiled
def keep_worth(g, k, w, o, seat, card):
    """Worth of keeping a card in hand."""
    if card >= FIRST_BATTLEGROUND:
        return o.fade * (w.card + w.site * k.points[card])
    worth = w.card
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
    shorter = min(int(g.deck_size[VILLAINS]), int(g.deck_size[HEROES]))
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
def new_board(g, k, boards, o):
    """Return one more table for the option under consideration: what lies open now."""
    b = boards[o.boards]
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
def aim(g, k, boards, o, seat):
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
            if boards[n].card[place] == NO_CARD or (heals and boards[n].damage[place] == 0):
                continue
            b = new_board(g, k, boards, o)
            copy_board(boards[n], b)
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
def arrive(g, k, boards, o, seat, card, only):
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
            b = new_board(g, k, boards, o)
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
def propose_play(g, k, w, boards, o, seat, action):
    """Set up what playing a card can lead to, and weigh what it costs."""
    card = action - FETCH if action >= FETCH else action - PLAY
    way = way_of(g.question, action)
    if k.kind[card] == BATTLEGROUND:
        b = new_board(g, k, boards, o)
        move_marker(b, k, seat, int(k.points[card]) + owns(g, seat, TEN_RINGS))
        o.aim = card
    else:
        arrive(g, k, boards, o, seat, card, -1)
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
def propose_artifact(g, k, w, boards, o, seat, artifact):
    """Set up what using an artifact can lead to."""
    o.aim = FIRST_ARTIFACT_SOURCE + artifact
    act(new_board(g, k, boards, o), k, seat, o.aim, 0)
    if artifact == CASKET:
        o.added += w.card * o.fade * g.hand_size[opponent(seat)]
        for n in range(HAND_TYPES):
            o.added -= g.hand[seat, hand_type(seat, n)] * o.keep[hand_type(seat, n)]
    elif artifact == EYE_OF_AGAMOTTO:
        o.added += best_artifact(g, w, opponent(seat))
    o.added += -w.patience * o.fade if k.artifact_kind[artifact] == ONE_TIME else w.first


@compiled
def propose_giving_up(g, k, boards, o, seat, action):
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
                put_damage(new_board(g, k, boards, o), k, place, amount, colour)
        return
    b = new_board(g, k, boards, o)
    if verb == GAIN:
        move_marker(b, k, seat, amount)
    elif verb == DAMAGE_FACED:
        hit_faced(b, k, seat, int(frame[F_PLACE]), amount, colour)
        clear_beaten(b, k)


@compiled
def propose_capture(g, k, boards, o, seat, action):
    """Set up Loki's captive in a slot, or in its discard pile."""
    front = facing(int(g.frame[int(g.depth) - 1][F_PLACE]))
    b = new_board(g, k, boards, o)
    put(b, front, NO_CARD)
    step_up(b, front)
    if action != NO:
        put(b, place_at(seat, action - SLOT), int(g.card[front]))


@compiled
def propose_slot(g, k, boards, o, seat, action):
    """Set up a card laid in a slot, Thor's next slot, or the attack M.O.D.O.K. leads."""
    if g.question == ASK_PLACEMENT:
        place = place_at(seat, action - SLOT)
        if action >= TUCK:
            place = FIRST_TUCKED_PLACE + action - TUCK
        arrive(g, k, boards, o, seat, int(g.source), place)
        return
    b = new_board(g, k, boards, o)
    if g.question == ASK_RELOCATE:
        if action != NO:
            relocate(b, seat, int(g.frame[int(g.depth) - 1][F_PLACE]), action - SLOT)
        return
    b.slot = int(g.slot) + 1
    if action != DONE:
        b.leader = place_at(seat, int(g.slot) if action == NO else action - SLOT)


@compiled
def propose_target(g, k, boards, o, action):
    """Set up damage put on a card or taken off it."""
    amount = max(1, int(g.amount))
    if g.question == ASK_HEAL or g.question == ASK_MOVE_FROM:
        amount = -amount
    put_damage(new_board(g, k, boards, o), k, action - TARGET, amount, colour_of(k, int(g.source)))


@compiled
def propose_draw(g, k, w, boards, o, seat):
    """Set up a deck with cards drawn: its end may come too soon."""
    cards = 1 if g.question == ASK_DRAW_THREE else int(g.amount)
    b = new_board(g, k, boards, o)
    b.deck_size[seat] = max(0, int(g.deck_size[seat]) - cards)
    o.added += w.draw * o.fade * cards


@compiled
def propose(g, k, w, boards, o, seat, action):
    """Set up the tables that an option can lead to."""
    o.added = 0.0
    o.boards = 0
    o.aim = NO_SOURCE
    asked = g.question
    if asked == ASK_CAPTURE:
        propose_capture(g, k, boards, o, seat, action)
    elif asked == ASK_PLACEMENT or asked == ASK_RELOCATE or asked == ASK_LEAD_ATTACK:
        propose_slot(g, k, boards, o, seat, action)
    elif action == NO or action == DONE:
        new_board(g, k, boards, o)
    elif action == YES:
        propose_draw(g, k, w, boards, o, seat)
    elif action >= ARTIFACT:
        propose_artifact(g, k, w, boards, o, seat, action - ARTIFACT)
    elif action >= TARGET:
        propose_target(g, k, boards, o, action)
    elif action >= DISCARD:
        propose_giving_up(g, k, boards, o, seat, action)
    else:
        propose_play(g, k, w, boards, o, seat, action)
    aim(g, k, boards, o, seat)


# ---------------------------------------------------------------------------------------------
# Questions that need no look at the table.


@compiled
def cheaper_means(g, o, seat, n):
    """How many means on offer are worth less than the n-th option, or as much and come first."""
    limit = o.keep[g.options[n] - DISCARD]
    cheaper = 0
    for m in range(g.option_count):
        other = int(g.options[m]) - DISCARD
        if other == WAIVE - DISCARD or m == n:
            continue
        if o.keep[other] < limit or (o.keep[other] == limit and m < n):
            cheaper += means(g, seat, int(g.source), other)
    return cheaper


@compiled
def choose_payment(g, o, seat):
    """Pay with the first means that is among the cheapest for all equal symbols still owed."""
    symbol = next_symbol(g)
    owed = int(g.owed[symbol])
    if symbol == ANY:
        owed -= int(g.cube)
    if symbol == ANY or owed == owed_in_all(g):
        owed -= int(g.rings)
    for n in range(g.option_count):
        if g.options[n] == WAIVE or cheaper_means(g, o, seat, n) < owed:
            return int(g.options[n])
    return int(g.options[int(g.option_count) - 1])


@compiled
def plain_worth(g, k, w, o, seat, action):
    """Worth of an option of a question that needs no look at the table."""
    if g.question == ASK_CIVILIAN:
        return o.need[action - CIVILIAN]
    if g.question == ASK_WARLOCK:
        return -o.keep[action - DISCARD]
    if action < ARTIFACT or action >= YES:
        return 1.0 if action == YES else 0.0
    worth = w.artifact[action - ARTIFACT]
    if g.question == ASK_TILE and action == ARTIFACT + EYE_OF_AGAMOTTO:
        worth += best_artifact(g, w, opponent(seat))
    return worth


@compiled
def is_plain(question):
    """Whether a question needs no look at the table; a yes is always right to the last four."""
    return question in (
        ASK_CIVILIAN,
        ASK_WARLOCK,
        ASK_TILE,
        ASK_REMOVE_ARTIFACT,
        ASK_ATTACK_AGAIN,
        ASK_DAMAGE_OPPOSITE,
        ASK_HEAL_SELF,
        ASK_HEAL_EACH,
    )


# ---------------------------------------------------------------------------------------------
# The choice.


@compiled
def consider(o, rng, action, value):
    """Remember an option if it is the best so far; equal ones are drawn by lot."""
    if o.ties == 0 or value > o.best + EQUAL:
        o.best, o.action, o.ties = value, action, 1
    elif value > o.best - EQUAL:
        o.ties += 1
        if below(rng, o.ties) == 0:
            o.action = action


@compiled
def heuristic_action(states, i, cards, sets, rng, weights, notes, boards):
    """Return the scripted player's action in one game for the seat that decides.

    `rng` (int64[4]) draws lots between equal options, `weights` (2,) hold a row for each seat.
    `notes` (1,) of NOTES and `boards` (MAX_BOARDS,) of BOARD are scratch paper of the caller's:
    compiled code frees an array after its last use, even while records of it are in use.
    """
    g, k, w, o = states[i], cards[sets[i]], weights[max(0, int(states[i].asked))], notes[0]
    if g.option_count == 1:
        return int(g.options[0])
    seat = int(g.asked)
    begin(g, k, w, o, seat)
    if g.question == ASK_PAYMENT:
        return choose_payment(g, o, seat)
    plain = is_plain(g.question)
    for n in range(g.option_count):
        action = int(g.options[n])
        if plain:
            consider(o, rng, action, plain_worth(g, k, w, o, seat, action))
            continue
        propose(g, k, w, boards, o, seat, action)
        best = -np.inf
        for m in range(o.boards):
            value = forecast(boards[m], k, w, o, int(g.on_turn), int(g.artifact_owner[WAND]))
            best = max(best, value)
        consider(o, rng, action, best + o.added)
    return int(o.action)


ONE_SET = np.zeros(1, np.int64)


@compiled
def weighted_many(states, cards, sets, index, seeds, weights, out, learner, end):
    """Write the scripted player's action for each seed, by these weights (2,).

    For NOBODY the seeds belong to the games of `index`. For a learner's seat they belong to the
    decisions that follow in the one game there: these are taken, until the learner is asked, the
    game is over, turn `end` begins, or the seeds are used up. One function does both, because
    compiled code repeats the scripted player in each function that reaches him. Returns the seat
    to decide or -1, the turn, and how many seeds were used.
    """
    rng = np.zeros(4, np.int64)
    notes, boards = np.zeros(1, NOTES), np.empty(MAX_BOARDS, BOARD)
    g = states[index[0]] if len(index) else states[0]
    asked, turn = int(g.asked), int(g.turn)
    for n in range(len(seeds)):
        if learner != NOBODY and (asked == NOBODY or asked == learner or turn >= end):
            return asked, turn, n
        i = index[n if learner == NOBODY else 0]
        seed_rng(rng, seeds[n], POLICY_STREAM)
        out[n] = heuristic_action(states, i, cards, sets, rng, weights, notes, boards)
        if learner != NOBODY:
            asked, turn, _ = drive(states, i, cards, sets, DECISION, out[n], 0)
    return asked, turn, len(seeds)


def heuristic_many(states, cards, sets, index, seeds, out):
    """Write the action of the player with common sense for each game."""
    weighted_many(states, cards, sets, index, seeds, SENSE_WEIGHTS, out, NOBODY, 0)


def expert_many(states, cards, sets, index, seeds, out):
    """Write the action of the player with tuned weights for each game."""
    weighted_many(states, cards, sets, index, seeds, EXPERT_WEIGHTS, out, NOBODY, 0)


def heuristic_on(states, cards, seeds, out, learner, end):
    """Let the player with common sense play on in the first game: see `weighted_many`."""
    return weighted_many(states, cards, ONE_SET, ONE_SET, seeds, SENSE_WEIGHTS, out, learner, end)


def expert_on(states, cards, seeds, out, learner, end):
    """Let the player with tuned weights play on in the first game: see `weighted_many`."""
    return weighted_many(states, cards, ONE_SET, ONE_SET, seeds, EXPERT_WEIGHTS, out, learner, end)
