"""Files that are read in a process of their own, also those that are made to do harm."""

from __future__ import annotations

import io
import struct
import sys
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from shared.attachments import reader
from shared.attachments.parsing import CUT, MAX_PAGES, MAX_SIDE
from shared.attachments.reader_queue import ReaderQueue
from shared.errors import FileTypeError, UnreadableFileError
from shared.models import UserId
from shared.policy.attachments.allowance import MAX_TEXT_CHARS
from tests.fakes.files import (
    make_deep_pdf,
    make_heic,
    make_image,
    make_pdf,
    make_pixel_bomb,
    make_stream_bomb,
)
from tests.integration.attachments.reading import ADA, read_file
from tests.waiting import wait_for


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252", "shift_jis"])
def test_text_of_other_encodings_is_read(encoding: str) -> None:
    text = "日本語のテキストです。これは長い文章の例です。" * 5
    if encoding == "cp1252":
        text = "Die Straße führt über den Fluß, und die Bäume blühen früh. " * 5
    assert read_file("a.txt", text.encode(encoding)).text == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_text_that_is_cut_says_so(encoding: str) -> None:
    text = read_file("a.txt", ("word " * (MAX_TEXT_CHARS // 4)).encode(encoding)).text
    assert text
    assert len(text) == MAX_TEXT_CHARS
    assert text.endswith(CUT)
    whole = "word " * (MAX_TEXT_CHARS // 5)
    assert read_file("a.txt", whole.encode(encoding)).text == whole


def test_a_pdf_that_is_cut_says_so() -> None:
    text = read_file("a.pdf", make_pdf(*(["Page."] * (MAX_PAGES + 1)))).text
    assert text
    assert text.count("Page.") == MAX_PAGES
    assert text.endswith(CUT)


def test_noise_is_no_text() -> None:
    noise = bytes(range(128, 256)) * 40 + b"\x01\x02\x03\x04"
    with pytest.raises((FileTypeError, UnreadableFileError)):
        read_file("a.txt", noise.replace(b"\x00", b"\x01"))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_images_become_png_or_jpeg(kind: str) -> None:
    new = read_file("a", make_image(kind))
    assert new.media_type == "image/jpeg"
    assert Image.open(io.BytesIO(new.content)).size == (new.width, new.height) == (64, 48)


def test_a_picture_of_a_phone_becomes_jpeg() -> None:
    new = read_file("a.heic", make_heic())
    image = Image.open(io.BytesIO(new.content))
    assert (new.media_type, image.size) == ("image/jpeg", (64, 48))
    assert image.getpixel((5, 5)) == pytest.approx((200, 30, 30), abs=8)
    wide = make_heic().replace(struct.pack(">I", 64) * 2, struct.pack(">I", 40_000) * 2)
    for broken in (make_heic()[:300], wide):
        with pytest.raises(UnreadableFileError):
            read_file("a.heic", broken)
    with pytest.raises(FileTypeError):  # a film
        read_file("a.heic", make_heic().replace(b"ftypheic", b"ftypisom"))


def test_what_is_transparent_stays_so() -> None:
    buffer = io.BytesIO()
    Image.new("RGBA", (10, 10), (0, 0, 0, 0)).save(buffer, "PNG")
    new = read_file("a.png", buffer.getvalue())
    assert new.media_type == "image/png"
    assert Image.open(io.BytesIO(new.content)).getpixel((0, 0)) == (0, 0, 0, 0)


def test_grey_of_16_bits_keeps_its_shades() -> None:
    scan, buffer = Image.new("I;16", (256, 1)), io.BytesIO()
    for column in range(256):
        scan.putpixel((column, 0), column * 257)
    scan.save(buffer, "PNG")
    image = Image.open(io.BytesIO(read_file("scan.png", buffer.getvalue()).content)).convert("L")
    assert [image.getpixel((column, 0)) for column in (0, 128, 255)] == pytest.approx(
        [0, 128, 255], abs=4
    )


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_turned_photograph_stands_upright(kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    new = read_file("a", make_image(kind, size=(60, 20), exif=exif))
    assert (new.width, new.height) == (20, 60)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_the_largest_image_fits_into_the_limit_of_memory(mode: str) -> None:
    buffer = io.BytesIO()
    Image.new(mode, (6300, 6300)).save(buffer, "PNG", transparency=0 if mode == "P" else None)
    assert read_file("a.png", buffer.getvalue()).width == MAX_SIDE


def test_all_pages_of_a_pdf_are_read() -> None:
    text = read_file("a.pdf", make_pdf("First.", "", "Third.")).text
    assert text == "\f## Page 1\n\nFirst.\n\n\f## Page 3\n\nThird."


@pytest.mark.parametrize(
    "content",
    [
        make_deep_pdf(),
        make_stream_bomb(),
        make_pixel_bomb(),
        b"%PDF-1.7\n" + b"1 0 obj <<" * 50_000,
    ],
)
def test_a_hostile_file_is_refused_and_nothing_else_suffers(content: bytes) -> None:
    with pytest.raises(UnreadableFileError):
        read_file("a", content)
    assert read_file("b.pdf", make_pdf("Still here.")).text == "Still here."


def test_a_file_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "TIMEOUT_S", 0.01)
    with pytest.raises(UnreadableFileError, match="asks for too much"):
        read_file("a.pdf", make_pdf("Late."))


def test_the_process_has_no_secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SECRET_KEY", "hush")
    tells = tmp_path / "tells"
    tells.write_text("#!/bin/sh\necho '{}'\nenv\n")
    tells.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(tells))
    output = read_file("a.pdf", make_pdf("x")).text
    assert output
    assert "PYTHONIOENCODING" in output
    assert "hush" not in output


def test_one_user_has_one_of_two_readers_and_another_waits_for_none_of_their_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tells = tmp_path / "tells"
    tells.write_text(
        f"#!/bin/sh\nhead -c 4 >{tmp_path}/name.$$\ngrep -q slow {tmp_path}/name.$$ || "
        f"{{ echo '{{}}'; echo x; exit; }}\n"
        f"mkdir {tmp_path}/busy || touch {tmp_path}/met\n"
        f"while [ ! -e {tmp_path}/go ]; do sleep 0.01; done\nrmdir {tmp_path}/busy\n"
        "echo '{}'; echo x\n"
    )
    tells.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(tells))
    latin = "slow, ä".encode("cp1252"), "fast, ä".encode("cp1252")
    with ThreadPoolExecutor(3) as pool:
        slow = [pool.submit(reader.read_file, ADA, "a.txt", latin[0]) for _ in range(3)]
        wait_for((tmp_path / "busy").exists)
        assert reader.read_file(UserId("bob"), "b.txt", latin[1]).text == "x\n"
        assert not any(file.done() for file in slow)
        (tmp_path / "go").touch()
        assert [file.result().text for file in slow] == ["x\n"] * 3
    assert not (tmp_path / "met").exists()


class Order:
    """Threads that read for a while, and who of them began when."""

    def __init__(self) -> None:
        self.queue = ReaderQueue()
        self.begun: list[str] = []
        self.ends: dict[str, threading.Event] = defaultdict(threading.Event)

    def read(self, user_id: str, name: str) -> None:
        with self.queue.turn(UserId(user_id)):
            self.begun.append(name)
            self.ends[name].wait()

    def has_begun(self, count: int) -> bool:
        return len(self.begun) == count

    def has_arrived(self, count: int) -> bool:
        return self.queue.waiting + len(self.begun) == count


def test_users_take_turns_whoever_sent_more_files_before() -> None:
    order = Order()
    files = ("ada 1", "ben 1", "ada 2", "ada 3", "cy 1", "ben 2", "ada 4")
    with ThreadPoolExecutor(len(files)) as pool:
        for count, name in enumerate(files, start=1):
            pool.submit(order.read, name.split()[0], name)
            wait_for(partial(order.has_arrived, count))
        assert order.begun == ["ada 1", "ben 1"]
        ends = {"ada 1": 3, "cy 1": 4, "ben 1": 5, "ada 2": 6, "ada 3": 7, "ben 2": 7, "ada 4": 7}
        for name, count in ends.items():
            order.ends[name].set()
            wait_for(partial(order.has_begun, count))
    assert order.begun == ["ada 1", "ben 1", "cy 1", "ada 2", "ben 2", "ada 3", "ada 4"]
