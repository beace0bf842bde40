"""Words that are said in one spelling and asked for in another."""

from __future__ import annotations

import unicodedata

#: What is said, and the words of it that are asked for.
SPELLINGS = [
    ("We met at the Café Central.", "café"),
    ("We met at the Cafe\u0301 Central.", "cafe"),
    ("We met at the Café Central.", unicodedata.normalize("NFD", "CAFÉ")),
    ("She said שָׁלוֹם to us.", "שלום"),
    ("She said שלום to us.", "שָׁלוֹם"),
    ("I am learning Tiếng Việt now.", "tieng viet"),
    ("I am learning Tieng Viet now.", "Tiếng Việt"),
    ("Мой ёжик ушёл в лес.", "ежик ушел"),
    ("Мой ежик ушел в лес.", "ёжик"),
    ("Her name is أَحْمَد today.", "احمد"),
    ("Her name is احمد today.", "أحمد"),
    ("The code is ＺＵＧ４２ here.", "zug42"),
    ("The code is zug42 here.", "ＺＵＧ４２"),
    ("Das Kranken\u00adhaus ist alt.", "Krankenhaus"),
    ("The e\u2011mail was lost.", "e-mail"),
    ("Élodie came for dinner.", "elodie"),
    ("elodie came for dinner.", "ÉLODIE"),
    ("Die Straße ist lang.", "STRASSE"),
    ("我的身體很好", "身体"),
    ("我的身体很好", "身體"),
    ("ｶﾞﾗｽのうつわ", "ガラス"),
    ("Η Αθήνα είναι όμορφη.", "αθηνα"),
    ("Wohnt in Łódź seit Mai.", "lodz"),
    ("El niño comió jamón.", "jamon"),
]
OTHERS = ["It rains today.", "Das Wetter ist gut.", "今天下雨", "Сегодня дождь.", "اليوم مطر"]
