"""Spanish."""

from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.numerals import numbered

SPANISH = Language(
    name="spanish",
    common="tú, gracias, hola, el, la, los, las, un, una, unos, unas, y, en, de, del, al, con, por, para, que, es, "
    "está, a, se, lo, le, muy, también, pero, como, más, cual, cuál, qué, hay, este, esta, esto, "
    "favor, desde, son, ser, ha, han",
    first_person="yo, me, mí, mi, mis, nosotros, nos, nuestro, nuestra, nuestros, nuestras, soy, estoy, "
    "tengo, vivo, trabajo, hablo, prefiero, odio, quiero, necesito, nací, estudio, conduzco, "
    "vivimos, tenemos, somos, mío, mía, conmigo, uso, como yo, toco, juego, bebo, mudé",
    possessive="mi, mis, nuestro, nuestra, nuestros, nuestras",
    name_nouns="nombre, apellido, apodo, usuario",
    others="la mujer, el hombre, la chica, el chico, la señora, el señor, él, ella, ellos, ellas, su, sus",
    no_people="número de cliente, servicio al cliente",
    other_verbs="es, era, tiene, vive, trabaja, habla, quiere, prefiere, odia, ama, dice, dijo, "
    "está, llama",
    people={
        "family": "mi familia",
        "sister": "hermana, hermanas", "brother": "hermano, hermanos",
        "mother": "madre, mamá", "father": "padre, papá", "parent": "padres",
        "son": "hijo", "daughter": "hija", "child": "hijos, hijas, niño, niña, bebé",
        "partner": "casado con, casada con, marido, mujer, esposo, esposa, pareja, novio, novia, prometido, prometida",
        "friend": "amigo, amiga, amigos, amigas", "boss": "jefe, jefa",
        "colleague": "colega, colegas, compañero, compañera", "neighbour": "vecino, vecina",
        "flatmate": "compañero de piso, compañera de piso",
        "grandmother": "abuela", "grandfather": "abuelo", "aunt": "tía", "uncle": "tío",
        "cousin": "primo, prima", "niece": "sobrina", "nephew": "sobrino",
        "in_law": "suegro, suegra, cuñado, cuñada",
        "teacher": "profesor, profesora", "doctor": "médico, médica, doctor, doctora",
        "landlord": "casero, casera", "client": "cliente",
        "pet": "perro, perra, perros, gato, gata, gatos, caballo, mascota",
    },
    verbs="vivo, trabajo, tengo, soy, estoy, hablo, prefiero, odio, amo, conduzco, juego, bebo, "
    "uso, necesito, quiero, estudio",
    ands="y, e, mientras",
    causes="porque, ya que, dado que, puesto que, visto que",
    buts="pero, sino, aunque, sin embargo, salvo, excepto",
    asks="di, dime, dame, muéstrame, qué, cuál, cuáles, quién, dónde, cuándo, cómo, por qué, "
    "cuánto, cuántos, vivo yo, soy yo, puedes, podrías, sabes, debo, puedo, hay, conoces, "
    "tengo yo, es mi, dime, explica*",
    hypothetical="me *aría, me *ería, me *iría, yo *aría, yo *ería, yo *iría, si, soñé, en mi sueño, suponiendo, supongamos, imagina, imagínate, imaginemos, viviera, fuera, "
    "tuviera, sería, viviría, tendría, ojalá, haría, estuviera, podría, pudiera, iría, gustaría",
    polite="me gustaría que, quisiera, si es posible, podrías",
    hedges="solicitud, postulado, entrevista en, quizá, quizás, tal vez, probablemente, posiblemente, creo que, supongo, pienso, "
    "a lo mejor, no estoy seguro, no estoy segura, planeo, espero, puede que, casi, "
    "estoy pensando en",
    negations="no, nunca, jamás, ni, sin, tampoco, ningún, ninguna",
    no_negations="no olvides, no te olvides, no olvide, no solo, no sólo, no solamente, no hay problema, no lejos de",
    ends="ya no, vendí, vendimos, dejé, murió, antes vivía, solía, rompimos, divorciado, "
    "divorciada, cancelé, antiguamente, he vendido, hemos vendido",
    renewals="ahora, actualmente, en vez de, en lugar de, desde, mudé, mudado, cambié, nuevo, nueva, "
    "hoy, hoy en día",
    additions="también, además",
    likes="gusta, gustan, encanta, encantan, prefiero, prefiere, amo, adoro, favorito, favorita",
    dislikes="odio, odia, detesto, no, nunca, sin, evito, evita, alérgico, alérgica, soporto",
    play="haz de, haces de, tú eres ahora, es broma, bromeo, broma, juego de rol, en el juego, mi personaje, en mi novela, "
    "finge, en esta historia",
    tasks="traduce, traducir, corrige, reescribe, resume, escribe, redacta, mejora, revisa, "
    "cómo se dice, por favor traduce, puedes traducir, analiza",
    reports="dijo, dice, escribió, escribe, preguntó, pregunta, respondió, responde",
    claims="di, diga, decir, dile, afirma, asegura, recomienda, confirma, niega, es, son, seguro, "
    "seguros, sano, sanos, inofensivo, peligroso, cura, aconseja",
    frames="llama, llamado, años, año, trabaja, vive, habla, le, usuario, siempre, nunca, "
    "alérgico, alérgica, gusta",
    homes="vivo, vivir, vivimos, casa, piso, mudé, mudado, mudamos, resido",
    jobs="trabajo, trabajar, empleo, empresa, empleado, oficina, jefe, profesión",
    points="el narrador, la narradora, el autor, la autora, el poeta, último verso, última línea, el poema, este pasaje, este texto, esta carta, este correo, este mensaje, esta oferta, este poema, esto, "
    "esta, este, estas, estos, siguiente, abajo, adjunto, es una estafa, qué opinas de",
    writes="escribe, redacta, escribir, redactar",
    label_ends="sobre mí, acerca de mí, de mí",
    claims_text="mi carta de presentación, mi carta de motivación, mi candidatura, mi bio, mi anuncio, mi cv, mi currículum, mi curriculum, mi perfil, mi carta, lo escribí yo, sobre mí, mi "
    "situación, mi presentación",
    corrections="eh no, este no, qué digo, errata, espera, no espera, espera no, perdón, quiero decir, quise decir, corrección, mejor "
    "dicho, digo, no, perdona, en realidad, miento",
    emphatic="si quieres saber, si quieres saberlo, si te interesa, si sirve de algo, si ayuda, por si ayuda, por si sirve, no recuerdo si, no sé si, no me acuerdo si, no puedo vivir sin, no hay nada que me guste más, nada como, no podría ser más, nunca "
    "sin, no hay nada mejor",
    remembers="recuerdes, recordar, guardes, guardar, guardarlo, apuntes, apuntar, anotes, anotar, "
    "memorices, memorizar, acuerdes, registres, registrar, grabes, guardad*, anotad*, registrad*",
    subjects="yo, siempre, nunca, se me",
    forgets="olvida, olvide, olvídate, olvídalo, olviden, borra, elimina",
    unwanted="solo para este chat, sólo para este chat, solo en este chat, entre nosotros, entre tú y yo, que quede entre, extraoficialmente, en confianza",
    past="*íamos, *ábamos, éramos, estuve, estaba, estuvimos, viví en, trabajé, yo vivía, vivía en, vivía, trabajaba, tenía, era, cuando era, de niño, de niña, antes "
    "vivía, mi antiguo, mi antigua, mi ex, crecí",
    passing="por hoy, esta noche, el año que viene, el próximo año, el mes que viene, la semana que viene, mañana, hasta "
    "el viernes, hasta el lunes, hasta el domingo, hasta el sábado, hasta fin, por una "
    "semana, por unos días, esta semana, este fin de semana, de momento, por ahora, voy a, "
    "pronto, de vacaciones, algún día, de visita",
    mocks="no es que, "
    "todo menos, lejos de ser, apenas, piensan que soy, creen que soy, me toman por, me "
    "llaman, sí claro, supongamos, digamos, como si, precisamente",
    months="enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, "
    "noviembre, diciembre",
    weekdays="lunes, martes, miércoles, jueves, viernes, sábado, domingo",
    days={"hoy": 0, "ayer": -1, "anoche": -1, "mañana": 1, "anteayer": -2, "pasado mañana": 2},
    weeks="semana, semanas",
    month_units="mes, meses",
    years="año, años, primavera, verano, otoño, invierno",
    numbers=numbered(
        "un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
        "dieciséis diecisiete dieciocho diecinueve",
        "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        "{tens} y {unit}",
    ) | {
        "uno": 1, "una": 1, "veintiuno": 21, "veintidós": 22, "veintitrés": 23, "veinticuatro": 24,
        "veinticinco": 25, "veintiséis": 26, "veintisiete": 27, "veintiocho": 28, "veintinueve": 29,
        "cien": 100, "mil": 1000, "treinta y uno": 31, "cuarenta y uno": 41,
    },
)  # fmt: skip
