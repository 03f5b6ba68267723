"""Every integer of this game has its name here."""

from __future__ import annotations

# Seats.
VILLAINS, HEROES = 0, 1
SIDES = ("villains", "heroes")

# Cards: ids are positions in cards order: 28 villains, 28 heroes, 8 battlegrounds.
FACTION_CARDS = 28
FIRST_BATTLEGROUND = 56
BATTLEGROUNDS = 8
CARDS = 64
NO_CARD = -1
MAIN, SIDE, BATTLEGROUND = 0, 1, 2
KINDS = ("main", "side", "battleground")

RED, YELLOW, GREEN, BLUE, ANY = 0, 1, 2, 3, 4
COLOURS = ("red", "yellow", "green", "blue")
COLOUR_LETTERS = "rygb"
NO_COLOUR = -1

# Places in play: an index 0..17; v1-v6, h1-h6, h1u-h6u (a Doctor Strange below h1-h6).
SLOTS = 6
FIRST_HERO_PLACE = 6
FIRST_TUCKED_PLACE = 12
PLACES = 18
PLACE_NAMES = (
    *(f"v{n}" for n in range(1, 7)),
    *(f"h{n}" for n in range(1, 7)),
    *(f"h{n}u" for n in range(1, 7)),
)
MANHATTAN, SANCTUM, TOWER, NO_LOCATION = 0, 1, 2, -1
LOCATIONS = ("manhattan", "sanctum", "tower")

# Artifacts.
ARTIFACTS = 12
ARTIFACT_IDS = (
    "casket_of_ancient_winters",
    "cosmic_cube",
    "darkhold",
    "ebony_blade",
    "eternal_flame",
    "eye_of_agamotto",
    "lifeline_tablet",
    "norn_stones",
    "tactigon",
    "ten_rings",
    "wand_of_watoomb",
    "warlocks_eye",
)
CASKET, COSMIC_CUBE, DARKHOLD, EBONY_BLADE, ETERNAL_FLAME, EYE_OF_AGAMOTTO = range(6)
LIFELINE_TABLET, NORN_STONES, TACTIGON, TEN_RINGS, WAND, WARLOCKS_EYE = range(6, 12)
NO_TILE = -1
NOBODY = -1
GONE = -2  # an artifact that has left the game

# Sources of effects: cards 0..63, then artifacts 64..75.
FIRST_ARTIFACT_SOURCE = CARDS
SOURCES = CARDS + ARTIFACTS
NO_SOURCE = -1

# Actions: one flat id for each move.
PLAY = 0
FETCH = PLAY + CARDS
DISCARD = FETCH + CARDS
CIVILIAN = DISCARD + CARDS
WAIVE = CIVILIAN + 4
SLOT = WAIVE + 1
TUCK = SLOT + SLOTS
TARGET = TUCK + SLOTS
ARTIFACT = TARGET + PLACES
YES = ARTIFACT + ARTIFACTS
NO = YES + 1
DONE = NO + 1
ACTIONS = DONE + 1
NO_ACTION = -1
MAX_OPTIONS = 80

# Phases and endings.
RECRUITMENT, ATTACK, DRAW, OVER = 0, 1, 2, 3
PHASES = ("recruitment", "attack", "draw", "over")
BY_VICTORY, BY_CIVILIANS, BY_DECK = 1, 2, 3  # 0 while the game runs
ENDINGS = ("", "victory", "civilians", "deck")

# Questions.
QUESTIONS = (
    "",
    "recruitment",
    "payment",
    "placement",
    "artifact window",
    "lead attack",
    "free civilian",
    "choose tile",
    "draw",
    "draw three",
    "damage",
    "damage opposite",
    "heal",
    "heal self",
    "heal each",
    "move from",
    "move to",
    "give up card",
    "play free",
    "play for any",
    "fetch",
    "attack again",
    "capture",
    "relocate",
    "remove artifact",
    "warlock discard",
    "flame",
)
NO_QUESTION = 0
(
    ASK_RECRUITMENT,
    ASK_PAYMENT,
    ASK_PLACEMENT,
    ASK_ARTIFACT_WINDOW,
    ASK_LEAD_ATTACK,
    ASK_CIVILIAN,
    ASK_TILE,
    ASK_DRAW,
    ASK_DRAW_THREE,
    ASK_DAMAGE,
    ASK_DAMAGE_OPPOSITE,
    ASK_HEAL,
    ASK_HEAL_SELF,
    ASK_HEAL_EACH,
    ASK_MOVE_FROM,
    ASK_MOVE_TO,
    ASK_GIVE_UP,
    ASK_PLAY_FREE,
    ASK_PLAY_ANY,
    ASK_FETCH,
    ASK_ATTACK_AGAIN,
    ASK_CAPTURE,
    ASK_RELOCATE,
    ASK_REMOVE_ARTIFACT,
    ASK_WARLOCK,
    ASK_FLAME,
) = range(1, 27)

# The verbs that programs of effects are made of (words in the card set: see cards.py).
(
    END,
    GAIN,
    MAY_DRAW,
    OPPONENT_MAY_DRAW,
    DAMAGE_EACH,
    DAMAGE_FACED,
    MAY_DAMAGE,
    MUST_DAMAGE,
    MAY_DAMAGE_OPPOSITE,
    MUST_HEAL,
    MAY_HEAL_SELF,
    MAY_HEAL_EACH,
    MAY_MOVE,
    MAY_GIVE_UP,
    NEEDS_TARGET,
    NEEDS_FACED,
    MAY_PLAY,
    MAY_PLAY_FOR_ANY,
    MAY_FETCH,
    STEP,
    DISCARD_HANDS,
    REMOVE_ARTIFACT,
    MAY_ATTACK_AGAIN,
    MAY_RELOCATE,
) = range(24)
INSTRUCTIONS = 4
NO_LIMIT = 9

# When a program runs.
IMMEDIATE, ATTACK_EFFECT = 0, 1

# How an artifact works.
PERMANENT, ONE_TIME, EACH_RECRUITMENT = 0, 1, 2
ARTIFACT_KINDS = ("permanent", "one_time", "each_recruitment")

# Frames of the effect stack: what a column holds, and which routine runs the frame.
ROUTINE, STAGE, F_SIDE, F_CARD, F_PLACE, F_A, F_B, F_C = range(8)
FRAME_COLUMNS = 8
MAX_FRAMES = 32
R_PROGRAM, R_PLAY, R_ATTACK, R_STRIKE, R_TILE, R_FLAME = range(1, 7)

# Ways to play a card.
PAID, PAID_WITH_ANY, FREE, FETCHED, RETURNED = range(5)

# Steps inside a phase.
PHASE_START, PHASE_ASKED, PHASE_ACT, PHASE_CHOSEN, PHASE_END = range(5)

EVENTS = 4  # last moves that the record keeps
