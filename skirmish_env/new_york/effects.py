"""The loop that runs open effects, and the interpreter of the cards' programs."""

from __future__ import annotations

from skirmish_env.common.jit import compiled
from skirmish_env.new_york.attack import run_attack, run_strike, second_attack_would_do, strike
from skirmish_env.new_york.ids import (
    ARTIFACT,
    ARTIFACTS,
    ASK_ATTACK_AGAIN,
    ASK_DAMAGE,
    ASK_DAMAGE_OPPOSITE,
    ASK_DRAW,
    ASK_FETCH,
    ASK_FLAME,
    ASK_GIVE_UP,
    ASK_HEAL,
    ASK_HEAL_EACH,
    ASK_HEAL_SELF,
    ASK_MOVE_FROM,
    ASK_MOVE_TO,
    ASK_PLAY_ANY,
    ASK_PLAY_FREE,
    ASK_RELOCATE,
    ASK_REMOVE_ARTIFACT,
    ASK_TILE,
    DAMAGE_EACH,
    DAMAGE_FACED,
    DISCARD,
    DISCARD_HANDS,
    END,
    ETERNAL_FLAME,
    F_A,
    F_B,
    F_C,
    F_CARD,
    F_PLACE,
    F_SIDE,
    FETCH,
    FETCHED,
    FIRST_ARTIFACT_SOURCE,
    FREE,
    GAIN,
    INSTRUCTIONS,
    MAY_ATTACK_AGAIN,
    MAY_DAMAGE,
    MAY_DAMAGE_OPPOSITE,
    MAY_DRAW,
    MAY_FETCH,
    MAY_GIVE_UP,
    MAY_HEAL_EACH,
    MAY_HEAL_SELF,
    MAY_MOVE,
    MAY_PLAY,
    MAY_PLAY_FOR_ANY,
    MAY_RELOCATE,
    MUST_DAMAGE,
    MUST_HEAL,
    NEEDS_FACED,
    NEEDS_TARGET,
    NO,
    NO_CARD,
    NO_COLOUR,
    NO_LIMIT,
    NO_SOURCE,
    OPPONENT_MAY_DRAW,
    PAID_WITH_ANY,
    PLAY,
    R_ATTACK,
    R_PLAY,
    R_PROGRAM,
    R_STRIKE,
    R_TILE,
    REMOVE_ARTIFACT,
    ROUTINE,
    SLOT,
    STAGE,
    STEP,
    TARGET,
    YES,
)
from skirmish_env.new_york.play import offer_fetches, offer_hand, offer_plays, run_play
from skirmish_env.new_york.state import (
    ask,
    discard_from_hand,
    facing,
    gone_below,
    offer,
    opponent,
    place_at,
    pop,
    push,
    shift,
    take_answer,
    withdraw,
)
from skirmish_env.new_york.verbs import (
    any_damaged,
    any_faced,
    any_target,
    can_be_hit,
    discard_hands,
    draw,
    gain,
    heal,
    heal_each,
    hit,
    hit_each,
    hit_faced,
    lose_artifact,
    offer_damaged,
    offer_targets,
    settle,
    step_marker,
    take_tile,
)


@compiled
def run_effects(g, k):
    """Run the innermost open effect until somebody must choose or none is left."""
    while g.depth > 0 and g.question == 0:
        frame = g.frame[int(g.depth) - 1]
        routine = frame[ROUTINE]
        if routine == R_PROGRAM:
            run_program(g, k, frame)
        elif routine == R_PLAY:
            run_play(g, k, frame)
        elif routine == R_ATTACK:
            run_attack(g, k, frame)
        elif routine == R_STRIKE:
            run_strike(g, k, frame)
        elif routine == R_TILE:
            run_tile(g, k, frame)
        else:
            run_flame(g, k, frame)


# ---------------------------------------------------------------------------------------------
# Programs. Frame: side, source, place, F_A the occasion, F_B the line, F_C a chosen place.

AT_START, ANSWERED, ANSWERED_AGAIN = range(3)


@compiled
def run_program(g, k, frame):
    """Carry out the current line of a program, or the answer to its question."""
    line = int(frame[F_B])
    source, occasion = int(frame[F_CARD]), int(frame[F_A])
    verb = END
    if line < INSTRUCTIONS:
        verb = int(k.code[source, occasion, line, 0])
    if verb == END:
        pop(g)
        return
    amount = int(k.code[source, occasion, line, 1])
    if frame[STAGE] != AT_START:
        take_effect(g, k, frame, verb, amount, take_answer(g))
        return
    second = int(k.code[source, occasion, line, 2])
    frame[F_B] = line + 1
    if not carry_out(g, k, frame, verb, amount, second):
        put_question(g, k, frame, verb, amount)
        if g.question != 0:
            frame[F_B] = line
            frame[STAGE] = ANSWERED


@compiled
def ask_again(g, k):
    """Put the question of the innermost program anew: its options come from another hand now."""
    frame = g.frame[int(g.depth) - 1]
    code = k.code[int(frame[F_CARD]), int(frame[F_A]), int(frame[F_B])]
    put_question(g, k, frame, int(code[0]), int(code[1]))


@compiled
def colour_of(k, source):
    """Colour of a source of damage; artifacts and battlegrounds have none (ruling 25)."""
    return NO_COLOUR if source >= FIRST_ARTIFACT_SOURCE else int(k.colour[source])


@compiled
def carry_out(g, k, frame, verb, amount, second):
    """Do what asks nobody; return False where the verb has a question instead."""
    seat, source, place = int(frame[F_SIDE]), int(frame[F_CARD]), int(frame[F_PLACE])
    other, colour = opponent(seat), colour_of(k, source)
    if verb == GAIN:
        gain(g, k, seat, amount)
    elif verb == DAMAGE_EACH:
        hit_each(g, k, other, amount, colour)
        hit_each(g, k, seat, second, colour)
        settle(g, k, 0)
    elif verb == DAMAGE_FACED:
        hit_faced(g, k, seat, place, amount, colour)
        settle(g, k, 0)
    elif verb == NEEDS_TARGET:
        if not any_target(g, k, other, colour):
            pop(g)
    elif verb == NEEDS_FACED:
        if not any_faced(g, k, seat, place, colour):
            pop(g)
    elif verb == STEP:
        for _ in range(amount):
            step_marker(g, k, seat)
    elif verb == DISCARD_HANDS:
        discard_hands(g, seat)
    elif verb == MAY_GIVE_UP and g.hand_size[seat] == 0:
        pop(g)
    else:
        return False
    return True


@compiled
def put_question(g, k, frame, verb, amount):
    """Open the verb's question, if an answer could change the position."""
    seat, source, place = int(frame[F_SIDE]), int(frame[F_CARD]), int(frame[F_PLACE])
    other, colour = opponent(seat), colour_of(k, source)
    if verb == MAY_DRAW:
        if g.deck_size[seat] > 0:
            ask_yes_no(g, seat, ASK_DRAW, source, amount)
    elif verb == OPPONENT_MAY_DRAW:
        if g.deck_size[other] > 0:
            ask_yes_no(g, other, ASK_DRAW, source, amount)
    elif verb == MAY_DAMAGE or verb == MUST_DAMAGE:
        ask(g, seat, ASK_DAMAGE, source, amount)
        offer_targets(g, k, other, colour)
        end_offers(g, verb == MAY_DAMAGE)
    elif verb == MAY_DAMAGE_OPPOSITE:
        if can_be_hit(g, k, facing(place), colour):
            ask_yes_no(g, seat, ASK_DAMAGE_OPPOSITE, source, amount)
    elif verb == MUST_HEAL:
        ask(g, seat, ASK_HEAL, source, amount)
        offer_damaged(g, seat)
        end_offers(g, False)
    elif verb == MAY_HEAL_SELF:
        if g.damage[place] > 0:
            ask_yes_no(g, seat, ASK_HEAL_SELF, source, amount)
    elif verb == MAY_HEAL_EACH:
        if any_damaged(g, seat):
            ask_yes_no(g, seat, ASK_HEAL_EACH, source, amount)
    elif verb == MAY_MOVE:
        if any_target(g, k, other, colour):
            ask(g, seat, ASK_MOVE_FROM, source, amount)
            offer_damaged(g, seat)
            end_offers(g, True)
    elif verb == MAY_GIVE_UP:
        ask(g, seat, ASK_GIVE_UP, source, 1)
        offer_hand(g, seat)
        offer(g, NO)
    else:
        put_rare_question(g, k, frame, verb, amount)


@compiled
def put_rare_question(g, k, frame, verb, amount):
    seat, source, place = int(frame[F_SIDE]), int(frame[F_CARD]), int(frame[F_PLACE])
    if verb == MAY_PLAY:
        ask(g, seat, ASK_PLAY_FREE, source, amount)
        offer_plays(g, k, seat, FREE, symbol_limit(amount))
        end_offers(g, True)
    elif verb == MAY_PLAY_FOR_ANY:
        ask(g, seat, ASK_PLAY_ANY, source, 0)
        offer_plays(g, k, seat, PAID_WITH_ANY, symbol_limit(NO_LIMIT))
        end_offers(g, True)
    elif verb == MAY_FETCH:
        ask(g, seat, ASK_FETCH, source, amount)
        offer_fetches(g, k, seat, source, symbol_limit(amount))
        end_offers(g, True)
    elif verb == REMOVE_ARTIFACT:
        ask(g, seat, ASK_REMOVE_ARTIFACT, source, 1)
        for artifact in range(ARTIFACTS):
            if g.artifact_owner[artifact] == opponent(seat):
                offer(g, ARTIFACT + artifact)
        end_offers(g, False)
    elif verb == MAY_ATTACK_AGAIN:
        attack = g.frame[int(g.depth) - 2]
        if second_attack_would_do(g, k, seat, place, source, int(attack[F_A]), amount):
            ask_yes_no(g, seat, ASK_ATTACK_AGAIN, source, 0)
    elif verb == MAY_RELOCATE:
        ask(g, seat, ASK_RELOCATE, source, 0)
        for slot in range(k.slots):
            if g.card[place_at(seat, slot)] == NO_CARD:
                offer(g, SLOT + slot)
        end_offers(g, True)


@compiled
def symbol_limit(amount):
    """Most printed symbols allowed; `NO_LIMIT` allows all."""
    return 127 if amount == NO_LIMIT else amount


@compiled
def ask_yes_no(g, seat, question, source, amount):
    ask(g, seat, question, source, amount)
    offer(g, YES)
    offer(g, NO)


@compiled
def end_offers(g, declinable):
    """Take the question back if nothing was offered; else let the player decline it."""
    if g.option_count == 0:
        withdraw(g)
    elif declinable:
        offer(g, NO)


@compiled
def take_effect(g, k, frame, verb, amount, answer):
    """Carry out an answer; to decline ends the program."""
    seat, source, place = int(frame[F_SIDE]), int(frame[F_CARD]), int(frame[F_PLACE])
    if answer == NO:
        pop(g)
        return
    if verb == MAY_MOVE and frame[STAGE] == ANSWERED:
        frame[F_C] = answer - TARGET
        frame[STAGE] = ANSWERED_AGAIN
        ask(g, seat, ASK_MOVE_TO, source, amount)
        offer_targets(g, k, opponent(seat), colour_of(k, source))
        return
    frame[STAGE] = AT_START
    frame[F_B] += 1
    if verb == MAY_DRAW:
        draw(g, seat, amount)
    elif verb == OPPONENT_MAY_DRAW:
        draw(g, opponent(seat), amount)
    elif verb == MAY_DAMAGE or verb == MUST_DAMAGE:
        hit(g, k, answer - TARGET, amount, colour_of(k, source))
        settle(g, k, 0)
    elif verb == MAY_DAMAGE_OPPOSITE:
        hit(g, k, facing(place), amount, colour_of(k, source))
        settle(g, k, 0)
    elif verb == MUST_HEAL:
        heal(g, answer - TARGET, amount)
    elif verb == MAY_HEAL_SELF:
        heal(g, place, amount)
    elif verb == MAY_HEAL_EACH:
        heal_each(g, seat, amount)
    elif verb == MAY_MOVE:
        heal(g, int(frame[F_C]), amount)
        hit(g, k, answer - TARGET, amount, colour_of(k, source))
        settle(g, k, 0)
    elif verb == MAY_GIVE_UP:
        discard_from_hand(g, seat, answer - DISCARD)
    elif verb == MAY_PLAY:
        push(g, R_PLAY, seat, answer - PLAY, 0, FREE)
    elif verb == MAY_PLAY_FOR_ANY:
        push(g, R_PLAY, seat, answer - PLAY, 0, PAID_WITH_ANY)
    elif verb == MAY_FETCH:
        push(g, R_PLAY, seat, answer - FETCH, 0, FETCHED)
    elif verb == REMOVE_ARTIFACT:
        lose_artifact(g, answer - ARTIFACT)
    elif verb == MAY_ATTACK_AGAIN:
        strike(g, k, g.frame[int(g.depth) - 2], seat, source, place)
    elif verb == MAY_RELOCATE:
        relocate(g, seat, place, answer - SLOT)


@compiled
def relocate(g, seat, place, slot):
    """Move an attacker with damage and tucked card; it attacks no more (ruling 30)."""
    goal = place_at(seat, slot)
    below = gone_below(g, place)
    shift(g, place, goal)
    g.moved[goal] = 1
    if below >= 0:
        shift(g, below, below - place + goal)


# ---------------------------------------------------------------------------------------------
# Taking an artifact tile, and the Eternal Flame.


@compiled
def run_tile(g, k, frame):
    """Let the side at the end of the track take a face-up tile (ruling 41)."""
    seat = int(frame[F_SIDE])
    if frame[STAGE] == AT_START:
        frame[STAGE] = ANSWERED
        ask(g, seat, ASK_TILE, NO_SOURCE, 1)
        for artifact in range(ARTIFACTS):
            if g.row[0] == artifact or g.row[1] == artifact:
                offer(g, ARTIFACT + artifact)
        return
    tile = take_answer(g) - ARTIFACT
    pop(g)
    take_tile(g, k, seat, tile)


@compiled
def run_flame(g, k, frame):
    """Ask the owner of the Eternal Flame once for each defeated own card (ruling 46).

    Frame: side, F_A answers still to come.
    """
    seat = int(frame[F_SIDE])
    if frame[STAGE] == ANSWERED:
        frame[STAGE] = AT_START
        answer = take_answer(g)
        if frame[F_A] == 0:
            pop(g)
        if answer != NO:
            hit(g, k, answer - TARGET, 1, NO_COLOUR)
            settle(g, k, 0)
        return
    if frame[F_A] == 0 or not any_target(g, k, opponent(seat), NO_COLOUR):
        pop(g)
        return
    frame[F_A] -= 1
    frame[STAGE] = ANSWERED
    ask(g, seat, ASK_FLAME, FIRST_ARTIFACT_SOURCE + ETERNAL_FLAME, 1)
    offer_targets(g, k, opponent(seat), NO_COLOUR)
    offer(g, NO)
