"""`python -m bench` (`make bench`): the measurements that need nothing but this machine.

Longer ones are started by name: `bench.install` (downloads), `bench.replay` (needs a
conversation and a running site), `bench.page` (needs Chromium).
"""

from __future__ import annotations

from bench import embeddings, startup


def main() -> None:
    print("== start-up and memory")
    startup.main()
    print("\n== embeddings")
    embeddings.main()


if __name__ == "__main__":
    main()
