"""Portuguese."""

from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.numerals import numbered

PORTUGUESE = Language(
    name="portuguese",
    common="também, você, obrigado, obrigada, olá, o, a, os, as, um, uma, e, em, de, do, da, dos, das, no, na, nos, nas, ao, à, com, por, "
    "para, que, é, são, se, muito, também, como, mais, qual, este, esta, isto, há, desde, ser, "
    "está, favor",
    first_person="eu, me, mim, meu, minha, meus, minhas, nós, nosso, nossa, sou, estou, tenho, moro, vivo, "
    "trabalho, falo, prefiro, odeio, gosto, amo, adoro, quero, nasci, estudo, temos, moramos, uso, "
    "dirijo, mudei, chamo-me",
    possessive="meu, minha, meus, minhas, nosso, nossa",
    name_nouns="nome, sobrenome, apelido",
    others="a mulher, o homem, o cara, a moça, o rapaz, a senhora, ele, ela, eles, elas, dele, dela, seu, sua",
    no_people="número de cliente, código de cliente",
    other_verbs="é, era, tem, mora, vive, trabalha, fala, gosta, prefere, odeia, diz, disse, quer, "
    "chama",
    people={
        "family": "minha família",
        "sister": "irmã, irmãs", "brother": "irmão, irmãos", "mother": "mãe, mamãe",
        "father": "pai, papai", "parent": "pais", "son": "filho", "daughter": "filha",
        "child": "filhos, filhas, criança, crianças, bebê",
        "partner": "casado com, casada com, marido, mulher, esposo, esposa, namorado, namorada, parceiro, parceira, noivo, "
        "noiva", "friend": "amigo, amiga, amigos, amigas", "boss": "chefe",
        "colleague": "colega, colegas", "neighbour": "vizinho, vizinha",
        "flatmate": "colega de quarto", "grandmother": "avó", "grandfather": "avô",
        "aunt": "tia", "uncle": "tio", "cousin": "primo, prima", "niece": "sobrinha",
        "nephew": "sobrinho", "in_law": "sogro, sogra, cunhado, cunhada",
        "teacher": "professor, professora", "doctor": "médico, médica, dentista",
        "landlord": "senhorio, senhoria", "client": "cliente",
        "pet": "cachorro, cachorra, cão, cadela, cães, gato, gata, gatos, cavalo",
    },
    verbs="moro, vivo, trabalho, tenho, sou, estou, falo, prefiro, odeio, gosto, amo, uso, estudo",
    ands="e, enquanto",
    causes="porque, pois, já que, visto que, dado que, uma vez que",
    buts="mas, porém, embora, exceto, contudo",
    asks="o que, que, qual, quais, quem, onde, quando, como, por que, porque é que, quanto, "
    "quantos, será que, você pode, pode, podes, sabe, sabes, posso, devo, há, sou eu, "
    "moro eu, conhece, diga-me, me diga, explique, explica",
    hypothetical="eu *aria, eu *eria, eu *iria, adoraria, gostaria, sonhei, no sonho, se eu, se ele, se ela, se você, se a gente, se nós, suponha, suponhamos, imagine, "
    "imagina, morasse, fosse, tivesse, seria, moraria, teria, poderia, faria, iria, oxalá, "
    "vivesse, viveria",
    polite="gostaria que, eu gostaria, se possível, se puder",
    hedges="candidatura, entrevista na, entrevista no, talvez, provavelmente, possivelmente, acho que, acho, creio, suponho, penso em, "
    "não tenho certeza, espero, pretendo, quase, parece",
    negations="não, nunca, jamais, nem, sem, nenhum, nenhuma",
    no_negations="não esqueça, não te esqueças, não se esqueça, não esqueças, não só, não apenas, sem problema, não longe de",
    ends="já não, não mais, não * mais, vendi, vendemos, deixei, saí da, morreu, divorciado, divorciada, "
    "costumava, parei de, terminamos, antigamente, morava",
    renewals="agora, atualmente, em vez de, desde, mudei, troquei, novo, nova, hoje",
    additions="também, além disso",
    likes="gosto, gosta, adoro, adora, amo, ama, prefiro, prefere, favorito, favorita",
    dislikes="odeio, odeia, detesto, não, nunca, sem, evito, alérgico, alérgica, suporto",
    play="você faz de, faz de conta, é brincadeira, estou brincando, brincadeira, rpg, no jogo, meu personagem, "
    "no meu romance, finja, nesta história",
    tasks="traduza, traduz, traduzir, corrija, corrige, reescreva, resuma, escreva, escreve, "
    "melhore, revise, como se diz, pode traduzir, analise",
    reports="disse, diz, escreveu, escreve, perguntou, pergunta, respondeu, responde",
    claims="diga, diz, dizer, afirme, garanta, recomende, confirme, negue, é, são, seguro, "
    "seguros, saudável, inofensivo, perigoso, cura, aconselhe",
    frames="chama, chamado, anos, ano, trabalha, mora, vive, fala, usuário, sempre, nunca, "
    "alérgico, alérgica, gosta",
    homes="moro, moramos, vivo, vivemos, casa, apartamento, mudei, mudamos, resido",
    jobs="trabalho, trabalhar, emprego, empresa, escritório, chefe, profissão",
    points="o narrador, a narradora, o autor, a autora, o poeta, último verso, última linha, o poema, este texto, esta carta, este email, esta mensagem, isto, isso, esta, este, estas, "
    "seguinte, abaixo, anexo, é burla, será burla, é golpe",
    writes="escreve, escreva, redige, redija",
    label_ends="sobre mim, de mim",
    claims_text="minha carta de apresentação, minha bio, meu anúncio, meu cv, meu currículo, meu perfil, minha carta, fui eu que escrevi, sobre mim, minha "
    "situação",
    corrections="o que estou dizendo, erro de digitação, espera, não espera, espera não, desculpa, desculpe, quero dizer, queria dizer, "
    "correção, aliás, ou melhor, não, digo",
    emphatic="se quer saber, se queres saber, se ajuda, se ajudar, se te interessa, não lembro se, não me lembro se, não sei se, não vivo sem, não posso viver sem, nada como, não podia ser mais, nunca sem, não há "
    "nada melhor",
    remembers="guardes, guarde, guardar, anote, anotes, anotar, memorize, memorizes, memorizar, "
    "lembres, lembre, salve, salvar, registe, registre, registar, registrar, grave",
    subjects="eu, sempre",
    forgets="esquece, esqueça, esqueçam, apaga, apague",
    unwanted="só para este chat, só neste chat, apenas para esta conversa, cá entre nós, entre nós, só entre nós, em confiança, em off",
    past="*íamos, *ávamos, éramos, estive, estava, morei, trabalhei, eu vivia, vivia, morava, trabalhava, tinha, era, em criança, quando criança, quando era, "
    "meu ex, minha ex, cresci",
    passing="por hoje, hoje à noite, no próximo ano, no ano que vem, no próximo mês, na próxima semana, amanhã, até sexta, "
    "até segunda, até domingo, por uma semana, por uns dias, esta semana, por agora, vou, em "
    "breve, de férias, um dia",
    mocks="não é que, "
    "tudo menos, longe de ser, mal, pensam que sou, acham que sou, me chamam, chamam-me, até "
    "parece, digamos, vamos supor, como se",
    months="janeiro, fevereiro, março, abril, maio, junho, julho, agosto, setembro, outubro, "
    "novembro, dezembro",
    weekdays="segunda, terça, quarta, quinta, sexta, sábado, domingo",
    days={"hoje": 0, "ontem": -1, "amanhã": 1, "anteontem": -2},
    weeks="semana, semanas",
    month_units="mês, meses",
    years="ano, anos, primavera, verão, outono, inverno",
    numbers=numbered(
        "um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze "
        "dezesseis dezessete dezoito dezenove",
        "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
        "{tens} e {unit}",
    ) | {"uma": 1, "duas": 2, "catorze": 14, "cem": 100, "mil": 1000},
)  # fmt: skip
