"""Worked examples of the rulebook on general play and on villains: short name to gist."""

EXAMPLES: dict[str, str] = {
    "captain marvel payment": "Playing a Card: red, yellow and a battleground pay for her",
    "captain marvel replaced": "Replacing a Main Character: a new version for nothing, undamaged",
    "kang leader": "Using an Immediate Effect: Kang's effect brings Leader, whose effect follows",
    "street corner": "Battleground Cards: three colours paid, two points and a heal gained",
    "captain marvel defeats leader": "Phase II, defender: the third damage takes Leader away",
    "tower bonus": "Phase II, no defender: a battleground from the Avengers Tower",
    "zola heals": "Using an Attack Effect: Zola attacks, then loses one damage",
    "hela returns": "Appendix, Hela: back from the discard pile for a blue and a red card",
    "kang appendix": "Appendix, Kang: Leader comes back and lets his owner draw",
    "loki captain america": "Appendix, Loki: the captive attacks from a slot still to come",
    "modok leader": "Appendix, M.O.D.O.K.: Leader activates his location in his stead",
    "red hulk": "Appendix, Red Hulk: one of three slots still gives a civilian",
    "taskmaster black panther": "Appendix, Taskmaster: a defeat, then the bonus at the Tower",
    "thanos": "Appendix, Thanos: two damage on every card, three of them fall",
    "ultron iron man": "Appendix, Ultron: a yellow attacker gets neither damage nor bonus",
}
