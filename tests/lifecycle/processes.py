"""Processes that train, and die where they are told."""

import os
import re
import resource
import signal
import sys
from pathlib import Path

import torch

from agents import checkpoint
from agents.checkpoint import CheckpointError
from configs.schema import ConfigError
from experiments import arena, launch
from experiments import train as training
from experiments.collected import Collected
from experiments.selfplay_env import SelfPlayVecEnv


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def counted(call, at, before=die):
    """Return a function that dies at its call of this number instead of doing anything."""
    calls = [0]

    def one(*arguments, **options):
        calls[0] += 1
        if calls[0] == at:
            before()
        return call(*arguments, **options)

    return one


def halves(put, wanted, at, share):
    """Return a `put` that dies in the middle of its write of this number to such files."""
    calls = [0]

    def one(descriptor, data):
        name = Path(os.readlink(f"/proc/self/fd/{descriptor}")).name
        if re.search(wanted, name):
            calls[0] += 1
            if calls[0] == at:
                put(descriptor, bytes(data)[: int(share * len(data))])
                die()
        put(descriptor, data)

    return one


def set_to_die(kind, at, share):
    """Let this process kill itself at an event of this kind and number."""
    if kind == "step":
        SelfPlayVecEnv.step_wait = counted(SelfPlayVecEnv.step_wait, at)
    elif kind == "gradient step":
        torch.optim.Adam.step = counted(torch.optim.Adam.step, at)
    elif kind == "update":
        Collected.get = counted(Collected.get, at)
    elif kind == "writing a checkpoint":
        checkpoint.put = halves(checkpoint.put, r"\.zip\.part$", at, share)
    elif kind == "naming a file":
        Path.replace = counted(Path.replace, at)
    elif kind == "after a checkpoint":
        checkpoint.prune = counted(checkpoint.prune, at)
    elif kind == "writing a row":
        checkpoint.put = halves(checkpoint.put, r"^metrics\.csv$", at, share)
    elif kind == "arena":
        arena.evaluate = counted(arena.evaluate, at)
    else:
        raise AssertionError(kind)


def work(config, kill, limit=None):
    """Train in this process, which may be one to die, or to find little room on the disk."""
    os.environ["CI"] = "1"
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    if kill:
        set_to_die(*kill)
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        training.train(config)
    except (CheckpointError, ConfigError) as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(launch.FAILURE)


def start(context, *arguments):
    process = context.Process(target=work, args=arguments)
    process.start()
    return process


def outcome(context, *arguments):
    process = start(context, *arguments)
    try:
        process.join(120)
    finally:
        process.kill()
        process.join()
    return process.exitcode
