"""English."""

from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.numerals import numbered

ENGLISH = Language(
    name="english",
    common="the, a, an, of, in, at, on, with, and, to, for, by, from, is, are, am, was, be, been, "
    "it, its, that, this, there, do, does, did, has, have, had, what, which, who, how, or, as, "
    "very, about, into, near, please, also, just, really, so, some, any, we've, i've, we, us, only, "
    "always, never, use, keep, when, answer, reply",
    own="i, i'm, i've, i'd, i'll, me, my, mine, myself, we, we're, we've, our, ours, us, im, ive",
    possessive="my, our",
    name_nouns="name, nickname, username, handle, surname, alias",
    others="he, she, he's, she's, his, her, him, hers",
    other_verbs="is, was, has, lives, works, speaks, likes, loves, hates, prefers, wants, owns, "
    "drives, plays, studies, moved, said, says, told, thinks",
    people={
        "sister": "sister, sisters", "brother": "brother, brothers", "sibling": "siblings",
        "mother": "mother, mum, mom, mummy", "father": "father, dad, daddy",
        "parent": "parent, parents",
        "son": "son, sons, boy", "daughter": "daughter, daughters, girl",
        "child": "child, children, kid, kids, baby, toddler",
        "partner": "husband, wife, spouse, partner, girlfriend, boyfriend, fiancé, fiancée, fiance",
        "friend": "friend, friends, buddy, mate", "boss": "boss, manager, supervisor",
        "colleague": "colleague, colleagues, coworker, co-worker, teammate",
        "neighbour": "neighbour, neighbours, neighbor, neighbors",
        "flatmate": "flatmate, roommate, housemate",
        "grandmother": "grandmother, grandma, granny", "grandfather": "grandfather, grandpa",
        "aunt": "aunt, auntie", "uncle": "uncle", "cousin": "cousin, cousins",
        "niece": "niece", "nephew": "nephew", "in_law": "in-laws, mother-in-law, father-in-law",
        "teacher": "teacher, tutor, coach", "doctor": "doctor, dentist, therapist",
        "landlord": "landlord, landlady", "client": "client, customer, patient",
        "pet": "dog, dogs, cat, cats, puppy, kitten, horse, parrot, rabbit, hamster, pet",
    },
    verbs="live, work, have, own, speak, like, love, hate, prefer, drive, play, study, need, want, "
    "eat, drink, use, am, moved, started, take, go by",
    ands="and, while, whereas, because, since, so",
    buts="but, however, although, though, except",
    asks="what, what's, whats, which, who, who's, where, where's, when, why, how, whose, do i, "
    "do you, do we, does, did, am i, are you, are we, are there, is there, is my, is it, is the, "
    "is that, is he, is she, was i, were, can, could, should, would, will, may i, shall, have i, "
    "have you, has, isn't, aren't, don't i, tell me, explain, guess",
    hypothetical="if, suppose, supposing, imagine, assuming, assume, unless, would, wouldn't, "
    "i'd, we'd, he'd, she'd, were to, i wish, wish i, in case, let's say, what if, hypothetically, "
    "pretend, had i, whether, as if, as though",
    polite="would like, i'd like, would prefer, i'd prefer, would rather, i'd rather, "
    "would love, i'd love, we'd like, we'd prefer, as if nothing, if possible, if you can",
    hedges="maybe, perhaps, probably, possibly, might, may be, i think, i guess, i suppose, "
    "i believe, i'm not sure, not sure, could be, thinking of, thinking about, planning to, "
    "plan to, going to move, hope to, hoping to, want to, wanted to, considering, apparently, "
    "supposedly, nearly, almost, about to, seem to",
    negations="not, no, never, neither, nor, none, without, cannot, can't, cant, don't, dont, "
    "doesn't, didn't, isn't, aren't, ain't, wasn't, weren't, won't, haven't, hasn't, hadn't, "
    "shouldn't, couldn't, mustn't",
    no_negations="not only, not just, no problem, why not, not to mention, no idea, never mind, "
    "don't mind, not far from, no doubt, don't forget",
    ends="no longer, any more, anymore, any longer, sold, used to, quit, gave up, given up, "
    "got rid of, died, passed away, broke up, split up, divorced, formerly, i left, we left, "
    "have left, cancelled, retired from, was stolen, stopped, separated, resigned, fired, "
    "laid off, let me go",
    closings="gone, over, finished, again, outgrew, forget, cured, recovered, ended, left, wrong, "
    "mistake, dead, gave, given, lost, broke, expired, moved out, grew out",
    renewals="now, instead, these days, nowadays, currently, moved, switched, new, since, from, "
    "replaced, swapped, renamed, today, made",
    likes="like, likes, love, loves, enjoy, enjoys, prefer, prefers, favourite, favorite, fond of, favourites",
    dislikes="dislike, dislikes, hate, hates, can't stand, cannot stand, avoid, avoids, never, no, "
    "not, don't, detest, allergic, loathe, without, free",
    play="just kidding, only kidding, kidding, joking, just a joke, role-play, roleplay, "
    "role play, let's pretend, my character, in the game, in my novel, in my story, lol jk, jk, "
    "my fursona, in this story, imagine you, imagine i, april fool*",
    tasks="translate, proofread, rewrite, rephrase, paraphrase, summarise, summarize, correct, "
    "fix, edit, improve, write, compose, draft, complete, analyse, analyze, review, check, "
    "how do you say, please translate, please rewrite, can you translate, could you translate",
    reports="said, says, wrote, writes, asked, asks, replied, replies, answered, answers, told me, told us, texted, texts, goes",
    claims="say, says, tell, claim, state, insist, assert, recommend, assure, confirm, deny, "
    "advise, pretend, believe, treat, is, are, isn't, aren't, was, were, safe, harmless, healthy, "
    "dangerous, cures, cure",
    frames="likes, loves, prefers, enjoys, hates, dislikes, works, lives, speaks, owns, has, named, "
    "called, years, year, old, user, user's, wants, uses, always, never, yes, no, not, allergic",
    homes="live, lives, living, based, home, house, flat, apartment, moved, move, moving, settled, reside",
    jobs="work, works, working, worked, job, jobs, employed, employer, company, hired, office, boss, career, profession, freelance",
    months="january, february, march, april, may, june, july, august, september, october, "
    "november, december",
    weekdays="monday, tuesday, wednesday, thursday, friday, saturday, sunday",
    days={"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1, "the day before yesterday": -2,
          "the day after tomorrow": 2, "last night": -1, "this morning": 0},
    weeks="week, weeks, weekend, fortnight",
    month_units="month, months",
    years="year, years, spring, summer, autumn, winter",
    numbers=numbered(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen",
        "twenty thirty forty fifty sixty seventy eighty ninety",
        "{tens} {unit}",
    ) | {"hundred": 100, "thousand": 1000, "million": 1_000_000},
)  # fmt: skip
