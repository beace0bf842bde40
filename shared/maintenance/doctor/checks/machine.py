"""The machine: its time zone, room on disk, rights of files, the port of the page."""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
import zoneinfo
from contextlib import closing

from shared.maintenance.doctor.examined_site import Finding, Site, ok, problem
from shared.settings import host_and_port

LEAST_BYTES = 256 * 1024**2
LEAST_INODES = 2000
SECRET_FILES = ("secret-key", "local-token", "flower-password")
OTHERS = stat.S_IRWXG | stat.S_IRWXO
PATIENCE_S = 2.0


def check_zone(site: Site) -> Finding:
    zone = site.variables.zone.lstrip(":")
    if zone and "/" in zone and not zone.startswith("/"):
        try:
            zoneinfo.ZoneInfo(zone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            return problem("TZ names a zone that this machine does not know", "correct TZ")
    return ok("the time zone is known")


def check_disk(site: Site) -> Finding:
    """Check the room where DATA_DIR is: bytes, and inodes where the file system counts them."""
    folder = site.settings.data_dir
    if not folder.is_dir():
        return ok("there is no DATA_DIR yet")
    free = shutil.disk_usage(folder).free
    counts = os.statvfs(folder)
    if free < LEAST_BYTES:
        return problem(
            f"{free // 1024**2} MB are free at DATA_DIR", "make room; everything goes on by itself"
        )
    if counts.f_files and counts.f_favail < LEAST_INODES:
        return problem(f"{counts.f_favail} inodes are free at DATA_DIR", "remove small files")
    return ok(f"{free // 1024**3} GB are free at DATA_DIR")


def check_files(site: Site) -> Finding:
    """Check that only their owner may read the files with secrets."""
    folder = site.settings.data_dir
    paths = [folder / name for name in SECRET_FILES if (folder / name).exists()]
    open_ones = [path.name for path in paths if path.stat().st_mode & OTHERS]
    if open_ones:
        names = ", ".join(open_ones)
        return problem(f"other accounts may read {names} in DATA_DIR", f"chmod 600 {names}")
    return ok("secrets in DATA_DIR are their owner's alone")


def check_port(site: Site) -> Finding:
    """Check that the page, or nobody, listens at its port. Another program would keep it away."""
    settings = site.settings
    everywhere = settings.bind in {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound
    host = "127.0.0.1" if everywhere else settings.bind
    try:
        connection = socket.create_connection((host, settings.port), timeout=PATIENCE_S)
    except OSError:
        return ok("nothing listens at PORT")
    with closing(connection):
        if _is_page(connection, host_and_port(host, settings.port)):
            return ok("the page answers at PORT")
    return problem("another program listens at PORT", "stop it, or set PORT to another number")


def _is_page(connection: socket.socket, host: str) -> bool:
    """Whether it answers `/healthz` as ours does."""
    try:
        connection.sendall(f"GET /healthz HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
        answer = connection.makefile("rb").read(4096)
        return "warm" in json.loads(answer.partition(b"\r\n\r\n")[2])
    except (OSError, ValueError):
        return False
