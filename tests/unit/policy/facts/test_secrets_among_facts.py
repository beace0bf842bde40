"""A secret in the middle of a message costs none of the facts around it."""

from __future__ import annotations

import pytest

from shared.policy.facts.secrets import hide_secrets
from tests.unit.policy.facts.screening import Proposal, fate

VALUE = "Sommer7"
#: (message, home, dog)
MESSAGES = [
    ("I live in Rome, my password is Sommer7 and my dog is called Bruno.", "Rome", "Bruno"),
    ("Ich wohne in Rom, mein Passwort ist Sommer7 und mein Hund heißt Bruno.", "Rom", "Bruno"),
    ("Vivo en Roma, mi contraseña es Sommer7 y mi perro se llama Bruno.", "Roma", "Bruno"),
    ("J'habite Rome, mon mot de passe est Sommer7, mon chien s'appelle Bruno.", "Rome", "Bruno"),
    ("Abito a Roma, la mia password è Sommer7 e il mio cane si chiama Bruno.", "Roma", "Bruno"),
    ("Moro em Roma, minha senha é Sommer7 e o meu cão chama-se Bruno.", "Roma", "Bruno"),
    ("Ik woon in Rome, mijn wachtwoord is Sommer7 en mijn hond heet Bruno.", "Rome", "Bruno"),
    ("Я живу в Риме, мой пароль: Sommer7, а мою собаку зовут Бруно.", "Рим", "Бруно"),
    ("我住在罗马，我的密码是Sommer7，我的狗叫布鲁诺。", "罗马", "布鲁诺"),
    ("ローマに住んでいます。パスワードはSommer7。犬の名前はブルーノです。", "ローマ", "ブルーノ"),
    ("Roma'da yaşıyorum, şifrem Sommer7 ve köpeğimin adı Bruno.", "Roma", "Bruno"),
    ("أعيش في روما، كلمة المرور: Sommer7، واسم كلبي برونو.", "روما", "برونو"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "home", "dog"), MESSAGES)
def test_facts_around_a_secret_are_kept(text: str, home: str, dog: str) -> None:
    fates = [
        fate(Proposal(key=key, value=value, whose="user", how="stated", when="now"), text)
        for key, value in (("home_city", home), ("password", VALUE), ("dog_name", dog))
    ]
    assert fates == ["stated", "secret", "stated"]
    assert VALUE not in hide_secrets(text)
    assert home in hide_secrets(text)
