"""Configuration groups for Hydra, shipped as data."""
