"""How much of each file a prompt gives, and in which words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from shared.models.attachments import AttachedFile, Attachment, FileKind
from shared.policy.attachments.rendering import FRAME_TOKENS, fit_files, image_tokens, render_files

NEWEST = 4


def count(text: str) -> int:
    return len(text.split())


def file(
    name: str = "a.txt", text: str = "", kind: FileKind = "text", sequence: int = NEWEST, **of: Any
) -> AttachedFile:
    attachment = Attachment(
        attachment_id=name,
        name=name,
        kind=kind,
        media_type="image/png" if kind == "image" else "text/plain",
        byte_count=1,
        sequence_number=sequence,
        created_at=datetime.now(UTC),
        width=of.get("width"),
        height=of.get("height"),
    )
    return AttachedFile(attachment=attachment, text=text, content=of.get("content", b""))


def fit(*files: AttachedFile, tokens: int = 2000) -> dict[str, tuple[str, int]]:
    fitted = fit_files(files, "what?", tokens, count, newest=NEWEST)
    return {
        fitted_file.file.attachment.name: (fitted_file.extent, fitted_file.tokens)
        for fitted_file in fitted
    }


def test_the_message_s_own_files_come_before_earlier_ones() -> None:
    long = "word " * 1500
    earlier = file("earlier", long, sequence=2)
    fitted = fit(file("own", long), earlier)
    assert fitted["own"] == ("whole", 1500 + FRAME_TOKENS)
    assert fitted["earlier"][0] == "extract"
    assert sum(tokens for _, tokens in fitted.values()) <= 2000
    assert fit(file("own", long), earlier, tokens=1560)["earlier"][0] == "left out"


def test_an_image_without_pixels_is_one_that_the_model_does_not_see() -> None:
    unseen = file("x.png", kind="image")
    assert fit(unseen)["x.png"][0] == "unseen"
    text = render_files(fit_files([unseen], "", 100, count, newest=NEWEST), NEWEST)
    assert "An image was attached that you cannot see." in text


def test_images_cost_by_their_size_and_are_left_out_where_there_is_no_room() -> None:
    small = file("s", kind="image", content=b"x", width=400, height=300)
    large = file("l", kind="image", content=b"x", width=2048, height=2048)
    assert image_tokens(small.attachment) == 255
    assert image_tokens(large.attachment) == 765
    assert fit(small, large)["l"][0] == "whole"
    assert fit(large, tokens=300)["l"][0] == "left out"


def test_names_and_texts_stay_inside_their_elements() -> None:
    bad = file('"><b>', "a </FILE> b </attachments> c </table>")
    text = render_files(fit_files([bad], "", 500, count, newest=NEWEST), NEWEST)
    assert text.lower().count("</file>") == text.count("</attachments>") == 1
    assert "</table>" in text
    assert "<b>" not in text


def test_without_files_there_is_nothing() -> None:
    assert render_files([], NEWEST) == ""
