"""Italian."""

from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.numerals import numbered

ITALIAN = Language(
    name="italian",
    common="tu, ti, grazie, ciao, il, lo, la, i, gli, le, un, uno, una, e, ed, in, di, del, della, dei, a, al, alla, "
    "con, per, che, è, sono, si, molto, anche, come, più, da, dal, nel, nella, su, qual, "
    "quale, questo, questa, ci, favore",
    first_person="io, mi, me, mio, mia, miei, mie, noi, nostro, nostra, ho, vivo, abito, lavoro, parlo, "
    "preferisco, odio, amo, voglio, studio, abbiamo, viviamo, siamo, uso, guido, suono, bevo, "
    "mangio, sono *o, sono *a",
    possessive="mio, mia, miei, mie, nostro, nostra",
    name_nouns="nome, cognome, soprannome, sono",
    others="la donna, l'uomo, il tipo, la ragazza, il ragazzo, la signora, lui, lei, suo, sua, suoi, sue, loro",
    no_people="numero cliente, codice cliente",
    other_verbs="è, era, ha, vive, abita, lavora, parla, preferisce, odia, ama, dice, vuole, chiama",
    people={
        "family": "la mia famiglia",
        "sister": "sorella, sorelle", "brother": "fratello, fratelli",
        "mother": "madre, mamma", "father": "padre, papà, babbo", "parent": "genitori",
        "son": "figlio", "daughter": "figlia", "child": "figli, figlie, bambino, bambina",
        "partner": "sposato con, sposata con, marito, moglie, compagno, compagna, fidanzato, fidanzata, ragazzo, ragazza",
        "friend": "amico, amica, amici, amiche", "boss": "capo",
        "colleague": "collega, colleghi, colleghe", "neighbour": "vicino, vicina, vicini",
        "flatmate": "coinquilino, coinquilina",
        "grandmother": "nonna", "grandfather": "nonno", "aunt": "zia", "uncle": "zio",
        "cousin": "cugino, cugina", "niece": "nipote", "in_law": "suocero, suocera, cognato, "
        "cognata", "teacher": "insegnante, professore, professoressa",
        "doctor": "medico, dottore, dottoressa, dentista", "landlord": "padrone di casa",
        "client": "cliente", "pet": "cane, cagna, cani, gatto, gatta, gatti, cavallo",
    },
    verbs="vivo, abito, lavoro, ho, sono, parlo, preferisco, odio, amo, guido, uso, studio",
    ands="e, ed, mentre",
    causes="perché, poiché, visto che, dato che, siccome",
    buts="ma, però, bensì, tuttavia, tranne, anche se",
    asks="che, cosa, che cosa, quale, quali, chi, dove, dov'è, quando, come, perché, quanto, "
    "quanti, puoi, potresti, sai, devo, posso, c'è, ci sono, vivo io, sono io, conosci, dimmi, "
    "spiega*",
    hypothetical="*erei, *irei, *erebbe, *irebbe, se, ho sognato, nel sogno, supponiamo, immagina, immaginiamo, vivessi, fossi, avessi, sarei, vivrei, "
    "avrei, potrei, farei, magari, abitassi, andrei, vorrei",
    polite="vorrei che, preferirei, se possibile, mi piacerebbe che",
    hedges="candidato a, candidata a, candidatura, colloquio, forse, probabilmente, credo, penso, suppongo, può darsi, non sono sicuro, "
    "non sono sicura, sto pensando, spero, ho intenzione, quasi, pare",
    negations="non, no, mai, né, senza, nessun, nessuna, nemmeno",
    no_negations="non dimenticare, non scordare, non solo, nessun problema, non lontano da",
    ends="non più, non * più, venduto, lasciato, morto, morta, divorziato, divorziata, smesso di, una volta, "
    "ex, abbiamo rotto, vivevo",
    renewals="adesso, ora, attualmente, invece, invece di, da, trasferito, trasferita, cambiato, "
    "nuovo, nuova, oggi",
    additions="anche, pure",
    likes="piace, piacciono, adoro, amo, ama, preferisco, preferisce, preferito, preferita",
    dislikes="odio, odia, detesto, non, mai, senza, evito, allergico, allergica, sopporto",
    play="tu fai il, tu fai la, fai finta di, scherzo, sto scherzando, era uno scherzo, gioco di ruolo, nel gioco, "
    "il mio personaggio, nel mio romanzo, fingi, in questa storia",
    tasks="traduci, tradurre, correggi, riscrivi, riassumi, scrivi, migliora, rivedi, "
    "come si dice, puoi tradurre, analizza",
    reports="ha detto, dice, disse, ha scritto, scrive, ha chiesto, chiede, ha risposto, risponde",
    claims="di', dica, dici, dire, afferma, assicura, consiglia, conferma, nega, è, sono, sicuro, "
    "sicure, sicuri, sano, innocuo, pericoloso, cura",
    frames="chiama, chiamato, anni, anno, lavora, vive, abita, parla, utente, sempre, mai, "
    "allergico, allergica, piace, alle",
    homes="vivo, abito, viviamo, abitiamo, casa, appartamento, trasferito, trasferita",
    jobs="lavoro, lavorare, impiego, azienda, ufficio, capo, ditta, mestiere",
    points="il narratore, l'autore, l'autrice, il poeta, ultimo verso, ultima riga, la poesia, questo passo, questo testo, questa lettera, questa mail, questo messaggio, questo, questa, queste, "
    "questi, seguente, sotto, allegato, è una truffa",
    writes="scrivi, scrivere",
    label_ends="su di me, di me",
    claims_text="la mia lettera di presentazione, la mia bio, il mio annuncio, il mio cv, il mio curriculum, il mio profilo, la mia lettera, l'ho scritto io, su di "
    "me, la mia situazione",
    corrections="che dico, errore di battitura, aspetta, no aspetta, aspetta no, scusa, scusami, voglio dire, volevo dire, correzione, "
    "anzi, cioè, no, o meglio",
    emphatic="se vuoi saperlo, se lo vuoi sapere, se ti interessa, se può servire, se può aiutare, se aiuta, non ricordo se, non so se, non posso vivere senza, non c'è niente di meglio, non potrei essere più, mai senza, "
    "niente batte",
    remembers="ricordare, ricordarti, ricordarlo, salvare, salvarlo, annotare, annotarlo, "
    "memorizzare, memorizzarlo, segnare, segnarlo, segnartelo, registrare, conservare",
    subjects="io, sempre, mi",
    forgets="dimentica, dimenticati, dimenticalo, scorda, scordati, cancella",
    unwanted="solo per questa chat, solo in questa chat, tra noi, tra me e te, resti tra noi, in confidenza",
    past="*avamo, *evamo, *ivamo, eravamo, stavo, sono stato, sono stata, vivevo, abitavo, lavoravo, avevo, ero, da bambino, da bambina, quand'ero, quando ero, il "
    "mio ex, la mia ex, sono cresciuto, sono cresciuta",
    passing="per oggi, stasera, l'anno prossimo, il mese prossimo, la settimana prossima, domani, fino a venerdì, fino "
    "a lunedì, fino a domenica, per una settimana, per qualche giorno, questa settimana, "
    "per ora, andrò, sarò, presto, in vacanza, un giorno",
    mocks="non è che, non è mica che, "
    "tutto tranne, tutt'altro che, lungi dall'essere, a malapena, pensano che io, mi "
    "credono, mi chiamano, certo come no, mettiamo che, diciamo che, come se, non proprio",
    months="gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, ottobre, "
    "novembre, dicembre",
    weekdays="lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica",
    days={"oggi": 0, "ieri": -1, "domani": 1, "l'altro ieri": -2, "dopodomani": 2},
    weeks="settimana, settimane",
    month_units="mese, mesi",
    years="anno, anni, primavera, estate, autunno, inverno",
    numbers=numbered(
        "un due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici "
        "quindici sedici diciassette diciotto diciannove",
        "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
        "{tens}{unit}",
    ) | {
        "uno": 1, "una": 1, "ventuno": 21, "ventotto": 28, "trentuno": 31, "trentotto": 38,
        "quarantuno": 41, "quarantotto": 48, "cinquantuno": 51, "cinquantotto": 58, "cento": 100,
        "mille": 1000,
    },
)  # fmt: skip
