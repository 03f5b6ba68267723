"""The course of a turn: Recruitment, Attack, Draw, and the end of the turn."""

from __future__ import annotations

from skirmish_env.common.bits import lowest
from skirmish_env.common.jit import compiled
from skirmish_env.new_york.effects import ask_yes_no, run_effects
from skirmish_env.new_york.ids import (
    ARTIFACT,
    ARTIFACTS,
    ASK_ARTIFACT_WINDOW,
    ASK_DRAW_THREE,
    ASK_LEAD_ATTACK,
    ASK_RECRUITMENT,
    ATTACK,
    BY_DECK,
    DONE,
    DRAW,
    EBONY_BLADE,
    FETCH,
    FIRST_ARTIFACT_SOURCE,
    HEROES,
    IMMEDIATE,
    LIFELINE_TABLET,
    NO,
    NO_CARD,
    NO_SOURCE,
    NOBODY,
    NORN_STONES,
    ONE_TIME,
    PAID,
    PHASE_ACT,
    PHASE_ASKED,
    PHASE_CHOSEN,
    PHASE_END,
    PHASE_START,
    PLACES,
    PLAY,
    R_ATTACK,
    R_PLAY,
    R_PROGRAM,
    RECRUITMENT,
    RETURNED,
    SLOT,
    VILLAINS,
    WAND,
    YES,
)
from skirmish_env.new_york.play import offer_plays, offer_returns
from skirmish_env.new_york.state import (
    ask,
    cards_in_play,
    offer,
    opponent,
    owned,
    owns,
    place_at,
    push,
    take_answer,
)
from skirmish_env.new_york.verbs import (
    any_damaged,
    can_attack,
    draw,
    end_game,
    gain,
    lose_artifact,
    one_time_usable,
)

ALL_SYMBOLS = 127
WAND_CARDS = 3


@compiled
def proceed(g, k):
    """Take one stride: the open effects until a question, or the next step of the phase."""
    if g.depth > 0:
        run_effects(g, k)
    elif g.phase == RECRUITMENT:
        recruit(g, k)
    elif g.phase == ATTACK:
        attack(g, k)
    else:
        draw_cards(g, k)


@compiled
def begin_turn(g, seat):
    g.on_turn = seat
    g.turn = int(g.turn) + 1
    g.phase = RECRUITMENT
    g.step = PHASE_START
    for artifact in range(ARTIFACTS):
        g.used[artifact] = 0
    for place in range(PLACES):
        g.armour_used[place] = 0


@compiled
def recruit(g, k):
    """Recruitment: play, bring back, use artifacts, until done."""
    seat = int(g.on_turn)
    if g.step == PHASE_START:
        g.step = PHASE_ACT
        if owns(g, seat, WAND) and cards_in_play(g, seat) >= WAND_CARDS:
            gain(g, k, seat, 1)
    elif g.step == PHASE_ACT:
        g.step = PHASE_ASKED
        ask_recruitment(g, k, seat)
    else:
        g.step = PHASE_ACT
        take_recruitment(g, k, seat, take_answer(g))


@compiled
def ask_recruitment(g, k, seat):
    ask(g, seat, ASK_RECRUITMENT, NO_SOURCE, 0)
    offer_plays(g, k, seat, PAID, ALL_SYMBOLS)
    offer_returns(g, k, seat)
    left = owned(g, seat)
    while left:
        artifact = lowest(left)
        left &= left - 1
        if usable_now(g, k, seat, artifact):
            offer(g, ARTIFACT + artifact)
    offer(g, DONE)


@compiled
def usable_now(g, k, seat, artifact):
    """Whether an artifact can be used in Recruitment (rulings 43, 44)."""
    if not owns(g, seat, artifact) or g.used[artifact]:
        return False
    if artifact == EBONY_BLADE:
        return cards_in_play(g, opponent(seat)) > 0
    if artifact == LIFELINE_TABLET:
        return any_damaged(g, seat)
    return one_time_usable(g, k, seat, artifact)


@compiled
def take_recruitment(g, k, seat, answer):
    if answer == DONE:
        begin_attack(g)
    elif answer >= ARTIFACT:
        use_artifact(g, k, seat, answer - ARTIFACT)
    elif answer >= FETCH:
        push(g, R_PLAY, seat, answer - FETCH, 0, RETURNED)
    else:
        push(g, R_PLAY, seat, answer - PLAY, 0, PAID)


@compiled
def use_artifact(g, k, seat, artifact):
    if k.artifact_kind[artifact] == ONE_TIME:
        lose_artifact(g, artifact)
    else:
        g.used[artifact] = 1
    push(g, R_PROGRAM, seat, FIRST_ARTIFACT_SOURCE + artifact, 0, IMMEDIATE)


@compiled
def begin_attack(g):
    g.phase = ATTACK
    g.slot = 0
    g.up = NO_CARD
    g.step = PHASE_START
    for place in range(PLACES):
        g.spent[place] = 0
        g.moved[place] = 0


@compiled
def any_one_time(g, k, seat):
    left = owned(g, seat)
    while left:
        if one_time_usable(g, k, seat, lowest(left)):
            return True
        left &= left - 1
    return False


@compiled
def ask_window(g, k, seat):
    """Offer the one-time artifacts outside Recruitment (ruling 42)."""
    g.step = PHASE_ASKED
    ask(g, seat, ASK_ARTIFACT_WINDOW, NO_SOURCE, 0)
    for artifact in range(ARTIFACTS):
        if one_time_usable(g, k, seat, artifact):
            offer(g, ARTIFACT + artifact)
    offer(g, DONE)


@compiled
def take_window(g, k, seat):
    answer = take_answer(g)
    if answer == DONE:
        g.step = PHASE_ACT
    else:
        g.step = PHASE_START
        use_artifact(g, k, seat, answer - ARTIFACT)


@compiled
def attack(g, k):
    """Attack phase: slot by slot from the Manhattan edge (rulings 23, 28, 42)."""
    seat, slot = int(g.on_turn), int(g.slot)
    if slot >= k.slots:
        g.phase = DRAW
        g.step = PHASE_START
        return
    place = place_at(seat, slot)
    gone = g.up != NO_CARD and g.up != g.card[place]
    if g.step == PHASE_ASKED:
        take_window(g, k, seat)
    elif g.step == PHASE_CHOSEN:
        lead_attack(g, seat, slot, take_answer(g))
    elif g.step == PHASE_END or gone or not can_attack(g, k, place):
        next_slot(g)
    elif g.step == PHASE_START and any_one_time(g, k, seat):
        g.up = g.card[place]
        ask_window(g, k, seat)
    elif k.leads[g.card[place]]:
        ask_lead(g, k, seat, slot)
    else:
        activate(g, seat, slot)


@compiled
def next_slot(g):
    g.slot = int(g.slot) + 1
    g.step = PHASE_START
    g.up = NO_CARD


@compiled
def activate(g, seat, slot):
    """Start the attack of a slot; the slot that is up is done afterwards."""
    g.step = PHASE_END
    place = place_at(seat, slot)
    push(g, R_ATTACK, seat, int(g.card[place]), place, 0)


@compiled
def ask_lead(g, k, seat, slot):
    """M.O.D.O.K.: attack, let a neighbour attack, or nobody (ruling 28)."""
    g.step = PHASE_CHOSEN
    ask(g, seat, ASK_LEAD_ATTACK, int(g.card[place_at(seat, slot)]), 0)
    for neighbour in range(slot - 1, slot + 2, 2):
        if 0 <= neighbour < k.slots and can_attack(g, k, place_at(seat, neighbour)):
            offer(g, SLOT + neighbour)
    offer(g, NO)
    offer(g, DONE)


@compiled
def lead_attack(g, seat, slot, answer):
    g.step = PHASE_END
    if answer == NO:
        activate(g, seat, slot)
    elif answer != DONE:
        activate(g, seat, answer - SLOT)


@compiled
def draw_cards(g, k):
    """Draw phase, then the end of the turn."""
    seat = int(g.on_turn)
    if g.step == PHASE_ASKED:
        take_window(g, k, seat)
    elif g.step == PHASE_START and any_one_time(g, k, seat):
        ask_window(g, k, seat)
    elif g.step == PHASE_CHOSEN:
        draw(g, seat, int(k.draws) + (take_answer(g) == YES))
        end_turn(g)
    elif owns(g, seat, NORN_STONES) and g.deck_size[seat] > k.draws:
        g.step = PHASE_CHOSEN
        ask_yes_no(
            g, seat, ASK_DRAW_THREE, FIRST_ARTIFACT_SOURCE + NORN_STONES, int(k.draws) + 1
        )
    else:
        draw(g, seat, int(k.draws))
        end_turn(g)


@compiled
def end_turn(g):
    """Pass the turn, or end the game when a deck is empty (rulings 6, 7)."""
    if g.deck_size[VILLAINS] > 0 and g.deck_size[HEROES] > 0:
        begin_turn(g, opponent(int(g.on_turn)))
    elif g.victory > 0:
        end_game(g, VILLAINS, BY_DECK)
    elif g.victory < 0:
        end_game(g, HEROES, BY_DECK)
    else:
        end_game(g, NOBODY, BY_DECK)
