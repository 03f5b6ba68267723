"""Games solved exactly: their trees, equilibria, and what an agent loses to a perfect opponent."""
