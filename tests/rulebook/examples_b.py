"""Worked examples on heroes, battlegrounds, artifacts and captives: short name to gist, section."""

from __future__ import annotations

EXAMPLES: dict[str, str] = {
    "black panther moves two": (
        "Two tokens leave Nick Fury, Kang falls, Ares is hurt (Appendix, Black Panther)"
    ),
    "red hulk defeats strange": (
        "The sorcerer below takes both damage, his host none (Appendix, Doctor Strange)"
    ),
    "hulk and strange deal five": (
        "Summed strength is enough for Red Hulk (Appendix, Doctor Strange)"
    ),
    "iron man plays nick fury": (
        "The free card uses its own immediate effect (Appendix, Iron Man)"
    ),
    "thor moves on": ("He moves with his damage and does not attack again (Appendix, Thor)"),
    "winter soldier clears a row": (
        "A discard hurts all villains facing heroes but his own opponent (Appendix, Winter Soldier)"
    ),
    "casket before drawing": (
        "Both hands go, the user still draws 2 (Appendix, Casket of Ancient Winters)"
    ),
}
