"""Measure speed, this project's and its peers', in one run: `python -m experiments.bench`."""
