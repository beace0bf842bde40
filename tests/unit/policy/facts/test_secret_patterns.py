"""What an operator calls a secret, beside the built-in ones."""

from __future__ import annotations

import pytest

from shared.policy.facts.secret_patterns import read_patterns, without_patterns
from shared.policy.facts.secrets import hide_secrets, is_secret, tells_secret
from shared.settings import SettingsError, read_settings

LINE = "Note the projects. Secrets: TICKET-####, P#####, Project Nightingale, *-?#-zz."
OWN = read_patterns(LINE)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("It is about TICKET-4711, again.", "It is about •••, again."),
        ("ticket-4711 and p12345", "••• and •••"),
        ("My number is P12345.", "My number is •••."),
        ("What is Project Nightingale?", "What is •••?"),
        ("abc-x7-zz or 東京-x7-zz", "••• or •••"),
        ("TICKET-47111, STICKET-4711, P1234, XP12345, nightingales", None),
        ("Note the projects.", None),
    ],
)
def test_they_are_hidden_as_whole_words(text: str, hidden: str | None) -> None:
    assert hide_secrets(text, OWN) == (hidden or text)
    assert tells_secret(text, OWN) == (hidden is not None)


#: The same ticket, as keyboards, programs and pages write it.
FORMS = (
    "ＴＩＣＫＥＴ-４８２１", "ＴＩＣＫＥＴ－４８２１", "TICKET–4821", "TICKET—4821", "TICKET‑4821",
    "TICKET−4821", "TICKETー4821", "TICKETｰ4821", "Ticket\u20104821", "TIC\u00adKET-4821",
    "TICKET-\u200b4821", "T\u200dI\u2060CKET-48\ufeff21", "\u202eTICKET-4821\u202c", "𝐓𝐈𝐂𝐊𝐄𝐓-𝟒𝟖𝟐𝟏",
    "ⓣⓘⓒⓚⓔⓣ-④⑧②①", "TICKET-٤٨٢١", "ᴛICKET-4821".replace("ᴛ", "Ｔ"), "TICKET\ufe0f-4821",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_in_no_form_do_they_pass(form: str) -> None:
    for before, after in (
        ("It is about ", ", again."),
        ("私のは", "です。"),
        ("é\u200b ½ ", " ﬁ…"),
    ):
        text = f"{before}{form}{after}"
        hidden = hide_secrets(text, OWN)
        assert hidden.replace("\u202e", "").replace("\u202c", "") == f"{before}•••{after}", text
        assert tells_secret(text, OWN)
        assert is_secret("subject", form, text, OWN)
        assert is_secret("subject", "4821", f"I work on {form}.", OWN)
    assert is_secret("ticket_4821", "boats", "I work on boats.", OWN)


def test_a_pattern_may_be_written_in_any_form_itself() -> None:
    patterns = read_patterns("Secrets: ＴＩＣＫＥＴ－＃＃＃＃, Cafe\u0301–##, 東京-##")
    for text in ("TICKET-4821", "café-12", "CAFE\u0301—12", "東京−12", "ｶﾞ 東京-１２"):
        assert "•••" in hide_secrets(f"Mine: {text}.", patterns), text


def test_spaces_in_one_may_be_of_any_kind() -> None:
    for space in ("  ", "\n", "\u00a0", "\u3000", " \u200b "):
        assert hide_secrets(f"On Project{space}Nightingale today", OWN) == "On ••• today"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("Pay with ４１１１ １１１１ １１１１ １１１１ today", "Pay with ••• today"),
        ("Use sk-abcdef\u200bghijklmnop1234 here", "Use ••• here"),
        ("ﾊﾟｽﾜｰﾄﾞは hunter2。東京です。", "ﾊﾟｽﾜｰﾄﾞは •••。東京です。"),
        ("My pass\u00adword is hunter two. I am Bo.", "My pass\u00adword is •••. I am Bo."),
        ("½ ﬁne – nothing… to ＳＥＥ", "½ ﬁne – nothing… to ＳＥＥ"),
    ],
)
def test_built_in_ones_do_not_pass_either(text: str, hidden: str) -> None:
    assert hide_secrets(text, OWN) == hidden


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("TICKET-4711", "I work on TICKET-4711.", True),
        ("4711", "I work on TICKET-4711.", True),
        ("4711", "I work on TICKET-4711, and live at 4711 Elm Street.", False),
        ("Oslo", "I work on TICKET-4711 in Oslo.", False),
        ("Nightingale", "I lead Project Nightingale.", True),
    ],
)
def test_no_part_of_one_is_a_fact(value: str, text: str, expected: bool) -> None:
    assert is_secret("project", value, text, OWN) == expected


def test_the_model_is_not_told_them() -> None:
    assert without_patterns(LINE) == "Note the projects."
    assert without_patterns("Secrets: A-##\nNote health.") == "Note health."
    assert read_patterns("Never note secrets: passwords") is None


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("??*", "needs two characters beside"),
        ("*", "needs two characters beside"),
        ("A*B*C9", "between one * and the next"),
        ("a" * 61, "longer than 60 characters"),
        (",".join(f"A{number}" for number in range(51)), "more than 50 patterns"),
    ],
)
def test_a_bad_one_stops_the_start_with_a_sentence(pattern: str, reason: str) -> None:
    with pytest.raises(SettingsError, match="MEMORY_INSTRUCTIONS: Secrets: ") as error:
        read_settings(memory_instructions=f"Secrets: {pattern}")
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("My wifi password is hunter two. I am Bo.", "My wifi password is •••. I am Bo."),
        ("Das Passwort ist Sommerwind!", "Das Passwort ist •••!"),
        ("パスワードは hunter2。東京です。", "パスワードは •••。東京です。"),
        ("Mi contraseña: gato7", "Mi contraseña: •••"),
        ("My PIN for the card, 4921, is new.", "My PIN for the card, ••• is new."),
        ("Pay with 4111 1111 1111 1111 today", "Pay with ••• today"),
        ("To DE89 3704 0044 0532 0130 00, please", "To •••, please"),
        ("Use sk-abcdefghijklmnop1234 here", "Use ••• here"),
        ("Token: aB3dE6gH9jK2mN5pQ8rS", "Token: •••"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\nthat's it",
         "•••\nthat's it"),
        ("-----BEGIN PRIVATE KEY-----\nMIIB", "•••"),
        ("See https://example.org/Some/Page-2024-and-more", None),
        ("parseHttp2ResponseHeaderFields is slow", None),
        ("Meine PIN ist 4711, ich habe 2 Katzen.", "Meine PIN ist •••, ich habe 2 Katzen."),
        ("My password is Blue7 Sky9 and I live in Rome.", "My password is ••• and I live in Rome."),
        ("El código que me llegó por SMS es 739204", "El código que me llegó por SMS es •••"),
        ("Passwords have 12 characters, the API key changes every 90 days.", None),
        ("I forgot my password again.", None),
        ("The key is to stay calm.", None),
        ("The key is 4921.", "The key is •••."),
        ("Order 1234567890123456 is late", None),
    ],
)  # fmt: skip
def test_built_in_ones_are_hidden(text: str, hidden: str | None) -> None:
    assert hide_secrets(text) == (hidden or text)
