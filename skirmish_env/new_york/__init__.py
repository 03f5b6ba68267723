"""Everything of "MARVEL: Skirmish! In New York": rules core, observation, words."""
