"""`python -m bench` (`make bench`): the measurements that need nothing but this machine.

The others are started by name, such as `python -m bench.replay`. docs/performance.md has results.
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
