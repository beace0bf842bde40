"""German."""

from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.numerals import numbered

GERMAN = Language(
    name="german",
    names_subject=True,
    denies_after_verb=True,
    negates_after=True,
    common="du, dir, dich, danke, hallo, dass, der, die, das, den, dem, des, ein, eine, einen, einem, einer, und, zu, in, im, am, an, "
    "auf, mit, von, für, bei, aus, nach, ist, sind, bin, war, es, auch, als, wie, sehr, sich, "
    "bitte, noch, schon, so, um, vom, zum, zur, über, welche, welcher, hat, wird, heißt",
    first_person="ich, mir, mich, wir, uns, bin, mein, meine, meinen, meinem, meiner, unser, unsere, "
    "unseren, unserem, hab",
    possessive="mein, meine, meinen, meinem, meiner, unser, unsere, unseren, unserem",
    name_nouns="name, vorname, nachname, spitzname, benutzername, hier, hier ist",
    others="die frau, der mann, der typ, das mädchen, der junge, das paar, er, ihn, ihm, ihre, ihren, ihrem, ihrer, sein, seine, seinen",
    other_verbs="ist, war, hat, wohnt, lebt, arbeitet, spricht, mag, liebt, hasst, will, heißt, "
    "sagt, sagte, meint, findet, zog",
    people={
        "family": "meine familie, meine verwandten",
        "sister": "schwester, schwestern", "brother": "bruder, brüder",
        "sibling": "geschwister", "mother": "mutter, mama, mutti", "father": "vater, papa, vati",
        "parent": "eltern", "son": "sohn, söhne", "daughter": "tochter, töchter",
        "child": "kind, kinder, baby",
        "partner": "verheiratet mit, mann, frau, ehemann, ehefrau, partner, partnerin, freundin, verlobte, "
        "verlobter",
        "friend": "freund, freunde, freundinnen, kumpel", "boss": "chef, chefin, vorgesetzter",
        "colleague": "kollege, kollegin, kollegen", "neighbour": "nachbar, nachbarin, nachbarn",
        "flatmate": "mitbewohner, mitbewohnerin",
        "grandmother": "oma, großmutter", "grandfather": "opa, großvater", "aunt": "tante",
        "uncle": "onkel", "cousin": "cousin, cousine", "niece": "nichte", "nephew": "neffe",
        "in_law": "schwiegermutter, schwiegervater, schwiegereltern, schwager, schwägerin",
        "teacher": "lehrer, lehrerin", "doctor": "arzt, ärztin, zahnarzt",
        "landlord": "vermieter, vermieterin", "client": "kunde, kundin",
        "pet": "hund, hunde, hündin, katze, katzen, kater, pferd, hamster, haustier",
    },
    verbs="wohne, lebe, arbeite, habe, spreche, mag, liebe, hasse, bevorzuge, fahre, spiele, esse, "
    "trinke, nehme, heiße, komme",
    ands="und, während",
    causes="weil, da, denn, zumal",
    buts="aber, sondern, jedoch, doch, obwohl, außer",
    asks="sag, sag mir, nenn mir, nenne mir, zeig mir, gib mir, was, wer, wo, wann, warum, "
    "wieso, weshalb, wie, welche, welcher, welches, wohin, woher, bin ich, habe ich, wohne "
    "ich, lebe ich, heiße ich, soll ich, kann ich, darf ich, muss ich, kannst du, weißt du, "
    "ist mein, ist meine, ist das, sind, gibt es, mag ich, kennst du, erklär*",
    hypothetical="wenn, falls, angenommen, stell dir vor, würde, würden, wäre, wären, geträumt, im traum, hätte, "
    "hätten, gesetzt, könnte, müsste, sollte, ob, als ob, käme, nehmen wir an",
    polite="ich würde gern, würde gerne, hätte gern, hätte gerne, hätte lieber, möchte, "
    "wenn möglich, würde lieber",
    hedges="beworben, bewerbe, bewerbung bei, vorstellungsgespräch, vielleicht, wahrscheinlich, möglicherweise, eventuell, vermutlich, ich glaube, glaube "
    "ich, ich denke, ich vermute, könnte sein, ich überlege, ich plane, ich will, ich "
    "hoffe, beinahe, fast, wohl, angeblich",
    negations="nicht, kein, keine, keinen, keinem, keiner, keines, nie, niemals, ohne, weder",
    no_negations="vergiss nicht, vergesst nicht, vergessen sie nicht, nicht vergessen, nicht nur, kein problem, nicht weit von, keine ahnung",
    ends="nicht mehr, kein mehr, kein * mehr, keine * mehr, keinen * mehr, verkauft, früher, gekündigt, aufgehört, gestorben, getrennt, "
    "geschieden, verlassen, aufgegeben, abgeschafft, ehemals, damals",
    renewals="jetzt, nun, inzwischen, mittlerweile, seit, statt, stattdessen, umgezogen, gewechselt, "
    "neu, neue, neuer, neues, heute, umbenannt, zog",
    additions="auch, außerdem, ebenfalls",
    likes="mag, liebe, liebt, gern, gerne, bevorzuge, bevorzugt, lieber, lieblings*, genieße",
    dislikes="hasse, hasst, nicht, kein, keine, keinen, ohne, nie, niemals, meide, vermeide, "
    "verabscheue, allergisch, allergie, frei",
    play="spiel einen, spiele einen, spiel den, spiele den, du spielst, du bist jetzt der, du bist jetzt die, du wärst der, du wärst die, scherz, nur spaß, war ein witz, rollenspiel, im spiel, meine figur, in meinem roman, "
    "in dieser geschichte, tu so als",
    tasks="übersetze, übersetz, übersetzen sie, korrigiere, korrigier, verbessere, "
    "fasse zusammen, fass, formuliere, umschreiben, schreibe, schreib, verfasse, prüfe, "
    "wie sagt man, bitte übersetze, bitte korrigiere, kannst du übersetzen",
    reports="sagte, sagt, schrieb, schreibt, meinte, meint, fragte, fragt, antwortete, antwortet",
    claims="sag, sage, sagen, behaupte, behaupten, erzähl, erzähle, bestätige, empfiehl, "
    "empfehlen, rate, versichere, leugne, ist, sind, sicher, harmlos, gesund, ungefährlich, "
    "gefährlich, heilt",
    frames="heißt, genannt, jahre, alt, arbeitet, wohnt, lebt, spricht, mag, liebt, immer, nie, "
    "nutzer, benutzer, allergisch, gegen",
    homes="wohne, wohnen, lebe, leben, zuhause, wohnung, haus, umgezogen, gezogen, ziehe",
    jobs="arbeite, arbeiten, job, arbeit, firma, beruf, angestellt, arbeitgeber, chef",
    points="der sprecher, die sprecherin, der autor, die autorin, der dichter, der erzähler, letzte zeile, letzten zeile, ersten zeile, das gedicht, die textstelle, das hier, das ist, hier ist, hier mein, hier meine, dies, diese, dieser, dieses, "
    "diesen, diesem, folgende, folgenden, folgendes, folgender, unten, oben, angehängt, die "
    "mail, der brief, den brief, die nachricht, diesen text, ist das betrug, was hältst du "
    "davon, was meint er, was meint sie, hier der text, hier die",
    writes="schreib, schreibe, verfasse, formuliere",
    label_ends="über mich, zu mir, zu meiner person",
    claims_text="mein anschreiben, meine bewerbung, mein motivationsschreiben, mein profiltext, meine kurzvorstellung, mein lebenslauf, meinen lebenslauf, mein cv, mein profil, über mich, zu meiner person, "
    "meine situation, mein text, habe ich geschrieben, mein brief, meine vorstellung",
    corrections="äh nein, ähm nein, äh quatsch, äh, ähm, autokorrektur, vertippt, was rede ich, verschrieben, warte, nein warte, warte nein, nein quatsch, quatsch, ich meine, ich meinte, "
    "korrektur, vielmehr, sorry, entschuldigung, besser gesagt, ach nein, nein, halt, "
    "moment, stimmt nicht, eigentlich",
    emphatic="falls du es wissen willst, wenn du es wissen willst, wenn du's genau wissen willst, falls das hilft, falls es hilft, wenn das hilft, wenn es hilft, wenn ich ehrlich bin, falls es wichtig ist, weiß nicht ob, weiß nicht mehr ob, weiss nicht mehr ob, nicht sicher ob, nicht ohne, geht nichts über, nichts lieber, kann nicht ohne, könnte nicht veganer, "
    "nie ohne, kein tag ohne, nicht genug von",
    remembers="merk*, speicher*, abspeicher*, notier*, aufschreib*, schreib das, schreib dir, "
    "behalt*, festhalten",
    subjects="ich, wir, mir",
    forgets="vergiss, vergessen sie, vergesst, lösche, lösch, streich",
    unwanted="nur für diesen chat, nur in diesem chat, nur für dieses gespräch, unter uns, im vertrauen, nicht für deine notizen, vertraulich, inoffiziell",
    past="war ich, hatte ich, wohnte ich, lebte ich, arbeitete ich, ich wohnte, ich lebte, habe ich gewohnt, hab ich gewohnt, habe ich gelebt, als kind, als "
    "student, als studentin, früher, damals, ich arbeitete, ich war, ich hatte, ich fuhr, "
    "mein früherer, meine frühere, mein ex, meine ex, mein alter, aufgewachsen",
    passing="für heute, heute abend, nächstes jahr, nächsten monat, nächste woche, morgen, bis montag, bis dienstag, bis "
    "mittwoch, bis donnerstag, bis freitag, bis samstag, bis sonntag, bis ende, für eine "
    "woche, für zwei wochen, für ein paar tage, übers wochenende, diese woche, vorübergehend, "
    "ich werde, werde ich, ziehe bald, bald, irgendwann, im urlaub, auf dienstreise, zu "
    "besuch, ab montag, ab nächster, ab januar",
    mocks="nicht dass ich, nicht so dass ich, "
    "alles andere als, weit davon entfernt, kaum, angenommen, halten mich für, hält mich "
    "für, denken ich, nennen mich, na klar, von wegen, schön wär's, als ob, nicht gerade, "
    "im gegenteil, gesetzt den fall, sagen wir",
    months="januar, februar, märz, april, mai, juni, juli, august, september, oktober, november, "
    "dezember",
    weekdays="montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag",
    days={"heute": 0, "gestern": -1, "morgen": 1, "vorgestern": -2, "übermorgen": 2},
    weeks="woche, wochen, wochenende",
    month_units="monat, monate, monaten, monats",
    years="jahr, jahre, jahren, jahres, frühling, frühjahr, sommer, herbst, winter",
    numbers=numbered(
        "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
        "sechzehn siebzehn achtzehn neunzehn",
        "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
        "{unit}und{tens}",
    ) | {"eins": 1, "eine": 1, "hundert": 100, "tausend": 1000},
)  # fmt: skip
