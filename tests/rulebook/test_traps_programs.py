"""The scenarios carry out every line of every card's and artifact's program, so every verb."""

from __future__ import annotations

import pytest

from skirmish_env.new_york import cards, ids

K = cards.load().record[0]
NAMES = (*cards.load().ids, *ids.ARTIFACT_IDS)
WORDS = {verb: words for words, (verb, *_) in cards.VERBS.items()}
PROGRAMS = {
    (source, occasion, line): WORDS[int(K.code[source, occasion, line, 0])]
    for source in range(ids.SOURCES)
    for occasion in (ids.IMMEDIATE, ids.ATTACK_EFFECT)
    for line in range(ids.INSTRUCTIONS)
    if K.code[source, occasion, line, 0] != ids.END
}


@pytest.mark.rule("rule notation.programs")
def test_every_line_of_every_program_is_carried_out(carried_out):
    """Runs last, in plain mode, when the whole folder runs in one process (see conftest.py)."""
    missing = [
        f"{NAMES[source]}: {PROGRAMS[source, occasion, line]!r}"
        for source, occasion, line in sorted(set(PROGRAMS) - carried_out)
    ]
    assert not missing


@pytest.mark.rule("rule notation.programs")
def test_every_verb_stands_in_some_program():
    assert set(PROGRAMS.values()) == set(cards.VERBS)
