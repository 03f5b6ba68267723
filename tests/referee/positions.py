"""Seeded positions in which many rules meet: full boards, much damage, short decks."""

from random import Random
from typing import Any

from tests.referee.cards import ARTIFACTS, CARDS, character, is_battleground, is_main

TANGLED = {
    "villains": "ultron loki loki modok modok taskmaster taskmaster ares red_hulk zola baron_zemo",
    "heroes": "ant_man ant_man winter_soldier winter_soldier winter_soldier thor thor thor "
    "captain_america nick_fury war_machine hulk",
}
BATTLEGROUNDS = [card for card in CARDS if is_battleground(card)]
CARDS_OF = {
    side: [card for card in CARDS if CARDS[card].faction == side] for side in ("villains", "heroes")
}
IMMEDIATE = set(
    "kang thanos leader hydra_agents_red hydra_agents_green black_panther captain_marvel "
    "doctor_strange hawkeye iron_man nick_fury".split()
)
# Cards that are put in play first, side by side from some slot on, facing each other.
MOTIFS: list[dict[str, list[str]]] = [
    {"villains": ["loki_1"], "heroes": ["ant_man_1"]},
    {"villains": ["modok_1", "loki_2"], "heroes": ["thor_1", "ant_man_2"]},
    {"villains": ["modok_2", "taskmaster_1"]},
    {"villains": ["taskmaster_2", "modok_1"], "heroes": ["ant_man_2"]},
    {"villains": ["thor_2", "modok_2"]},
    {"villains": ["kang_1"]},
    {"villains": ["kang_2"], "heroes": ["thor_1+doctor_strange_1"]},
    {"villains": ["red_hulk_2"], "heroes": ["thor_1", "winter_soldier_2"]},
    {"villains": ["hydra_agents_yellow", "winter_soldier_2"]},
    {"villains": ["red_hulk_2"], "heroes": ["hawkeye_1+doctor_strange_1", "winter_soldier_2"]},
    {"villains": ["modok_2"], "heroes": ["war_machine_1+doctor_strange_1", "winter_soldier_2"]},
    {"villains": ["ares_1"], "heroes": ["ant_man_2+doctor_strange_2"]},
    {"villains": ["ultron_2"], "heroes": ["captain_america_2", "winter_soldier_1"]},
]
LIKELY = {"eternal_flame": 0.6, "darkhold": 0.6, "tactigon": 0.5}


class _Supply:
    """Two copies of each card, and who is in play already."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.left = {card: 2 for side in CARDS_OF.values() for card in side}
        self.in_play: set[str] = set()

    def take(self, card: str) -> str:
        self.left[card] -= 1
        return card

    def some(self, side: str, most: int) -> list[str]:
        """Up to this many cards of the faction."""
        pool = [card for card in CARDS_OF[side] for _ in range(self.left[card])]
        return [self.take(c) for c in self.rng.sample(pool, self.rng.randint(0, most))]

    def hand(self, side: str, most: int) -> list[str]:
        """Up to this many cards, half of them with an immediate effect or a copy in play."""
        cards = []
        for _ in range(self.rng.randint(0, most)):
            pool = [card for card in CARDS_OF[side] if self.left[card]]
            wanted = [c for c in pool if character(c) in self.in_play | IMMEDIATE]
            chosen = wanted if wanted and self.rng.random() < 0.6 else pool
            cards.append(self.take(self.rng.choice(chosen)))
        return cards

    def put_in_play(self, card: str, *, whole: bool = False) -> str | None:
        """The card with some damage, or None if it cannot enter."""
        if self.left[card] == 0 or (is_main(card) and character(card) in self.in_play):
            return None
        self.in_play.add(character(card))
        self.take(card)
        return card if whole else self.damaged(card)

    def damaged(self, card: str) -> str:
        most = CARDS[card].health - 1
        damage = most if self.rng.random() < 0.4 else self.rng.randint(0, most)
        return f"{card}:{damage}" if damage else card


def _pick(rng: Random, faction: str) -> str:
    if rng.random() < 0.65:
        return f"{rng.choice(TANGLED[faction].split())}_{rng.choice('12')}"
    return rng.choice(CARDS_OF[faction])


def _fill(rng: Random, supply: _Supply, side: str, slots: list[str | None]) -> None:
    for slot in range(6):
        captive = side == "villains" and rng.random() < 0.2
        card = _pick(rng, "heroes" if captive else side)
        if slots[slot] is None and rng.random() < 0.75:
            slots[slot] = supply.put_in_play(card)


def _boards(rng: Random, supply: _Supply) -> dict[str, list[str | None]]:
    """Six slots a side; every other time round a motif."""
    boards: dict[str, list[str | None]] = {"villains": [None] * 6, "heroes": [None] * 6}
    first, motif = rng.randrange(5), rng.choice(MOTIFS)
    for side, cards in motif.items() if rng.random() < 0.5 else ():
        for slot, pair in enumerate(cards, first):
            whole = rng.random() < 0.5
            words = [supply.put_in_play(card, whole=whole) for card in pair.split("+")]
            boards[side][slot] = "+".join(word for word in words if word)
    for side, slots in boards.items():
        _fill(rng, supply, side, slots)
    return boards


def _tuck(rng: Random, supply: _Supply, slots: list[str | None]) -> None:
    """Put Doctor Strange below a hero."""
    hosts = [n for n, words in enumerate(slots) if words]
    hosts = [n for n in hosts if slots[n][:4] in ("thor", "ant_")] or hosts  # type: ignore[index]
    if hosts:
        strange = supply.put_in_play(f"doctor_strange_{rng.choice('12')}")
        if strange:
            slots[rng.choice(hosts)] += f"+{strange}"  # type: ignore[operator]


def _civilians(rng: Random) -> tuple[list[str], str]:
    """At least three in Manhattan, so the game is not over; the rest freed or spent."""
    full = rng.choice((0.2, 0.3, 1))
    areas = ["".join(c for c in "rygb" if rng.random() < full) for _ in range(3)]
    if sum(map(len, areas)) < 3:
        areas[rng.randrange(3)] = "rygb"
    away = [c for c in "rygb" for area in areas if c not in area]
    return areas, "".join(c for c in away if rng.random() < 0.3)


def _artifacts(rng: Random, position: dict[str, Any]) -> None:
    tiles = rng.sample(ARTIFACTS, len(ARTIFACTS))
    owned: dict[str, list[str]] = {"villains": [], "heroes": []}
    for tile in ARTIFACTS:
        if rng.random() < LIKELY.get(tile, 0.3):
            owned[rng.choice(("villains", "heroes"))].append(tile)
            tiles.remove(tile)
    for side, names in owned.items():
        position[side]["artifacts"] = names
    row = rng.choice((0, 1, 2, 2, 2, 2))
    position["artifact_row"] = tiles[:row]
    position["artifact_stack"] = tiles[row : rng.choice((row, row + 1, 12))] if row == 2 else []


def tangled_position(seed: int, phase: str) -> dict[str, Any]:
    """The same seed gives the same position; in Recruitment with more to play and to pay."""
    rng = Random(seed)
    supply = _Supply(rng)
    fields = rng.sample(BATTLEGROUNDS, 8)
    areas, freed = _civilians(rng)
    mover = rng.choice(("villains", "heroes"))
    position: dict[str, Any] = {
        "on_turn": mover,
        "to_move": mover,
        "phase": phase,
        "turn": rng.randint(1, 20),
        "victory": rng.choice((rng.randint(-6, 8), rng.randint(-3, 3), -6, 8)),
        "artifact_marker": rng.randint(-2, 2),
        "civilians": areas,
    }
    boards = _boards(rng, supply)
    if rng.random() < (0.7 if phase == "attack" else 0.3):
        _tuck(rng, supply, boards["heroes"])
    for side, slots in boards.items():
        position[side] = {"slots": slots}
    _artifacts(rng, position)
    for side in ("villains", "heroes"):
        hand = supply.hand(side, 9 if phase == "recruitment" else 4)
        hand += [fields.pop() for _ in range(rng.choice((0, 0, 1, 2)))]
        deck = supply.some(side, rng.choice((3, 11, 11)))
        position[side] |= {"hand": hand, "deck": deck, "discard": supply.some(side, 4)}
    position["villains"]["discard"] += supply.hand("heroes", 4)
    position["heroes"]["freed"] = freed
    position["battlegrounds"] = fields[: rng.choice((0, 1, 4))]
    return position
