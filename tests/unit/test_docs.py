"""What the documents name exists: files, commands, addresses, settings, identifiers, defaults.

Code spans and code blocks are read. Prose is not: a test cannot tell whether it is true.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from pydantic import SecretStr

from shared.settings import Settings
from web.app import create_app

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FOLDERS = (
    ".ci", "bench", "bin", "deploy", "docs", "migrations", "requirements", "shared", "supervisor",
    "throughline",
    "tests", "web", "workers",
)  # fmt: skip
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
MADE_ELSEWHERE = (
    "deploy/proxy/users",
    "deploy/secrets",
    "deploy/secrets/llm_api_key",
)  # by operators
SUFFIXES = "cfg|css|html|js|json|md|py|sql|template|toml|txt|yaml|yml"
# Names that are not ours: of libraries, services and files of others.
FOREIGN = {
    "26.json", "FILE.json", "conversations.json", "manifest.json", "pip.conf", "sbom.json",
    "secrets.json",
    "btree_gin", "fuzzystrmatch", "get_server", "pg_dump", "pg_restore", "pg_trgm", "ts_rank",
    "log_min_error_statement", "log_min_messages", "max_connections", "max_wal_size",
    "wal_keep_size",
}  # fmt: skip


def list_spans(document: Path) -> list[str]:
    return re.findall(r"`([^`\n]+)`", BLOCK.sub("", document.read_text()))


def list_code(document: Path) -> list[str]:
    """Code spans and the lines of code blocks."""
    blocks = BLOCK.findall(document.read_text())
    return list_spans(document) + [line for block in blocks for line in block.splitlines()]


@cache
def list_files() -> frozenset[str]:
    inside = [path for name in FOLDERS for path in (ROOT / name).rglob("*")]
    files = [path for path in [*ROOT.glob("*"), ROOT / ".env.example", *inside] if path.is_file()]
    return frozenset(str(path.relative_to(ROOT)) for path in files if path.suffix != ".pyc")


@cache
def list_words() -> frozenset[str]:
    """Every identifier of the source, of whatever language."""
    sources = [name for name in list_files() if not name.startswith("docs/")]
    texts = [
        (ROOT / name).read_text(errors="ignore")
        for name in sources
        if "/vendor/" not in name
        and name not in {"README.md", "CHANGELOG.md", "uv.lock"}
        and not name.endswith("test_docs.py")
    ]
    return frozenset(word for text in texts for word in re.findall(r"[A-Za-z_][A-Za-z0-9_]*", text))


@cache
def read_defaults() -> dict[str, str]:
    text = (ROOT / ".env.example").read_text()
    return dict(re.findall(r"^#([A-Z_]+)=(.*)$", text, re.MULTILINE))


@cache
def list_routes() -> frozenset[str]:
    """`METHOD /path/{}`, what is a variable being left open."""
    settings = Settings(
        database_url="postgresql://nowhere",
        redis_url="redis://nowhere",
        local_token=SecretStr("off"),
    )
    rules = create_app(settings).url_map.iter_rules()
    return frozenset(
        f"{method} {re.sub(r'<[^>]+>', '{}', rule.rule)}"
        for rule in rules
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    )


def named_files(code: str) -> list[str]:
    return re.findall(rf"(?<![\w./{{-])((?:[\w-]+/)*[\w-]+\.(?:{SUFFIXES}))(?![\w/])", code)


def named_folders(code: str) -> list[str]:
    return re.findall(rf"(?<![\w./-])((?:{'|'.join(FOLDERS)})/[\w/-]*)(?![\w./{{<-])", code)


def identifiers(span: str) -> list[str]:
    """Of a span that is one name: `a_b`, `CamelCase`, `A_B`, and these with arguments or labels."""
    name = re.fullmatch(r"([A-Za-z_]\w*)(?:\{.*\}|\(.*\)|=.*)?", span)
    if not name:
        return []
    is_code = re.search(r"\w_\w|[a-z][A-Z]", name[1])
    return [name[1]] if is_code else []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
class TestDocument:
    def test_files_that_are_named_exist(self, document: Path) -> None:
        files = list_files()
        missing = [
            name
            for code in list_code(document)
            for name in named_files(code)
            if name not in FOREIGN
            and not any(file == name or file.endswith(f"/{name}") for file in files)
        ]
        assert missing == []

    def test_folders_and_modules_that_are_named_exist(self, document: Path) -> None:
        names = {name for code in list_code(document) for name in named_folders(code)}
        missing = [
            name
            for name in names - set(MADE_ELSEWHERE)
            if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists()
        ]
        assert missing == []

    def test_commands_that_are_named_exist(self, document: Path) -> None:
        modules = {
            m for code in list_code(document) for m in re.findall(r"python -m ([\w.]+)", code)
        }
        paths = {name: ROOT / name.replace(".", "/") for name in modules - {"pytest", "venv"}}
        missing = [
            name
            for name, path in paths.items()
            if not path.with_suffix(".py").exists() and not (path / "__main__.py").exists()
        ]
        assert missing == []

    def test_targets_of_make_that_are_named_exist(self, document: Path) -> None:
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        mentions = {
            t for code in list_code(document) for t in re.findall(r"\bmake ([a-z][\w-]*)", code)
        }
        assert mentions - set(targets) == set()

    def test_names_of_code_stand_in_the_source(self, document: Path) -> None:
        names = {name for span in list_spans(document) for name in identifiers(span)}
        unknown = {
            name for name in names - FOREIGN if name.removesuffix("_total") not in list_words()
        }
        assert unknown - list_words() == set()

    def test_defaults_of_settings_are_those_of_the_example(self, document: Path) -> None:
        mentions = re.findall(
            r"`([A-Z][A-Z_]+)` (\d[\d,]*(?:\.\d+)?)\b(?! GB)", document.read_text()
        )
        wrong = [
            (name, number, read_defaults()[name])
            for name, number in mentions
            if read_defaults().get(name)
            and float(number.replace(",", "")) != float(read_defaults()[name])
        ]
        assert wrong == []

    def test_links_lead_somewhere(self, document: Path) -> None:
        links = re.findall(r"\]\(([^)\s]+)\)", document.read_text())
        broken = [
            link for link in links if not link.startswith("http") and not leads(document, link)
        ]
        assert broken == []

    def test_addresses_that_are_named_are_served(self, document: Path) -> None:
        mentions = [
            f"{method} {re.sub(r'{[^}]*}', '{}', path)}"
            for span in list_spans(document)
            for method, path in re.findall(r"^([A-Z]+) (/[\w/{}.-]*)", span)
        ]
        assert set(mentions) - list_routes() == set()


def leads(document: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (document.parent / path) if path else document
    return target.exists() and (not anchor or anchor in list_anchors(target))


def list_anchors(document: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_address_of_the_api_is_told() -> None:
    text = (ROOT / "docs/api.md").read_text()
    routes = {
        f"{method} {re.sub(r'{[^}]*}', '{}', path)}"
        for method, path in re.findall(r"`([A-Z]+) (/[\w/{}.-]*)", text)
    }
    # The addresses from before /api/v1 lead to the same views.
    routes |= {re.sub(r" /api/v1/", " /api/", route) for route in routes}
    routes |= {re.sub(r" /api/v1/chat", " /chat", route) for route in routes}
    assets = {route for route in list_routes() if "static" in route or "assets" in route}
    assert list_routes() - routes - assets == set()


def test_events_of_the_log_that_are_told_are_written() -> None:
    section = (ROOT / "docs/operations.md").read_text().split("\n## Logs\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+`) \| [A-Z, ]+ \|", section, re.MULTILINE)
    events = {event for row in rows for event in re.findall(r"`([a-z_]+\.[a-z_]+)`", row)}
    source = "".join(
        (ROOT / name).read_text()
        for name in list_files()
        if name.endswith(".py") and not name.startswith(("tests/", "bench/"))
    )
    assert len(events) > 10
    assert {event for event in events if f'"{event}"' not in source} == set()


def test_the_table_of_settings_has_their_defaults() -> None:
    text = (ROOT / "docs/operations.md").read_text()
    rows = re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \| ([\w., ]+) \|", text, re.MULTILINE)
    table = {
        name.strip("`"): default
        for names, defaults in rows
        for name, default in zip(names.split(", "), defaults.split(", "), strict=True)
        if read_defaults()[name.strip("`")]
    }
    assert len(table) > 10
    assert table == {name: read_defaults()[name] for name in table}
