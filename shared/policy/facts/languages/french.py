"""French."""

from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.numerals import numbered

FRENCH = Language(
    name="french",
    names_subject=True,
    common="tu, toi, te, vous, merci, bonjour, salut, le, la, les, l', un, une, des, du, de, d', et, en, à, au, aux, est, sont, dans, pour, "
    "avec, sur, que, qui, qu', ce, cette, très, aussi, mais, comme, plus, se, s', depuis, chez, "
    "quel, quelle, il y a, par, c'est, plaît",
    first_person="je, j', j'ai, moi, me, m', mon, ma, mes, nous, notre, nos, suis, mien, mienne, on habite, "
    "on vit, on travaille, on aime",
    possessive="mon, ma, mes, notre, nos",
    name_nouns="nom, prénom, surnom, pseudo",
    others="la femme, l'homme, le type, la fille du, le garçon, il, elle, ils, elles, son, sa, ses, lui, leur",
    no_people="numéro client, numéro de client, service client",
    other_verbs="est, a, habite, vit, travaille, parle, aime, déteste, préfère, veut, dit, était, "
    "s'appelle",
    people={
        "family": "ma famille",
        "sister": "sœur, sœurs, soeur", "brother": "frère, frères",
        "mother": "mère, maman", "father": "père, papa", "parent": "parents",
        "son": "fils", "daughter": "fille, filles", "child": "enfant, enfants, bébé",
        "partner": "marié à, mariée à, marié avec, mariée avec, mari, femme, époux, épouse, conjoint, conjointe, copain, copine, compagnon, "
        "compagne, fiancé, fiancée",
        "friend": "ami, amie, amis, amies", "boss": "patron, patronne, chef, cheffe",
        "colleague": "collègue, collègues", "neighbour": "voisin, voisine, voisins",
        "flatmate": "colocataire, coloc",
        "grandmother": "grand-mère, mamie", "grandfather": "grand-père, papi",
        "aunt": "tante", "uncle": "oncle", "cousin": "cousin, cousine", "niece": "nièce",
        "nephew": "neveu", "in_law": "belle-mère, beau-père, beau-frère, belle-sœur",
        "teacher": "professeur, prof", "doctor": "médecin, docteur, dentiste",
        "landlord": "propriétaire", "client": "client, cliente",
        "pet": "chien, chienne, chiens, chat, chatte, chats, cheval, lapin",
    },
    verbs="habite, vis, travaille, parle, aime, déteste, préfère, suis, ai",
    ands="et, tandis que",
    causes="parce que, parce qu', car, puisque, puisqu', étant donné que, vu que, sachant que",
    buts="mais, cependant, sauf, bien que, pourtant",
    asks="dis, dis-moi, donne-moi, montre-moi, que, qu'est-ce, quel, quelle, quels, quelles, qui "
    "est, où, quand, comment, pourquoi, combien, est-ce que, est-ce, ai-je, suis-je, puis- "
    "je, dois-je, peux-tu, pouvez-vous, sais-tu, connais-tu, y a-t-il, habite-je, dis-moi, "
    "explique*",
    hypothetical="je *drais, j'*drais, je *erais, j'*erais, me *erait, je *irais, j'*irais, si, j'ai rêvé, dans mon rêve, s'il, supposons, imagine, imaginons, imaginez, habiterais, serais, serait, "
    "aurais, aurait, vivrais, étais, pourrais, voudrais, ferais, irais, habitais",
    polite="je voudrais que, j'aimerais que, je préférerais, si possible, s'il te plaît, "
    "s'il vous plaît",
    hedges="postulé, candidature, entretien chez, peut-être, probablement, sans doute, je pense, je crois, je suppose, il se peut, "
    "je ne suis pas sûr, je ne suis pas sûre, j'envisage, je compte, j'espère, presque, "
    "apparemment",
    negations="ne, n', pas, jamais, aucun, aucune, sans, ni, n'ai, n'aime, n'habite, n'est, non",
    no_negations="n'oublie pas, n'oubliez pas, ne * que, n'* que, pas seulement, pas de problème, pas loin de, n'est-ce pas",
    ends="ne plus, ne * plus, n'* plus, n'habite plus, plus à, vendu, quitté, mort, morte, décédé, séparés, divorcé, "
    "divorcée, arrêté de, autrefois, avant j'habitais",
    renewals="maintenant, désormais, actuellement, au lieu de, depuis, déménagé, changé, nouveau, "
    "nouvelle, aujourd'hui, plutôt",
    additions="aussi, également",
    likes="aime, aimes, adore, préfère, préféré, préférée, favori",
    dislikes="déteste, pas, jamais, sans, aucun, évite, allergique, horreur, supporte",
    play="tu joues le, tu joues la, tu joues un, tu joues une, tu es maintenant, je plaisante, c'est une blague, blague, jeu de rôle, dans le jeu, mon personnage, "
    "dans mon roman, faisons comme si, dans cette histoire",
    tasks="traduis, traduisez, traduire, corrige, corrigez, reformule, résume, rédige, écris, "
    "écrivez, améliore, comment dit-on, peux-tu traduire, analyse",
    reports="a dit, dit, disait, a écrit, écrit, a demandé, demande, a répondu, répond",
    claims="dis, dites, dire, affirme, prétends, recommande, confirme, nie, assure, est, sont, "
    "sûr, sûres, sûrs, sans danger, inoffensif, dangereux, guérit, conseille",
    frames="s'appelle, appelle, ans, travaille, habite, vit, parle, aime, utilisateur, toujours, "
    "jamais, allergique, aux",
    homes="habite, habitons, vis, vivons, maison, appartement, déménagé, domicile",
    jobs="travaille, travail, emploi, entreprise, employé, bureau, patron, métier, boulot",
    points="le narrateur, la narratrice, l'auteur, l'autrice, le poète, dernier vers, dernière ligne, le poème, ce passage, ce texte, cette lettre, ce mail, ce message, cet email, cette annonce, ceci, cette "
    "phrase, ce poème, cette, ce, ces, ci-dessous, ci-joint, suivant, suivante, est-ce une "
    "arnaque, voilà le texte, voici",
    writes="écris, rédige, écrire, rédiger",
    label_ends="sur moi, à propos de moi, de moi",
    claims_text="ma lettre de motivation, ma candidature, ma bio, mon annonce, mon cv, mon profil, ma lettre, j'ai écrit, à propos de moi, ma situation, ma "
    "présentation",
    corrections="euh non pardon, euh non, euh pardon, euh, qu'est-ce que je dis, faute de frappe, enfin, attends, non attends, attends non, non pardon, pardon, je veux dire, je voulais "
    "dire, correction, plutôt, enfin non, ou plutôt, non, désolé, désolée, en fait",
    emphatic="si tu veux savoir, si vous voulez savoir, si tu veux tout savoir, si ça aide, si ça peut aider, si cela aide, souviens plus si, sais plus si, sais pas si, pas sûr si, rappelle plus si, ne peux pas vivre sans, rien ne vaut, on ne peut plus, jamais sans, peux pas me "
    "passer, rien de tel",
    remembers="retiens, retenez, retenir, note, notes, notez, noter, enregistre, enregistrer, "
    "enregistres, garde, garder, gardes, mémorise, mémoriser, sauvegarde, sauvegarder, "
    "souviens, n'enregistre, l'enregistre",
    subjects="je, j', nous, j'ai",
    forgets="oublie, oubliez, oublies, efface, effacez, supprime",
    unwanted="seulement pour ce chat, uniquement pour ce chat, juste pour cette conversation, entre nous, pas dans tes notes, pas pour tes notes, hors micro, en confidence",
    past="nous étions, nous avions, nous vivions, nous habitions, nous travaillions, j'habitais, je vivais, j'étais, j'avais, je travaillais, je conduisais, quand j'étais, "
    "enfant, autrefois, avant je, mon ancien, mon ancienne, mon ex, j'ai grandi",
    passing="pour aujourd'hui, ce soir, l'année prochaine, le mois prochain, la semaine prochaine, demain, jusqu'à vendredi, "
    "jusqu'à lundi, jusqu'à dimanche, jusqu'à samedi, jusqu'à la fin, pour une semaine, pour "
    "quelques jours, cette semaine, ce week-end, je vais, je serai, bientôt, en vacances, un "
    "jour",
    mocks="ce n'est pas que, c'est pas que, "
    "tout sauf, loin d'être, à peine, me prennent pour, me prend pour, croient que je, "
    "pensent que je, m'appellent, ben voyons, admettons, disons que, comme si, pas vraiment",
    months="janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre, "
    "décembre",
    weekdays="lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche",
    days={"aujourd'hui": 0, "hier": -1, "demain": 1, "avant-hier": -2, "après-demain": 2},
    weeks="semaine, semaines",
    month_units="mois",
    years="an, ans, année, années, printemps, été, automne, hiver",
    numbers=numbered(
        "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
        "dix-sept dix-huit dix-neuf",
        "vingt trente quarante cinquante soixante septante octante nonante",
        "{tens}-{unit}",
    ) | {
        "une": 1, "vingt et un": 21, "trente et un": 31, "quarante et un": 41, "soixante-dix": 70,
        "quatre-vingt": 80, "quatre-vingts": 80, "quatre-vingt-dix": 90, "cent": 100, "mille": 1000,
    },
)  # fmt: skip
