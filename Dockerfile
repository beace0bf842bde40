# syntax=docker/dockerfile:1
# One image for all processes; the command chooses which. Postgres and Redis are not in it.

FROM python:3.11-slim AS installed
WORKDIR /app
# Where pip finds torch's CPU build: PyPI's own brings several GB of CUDA along.
ARG PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu
COPY requirements/run.txt requirements/run.txt
RUN python -m venv .venv \
    && PIP_EXTRA_INDEX_URL= .venv/bin/pip install --no-cache-dir --require-hashes --no-deps -r requirements/run.txt \
    && .venv/bin/pip install --no-cache-dir torch==2.13.0 \
    && .venv/bin/pip check

FROM python:3.11-slim
RUN useradd --uid 10001 --home-dir /app --no-create-home --shell /usr/sbin/nologin throughline
WORKDIR /app
COPY --from=installed /app/.venv .venv
COPY shared shared
COPY web web
COPY workers workers
COPY migrations migrations
COPY throughline throughline
COPY throughline_client throughline_client
# The same as in supervisor/environment.py and shared/telemetry.py, where the reasons are.
ENV PATH=/app/.venv/bin:$PATH \
    OMP_NUM_THREADS=1 \
    OPENBLAS_NUM_THREADS=1 \
    MKL_NUM_THREADS=1 \
    TOKENIZERS_PARALLELISM=false \
    MALLOC_ARENA_MAX=2 \
    ORT_DISABLE_TELEMETRY=1 \
    HF_HUB_DISABLE_TELEMETRY=1 \
    DO_NOT_TRACK=1 \
    LITELLM_LOCAL_MODEL_COST_MAP=True \
    REMAP_SIGTERM=SIGQUIT \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/app/.data
RUN install -d -o throughline .data && python -m compileall -q shared web workers migrations throughline throughline_client
USER 10001
# The embedding model's ONNX form is made here once, so that the web process never needs torch.
RUN python -m shared.embeddings.export
EXPOSE 8000
# As in the Procfile; compose and Kubernetes give each process its own.
CMD ["sh", "-c", "exec gunicorn --config web/gunicorn_conf.py \"web.app:create_app()\""]
