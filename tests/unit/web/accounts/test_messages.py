"""What the account pages say of an error has a text that is translated."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from shared.errors import DatabaseTimeoutError, DatabaseUnavailableError, TooManyAttemptsError
from web import accounts
from web.accounts.creation import DEAD_LINK, FIRST_ACCOUNT
from web.mcp.oauth import consent_request
from web.mcp.oauth import views as oauth
from web.pages.texts import ERRORS, SOURCE, list_languages, read_account_texts, say_on_account_pages

PACKAGE = Path(accounts.__file__).parent
#: Raised by expressions that need a request.
CHOSEN = {DEAD_LINK, FIRST_ACCOUNT, "New accounts are made by invitation of an administrator."}
OF_OTHERS = {
    DatabaseTimeoutError().message,
    DatabaseUnavailableError().message,
    TooManyAttemptsError().message,
}


def list_accounts_modules() -> Iterator[ModuleType]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[-1] not in {"__init__", "__main__"}:
            yield importlib.import_module(".".join((accounts.__name__, *parts)))
    yield from (oauth, consent_request)


def list_messages(module: ModuleType) -> Iterator[str]:
    """The messages of the errors that a module raises."""
    assert module.__file__
    for node in ast.walk(ast.parse(Path(module.__file__).read_text())):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name(), args=[ast.Constant(value=str(message))])):
                yield message
            case ast.Raise(exc=ast.Call(func=ast.Name(), args=[ast.Name(id=name)])):
                yield getattr(module, name)
            case ast.Raise(exc=ast.Call(func=ast.Name(), args=[ast.JoinedStr() as text])):
                yield eval(compile(ast.Expression(text), "message", "eval"), vars(module))  # noqa: S307


def test_each_message_is_translated_and_no_text_is_left_over() -> None:
    raised = {message for module in list_accounts_modules() for message in list_messages(module)}
    assert len(raised) > 20
    texts = read_account_texts(SOURCE)
    known = {text for key, text in texts.items() if key.startswith(ERRORS)}
    assert raised | CHOSEN | OF_OTHERS == known
    for language in set(list_languages()) - {SOURCE}:
        same = [
            sentence for sentence in known if say_on_account_pages(sentence, language) == sentence
        ]
        assert same == [], language


@pytest.mark.parametrize("message", ["", "Something else.", "sign_in", "error.code"])
def test_another_message_stays_as_it_is(message: str) -> None:
    assert say_on_account_pages(message, "de") == message
