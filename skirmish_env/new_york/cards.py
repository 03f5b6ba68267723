"""The card set and its rules options as one record, assembled from TOML words.

Programs of effects are lists of short phrases; the vocabulary is `VERBS` below. A wrong word,
key or value fails here, naming file, card and word.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from skirmish_env import card_sets
from skirmish_env.common.frozen import FrozenDict
from skirmish_env.common.words import nearest
from skirmish_env.new_york import ids

CARDS = np.dtype(
    (
        np.record,
        [
            # Cards, by card id.
            ("faction", "i1", (64,)),  # seat of the faction; -1 for battlegrounds
            ("kind", "i1", (64,)),  # MAIN, SIDE or BATTLEGROUND
            ("character", "i1", (64,)),  # which main character 0..31; -1 for others
            ("colour", "i1", (64,)),  # 0..3; -1 for battlegrounds
            ("cost", "i1", (64, 5)),  # symbols red, yellow, green, blue, any
            ("symbols", "i1", (64,)),  # printed symbols in all
            ("strength", "i1", (64,)),
            ("health", "i1", (64,)),
            ("points", "i1", (64,)),  # victory points of a battleground
            ("copies", "i1", (64,)),
            # Permanent effects, by card id; zero where absent.
            ("immune", "i1", (64,)),  # bit c: takes no damage from colour c
            ("armour", "i1", (64,)),  # off the first damage of a turn
            ("inspires", "i1", (64,)),  # strength given to the other own cards
            ("tucks", "i1", (64,)),  # may go below another hero
            ("captures", "i1", (64,)),  # takes over a hero he defeats
            ("leads", "i1", (64,)),  # may let a neighbour attack instead
            ("frees_full_sets_only", "i1", (64,)),
            ("frees_nobody", "i1", (64,)),
            ("returns", "i1", (64,)),  # may come back from the discard pile
            ("return_cost", "i1", (64, 5)),
            ("returning", "i8", (2,)),  # by faction: bit n for its card n that may come back
            # Programs, by source (cards, then artifacts), by occasion (immediate or use; attack).
            ("code", "i1", (76, 2, 4, 3)),  # verb, first amount, second amount
            ("artifact_kind", "i1", (12,)),  # PERMANENT, ONE_TIME, EACH_RECRUITMENT
            ("artifact_copies", "i1", (12,)),  # 1; 0 where the artifact is out of the game
            # Rules options.
            ("location", "i1", (6,)),  # MANHATTAN, SANCTUM, TOWER; -1: no such slot
            ("slots", "i1"),
            ("track", "i1"),  # steps from the centre to an end of the artifact track
            ("arrow", "i1"),  # steps from the centre to an arrow space
            ("each_attack", "i1"),  # ruling 27
            ("goal", "i1", (2,)),  # victory points that win, by seat
            ("opening_hand", "i1", (2,)),
            ("removed", "i1"),
            ("draws", "i1"),
            ("civilians", "i1", (6,)),  # colour bits of the civilians on each slot at the start
            ("civilian_floor", "i1"),
        ],
    )
)

# Where a verb makes sense: anywhere; for a card in play (it needs a place); after an attack.
ANYWHERE, IN_PLAY, AFTER_ATTACK = range(3)

# Words -> verb, number of amounts, where it makes sense. An amount is a number; after LIMITS it
# may be "any" for no limit.
VERBS: dict[str, tuple[int, int, int]] = {
    "gain": (ids.GAIN, 1, ANYWHERE),
    "may draw": (ids.MAY_DRAW, 1, ANYWHERE),
    "opponent may draw": (ids.OPPONENT_MAY_DRAW, 1, ANYWHERE),
    "damage each": (ids.DAMAGE_EACH, 2, ANYWHERE),  # on every opposing card, on every own card
    # On each opposing card that faces a card, except the one that faces the source.
    "damage faced": (ids.DAMAGE_FACED, 1, IN_PLAY),
    "may damage": (ids.MAY_DAMAGE, 1, ANYWHERE),
    "must damage": (ids.MUST_DAMAGE, 1, ANYWHERE),
    "may damage opposite": (ids.MAY_DAMAGE_OPPOSITE, 1, IN_PLAY),
    "must heal": (ids.MUST_HEAL, 1, ANYWHERE),
    "may heal self": (ids.MAY_HEAL_SELF, 1, IN_PLAY),
    "may heal each": (ids.MAY_HEAL_EACH, 1, ANYWHERE),
    "may move": (ids.MAY_MOVE, 1, ANYWHERE),  # damage from an own card to an opposing one
    "may give up card": (ids.MAY_GIVE_UP, 0, ANYWHERE),
    "needs target": (ids.NEEDS_TARGET, 0, ANYWHERE),
    "needs faced": (ids.NEEDS_FACED, 0, IN_PLAY),
    "may play": (ids.MAY_PLAY, 1, ANYWHERE),  # for free, up to so many printed symbols
    "may play for any": (ids.MAY_PLAY_FOR_ANY, 0, ANYWHERE),
    "may fetch": (ids.MAY_FETCH, 1, ANYWHERE),  # the same from the own discard pile
    "step": (ids.STEP, 1, ANYWHERE),
    "discard hands": (ids.DISCARD_HANDS, 0, ANYWHERE),
    "remove artifact": (ids.REMOVE_ARTIFACT, 0, ANYWHERE),
    "may attack again": (ids.MAY_ATTACK_AGAIN, 1, AFTER_ATTACK),  # bonuses in one activation
    "may relocate": (ids.MAY_RELOCATE, 0, AFTER_ATTACK),
}

LIMITS = ("may play", "may fetch")

CARD_SET_KEYS = ("name", "version", "title")
BASE = "base"  # the set that a file selects from: see card_sets.selected
FLAGS = ("tucks", "captures", "leads", "frees_full_sets_only", "frees_nobody")
CARD_KEYS = {
    "name", "faction", "kind", "version", "colour", "cost", "strength", "health", "copies",
    "victory_points", "immediate", "attack", "immune", "armour", "inspires", "return_cost",
    "text", "basis", *FLAGS,
}  # fmt: skip
ARTIFACT_KEYS = {"name", "kind", "use", "copies", "text", "basis"}
MAX_RETURNING = 16  # hand, returns, artifacts and `done` must fit into the options
ARTIFACT_KINDS = tuple(
    ids.ONE_TIME
    if tile in (ids.CASKET, ids.DARKHOLD, ids.EYE_OF_AGAMOTTO, ids.TACTIGON)
    else ids.EACH_RECRUITMENT
    if tile in (ids.EBONY_BLADE, ids.LIFELINE_TABLET)
    else ids.PERMANENT
    for tile in range(ids.ARTIFACTS)
)
BASES = ("printed", "derived", "assumed")

NUMBER_RULES = {  # option -> least and greatest value
    "manhattan_slots": (0, 6),
    "sanctum_slots": (0, 6),
    "tower_slots": (0, 6),
    "artifact_track": (1, 9),
    "artifact_arrow": (0, 8),
    "villains_goal": (1, 49),
    "heroes_goal": (1, 49),
    "villains_opening_hand": (0, 56),
    "heroes_opening_hand": (0, 56),
    "cards_removed": (0, 55),
    "draws_per_turn": (1, 9),
    "civilian_floor": (-1, 23),
}
WORD_RULES = ("attack_effect", "civilians")
RULES = (*NUMBER_RULES, *WORD_RULES)
ATTACK_EFFECTS = ("once_per_phase", "each_attack")


@dataclass(frozen=True, eq=False)
class CardSet:
    """A card set with its rules options, ready for the kernels.

    Attributes:
        name, version, hash: what the file calls itself, and 16 hexadecimal digits of its text.
        rules: every rules option in force; cannot be changed, because games share it.
        record: structured array of length 1, dtype `CARDS`.
        ids: card ids in action order; `names` and `texts` by card or artifact id.
    """

    name: str
    version: str
    hash: str
    rules: dict[str, Any]
    record: np.ndarray
    ids: tuple[str, ...]
    names: dict[str, str] = field(repr=False)
    texts: dict[str, str] = field(repr=False)
    basis: dict[str, dict[str, str]] = field(repr=False)


# Card sets that were assembled in this process, by text and rules options; the oldest go.
_KEPT: dict[tuple[card_sets.CardSetFile, str], CardSet] = {}
MOST_KEPT = 32


def load(
    card_set: str | Path | CardSet | None = None, rules: dict[str, Any] | None = None
) -> CardSet:
    """Load a card set by name or path, with rules options changed by `rules`.

    Raises:
        ValueError: names the file, the card and the word that is wrong, and what would be right.
    """
    if rules is not None and not isinstance(rules, dict):
        raise ValueError(f"rules: a dictionary of options, not {rules!r}")
    if isinstance(card_set, CardSet):
        if not rules:
            return card_set
        raise ValueError("rules options cannot change a loaded card set: give its name or path")
    file = card_sets.read(card_set)
    key = file, repr(rules or {})
    if key not in _KEPT:
        _KEPT[key] = _assemble(file, rules or {})
        while len(_KEPT) > MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
    return replace(_KEPT[key], record=_KEPT[key].record.copy())


def card_ids(tables: dict[str, Any] | None = None) -> tuple[str, ...]:
    """Card ids in action order (those of the default set unless tables are given)."""
    return tuple((tables or card_sets.read().tables)["cards"])


def _assemble(file: card_sets.CardSetFile, rules: dict[str, Any]) -> CardSet:
    tables, source = file.tables, file.source
    _check_keys(tables, {"card_set", "rules", "cards", "artifacts"}, source)
    for table in ("card_set", "rules", "cards", "artifacts"):
        if not isinstance(tables.get(table), dict):
            raise ValueError(f"{source}: the table [{table}] is missing")
    _check_keys(tables["card_set"], (*CARD_SET_KEYS, BASE), f"{source}: [card_set]")
    for key in CARD_SET_KEYS:
        _text(tables["card_set"], key, f"{source}: [card_set]")
    record = np.zeros(1, CARDS)
    options = _options(tables["rules"], rules, source)
    _write_rules(record[0], options, source)
    expected = card_ids()
    found = tuple(tables["cards"])
    for position, (want, have) in enumerate(zip(expected, found, strict=False)):
        if want != have:
            raise ValueError(f"{source}: card {position} is {have!r}; {want!r} belongs there")
    if len(found) != ids.CARDS:
        raise ValueError(f"{source}: {len(found)} cards, but {ids.CARDS} are expected")
    if tuple(tables["artifacts"]) != ids.ARTIFACT_IDS:
        raise ValueError(f"{source}: the artifacts must be {', '.join(ids.ARTIFACT_IDS)}")
    basis = {}
    for card, (name, values) in enumerate(tables["cards"].items()):
        basis[name] = _write_card(record[0], card, values, f"{source}: {name}")
    for tile, (name, values) in enumerate(tables["artifacts"].items()):
        basis[name] = _write_artifact(record[0], tile, values, f"{source}: {name}")
    _name_characters(record[0], tables["cards"])
    _check_decks(record[0], source)
    _check_fetchers(record[0], tables["cards"], source)
    named = {**tables["cards"], **tables["artifacts"]}
    return CardSet(
        name=tables["card_set"]["name"],
        version=str(tables["card_set"]["version"]),
        hash=file.hash,
        rules=FrozenDict(options),
        record=record,
        ids=found,
        names=FrozenDict({i: v["name"] for i, v in named.items()}),
        texts=FrozenDict({i: v["text"] for i, v in named.items()}),
        basis=FrozenDict({i: FrozenDict(v) for i, v in basis.items()}),
    )


def _check_keys(values: dict[str, Any], known: Any, where: str) -> None:
    for key in values:
        if key not in known:
            raise ValueError(f"{where}: unknown key {key!r}; {nearest(key, sorted(known))}")


def _options(own: dict[str, Any], changes: dict[str, Any], source: str) -> dict[str, Any]:
    for given, where in ((own, f"{source}: [rules]"), (changes, "rules")):
        _check_keys(given, RULES, where)
        for key, value in given.items():
            kind = int if key in NUMBER_RULES else str
            if type(value) is not kind:
                raise ValueError(f"{where}: {key} must be {kind.__name__}, not {value!r}")
        for key, (least, most) in NUMBER_RULES.items():
            if key in given and not least <= given[key] <= most:
                raise ValueError(f"{where}: {key} must be {least} to {most}, not {given[key]}")
    options = {**own, **changes}
    for key in RULES:
        if key not in options:
            raise ValueError(f"{source}: [rules]: {key} is missing")
    return options


def _write_rules(k: Any, options: dict[str, Any], source: str) -> None:
    counts = [options[f"{name}_slots"] for name in ids.LOCATIONS]
    if not 1 <= sum(counts) <= ids.SLOTS:
        raise ValueError(f"{source}: {sum(counts)} slots per side; 1 to {ids.SLOTS} are possible")
    k.slots = sum(counts)
    k.location[:] = ids.NO_LOCATION
    k.location[: sum(counts)] = np.repeat([ids.MANHATTAN, ids.SANCTUM, ids.TOWER], counts)
    if options["artifact_arrow"] >= options["artifact_track"]:
        raise ValueError(f"{source}: artifact_arrow must be less than artifact_track")
    k.track, k.arrow = options["artifact_track"], options["artifact_arrow"]
    if options["attack_effect"] not in ATTACK_EFFECTS:
        wrong = options["attack_effect"]
        raise ValueError(f"{source}: attack_effect {wrong!r}; {nearest(wrong, ATTACK_EFFECTS)}")
    k.each_attack = options["attack_effect"] == "each_attack"
    k.goal[:] = options["villains_goal"], options["heroes_goal"]
    k.opening_hand[:] = options["villains_opening_hand"], options["heroes_opening_hand"]
    k.removed, k.draws = options["cards_removed"], options["draws_per_turn"]
    k.civilians[: counts[0]] = colour_bits(options["civilians"], f"{source}: civilians")
    people = counts[0] * len(options["civilians"])
    if options["civilian_floor"] >= 0 and people <= options["civilian_floor"]:
        raise ValueError(
            f"{source}: civilian_floor {options['civilian_floor']}: with {people} civilians the "
            "Heroes would have won before the first turn; -1 switches this ending off"
        )
    k.civilian_floor = options["civilian_floor"]


def colour_bits(letters: str, where: str) -> int:
    """Bits of the colours named by letters, each at most once."""
    bits = 0
    for letter in letters:
        if letter not in ids.COLOUR_LETTERS:
            raise ValueError(f"{where}: unknown colour {letter!r}; colours are r, y, g, b")
        bit = 1 << ids.COLOUR_LETTERS.index(letter)
        if bits & bit:
            raise ValueError(f"{where}: the {letter!r} civilian stands twice in {letters!r}")
        bits |= bit
    return bits


def _text(values: dict[str, Any], key: str, where: str) -> str:
    value = values.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{where}: {key} must be a text in quotes, not {value!r}")
    return value


def _cost(text: str, where: str) -> list[int]:
    if len(text) > 9:
        raise ValueError(f"{where}: a cost has at most 9 symbols, not {len(text)}")
    for letter in text:
        if letter not in "rygb*":
            raise ValueError(f"{where}: unknown cost symbol {letter!r}; symbols are r y g b *")
    return [text.count(letter) for letter in "rygb*"]


def _number(values: dict[str, Any], key: str, most: int, where: str) -> int:
    value = values.get(key)
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{where}: {key} must be a whole number 0 to {most}, not {value!r}")
    return value


def _write_card(k: Any, card: int, values: dict[str, Any], where: str) -> dict[str, str]:
    _check_keys(values, CARD_KEYS, where)
    for key in ("name", "kind", "faction", "cost", "text"):
        _text(values, key, where)
    kind, faction = _word(values, "kind", ids.KINDS, where), values["faction"]
    home = _home(card)
    if faction != home:
        raise ValueError(f"{where}: faction must be {home!r} in this place, not {faction!r}")
    if (kind == ids.BATTLEGROUND) != (home == "none"):
        raise ValueError(f"{where}: kind {values['kind']!r} does not go with faction {faction!r}")
    k.kind[card] = kind
    k.faction[card] = ids.NOBODY if home == "none" else ids.SIDES.index(home)
    k.cost[card] = _cost(values["cost"], where)
    k.symbols[card] = len(values["cost"])
    k.copies[card] = _number(values, "copies", 2, where)
    if kind == ids.BATTLEGROUND:
        k.colour[card] = ids.NO_COLOUR
        k.points[card] = _number(values, "victory_points", 9, where)
        if k.copies[card] > 1:
            raise ValueError(f"{where}: a battleground has 1 copy, or 0 to leave it out")
    else:
        k.colour[card] = _word(values, "colour", ids.COLOURS, where)
        k.strength[card] = _number(values, "strength", 9, where)
        k.health[card] = _number(values, "health", 20, where)
        if k.health[card] == 0:
            raise ValueError(f"{where}: health must be 1 or more")
    if not isinstance(values.get("immune", []), list):
        raise ValueError(f"{where}: immune must be a list of colours, not {values['immune']!r}")
    for colour in values.get("immune", []):
        k.immune[card] |= 1 << _word({"immune": colour}, "immune", ids.COLOURS, where)
    for key, most in (("armour", 9), ("inspires", 3)):
        if key in values:
            k[key][card] = _number(values, key, most, where)
    for key in FLAGS:
        if type(values.get(key, False)) is not bool:
            raise ValueError(f"{where}: {key} must be true or false")
        k[key][card] = values.get(key, False)
    if "return_cost" in values:
        _text(values, "return_cost", where)
        k.returns[card] = 1
        if card < ids.FIRST_BATTLEGROUND:
            k.returning[card // ids.FACTION_CARDS] |= 1 << (card % ids.FACTION_CARDS)
        k.return_cost[card] = _cost(values["return_cost"], where)
    for occasion, key in ((ids.IMMEDIATE, "immediate"), (ids.ATTACK_EFFECT, "attack")):
        least = AFTER_ATTACK if occasion == ids.ATTACK_EFFECT else IN_PLAY
        k.code[card, occasion] = _program(
            values.get(key, []), ANYWHERE if kind == ids.BATTLEGROUND else least, f"{where}: {key}"
        )
    return _basis(values, where)


def _home(card: int) -> str:
    if card >= ids.FIRST_BATTLEGROUND:
        return "none"
    return ids.SIDES[card // ids.FACTION_CARDS]


def _word(values: dict[str, Any], key: str, known: tuple[str, ...], where: str) -> int:
    if values.get(key) not in known:
        raise ValueError(f"{where}: {key} {values.get(key)!r}; {nearest(values.get(key), known)}")
    return known.index(values[key])


def _write_artifact(k: Any, tile: int, values: dict[str, Any], where: str) -> dict[str, str]:
    _check_keys(values, ARTIFACT_KEYS, where)
    for key in ("name", "text"):
        _text(values, key, where)
    kind = _word(values, "kind", ids.ARTIFACT_KINDS, where)
    if kind != ARTIFACT_KINDS[tile]:
        right = ids.ARTIFACT_KINDS[ARTIFACT_KINDS[tile]]
        raise ValueError(f"{where}: kind must be {right!r}: the phases use this artifact so")
    k.artifact_kind[tile] = kind
    k.artifact_copies[tile] = _number({"copies": 1, **values}, "copies", 1, where)
    if (kind == ids.PERMANENT) == bool(values.get("use")):
        raise ValueError(f"{where}: `use` belongs to one_time and each_recruitment artifacts")
    source = ids.FIRST_ARTIFACT_SOURCE + tile
    k.code[source, ids.IMMEDIATE] = _program(
        values.get("use", []), ANYWHERE, f"{where}: use"
    )
    return _basis(values, where)


def _basis(values: dict[str, Any], where: str) -> dict[str, str]:
    """Return how each value is known; every value but the text must say so once."""
    if not isinstance(values.get("basis"), dict):
        raise ValueError(f"{where}: basis must say how each value is known")
    _check_keys(values["basis"], BASES, f"{where}: basis")
    found: dict[str, str] = {}
    for word, keys in values["basis"].items():
        for key in keys:
            if key in found or key not in values:
                raise ValueError(f"{where}: basis names {key!r} twice, or no such value exists")
            found[key] = word
    missing = set(values) - set(found) - {"text", "basis"}
    if missing:
        raise ValueError(f"{where}: basis does not say how {sorted(missing)} are known")
    return found


def _program(phrases: Any, occasion: int, where: str) -> np.ndarray:
    code = np.zeros((ids.INSTRUCTIONS, 3), np.int8)
    if not isinstance(phrases, list):
        raise ValueError(f"{where}: expected a list of phrases, not {phrases!r}")
    if len(phrases) > ids.INSTRUCTIONS:
        raise ValueError(f"{where}: {len(phrases)} phrases; at most {ids.INSTRUCTIONS} fit")
    for line, phrase in enumerate(phrases):
        verb, amounts = _split(str(phrase))
        if verb not in VERBS:
            raise ValueError(f"{where}: unknown verb {phrase!r}; {nearest(verb, VERBS)}")
        code[line, 0], wanted, least = VERBS[verb]
        if occasion < least:
            raise ValueError(f"{where}: {verb!r} makes no sense here: {_MAKES_SENSE[least]}")
        if len(amounts) != wanted:
            raise ValueError(f"{where}: {phrase!r} needs {wanted} number(s) after {verb!r}")
        for column, amount in enumerate(amounts):
            code[line, 1 + column] = _amount(verb, amount, f"{where}: {phrase!r}")
    return code


_MAKES_SENSE = ("anywhere", "only for a card in play", "only as an attack effect")


def _split(phrase: str) -> tuple[str, list[str]]:
    """Split a phrase into its verb and its amounts."""
    words = phrase.split()
    if " ".join(words) in VERBS:
        return " ".join(words), []
    split = next((n for n, w in enumerate(words) if w == "any" or w.isdigit()), len(words))
    return " ".join(words[:split]), words[split:]


def _amount(verb: str, amount: str, where: str) -> int:
    if amount == "any" and verb in LIMITS:
        return ids.NO_LIMIT
    most = 1 if verb == "step" else ids.NO_LIMIT - 1
    if not amount.isdigit() or not 0 <= int(amount) <= most:
        limit = ', or "any"' if verb in LIMITS else ""
        raise ValueError(f"{where}: {amount!r} must be 0 to {most}{limit}")
    return int(amount)


def _name_characters(k: Any, cards: dict[str, Any]) -> None:
    """Number the main characters, so that copies of one know each other."""
    numbers: dict[str, int] = {}
    k.character[:] = -1
    for card, values in enumerate(cards.values()):
        if k.kind[card] == ids.MAIN:
            k.character[card] = numbers.setdefault(values["name"], len(numbers))


def _check_decks(k: Any, source: str) -> None:
    for seat, side in enumerate(ids.SIDES):
        size = int(k.copies[k.faction == seat].sum()) - int(k.removed)
        if size < k.opening_hand[seat]:
            raise ValueError(
                f"{source}: the {side}' deck holds {size} cards after removal, "
                f"fewer than the opening hand of {k.opening_hand[seat]}"
            )


def _check_fetchers(k: Any, cards: dict[str, Any], source: str) -> None:
    """Only one main character may fetch: two could fetch each other for ever (ruling 16)."""
    fetchers = [
        name
        for card, name in enumerate(cards)
        if ids.MAY_FETCH in k.code[card, :, :, 0] and k.kind[card] != ids.BATTLEGROUND
    ]
    if len({cards[name]["name"] for name in fetchers}) > 1 or any(
        cards[name]["kind"] != "main" for name in fetchers
    ):
        raise ValueError(
            f"{source}: 'may fetch' on {', '.join(fetchers)}: only one main character may fetch, "
            "or a chain of fetches would never end"
        )
    returning = int(k.returns.sum())
    if returning > MAX_RETURNING:
        raise ValueError(
            f"{source}: {returning} cards with return_cost; at most {MAX_RETURNING} are possible"
        )
