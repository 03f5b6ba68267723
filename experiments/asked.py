"""What asking an agent costs."""

from __future__ import annotations

import time

import numpy as np

from agents.base import Agent
from skirmish_env.views import View


class Asked:
    """An agent that answers as another does, and measures it.

    The first call is not counted: libraries and compiled code are loaded there.

    Attributes:
        name: the agent's.
        answers: how many decisions were counted.
        cpu: seconds of processors, in all threads of this process, that they took.
    """

    def __init__(self, agent: Agent) -> None:
        self.name = agent.name
        self.answers = 0
        self.cpu = 0.0
        self._agent = agent
        self._warm = False

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,), as the agent does."""
        began = time.process_time()
        actions = self._agent.act(view, rng)
        if self._warm:
            self.cpu += time.process_time() - began
            self.answers += len(view)
        self._warm = True
        return actions
