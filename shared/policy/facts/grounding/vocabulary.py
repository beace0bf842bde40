"""The words of all languages' tables, without case and accents, and synonyms across languages."""

from __future__ import annotations

from collections.abc import Iterator

from shared.policy.facts.grounding.folding import fold
from shared.policy.facts.languages import LANGUAGES

#: Words that models translate, in all languages: currencies, languages, food, diets.
SYNONYMS = {
    "kilogram": "kg, kilo, kilos, kilograms, kilogramm, kilogramme, kilogramos, chilo, chili, "
    "quilos, кг, килограмм, килограммов, 公斤, キロ",
    "kilometre": "km, kilometer, kilometers, kilometres, kilómetros, kilomètres, chilometri, "
    "quilômetros, км, километров, 公里",
    "centimetre": "cm, zentimeter, centimeters, centimetres, centímetros, centimètres, centimetri, "
    "см, 厘米",
    "euro": "€, eur, euros, евро, 欧元, ユーロ, يورو",
    "dollar": "$, usd, dollars, dólar, dólares, доллар, долларов, 美元, ドル, دولار",
    "pound": "£, gbp, pounds, libras, pfund",
    "yen": "¥, jpy, 円, 日元",
    "yuan": "cny, rmb, 元, 人民币",
    "rupee": "₹, inr, rupees, रुपये",
    "rouble": "₽, rub, roubles, рублей, рубль",
    "franc": "chf, francs, franken, sfr",
    "english": "englisch, inglés, anglais, inglese, inglês, engels, английский, английском, "
    "английски, 英语, 英文, 英語, ingilizce, الإنجليزية, अंग्रेज़ी, अंग्रेजी",
    "german": "deutsch, deutsche, alemán, allemand, tedesco, alemão, duits, немецкий, немецком, "
    "немецки, 德语, ドイツ語, almanca, الألمانية",
    "spanish": "spanisch, español, espagnol, spagnolo, espanhol, spaans, испанский, испанском, "
    "西班牙语, スペイン語, ispanyolca, الإسبانية",
    "french": "französisch, francés, français, francese, francês, frans, французский, французском, "
    "法语, フランス語, fransızca, الفرنسية",
    "italian": "italienisch, italiano, italien, italiaans, итальянский, 意大利语, イタリア語",
    "portuguese": "portugiesisch, portugués, portugais, portoghese, português, portugees",
    "dutch": "niederländisch, neerlandés, holandés, néerlandais, olandese, holandês, nederlands",
    "russian": "russisch, ruso, russe, russo, русский, русском, русски, 俄语, ロシア語",
    "chinese": "chinesisch, chino, chinois, cinese, chinês, китайский, 中文, 汉语, 中国語, çince",
    "japanese": "japanisch, japonés, japonais, giapponese, japonês, японский, 日语, 日本語",
    "arabic": "arabisch, árabe, arabe, arabo, арабский, العربية, 阿拉伯语",
    "turkish": "türkisch, turco, turc, turks, türkçe, турецкий",
    "hindi": "हिंदी, हिन्दी, हिंदी में",
    "vegetarian": "vegetarier, vegetarierin, vegetarisch, vegetariano, vegetariana, végétarien, "
    "végétarienne, vegetariër, вегетарианец, вегетарианка, 素食, 吃素, ベジタリアン, 菜食主義, "
    "vejetaryen, vejetaryenim, نباتي, نباتية, शाकाहारी",
    "vegan": "veganer, veganerin, vegano, vegana, végan, végane, vegane, veganistisch, веган, "
    "веганка, 纯素, ヴィーガン",
    "peanut": "peanuts, erdnuss, erdnüsse, erdnüssen, cacahuete, cacahuetes, cacahuate, "
    "cacahuates, arachide, arachidi, arachides, cacahuète, cacahuètes, amendoim, amendoins, "
    "pinda, pinda's, pindas, арахис, 花生, ピーナッツ, 落花生, fıstık, yer fıstığı, "
    "الفول السوداني, मूंगफली",
    "nut": "nuts, nuss, nüsse, nüssen, nueces, nuez, noix, noci, nozes, noten, орехи, орехов, "
    "坚果, ナッツ, المكسرات",
    "lactose": "laktose, lactosa, lattosio, лактоза, лактозу, лактозы, 乳糖, laktoz",
    "gluten": "glutine, glúten, глютен, 麸质, グルテン",
}


def split_list(listed: str) -> list[str]:
    return [word.strip() for word in listed.split(",") if word.strip()]


def _folded(*columns: str) -> Iterator[str]:
    for column in columns:
        for phrase in split_list(column):
            yield from fold(phrase).replace("*", "").split()


# Words that need not be in the message: "works as", "years old", "the".
FILLERS = frozenset(
    word
    for language in LANGUAGES
    for word in _folded(
        language.common, language.first_person, language.frames, language.possessive
    )
)
ANDS = frozenset(word for language in LANGUAGES for word in _folded(language.ands))
#: "said", "told me".
REPORTS = frozenset(word for language in LANGUAGES for word in _folded(language.reports))
VERBS = frozenset(
    word for language in LANGUAGES for word in _folded(language.verbs, language.other_verbs)
)
_WESTERN = ("english", "german", "dutch", "french", "spanish", "italian", "portuguese")
#: Frequent words of languages that do not change names by their case.
WESTERN = frozenset(
    word
    for language in LANGUAGES
    if language.name in _WESTERN
    for word in _folded(
        language.common,
        language.first_person,
        language.possessive,
        language.verbs,
        language.negations,
    )
)
NUMBERS = {
    fold(word).replace("-", " "): number
    for language in LANGUAGES
    for word, number in language.numbers.items()
}
#: Number words that are frequent words of Western languages: Turkish "on" and "bin".
AMBIGUOUS_NUMBERS = (
    frozenset(
        fold(word)
        for language in LANGUAGES
        if language.name not in _WESTERN
        for word in language.numbers
    )
    & WESTERN
)
MONTHS = {
    fold(word): number
    for language in LANGUAGES
    for number, word in enumerate(split_list(language.months), start=1)
}
WEEKDAYS = {
    fold(word): number
    for language in LANGUAGES
    for number, word in enumerate(split_list(language.weekdays))
}
DAYS = {fold(words): days for language in LANGUAGES for words, days in language.days.items()}
WEEKS = frozenset(word for language in LANGUAGES for word in _folded(language.weeks))
MONTH_UNITS = frozenset(word for language in LANGUAGES for word in _folded(language.month_units))
YEARS = frozenset(word for language in LANGUAGES for word in _folded(language.years))
CONCEPTS = {
    fold(word): name for name, words in SYNONYMS.items() for word in (*split_list(words), name)
}
