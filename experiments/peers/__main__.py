"""Make the environments of the peers: `python -m experiments.peers [NAME ...]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from experiments.peers.environments import FOLDER, known


def main() -> None:
    """Install the peers that are named, or all that are not there yet."""
    peers = known()
    parser = argparse.ArgumentParser(
        description="Install the benchmark's peers, each into an environment of its own.",
        epilog=f"peers: {', '.join(peers)}; without a name, all that are not there yet",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a peer to install (anew)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"default: {FOLDER}")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in peers]:
        parser.error(f"no peer {unknown[0]!r}; there are {', '.join(peers)}")
    folder = given.folder.resolve()
    names = given.names or [name for name in peers if not peers[name].is_there(folder)]
    failed = 0
    for name in names:
        print(f"{peers[name].title}: installing", flush=True)
        reason = peers[name].install(folder)
        print(f"{peers[name].title}: {reason or 'installed'}", flush=True)
        failed += bool(reason)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
