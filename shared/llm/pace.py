"""How quickly a server reads and writes, as this process has seen in its calls."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

READ_S = 0.8  # of one step: a server ends a call that was hung up on only when it has read a step
#: Of a prompt, to a server of which nothing is known: about 16 tokens.
LEAST_STEP_BYTES = 64
#: A server that reads so much in a step reads most prompts in one.
QUICK_STEP_BYTES = 10_000
LEAST_PIECES = 4  # of an answer that tells how quickly a server writes
PART_S = 10.0  # the time to write what a job asks about one part of its messages
KNOWN_PROMPTS = 16


@dataclass
class Pace:
    """None: not seen yet."""

    read_bytes_per_s: float | None = None
    #: Of an answer, however little is read: the shortest time that a step took.
    latency_s: float = float("inf")
    written_per_s: float | None = None  #: pieces, which are tokens of most servers
    _prompts: deque[bytes] = field(default_factory=deque)

    @property
    def step_bytes(self) -> int:
        """How much of a prompt the server is given to read at once."""
        return max(LEAST_STEP_BYTES, int(READ_S * (self.read_bytes_per_s or 0.0)))

    @property
    def is_quick(self) -> bool:
        return self.step_bytes >= QUICK_STEP_BYTES

    def part_tokens(self, written_share: float) -> int:
        """How many tokens of messages one call may be about, if the answer has such a share of
        them."""
        return max(1, int(PART_S * (self.written_per_s or 0.0) / written_share))

    def expected_read_s(self, size: int) -> float | None:
        if self.read_bytes_per_s is None:
            return None
        return self.latency_s + size / self.read_bytes_per_s

    def note_known(self, seconds: float) -> None:
        """A step of which the server has read all before."""
        self.latency_s = min(self.latency_s, seconds)

    def note_read(self, size: int, seconds: float) -> None:
        """Slower counts at once, faster little by little: the server may have known the text, and
        a busy machine is quick for a moment."""
        seconds = max(seconds, 1e-3)
        self.note_known(seconds)
        before = self.read_bytes_per_s
        if before is None:
            self.read_bytes_per_s = size / seconds
        else:
            per_s = size / max(seconds - self.latency_s, seconds / 10)
            self.read_bytes_per_s = min(per_s, 2 * before)

    def note_cut_off(self, size: int, seconds: float) -> None:
        """A step that took longer than this."""
        expected_s = self.expected_read_s(size)
        if expected_s is not None and seconds > expected_s:
            self.note_read(size, seconds)

    def note_written(self, pieces: int, seconds: float) -> None:
        """A change counts little by little: a short answer may have had to wait for a moment."""
        per_s = pieces / max(seconds, 1e-3)
        before = self.written_per_s or per_s
        self.written_per_s = min(max(per_s, before / 2), before * 2)

    def known_bytes(self, prompt: bytes) -> int:
        """How far the prompt is like one that the server has read."""
        return max((_common_start(prompt, each) for each in self._prompts), default=0)

    def remember(self, prompt: bytes) -> None:
        others = [each for each in self._prompts if not prompt.startswith(each)]
        self._prompts = deque([*others, prompt], maxlen=KNOWN_PROMPTS)


def _common_start(first: bytes, second: bytes) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


_paces: dict[str, Pace] = {}


def pace_of(server: str) -> Pace:
    """The pace of the server at an address, or of a hosted model."""
    return _paces.setdefault(server, Pace())


@dataclass
class WritingClock:
    """Measures how quickly one answer is written."""

    pieces: int = 0
    _first_at: float = 0.0
    _last_at: float = 0.0

    def tick(self) -> None:
        self._last_at = time.monotonic()
        self._first_at = self._first_at or self._last_at
        self.pieces += 1

    def note(self, server: str) -> None:
        if self.pieces >= LEAST_PIECES:
            pace_of(server).note_written(self.pieces - 1, self._last_at - self._first_at)
