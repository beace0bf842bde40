"""Messages without any fact, which no model needs to read."""

from __future__ import annotations

import re

MAX_WORDS = 6

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WORDS = """
a ah again alright amazing and awesome bye cheers continue cool danke excellent exactly fine
go goodbye got good great ha haha hahaha hello hey hi hm hmm huh it ja k lol lot lots merci
more much nah nein nice no nope oh ok okay on oui perfect please pls right si sí so sorry
sounds super sure thank thanks that thats that's that’s thx true ty u very well wonderful wow
y yay yea yeah yep yes you yup
"""
# German, Spanish, Russian, Arabic, Chinese and Japanese: greetings, thanks and farewells. In the
# last two, a whole phrase is one word.
_WORDS_ELSEWHERE = """
hallo moin servus tschüss tschüs ciao dankeschön vielen dank bitte guten morgen abend genau klar
hola adiós adios gracias muchas buenos buenas días dias tardes noches vale claro perfecto genial
привет здравствуй здравствуйте спасибо большое пока хорошо понятно отлично ладно ок
مرحبا مرحبًا أهلا أهلاً شكرا شكرًا جزيلا جزيلاً حسنا حسنًا تمام السلام عليكم
你好 您好 你好啊 谢谢 谢谢你 谢谢您 多谢 非常感谢 再见 拜拜 好的 好 嗯 明白了 知道了 早上好 晚安
こんにちは おはよう おはようございます こんばんは ありがとう ありがとうございます どうも さようなら
了解 了解です わかりました なるほど
"""
_FILLERS = frozenset(f"{_WORDS} {_WORDS_ELSEWHERE}".split())


def is_small_talk(text: str) -> bool:
    """ "ok", "Thanks!", "👍", "yes please": at most six words, all of them fillers."""
    words = _WORD.findall(text.casefold())
    return len(words) <= MAX_WORDS and all(word in _FILLERS for word in words)
