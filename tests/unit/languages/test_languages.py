"""What each language's file makes possible, with one sentence a language."""

from __future__ import annotations

import pytest

from shared.languages import LANGUAGES
from shared.languages.form import Language
from shared.policy.facts.plain_sentences import reads_alike
from shared.policy.facts.secrets import hide_secrets
from shared.policy.facts.wishes import forget_requests
from tests.unit.policy.facts.screening import Proposal

#: "Delete my birthday from your memory."
FORGET = {
    "en": "Please delete my birthday from your memory.",
    "de": "Bitte lösche meinen Geburtstag aus deinem Gedächtnis.",
    "es": "Borra mi cumpleaños de tu memoria.",
    "fr": "Supprime mon anniversaire de ta mémoire.",
    "it": "Cancella il mio compleanno dalla tua memoria.",
    "pt": "Apaga o meu aniversário da tua memória.",
    "nl": "Verwijder mijn verjaardag uit je geheugen.",
    "tr": "Doğum günümü hafızandan sil.",
    "pl": "Usuń moje urodziny ze swojej pamięci.",
    "ru": "Удали мой день рождения из своей памяти.",
    "ar": "احذف عيد ميلادي من ذاكرتك",
    "hi": "मेरा जन्मदिन अपनी याददाश्त से हटा दो",
    "zh": "把我的生日从你的记忆里删掉。",
    "ja": "私の誕生日をあなたの記憶から削除してください。",
    "ko": "내 생일을 네 기억에서 지워줘.",
    "sv": "Ta bort min födelsedag ur ditt minne.",
    "da": "Slet min fødselsdag fra din hukommelse.",
    "nb": "Slett bursdagen min fra minnet ditt.",
    "fi": "Poista syntymäpäiväni muististasi.",
    "cs": "Smaž mé narozeniny ze své paměti.",
    "sk": "Vymaž moje narodeniny zo svojej pamäte.",
    "ro": "Șterge ziua mea de naștere din memoria ta.",
    "hu": "Töröld a születésnapomat a memóriádból.",
    "el": "Σβήσε τα γενέθλιά μου από τη μνήμη σου.",
    "he": "תמחק את יום ההולדת שלי מהזיכרון שלך",
    "vi": "Xóa sinh nhật của tôi khỏi bộ nhớ của bạn.",
    "id": "Hapus ulang tahun saya dari ingatanmu.",
    "uk": "Видали мій день народження зі своєї пам'яті.",
    "th": "ลบวันเกิดของฉันออกจากความจำของคุณ",
}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_a_request_to_forget_is_understood(language: Language) -> None:
    assert forget_requests(FORGET[language.code])


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_a_secret_behind_its_label_is_hidden(language: Language) -> None:
    label = language.labels.split(",")[0].replace("*", "").rstrip("#")
    assert "7391" not in hide_secrets(f"{label}: 7391")


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_a_plain_sentence_is_read(language: Language) -> None:
    sentence = (
        language.plain["name"].split(",")[0].replace("{}", "Ada")
        if "name" in language.plain
        else ""
    )
    assert not sentence or reads_alike(Proposal(key="name", value="Ada"), f"{sentence}.")


def test_each_language_has_one_file() -> None:
    codes = [language.code for language in LANGUAGES]
    assert len(set(codes)) == len(codes) == len(FORGET)
