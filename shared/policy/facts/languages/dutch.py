"""Dutch."""

from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.numerals import numbered

DUTCH = Language(
    name="dutch",
    names_subject=True,
    denies_after_verb=True,
    negates_after=True,
    common="jij, je, dank, bedankt, hallo, de, het, een, en, in, van, op, met, voor, aan, bij, uit, naar, is, zijn, was, er, dat, "
    "die, dit, ook, als, zo, heel, erg, te, om, nog, al, welke, wat, graag, alsjeblieft, heeft, "
    "wordt, tegen, heet",
    first_person="ik, mij, me, mijn, m'n, wij, we, ons, onze, ben, 'k",
    possessive="mijn, m'n, onze, ons",
    name_nouns="naam, voornaam, achternaam, bijnaam",
    others="de vrouw, de man, het meisje, de jongen, hij, zij, ze, haar, hem, zijn vrouw",
    other_verbs="is, was, heeft, woont, werkt, spreekt, houdt, wil, heet, zegt, zei, vindt",
    people={
        "family": "mijn familie, mijn gezin",
        "sister": "zus, zussen, zusje", "brother": "broer, broers, broertje",
        "mother": "moeder, mama", "father": "vader, papa", "parent": "ouders",
        "son": "zoon, zoontje", "daughter": "dochter, dochtertje",
        "child": "kind, kinderen, baby",
        "partner": "getrouwd met, man, vrouw, partner, vriendin, verloofde, echtgenoot, echtgenote",
        "friend": "vriend, vrienden, vriendinnen", "boss": "baas, chef, manager",
        "colleague": "collega, collega's", "neighbour": "buurman, buurvrouw, buren",
        "flatmate": "huisgenoot", "grandmother": "oma, grootmoeder",
        "grandfather": "opa, grootvader", "aunt": "tante", "uncle": "oom",
        "cousin": "neef, nicht", "in_law": "schoonmoeder, schoonvader, schoonouders, zwager",
        "teacher": "leraar, lerares, juf", "doctor": "dokter, arts, tandarts",
        "landlord": "huisbaas", "client": "klant",
        "pet": "hond, honden, hondje, kat, katten, poes, paard, konijn",
    },
    verbs="woon, werk, heb, spreek, hou, houd, haat, rijd, speel, eet, drink, gebruik, neem, heet",
    ands="en, terwijl",
    causes="omdat, want, aangezien, gezien",
    buts="maar, echter, hoewel, behalve",
    asks="wat, wie, waar, wanneer, waarom, hoe, welke, welk, woon ik, ben ik, heb ik, kan ik, "
    "moet ik, mag ik, kun je, kan je, weet je, is mijn, zijn er, is er, heet ik, ken je, leg uit",
    hypothetical="gedroomd, in mijn droom, als ik, als we, indien, stel dat, stel je voor, zou, zouden, ware, mocht, "
    "veronderstel, alsof, tenzij, als",
    polite="zou graag, zou liever, wil graag, indien mogelijk, als het kan, als vegetariër, "
    "als veganist",
    hedges="gesolliciteerd, sollicitatie, misschien, waarschijnlijk, mogelijk, ik denk, denk ik, ik geloof, ik vermoed, "
    "niet zeker, ik overweeg, ik hoop, ik ben van plan, bijna, vermoedelijk, blijkbaar",
    negations="niet, geen, nooit, zonder, noch",
    no_negations="vergeet niet, niet vergeten, niet alleen, geen probleem, niet ver van",
    ends="niet meer, geen meer, geen * meer, verkocht, vroeger, opgezegd, gestopt, overleden, gestorven, "
    "gescheiden, uit elkaar, verlaten, opgegeven",
    renewals="nu, tegenwoordig, sinds, in plaats van, verhuisd, gewisseld, nieuw, nieuwe, vandaag, "
    "voortaan",
    additions="ook",
    likes="hou van, houd van, graag, liefst, liever, lievelings*, favoriete",
    dislikes="haat, niet, geen, nooit, zonder, vermijd, allergisch, hekel",
    play="jij speelt, jij bent nu de, grapje, geintje, rollenspel, in het spel, mijn personage, in mijn roman, "
    "doe alsof, in dit verhaal",
    tasks="vertaal, corrigeer, herschrijf, verbeter, samenvatten, schrijf, controleer, "
    "hoe zeg je, kun je vertalen, analyseer",
    reports="zei, zegt, schreef, schrijft, vroeg, vraagt, antwoordde, antwoordt",
    claims="zeg, zeggen, vertel, beweer, bevestig, ontken, verzeker, is, zijn, veilig, "
    "onschadelijk, gezond, gevaarlijk, geneest, adviseer, raad aan",
    frames="heet, genaamd, jaar, oud, werkt, woont, spreekt, houdt, gebruiker, altijd, nooit, "
    "allergisch, voor",
    homes="woon, wonen, leef, thuis, huis, flat, verhuisd",
    jobs="werk, werken, baan, bedrijf, kantoor, werkgever, baas, beroep",
    points="deze tekst, deze brief, deze mail, dit bericht, dit, deze, volgende, onderstaande, "
    "hieronder, bijgevoegd, is dit oplichting",
    writes="schrijf, schrijven",
    label_ends="over mij, over mezelf",
    claims_text="mijn cv, mijn profiel, mijn brief, zelf geschreven, over mij, mijn situatie",
    corrections="wat zeg ik, typfout, wacht, nee wacht, wacht nee, sorry, ik bedoel, ik bedoelde, correctie, of eigenlijk, "
    "nee, eigenlijk",
    emphatic="als je het wilt weten, als je het weten wilt, als dat helpt, als het helpt, weet niet of, weet niet meer of, kan niet zonder, niets gaat boven, kon niet, nooit zonder",
    remembers="onthoud, onthouden, opslaan, sla dit, sla dat, noteer, noteren, opschrijven, bewaar, "
    "bewaren, schrijf dit, schrijf dat",
    subjects="ik, we, wij",
    forgets="vergeet, wis, verwijder",
    unwanted="alleen voor deze chat, alleen in deze chat, onder ons, tussen ons, in vertrouwen",
    past="was ik, had ik, woonde ik, werkte ik, ik woonde, ik werkte, ik had, ik was, als kind, vroeger, toen ik, mijn ex, mijn oude, "
    "opgegroeid",
    passing="voor vandaag, vanavond, volgend jaar, volgende maand, volgende week, morgen, tot vrijdag, tot maandag, tot "
    "zondag, een week lang, een paar dagen, deze week, voorlopig, ik ga, ik zal, binnenkort, "
    "op vakantie, ooit",
    mocks="niet dat ik, "
    "allesbehalve, verre van, nauwelijks, denken dat ik, noemen me, ja hoor, stel dat, "
    "alsof, niet bepaald",
    months="januari, februari, maart, april, mei, juni, juli, augustus, september, oktober, "
    "november, december",
    weekdays="maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag",
    days={"vandaag": 0, "gisteren": -1, "morgen": 1, "eergisteren": -2, "overmorgen": 2},
    weeks="week, weken, weekend",
    month_units="maand, maanden",
    years="jaar, jaren, lente, zomer, herfst, winter",
    numbers=numbered(
        "een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien "
        "zestien zeventien achttien negentien",
        "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
        "{unit}en{tens}",
    ) | {"één": 1, "tweeëntwintig": 22, "drieëntwintig": 23, "tweeëndertig": 32,
         "drieëndertig": 33, "tweeënveertig": 42, "drieënveertig": 43, "honderd": 100,
         "duizend": 1000},
)  # fmt: skip
