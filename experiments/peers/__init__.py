"""Other projects that the benchmark measures beside this one, each in its own environment.

The scripts here are run by the peer's interpreter: they import the peer, `serving` and `batched`,
and nothing of this project.
"""
