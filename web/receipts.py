"""What a deletion has taken, or with `dry_run` would take, as JSON."""

from __future__ import annotations

from dataclasses import asdict

from shared.erasure.receipts import Receipt

PREVIEW_CHARS = 300  # of a message that goes


def receipt_json(receipt: Receipt) -> dict[str, object]:
    """`counts` by kind; those of nothing are left out."""
    counts = {kind: count for kind, count in asdict(receipt.counts).items() if count}
    return {"deleted": not receipt.dry_run, "dry_run": receipt.dry_run, "counts": counts}
