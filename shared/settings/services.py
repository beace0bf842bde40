"""Databases, jobs, retention, backups, webhooks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationInfo, field_validator

from shared.settings.processes import ALL, OWNERS, ForProcesses
from shared.settings.service_addresses import check_url
from shared.settings.types import Days, Group, Networks, Ports, Positive, Seconds


class ServiceSettings(Group):
    # Services; empty means embedded, which the supervisor fills in
    database_url: Annotated[str, ForProcesses(ALL - {"beat", "flower"})] = ""
    migration_database_url: Annotated[str, ForProcesses(OWNERS)] = (
        ""  # of the schema's owner; empty: database_url
    )
    # the migrations look whose it is
    redis_url: Annotated[str, ForProcesses(ALL)] = ""
    broker_url: Annotated[str, ForProcesses(ALL - {"migrate"})] = ""
    db_pool_size: Positive = 16
    formation: str = ""  # how many of each process: "worker-llm=2,flower=0"

    # Jobs
    lease_s: Seconds = 30
    sweep_every_s: Seconds = 5
    stuck_after_s: Seconds = 300
    heartbeat_path: Path | None = None  # touched by workers and beat; see workers/health.py

    # Retention; 0 keeps for ever
    keep_summary_versions_days: Days = 0
    keep_audit_days: Days = 365

    # Backups by schedule; unset: none
    backup_folder: Path | None = None
    backup_keep: Positive = 7
    # for the secrets; empty: they are left out
    backup_passphrase: Annotated[SecretStr, ForProcesses(frozenset({"worker-backup"}))] = SecretStr(
        ""
    )

    # Webhooks
    webhook_ports: Ports = (443, 8443)
    webhook_private_networks: Networks = ()  # allowed targets besides public addresses

    @field_validator("database_url", "migration_database_url")
    @classmethod
    def _check_postgres_url(cls, url: str) -> str:
        if url and not url.startswith(("postgresql://", "postgres://")):
            raise ValueError("must begin with postgresql://")
        urlsplit(url)  # raises `ValueError` for half an address in brackets
        return url

    @field_validator("redis_url", "broker_url")
    @classmethod
    def _check_address(cls, url: str, info: ValidationInfo) -> str:
        if url:
            check_url(url, is_broker=info.field_name == "broker_url")
        return url

    @property
    def dispatch_grace_s(self) -> float:
        """Seconds until a sent job that no worker has begun is sent again, by the second sweep."""
        return 2 * self.sweep_every_s

    @property
    def effective_broker_url(self) -> str:
        return self.broker_url or self.redis_url

    @property
    def effective_migration_url(self) -> str:
        return self.migration_database_url or self.database_url
