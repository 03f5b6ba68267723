"""What every game shares: compilation, randomness, section tables, replay files."""
