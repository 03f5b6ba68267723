"""Hydra entry points: train, evaluate, measure."""
