"""Environments that give something away: each must be found by `check_no_leak`."""

from __future__ import annotations

import gymnasium
import numpy as np
from pettingzoo.utils.wrappers import BaseWrapper

from skirmish_env import IllegalAction, Table
from skirmish_env.aec import raw_env
from skirmish_env.batch import Batch

SEATS = ("villains", "heroes")


def other(seat):
    return SEATS[1 - SEATS.index(seat)]


def hand(env, seat):
    return env.unwrapped.position("all")[seat]["hand"]


def deck(env, seat):
    return env.unwrapped.position("all")[seat]["deck"]


# ---------------------------------------------------------------------------------------------
# PettingZoo.


class HandInInfos(BaseWrapper):
    @property
    def infos(self):
        return {seat: {"against": hand(self.env, other(seat))} for seat in SEATS}


class WholeBoardDrawn(BaseWrapper):
    def render(self):
        return self.env.unwrapped.text("all")


class WholeBoardPrinted(BaseWrapper):
    def step(self, action):
        self.env.step(action)
        print(self.env.unwrapped.text("all"))


class TalkativeError(BaseWrapper):
    def step(self, action):
        try:
            self.env.step(action)
        except IllegalAction as error:
            raise IllegalAction(f"{error}; hands: {[hand(self.env, s) for s in SEATS]}") from None


class ErrorWithACause(BaseWrapper):
    def step(self, action):
        try:
            self.env.step(action)
        except IllegalAction as error:
            cause = ValueError(f"the deck is {deck(self.env, 'heroes')}")
            raise IllegalAction(str(error)) from cause


class TolerantStep(BaseWrapper):
    """Answers an illegal action with a hint where it should refuse."""

    def step(self, action):
        try:
            self.env.step(action)
        except (IllegalAction, ValueError):
            self.hint = hand(self.env, other(self.env.agent_selection))

    @property
    def infos(self):
        return {seat: {"hint": self.__dict__.get("hint")} for seat in SEATS}


class OneCountObserved(BaseWrapper):
    def observe(self, agent):
        seen = self.env.observe(agent)
        seen["observation"][3] += sum("shield" in card or "hydra" in card
                                      for card in hand(self.env, other(agent)))  # fmt: skip
        return seen


class MaskForTheIdle(BaseWrapper):
    def observe(self, agent):
        seen = self.env.observe(agent)
        decider = self.env.agent_selection
        return {**seen, "action_mask": self.env.observe(decider)["action_mask"]}


class DeckInRepr(BaseWrapper):
    def __repr__(self):
        return f"<game with {deck(self.env, 'villains')}>"


class DeckInStr(BaseWrapper):
    def __str__(self):
        return f"game of {deck(self.env, 'heroes')[:1]}"


class SeedInInfos(BaseWrapper):
    """The seed deals the game: who knows it knows all cards."""

    def reset(self, seed=None, options=None):
        self.seed = seed
        self.env.reset(seed=seed, options=options)

    @property
    def infos(self):
        return {seat: {"seed": self.seed} for seat in SEATS}


class DrawnCardKept(BaseWrapper):
    """Keeps what the other side drew at the moment of the draw, and shows it `late` steps on."""

    late = 0

    def reset(self, seed=None, options=None):
        self.kept = []
        self.env.reset(seed=seed, options=options)

    def step(self, action):
        before = {seat: hand(self.env, seat) for seat in SEATS}
        self.env.step(action)
        self.kept.append({s: [c for c in hand(self.env, s) if c not in before[s]] for s in SEATS})

    @property
    def infos(self):
        shown = self.kept[: len(self.kept) - self.late]
        return {seat: {"drawn": [one[other(seat)] for one in shown]} for seat in SEATS}


class DrawnCardKeptLonger(DrawnCardKept):
    late = 2


class OrderByHiddenCards(BaseWrapper):
    """A list of legal moves, turned round when the other hand holds many cards of one kind."""

    @property
    def infos(self):
        found = {}
        for seat in SEATS:
            legal = np.flatnonzero(self.env.observe(seat)["action_mask"]).tolist()
            turned = len(",".join(hand(self.env, other(seat)))) % 2
            found[seat] = {"legal": legal[::-1] if turned else legal}
        return found


class TrueView:
    """A view whose redeal returns the very game."""

    def __init__(self, view, truth):
        self.view, self.truth = view, truth

    def __getattr__(self, name):
        return getattr(self.view, name)

    def redeal(self, rng):
        guess = self.view.redeal(rng)
        guess.states[:] = self.truth
        return guess


class ViewOfTheTruth(BaseWrapper):
    def view(self, agent=None):
        return TrueView(self.env.view(agent), self.env.unwrapped._states)


class CheatingPolicy(TrueView):
    def policy(self, name, rng):
        legal = np.flatnonzero(self.view.mask[0])
        return legal[int(self.truth["hand"].astype(int).dot(range(64)).sum()) % len(legal)]

    def redeal(self, rng):
        return self.view.redeal(rng)


class ViewWithACheatingPolicy(BaseWrapper):
    def view(self, agent=None):
        return CheatingPolicy(self.env.view(agent), self.env.unwrapped._states)


class RewardForHiddenCards(BaseWrapper):
    @property
    def rewards(self):
        return {seat: 0.01 * len("".join(hand(self.env, other(seat)))) for seat in SEATS}


class HandInThePublicPosition(BaseWrapper):
    def position(self, viewer=None):
        return self.env.position("all" if viewer is None else viewer)


class EarlyTruncation(BaseWrapper):
    """Ends the game when a hidden card says so."""

    @property
    def truncations(self):
        return dict.fromkeys(SEATS, bool(len(deck(self.env, "heroes")[0]) % 2))


# ---------------------------------------------------------------------------------------------
# Gymnasium.


def against(env):
    return hand(env.unwrapped._table, other(env.unwrapped.side))


class GymInfo(gymnasium.Wrapper):
    def step(self, action):
        *told, info = self.env.step(action)
        return *told, {**info, "against": against(self)}


class GymResetInfo(gymnasium.Wrapper):
    def reset(self, **how):
        observation, info = self.env.reset(**how)
        return observation, {**info, "against": against(self)}


class GymObservation(gymnasium.ObservationWrapper):
    def observation(self, observation):
        observation[7] += 0.5 * len(set(against(self)))
        observation[8] += 0.01 * len("".join(against(self)))
        return observation


class GymReward(gymnasium.Wrapper):
    def step(self, action):
        observation, reward, *rest = self.env.step(action)
        return observation, reward + 0.01 * len("".join(against(self))), *rest


class GymRender(gymnasium.Wrapper):
    def render(self):
        return self.env.unwrapped._table.text("all")


class GymError(gymnasium.Wrapper):
    def step(self, action):
        try:
            return self.env.step(action)
        except IllegalAction as error:
            raise IllegalAction(f"{error} while {against(self)} waits") from None


class GymMask(gymnasium.Wrapper):
    """Masks an action as long as the other side holds certain cards."""

    def action_masks(self):
        mask = self.env.unwrapped.action_masks()
        mask[0] = len("".join(against(self))) % 2
        return mask


# ---------------------------------------------------------------------------------------------
# Table and Batch.


class ReplayWithTheHiddenStart(Table):
    def replay_data(self, viewer=None):
        return {**super().replay_data(viewer), "start": self._start}


class HandInTableRepr(Table):
    def __repr__(self):
        return f"<Table {self.position()['heroes']['hand']} {self.position()['villains']['hand']}>"


class TableThatShowsItAll(Table):
    def position(self, viewer=None):
        return super().position()


class TableInHiddenOrder(Table):
    def legal(self):
        legal = super().legal()
        return legal[:: 1 if len(self.position()[other(self.to_move)]["deck"][0]) % 2 else -1]


class BatchWithTruth(Batch):
    def view(self, index=None, viewer=None):
        rows = slice(None) if index is None else index
        return TrueView(super().view(index, viewer), self.states[rows])


class BatchMasks(Batch):
    def masks(self, index=None, viewer=None):
        return super().masks(index)


class BatchObservation(Batch):
    def observe(self, index=None, viewer=None):
        seen = super().observe(index, viewer)
        if index is None:
            seen[:, 0] += self.states["hand"][:, :, 28:31].sum((1, 2))
            seen[:, 1] += self.states["hand"][:, :, 0:3].sum((1, 2))
        return seen


def aec(wrapper):
    return lambda: wrapper(raw_env(render_mode="ansi"))


def gym(wrapper):
    def make():
        env = gymnasium.make(
            "skirmish_env/Skirmish-v0", side="villains", opponent="random", render_mode="ansi"
        )
        return wrapper(env)

    return make


# What must be found: the factory, and the field that gives it away.
LEAKS = {
    HandInInfos: (aec, r"infos\['against'\]"),
    WholeBoardDrawn: (aec, r"render"),
    WholeBoardPrinted: (aec, r"printed"),
    TalkativeError: (aec, r"error texts\[0\]"),
    ErrorWithACause: (aec, r"error texts\[0\]"),
    TolerantStep: (aec, r"error texts\[0\]\[2\]\['infos'\]\['hint'\]"),
    OneCountObserved: (aec, r"(observe|last\[0\])\['observation'\]\[3\]"),
    MaskForTheIdle: (aec, r"observe\['action_mask'\]"),
    DeckInRepr: (aec, r"repr\[0\]"),
    DeckInStr: (aec, r"str"),
    SeedInInfos: (aec, r"infos\['seed'\]"),
    DrawnCardKept: (aec, r"infos\['drawn'\]"),
    DrawnCardKeptLonger: (aec, r"infos\['drawn'\]"),
    OrderByHiddenCards: (aec, r"infos\['legal'\]"),
    ViewOfTheTruth: (aec, r"redeal\['(rng|hand|deck)'\]"),
    ViewWithACheatingPolicy: (aec, r"policy "),
    RewardForHiddenCards: (aec, r"rewards"),
    HandInThePublicPosition: (aec, r"public position\['(villains|heroes)'\]"),
    EarlyTruncation: (aec, r"truncations"),
    GymInfo: (gym, r"step\[4\]\['against'\]"),
    GymResetInfo: (gym, r"reset\[1\]\['against'\]"),
    GymObservation: (gym, r"(reset|step)\[0\]\[[78]\]"),
    GymReward: (gym, r"step\[1\]"),
    GymRender: (gym, r"render"),
    GymError: (gym, r"error texts\[0\]"),
    GymMask: (gym, r"action_masks\[0\]"),
    ReplayWithTheHiddenStart: (lambda leaky: lambda: leaky.new(1), r"replay_data\['start'\]"),
    HandInTableRepr: (lambda leaky: lambda: leaky.new(1), r"repr"),
    TableThatShowsItAll: (lambda leaky: lambda: leaky.new(1), r"(position|text)"),
    TableInHiddenOrder: (lambda leaky: lambda: leaky.new(1), r"legal"),
    BatchWithTruth: (lambda leaky: lambda: leaky(2), r"redeal"),
    BatchMasks: (lambda leaky: lambda: leaky(2), r"(masks|view\['mask'\])"),
    BatchObservation: (lambda leaky: lambda: leaky(2), r"(observe|view)"),
}
