"""Turkish. Persons and negations are endings, so fewer of them can be listed."""

from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.numerals import numbered

TURKISH = Language(
    name="turkish",
    negates_after=True,
    ends_with_verb=True,
    common="ve, bir, bu, şu, o, için, ile, de, da, çok, gibi, daha, en, var, mı, mi, lütfen, "
    "olarak",
    first_person="ben, beni, bana, benim, biz, bizim, *yorum, *iyorum, adım, yaşındayım, *ıyorum, *uyorum, "
    "*üyorum, vejetaryenim, *yım, *yim",
    possessive="benim, bizim",
    name_nouns="adım, ismim, soyadım",
    others="onun, onlar, ona, onu",
    other_verbs="*iyor, *ıyor, yaşıyor, çalışıyor, seviyor, dedi, diyor",
    people={
        "family": "ailem",
        "sister": "kız kardeşim*, ablam*, kız kardeş", "brother": "erkek kardeşim*, ağabeyim*, abim*",
        "mother": "annem*, anne", "father": "babam*, baba", "son": "oğlum*", "daughter": "kızım*",
        "child": "çocuğum*, çocuklarım*, bebeğim*",
        "partner": "kocam*, karım*, eşim*, sevgilim*, nişanlım*", "friend": "arkadaşım*, arkadaşlarım*",
        "boss": "patronum*, müdürüm*", "colleague": "iş arkadaşım*", "neighbour": "komşum*",
        "grandmother": "büyükannem*, babaannem*, anneannem*", "grandfather": "dedem*",
        "aunt": "teyzem*, halam*", "uncle": "amcam*, dayım*", "cousin": "kuzenim*",
        "teacher": "öğretmenim*", "doctor": "doktorum*", "pet": "köpeğim*, kedim*, köpek, kedi, atım*",
    },
    ands="ve",
    causes="çünkü",
    buts="ama, fakat, ancak, hariç",
    asks="ne, kim, nerede, ne zaman, neden, niçin, nasıl, hangi, kaç, nereye",
    asks_last="mı, mi, mu, mü, mıyım, miyim, muyum, müyüm, mısın, misin, musun, müsün",
    hypothetical="rüya*, eğer, farz et, hayal et, varsayalım, keşke, olsaydım, olsaydı, *saydım, *seydim, "
    "*ardım, *erdim, *irdim, *ırdım",
    hedges="belki, galiba, sanırım, muhtemelen, herhalde, düşünüyorum, umarım, planlıyorum",
    negations="değil, değilim, yok, hiç, asla, *miyorum, *mıyorum, *muyorum, *müyorum, *mem, *mam",
    ends="artık değil, sattım, sattık, eskiden, bıraktım, öldü, ayrıldık, boşandım",
    renewals="şimdi, artık, yeni, taşındım, taşındık, bugün, yerine",
    additions="de, da, ayrıca",
    likes="severim, seviyorum, tercih, favori, bayılırım",
    dislikes="sevmem, sevmiyorum, nefret, asla, hiç, alerji*, alerjim",
    play="şaka, şaka yapıyorum, rol yapma, oyunda, karakterim, romanımda",
    tasks="çevir, çevirir misin, düzelt, özetle, yaz, yeniden yaz",
    claims="de, söyle, iddia et, öner, tavsiye, güvenli, zararsız, sağlıklı, tehlikeli, *dir, *dır",
    frames="adında, yaşında, her zaman, asla, kullanıcı, alerjisi",
    homes="yaşıyorum, oturuyorum, evim, taşındım",
    jobs="çalışıyorum, iş, işim, şirket, şirketinde, ofis",
    points="bu metin, bu mektup, bu mesaj, bu e-posta, bunu, bu, şu, aşağıdaki, ekteki, "
    "dolandırıcılık mı",
    writes="yaz",
    label_ends="hakkımda, kendimden",
    claims_text="özgeçmişim, cv'm, profilim, hakkımda",
    corrections="dur, hayır dur, dur hayır, pardon, yani, demek istedim, daha doğrusu, hayır, yok",
    emphatic="merak ediyorsan, bilmek istersen, işine yararsa, onsuz yapamam, olmadan yaşayamam, vazgeçemem",
    remembers="hatırlama, kaydetme, not alma, not etme, aklında tutma, saklama",
    subjects="ben",
    forgets="unut, unutun, sil",
    unwanted="aramızda, aramızda kalsın",
    past="yaşardım, yaşıyordum, çalışırdım, çalışıyordum, çocukken, eskiden, eski, büyüdüm",
    passing="bugünlük, bu akşam, gelecek yıl, gelecek ay, gelecek hafta, yarın, cumaya kadar, pazartesiye kadar, bir "
    "haftalığına, birkaç günlüğüne, bu hafta, şimdilik, yakında, tatilde",
    mocks="sanıyorlar, güya, diyelim ki, sanki, hiç de",
    months="ocak, şubat, mart, nisan, mayıs, haziran, temmuz, ağustos, eylül, ekim, kasım, aralık",
    weekdays="pazartesi, salı, çarşamba, perşembe, cuma, cumartesi, pazar",
    days={"bugün": 0, "dün": -1, "yarın": 1},
    weeks="hafta",
    month_units="ay",
    years="yıl, sene",
    numbers=numbered(
        "bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki onüç ondört onbeş onaltı onyedi "
        "onsekiz ondokuz",
        "yirmi otuz kırk elli altmış yetmiş seksen doksan",
        "{tens} {unit}",
    ) | {"yüz": 100, "bin": 1000},
)  # fmt: skip
