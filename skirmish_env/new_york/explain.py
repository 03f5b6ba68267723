"""Words back from an observation: what each entry of the vector says."""

from __future__ import annotations

import numpy as np

from skirmish_env.new_york.actions import CARD_IDS, MOVES, VERB_STARTS, VERBS
from skirmish_env.new_york.ids import (
    ARTIFACT_IDS,
    ARTIFACTS,
    COLOURS,
    FACTION_CARDS,
    FIRST_BATTLEGROUND,
    FIRST_TUCKED_PLACE,
    HEROES,
    PHASES,
    QUESTIONS,
    SLOTS,
    VILLAINS,
)
from skirmish_env.new_york.observation import (
    ARTIFACT_FEATURES,
    BELOW_FEATURES,
    CHARACTERS,
    EVENT_FEATURES,
    LAYOUT,
    PER_POINT,
    PLACE_FEATURES,
    SHOWN_EVENTS,
    SIZE,
    own_source_first,
)


def explain(observation: np.ndarray) -> list[str]:
    """Put an observation into words, line by line.

    Raises:
        ValueError: the vector does not have `SIZE` entries.
    """
    vector = np.asarray(observation, np.float64)
    if vector.shape != (SIZE,):
        raise ValueError(f"an observation has shape ({SIZE},), not {vector.shape}")
    return _Explainer(vector).lines()


class _Explainer:
    def __init__(self, vector: np.ndarray) -> None:
        self.vector = vector
        self.seat = HEROES if self.part("turn")[0] > 0.5 else VILLAINS
        sides = ("villains", "heroes")
        self.own, self.other = sides[self.seat], sides[1 - self.seat]

    def part(self, name: str) -> np.ndarray:
        return self.vector[LAYOUT.span(name)] / LAYOUT.section(name).scale

    def whole(self, name: str) -> list[int]:
        return [int(n) for n in np.rint(self.part(name))]

    def faction(self, seat: int) -> tuple[str, ...]:
        return CARD_IDS[seat * FACTION_CARDS : (seat + 1) * FACTION_CARDS]

    def lines(self) -> list[str]:
        return [
            *self.course(),
            *self.asked(),
            *self.markers(),
            *self.piles(),
            *self.places("own slots", self.own),
            *self.places("other slots", self.other),
            *self.below(),
            *self.battlegrounds(),
            *self.artifacts(),
            *self.events(),
        ]

    def course(self) -> list[str]:
        _, on_turn, decides, turn = self.part("turn")
        phase = PHASES[int(np.argmax(self.part("phase")))]
        slot = self.part("attacking slot")
        up = f", slot {int(np.argmax(slot)) + 1} is up" if slot.any() else ""
        return [
            f"you are {self.own}; turn {round(turn / 0.02)} of "
            f"{self.own if on_turn > 0.5 else self.other}, {phase}{up}",
            "you decide" if decides > 0.5 else "you do not decide",
        ]

    def asked(self) -> list[str]:
        number = int(np.argmax(self.part("question")))
        if number == 0:
            return ["nothing is asked"]
        words = f"asked: {QUESTIONS[number]}"
        source = self.part("source")
        if source.any():
            words += f" by {self.source_name(int(np.argmax(source)))}"
        amount = self.whole("amount")[0]
        words += f", amount {amount}" if amount else ""
        chosen = self.part("chosen")
        if chosen.any():
            words += f", from {self.place_name(int(np.argmax(chosen)))}"
        owed = self.whole("owed")
        lines = [words, *self.effects()]
        if any(owed):
            symbols = "".join(s * n for s, n in zip("rygb*", owed, strict=True))
            cube, rings = self.whole("waivers")
            may = ", an any-symbol may stay unpaid" * cube + ", a symbol may stay unpaid" * rings
            lines.append(f"owed: {symbols}{may}")
        return lines

    def effects(self) -> list[str]:
        names = [self.source_name(int(n)) for n in np.flatnonzero(self.part("under way") > 0.5)]
        lines = [f"under way: {', '.join(names)}"] if names else []
        if self.part("attack begun")[0] > 0.5:
            lines.append("the slot that is up has begun")
        answers = self.whole("flame answers")[0]
        return [*lines, f"flame: {answers} more answers"] if answers else lines

    def source_name(self, number: int) -> str:
        return (*CARD_IDS, *ARTIFACT_IDS)[own_source_first(number, self.seat)]

    def place_name(self, number: int) -> str:
        letter = self.own[0] if number < SLOTS else self.other[0]
        if number >= FIRST_TUCKED_PLACE:
            return f"h{number % SLOTS + 1}u"
        return f"{letter}{number % SLOTS + 1}"

    def markers(self) -> list[str]:
        lead, to_go, other_to_go = self.whole("victory")
        steps, steps_to_go = self.whole("artifact marker")
        sizes = dict(
            zip(
                ("own hand", "other hand", "own deck", "other deck", "battlegrounds", "tiles"),
                self.whole("sizes"),
                strict=True,
            )
        )
        left = self.part("civilians").reshape(SLOTS, 4)
        people = [
            "".join(c for c, n in zip("rygb", row, strict=True) if n > 0.5) or "-" for row in left
        ]
        freed = "".join(c * n for c, n in zip("rygb", self.whole("freed"), strict=True))
        return [
            f"victory: you lead by {lead}, {to_go} to go, {other_to_go} for the other",
            f"artifact marker: {steps:+d} towards your end, {steps_to_go} to go",
            f"civilians: {' '.join(people)}; freed {freed or '-'}; "
            f"{self.whole('civilians to go')[0]} to go",
            "sizes: " + ", ".join(f"{name} {n}" for name, n in sizes.items()),
        ]

    def piles(self) -> list[str]:
        own, other = self.faction(self.seat), self.faction(1 - self.seat)
        battlegrounds = CARD_IDS[FIRST_BATTLEGROUND:]
        table = (
            ("own hand", own + battlegrounds),
            ("own discard", own),
            ("other discard", other),
            ("captives discarded", self.faction(HEROES)),
            ("own unseen", own),
            ("other unseen", other),
        )
        return [f"{name}: {_counted(self.whole(name), cards)}" for name, cards in table]

    def places(self, section: str, side: str) -> list[str]:
        lines = []
        rows = self.part(section).reshape(SLOTS, PLACE_FEATURES)
        for slot, row in enumerate(rows):
            if row[0] < 0.5:
                continue
            at = 1 + CHARACTERS + 1
            captive = row[at] > 0.5
            seat = HEROES if captive else (VILLAINS, HEROES)[side == "heroes"]
            colour = int(np.argmax(row[at + 1 : at + 5]))
            character = int(np.argmax(row[1 : 1 + CHARACTERS]))
            if character < CHARACTERS - 1:
                name = self.faction(seat)[2 * character + int(row[14] > 0.5)]
            else:
                name = next(c for c in self.faction(seat)[24:] if c.endswith(COLOURS[colour]))
            strength, health, damage = (round(x / PER_POINT) for x in row[at + 5 : at + 8])
            notes = [
                word
                for word, n in zip(
                    ("captive", "armour ready", "effect spent", "moved"),
                    (row[at], *row[at + 8 : at + 11]),
                    strict=True,
                )
                if n > 0.5
            ]
            lines.append(
                f"{side[0]}{slot + 1}: {name}, strength {strength}, health left {health}, "
                f"damage {damage}" + "".join(f", {note}" for note in notes)
            )
        return lines

    def below(self) -> list[str]:
        lines = []
        for slot, row in enumerate(self.part("below heroes").reshape(SLOTS, BELOW_FEATURES)):
            if row[0] > 0.5:
                strength, health, damage = (round(x / PER_POINT) for x in row[2:5])
                lines.append(
                    f"h{slot + 1}u: doctor_strange_{1 + int(row[1] > 0.5)}, strength {strength}, "
                    f"health left {health}, damage {damage}"
                )
        return lines

    def battlegrounds(self) -> list[str]:
        names = CARD_IDS[FIRST_BATTLEGROUND:]
        lines = []
        for section in (
            "battlegrounds unseen",
            "battlegrounds in other hand",
            "battlegrounds shown",
        ):
            lines.append(f"{section}: {_counted(self.whole(section), names)}")
        depths = self.part("battlegrounds in stack")
        known = sorted((round((1 - d) * 8), n) for d, n in zip(depths, names, strict=True) if d > 0)
        words = ", ".join(f"{name} as card {depth + 1}" for depth, name in known)
        return [*lines, f"battlegrounds in stack: {words or '-'}"]

    def artifacts(self) -> list[str]:
        rows = self.part("artifacts").reshape(ARTIFACTS, ARTIFACT_FEATURES)
        lines = []
        for name, row in zip(ARTIFACT_IDS, rows, strict=True):
            words = []
            if row[0] > 0.5:
                words.append("yours")
            if row[1] > 0.5:
                words.append("the other's")
            if row[2] > 0.5:
                words.append("face up")
            if row[3] > 0:
                words.append(f"tile {round((1 - row[3]) * 12) + 1} of the stack")
            if row[4] > 0.5:
                words.append("used this turn")
            if row[5] > 0.5:
                words.append("out of the game")
            if words:
                lines.append(f"artifact {name}: {', '.join(words)}")
        return lines

    def events(self) -> list[str]:
        rows = self.part("events").reshape(SHOWN_EVENTS, EVENT_FEATURES)
        lines = []
        for row in rows:
            if row[:2].any():
                who = self.own if row[0] > 0.5 else self.other
                verb = int(np.argmax(row[2 : 2 + len(VERBS)]))
                action = VERB_STARTS[verb] + round(row[-1] * 64)
                lines.append(f"before: {who} {MOVES[action]}")
        return lines


def _counted(counts: list[int], names: tuple[str, ...]) -> str:
    words = [
        name if n == 1 else f"{name} x{n}" for n, name in zip(counts, names, strict=True) if n > 0
    ]
    return ", ".join(words) or "-"
