"""Every metric. docs/operations.md says what each one is for, and when to alert."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

REDIS_FALLBACKS = Counter(
    "throughline_redis_fallbacks_total", "Went on without Redis.", ["operation"]
)
SEND_FAILURES = Counter(
    "throughline_task_send_failures_total", "Jobs left to the sweep to send.", ["kind"]
)
FAILED_STEPS = Counter(
    "throughline_failed_steps_total",
    "Steps of a round that failed, so that it went on with less memory.",
    ["step"],
)
ROUNDS = Counter("throughline_rounds_total", "Rounds, by how they ended.", ["status"])
LIVE_ROUNDS = Gauge(
    "throughline_live_rounds", "Replies being written.", multiprocess_mode="livesum"
)
FIRST_TOKEN_S = Histogram(
    "throughline_first_token_seconds",
    "From the arrival of a whole request to the first piece of the reply to it.",
    buckets=(0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60, 120),
)
STEP_S = Histogram(
    "throughline_step_seconds",
    "How long each step of a round took: recall's, the prompt's, the model's.",
    ["step"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 10, 60),
)
ROUND_WAIT_S = Histogram(
    "throughline_round_wait_seconds",
    "How long rounds waited for their turn to compute, each of their parts.",
    buckets=(0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2),
)
GAP_MESSAGES = Histogram(
    "throughline_gap_messages",
    "Messages between the newest summary and the current message, when a prompt is written.",
    buckets=(0, 2, 4, 8, 12, 20, 30, 50, 100, 200, 500, 1000, 5000),
)
POOL_WAIT_S = Histogram(
    "throughline_pool_wait_seconds",
    "Waits for a connection to Postgres: until one is free, or made.",
    ["pool"],
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
MODEL_CALLS = Counter(
    "throughline_model_calls_total",
    "Calls of models, each try by itself: `outcome` is ok, or the code of the error.",
    ["model", "purpose", "outcome"],
)
MODEL_TOKENS = Counter(
    "throughline_model_tokens_total",
    "Tokens by the provider's count: `direction` is in (the prompt), cached (a part of it) or out.",
    ["model", "purpose", "direction"],
)
TASK_S = Histogram(
    "throughline_task_seconds",
    "Running time of tasks.",
    ["task"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600),
)
QUERY_EMBEDDING_FALLBACKS = Counter(
    "throughline_query_embedding_fallbacks_total",
    "Queries that went without an embedding.",
    ["reason"],
)
FACTS_REFUSED = Counter(
    "throughline_facts_refused_total", "Facts that a model proposed and nobody stated.", ["reason"]
)
LATE_WRITES = Counter(
    "throughline_late_writes_total", "Results thrown away because the lease was lost.", ["kind"]
)
LEASES_LOST = Counter(
    "throughline_leases_lost_total", "Leases of replies and jobs that others took.", ["kind"]
)
SWEPT = Counter(
    "throughline_swept_total", "What the sweep has put right, and the catch-up.", ["what"]
)
WAITING_MEMORY_CALLS = Gauge(
    "throughline_waiting_memory_calls",
    "Jobs whose worker waits until it may call the model.",
    multiprocess_mode="livesum",
)
FALLBACKS = Counter(
    "throughline_job_fallbacks_total", "Jobs whose input the model cannot take.", ["kind"]
)
WEBHOOK_REQUESTS = Counter(
    "throughline_webhook_requests_total",
    "Requests to webhooks, by what became of them.",
    ["outcome"],
)
PASSED_OVER = Counter(
    "throughline_messages_passed_over_total", "Messages that no facts could be read from."
)
