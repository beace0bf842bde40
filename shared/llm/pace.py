"""How quickly a server reads and writes, as this process has seen in its calls."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

READ_S = 1.2  # of one step: a server ends a call that was hung up on only when it has read a step
FIRST_STEP_BYTES = 160  # about 40 tokens, to a server of which nothing is known
SECOND_STEP_BYTES = 240  # more than the first, so that two reads tell the latency
LEAST_STEP_BYTES = 64
#: A server that reads so much in a step reads most prompts in one.
QUICK_STEP_BYTES = 16_000
LEAST_PIECES = 8  # of an answer that tells how quickly a server writes
PART_S = 10.0  # the time to write what a job asks about one part of its messages
USUAL_ANSWER_TOKENS = 100
LONGEST_PAUSE_S = 30.0
KNOWN_PROMPTS = 16


@dataclass
class Pace:
    """None: not seen yet."""

    read_bytes_per_s: float | None = None
    #: Of an answer, however little is read. None: fewer than two steps were seen.
    latency_s: float | None = None
    written_per_s: float | None = None  #: pieces, which are tokens of most servers
    _first_read: tuple[int, float] | None = None  #: bytes, seconds
    _prompts: deque[bytes] = field(default_factory=deque)

    @property
    def step_bytes(self) -> int:
        """How much of a prompt the server is given to read at once."""
        if self.read_bytes_per_s is None:
            return FIRST_STEP_BYTES if self._first_read is None else SECOND_STEP_BYTES
        return max(LEAST_STEP_BYTES, int(READ_S * self.read_bytes_per_s))

    @property
    def is_quick(self) -> bool:
        return self.step_bytes >= QUICK_STEP_BYTES

    @property
    def pause_s(self) -> float:
        """How long nobody should have been answered before memory asks: as long as an answer takes.

        Who has been silent for so long will often be silent for as long again.
        """
        if self.written_per_s is None:
            return 0.0
        return min(LONGEST_PAUSE_S, USUAL_ANSWER_TOKENS / self.written_per_s)

    def part_tokens(self, written_share: float) -> int | None:
        """How many tokens of messages one call may be about, if the answer has such a share of
        them."""
        if self.written_per_s is None:
            return None
        return max(1, int(PART_S * self.written_per_s / written_share))

    def expected_read_s(self, size: int) -> float | None:
        if self.read_bytes_per_s is None or self.latency_s is None:
            return None
        return self.latency_s + size / self.read_bytes_per_s

    def note_read(self, size: int, seconds: float) -> None:
        """Slower counts at once, faster little by little: the server may have known the text.

        The first two reads, of different lengths, tell the server's latency from its reading.
        """
        if self._first_read is None:
            self._first_read = (size, seconds)
            return
        first_size, first_s = self._first_read
        if self.latency_s is None and size > first_size:
            slope = max(0.0, seconds - first_s) / (size - first_size)
            self.latency_s = max(0.0, first_s - slope * first_size)
        per_s = size / max(seconds - (self.latency_s or 0.0), 1e-3)
        before = self.read_bytes_per_s
        self.read_bytes_per_s = per_s if before is None else min(per_s, 2 * before)

    def note_written(self, pieces: int, seconds: float) -> None:
        """Slower counts little by little: a short answer may have had to wait for a moment."""
        per_s = pieces / max(seconds, 1e-3)
        before = self.written_per_s
        self.written_per_s = per_s if before is None else max(per_s, before / 2)

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

    def tick(self) -> None:
        self._first_at = self._first_at or time.monotonic()
        self.pieces += 1

    def note(self, server: str) -> None:
        if self.pieces >= LEAST_PIECES:
            pace_of(server).note_written(self.pieces, time.monotonic() - self._first_at)
