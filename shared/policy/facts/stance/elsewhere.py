"""What code knows of languages without a table: "if", "not", "no, I mean" and "my sister"."""

from __future__ import annotations

import re

_IF = re.compile(
    r"^ha(?!\w)|(?<!\w)(?:hvis|dersom|jos|dacă|jeśli|jeżeli|gdyby\w*|kdyby\w*|pokud|jestli|keby|ako|якщо|якби|"
    r"ако|jei|jeigu|nếu|jika|kalau|ikiwa|αν|אם|اگر)(?!\w)|যদি"
)
#: Scandinavian, Polish, Czech, Slovak, Romanian, Hungarian, Finnish, Greek, Hebrew, Vietnamese,
#: Indonesian, Korean, Thai.
_NOT = re.compile(
    r"(?<!\w)(?:inte|ikke|ikkje|aldrig|aldri|nie|nigdy|nejsem|nemám|nejím|nebydlím|nepracuj[iu]|"
    r"nežij[iu]|nikdy|niesom|nebývam|nu (?:sunt|mai|am|îmi|locuiesc|lucrez|mănânc)|"
    r"niciodată|nem|nincs|soha|en ole|en asu|en syö|δεν|δε|ποτέ|"
    r"לא|אינני|không|chưa|tidak|bukan|안|못)(?!\w)|지 않|아니에요|아닙니다|아니야|ไม่"
)
#: "No, I mean", at the beginning of a clause, in the same languages.
_CORRECTS = re.compile(
    r"(?:(?:eller )?(?:nej|nei)(?: vänta| vent)?|(?:jag|jeg) (?:menar|mener|menade|mente)|"
    r"(?:nie|ne|nem|nu|όχι|לא)$|(?:nie )?czekaj|to znaczy|chcia[łl][ae]m powiedzieć|raczej|"
    r"(?:ne )?počkej|vlastně|chtěl jsem říct|chtěla jsem říct|"
    r"(?:nu )?stai|de fapt|vreau să zic|adică|(?:nem )?várj|vagyis|úgy értem|bocsánat|"
    r"ei kun|eiku|siis|tarkoitan|tarkoitin|(?:όχι )?δηλαδή|εννοώ|"
    r"רגע|כלומר|התכוונתי|à không|ý (?:tôi|mình) là|maksud saya|eh bukan|ralat|"
    r"아니|아니요|그게 아니라)(?!\w)[\s,]*"
)
#: "My sister", in that order or the other, at the beginning of a clause.
_RELATIVE = re.compile(
    r"^(?:(?:och|og|a|i|és|και|ja) )?(?:"
    r"(?:min|mitt|mina|mine|vår|vores) (?:\w+ )?(?:syster|søster|bror|mamma|mor|pappa|far|fru|kone|"
    r"man|mann|mand|son|sønn|søn|dotter|datter|vän|väninna|venn|ven|veninde|granne|nabo|chef|sjef|"
    r"kollega|flickvän|pojkvän|kæreste|kjæreste|sambo|kusin|fetter|mormor|morfar|farmor|farfar|"
    r"moster|faster|morbror|farbror|onkel|tante)"
    r"|(?:moja|mój|můj|moje|má|môj) (?:\w+ )?(?:siostra|brat|mama|matka|tata|ojciec|żona|mąż|syn|"
    r"córka|przyjaciel|przyjaciółka|kolega|koleżanka|sąsiad|sąsiadka|szef|szefowa|chłopak|"
    r"dziewczyna|babcia|dziadek|kuzyn|kuzynka|ciotka|ciocia|wujek|sestra|bratr|máma|matka|táta|otec|manželka|manžel|"
    r"dcera|dcéra|kamarád|kamarádka|přítel|přítelkyně|soused|sousedka|šéf|šéfová|kolegyně|babička|teta|strýc|strejda)"
    r"|(?:sora|fratele|mama|tata|soția|soțul|fiul|fiica|prietena|prietenul|vecinul|vecina|șeful|"
    r"colegul|colega) (?:mea|meu)"
    r"|(?:a |az )?(?:nővérem|húgom|bátyám|öcsém|testvérem|anyám|anyukám|apám|apukám|feleségem|"
    r"férjem|fiam|lányom|barátom|barátnőm|szomszédom|főnököm|kollégám|nagymamám|nagypapám)"
    r"|(?:minun )?(?:siskoni|veljeni|äitini|isäni|vaimoni|mieheni|poikani|tyttäreni|ystäväni|"
    r"naapurini|pomoni|työkaverini|mummoni)"
    r"|(?:η|ο|τα|οι) (?:αδερφή|αδελφή|αδερφός|αδελφός|μητέρα|μαμά|πατέρας|μπαμπάς|γυναίκα|άντρας|"
    r"γιος|κόρη|φίλη|φίλος|γείτονας|γειτόνισσα) μου"
    r"|(?:אחותי|אחי|אמא שלי|אמי|אבא שלי|אבי|אשתי|בעלי|הבן שלי|הבת שלי|בני|בתי|חברה שלי|חבר שלי|"
    r"החברה שלי|החבר שלי|השכן שלי|הבוס שלי)"
    r"|(?:chị|anh|em|mẹ|bố|ba|vợ|chồng|bạn|con) (?:\w+ )?(?:tôi|mình|của tôi|của mình)"
    r"|(?:kakak|adik|ibu|ayah|istri|suami|anak|teman|tetangga|bos|pacar)(?: \w+)? (?:saya|aku)"
    r")(?!\w)"
    r"|^(?:제 ?|저희 ?|우리 ?|내 ?)?(?:언니|누나|형|오빠|동생|여동생|남동생|엄마|어머니|아빠|"
    r"아버지|아내|남편|아들|딸|친구|상사|동료|이웃|할머니|할아버지)"
    r"|^(?:พี่|น้อง|แม่|พ่อ|ภรรยา|สามี|ลูก|เพื่อน)\S*(?:ผม|ฉัน|ดิฉัน)"
)


#: "And not", which begins a part of its own.
_AND = re.compile(
    r"(?<=\s)(?=(?:i|a|oraz|och|og|és|și|ja|та|і|й|και)\s(?:nie|ne\w*|nem|inte|ikke|nu|en|не|δεν)\s)"
)
#: Another has it: "Můj soused má psa", "친구의 고양이".
_HAS = re.compile(
    r"(?<!\w)(?:má|ma|mají|mają|har|van|are|au|on|οι|έχει|έχουν|có|punya|memiliki|має|мають)(?!\w)"
    r"|(?<=의) "
)
#: "Forget", at the beginning of a wish, and "don't remember".
_FORGET = re.compile(
    r"(?<!\w)(?:glöm|glem|zapomnij(?:cie)?|usuń|zapomeň(?:te)?|smaž(?:te)?|zabudni|vymaž|uită|șterge|"
    r"felejtsd el|töröld|unohda|poista|ξέχασε|ξέχνα|σβήσε|תשכח[יו]?|שכח[יו]?|quên(?: đi)?|lupakan|"
    r"hapus)(?!\w)|잊어|지워"
)
_UNWANTED = re.compile(
    r"(?<!\w)(?:kom inte ihåg|spara inte|husk ikke|gem ikke|lagre ikke|nie (?:zapamiętuj|zapisuj|"
    r"zapamiętaj)|ne(?:pamatuj|ukládej|zapisuj)|nu (?:reține|salva|memora)|"
    r"ne (?:jegyezd meg|mentsd)|älä (?:muista|tallenna)|μην (?:θυμάσαι|αποθηκεύσεις)|"
    r"đừng (?:nhớ|lưu)|jangan (?:ingat|simpan))(?!\w)|기억하지 마|저장하지 마|기록하지 마"
)


def list_parts(text: str) -> list[str]:
    """The clause, parted where an "and" begins."""
    return _AND.split(text)


def another_has(text: str) -> bool:
    """ "My neighbour has a dog": the clause begins with another person, who has something."""
    person = _RELATIVE.match(text)
    return bool(person and _HAS.search(text, person.end()))


def find_wish(text: str) -> re.Match[str] | None:
    """ "Forget", or "don't remember"."""
    return _UNWANTED.search(text) or _FORGET.search(text)


def find_forget(text: str) -> re.Match[str] | None:
    return _FORGET.search(text)


def supposes(text: str) -> bool:
    return bool(_IF.search(text))


def denies(text: str) -> bool:
    return bool(_NOT.search(text))


def begins_with_relative(text: str) -> bool:
    return bool(_RELATIVE.match(text))


def after_correction(text: str) -> str:
    """The clause without the words that take something back, at its beginning."""
    match = _CORRECTS.match(text)
    return text[match.end() :].strip(" .,!") if match else text
