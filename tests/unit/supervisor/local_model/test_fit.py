from __future__ import annotations

import pytest

from supervisor.local_model.fit import choose_threads, choose_window, find_kind
from tests.fakes.gguf import SMALL_MODEL

GB = 1_000_000_000


def header(**changes: object) -> dict[str, object]:
    return SMALL_MODEL | {name.replace("__", "."): value for name, value in changes.items()}


@pytest.mark.parametrize(
    ("values", "memory_gb", "window"),
    [
        (header(), 16, 16_384),
        (header(qwen2__context_length=4096), 16, 4096),
        (header(), 3.85, 8192),
        (header(), 3.6, 2048),
        (header(), 3.5, None),
        (header(qwen2__attention__head_count_kv=[2, 64]), 16, 8192),
        (header(qwen2__attention__head_count_kv=[2, 64]), 8, 4096),
    ],
)
def test_the_window_is_what_the_model_takes_and_the_memory_has_room_for(
    values: dict[str, object], memory_gb: float, window: int | None
) -> None:
    read = {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}
    assert choose_window(read, GB, int(memory_gb * GB)) == window  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (header(), None),
        (header(general__type="model"), None),
        (header(general__type="adapter"), "adapter"),
        (header(general__type="mmproj", general__architecture="clip"), "mmproj"),
        (header(general__architecture="clip"), "clip"),
        (header(qwen2__pooling_type=1), "qwen2"),
        (header(qwen2__attention__causal=False), "qwen2"),
        ({}, "unknown"),
    ],
)
def test_models_that_do_not_chat_are_known(values: dict[str, object], kind: str | None) -> None:
    assert find_kind(values) == kind  # type: ignore[arg-type]


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 1), (8, 7)])
def test_a_core_is_left_to_the_site(cores: int, threads: int) -> None:
    assert choose_threads(cores) == threads
