"""English."""

from shared.policy.facts.languages.form import Language
from shared.policy.facts.languages.numerals import numbered

ENGLISH = Language(
    name="english",
    names_subject=True,
    common="thanks, thank, hello, hi, the, a, an, of, in, at, on, with, and, to, for, by, from, is, are, am, was, be, been, "
    "it, its, that, this, there, do, does, did, has, have, had, what, which, who, how, or, "
    "as, very, you, your, before, about, into, near, please, also, just, really, so, some, any, we've, i've, "
    "we, us, only, always, never, use, keep, when, answer, reply",
    first_person="i, i'm, i've, i'd, i'll, me, my, mine, myself, we, we're, we've, our, ours, us, im, ive",
    possessive="my, our",
    name_nouns="name, nickname, username, handle, surname, alias, here, speaking, this is",
    others="he, she, the woman, the man, the guy, the girl, the boy, the lady, the couple, a guy, a man, a woman, someone, somebody, this guy, some guy, a friend, he's, "
    "she's, his, her, him, hers",
    other_verbs="is, was, has, lives, works, speaks, likes, loves, hates, prefers, wants, owns, "
    "drives, plays, studies, moved, said, says, told, thinks",
    no_people="family name, family doctor, customer number, customer no, customer id, customer service, client number, patient number, mother tongue, mother's maiden, sister company, brother in arms",
    people={
        "family": "my family, my folks, my relatives",
        "sister": "sister, sisters", "brother": "brother, brothers", "sibling": "siblings",
        "mother": "mother, mum, mom, mummy", "father": "father, dad, daddy",
        "parent": "parent, parents",
        "son": "son, sons, boy", "daughter": "daughter, daughters, girl",
        "child": "child, children, kid, kids, baby, toddler, twins, triplets",
        "partner": "husband, wife, married to, engaged to, spouse, partner, girlfriend, boyfriend, fiancé, fiancée, fiance",
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
    ands="and, while, whereas, so",
    causes="because, since, given that, given, seeing that, considering that, considering, now that",
    buts="but, however, although, though, except",
    asks="what, what's, whats, which, who, who's, where, where's, when, why, how, whose, do i, "
    "do you, do we, does, did, am i, are you, are we, are there, is there, is my, is it, is "
    "the, is that, is he, is she, was i, were, can, could, should, would, will, may i, "
    "shall, have i, have you, has, isn't, aren't, don't i, tell me, say, list, show me, "
    "give me, sum up, please sum, explain, guess",
    hypothetical="could live, could work, could move, could own, if, suppose, supposing, imagine, assuming, assume, unless, would, wouldn't, "
    "i'd, we'd, he'd, she'd, were to, i wish, wish i, in case, let's say, what if, hypothetically, "
    "pretend, had i, whether, as if, as though, dreamt, dreamed, in my dream, had a dream, "
    "nightmare",
    polite="i'd say, i'd rather you, i would rather you, i'd prefer you, would like, i'd like, would prefer, i'd prefer, would rather, i'd rather, "
    "would love, i'd love, we'd like, we'd prefer, as if nothing, if possible, if you can, "
    "i want you to, i'd like you to, i would like you to, i need you to, can you, could you, would "
    "you, will you, you can, you could, you should, you may, you must, make sure you, i hope you, "
    "thank you, i'd rather you didn't, i'd prefer you didn't, no need to, you don't have to, you "
    "don't need to, you need not",
    hedges="applied, applying, application to, interview with, interview at, maybe, perhaps, probably, possibly, might, may be, i think, i guess, i suppose, i "
    "believe, i'm not sure, not sure, could be, thinking of, thinking about, planning to, "
    "plan to, going to move, hope to, hoping to, want to, wanted to, considering, "
    "apparently, supposedly, talked about, talking about, dreaming of, dream of, tempted "
    "to, nearly, almost, about to, seem to",
    negations="not, no, never, neither, nor, none, without, cannot, can't, cant, don't, dont, "
    "doesn't, didn't, isn't, aren't, ain't, wasn't, weren't, won't, haven't, hasn't, hadn't, "
    "shouldn't, couldn't, mustn't",
    no_negations="no way, not only, not just, no problem, why not, not to mention, no idea, never mind, don't "
    "mind, not far from, no doubt, no question, no joke, i mean it, mean it, no kidding, no "
    "lie, don't forget, customer no, order no, account no, membership no, house no, ref no, no is",
    ends="no longer, any more, anymore, any longer, sold, used to, quit, gave up, given up, "
    "called off, done with, said goodbye to, switched off, is history, for good, got rid "
    "of, died, passed away, broke up, split up, divorced, formerly, i left, we left, have "
    "left, cancelled, retired from, was stolen, stopped, separated, resigned, fired, laid "
    "off, let me go, took me off",
    closings="after all, gone, over, finished, again, outgrew, forget, cured, recovered, ended, left, wrong, "
    "mistake, dead, gave, given, lost, broke, expired, moved out, grew out",
    renewals="now, instead, these days, nowadays, currently, moved, switched, new, since, from, "
    "replaced, swapped, renamed, today, made, started, married, adopted, bought, joined, "
    "got, became, retired, diagnosed, born",
    additions="also, too, as well, besides, another",
    likes="like, likes, love, loves, enjoy, enjoys, prefer, prefers, favourite, favorite, fond "
    "of, favourites",
    dislikes="dislike, dislikes, hate, hates, can't stand, cannot stand, avoid, avoids, never, no, "
    "not, don't, detest, allergic, loathe, without, free",
    play="you be the, you be a, you be my, you play a, you'll be the, you'll be a, two truths and a lie, i'll be * in, you're the boss, you play the, i play the part, i play the role, i'll play, just "
    "kidding, only kidding, kidding, joking, just a joke, role-play, roleplay, role play, "
    "let's pretend, my character, in the game, in my novel, in my story, lol jk, jk, my "
    "fursona, in this story, imagine you, imagine i, april fool*",
    tasks="shorten, polish, tidy up, can you shorten, could you shorten, translate, proofread, rewrite, rephrase, paraphrase, summarise, summarize, correct, "
    "fix, edit, improve, write, compose, draft, complete, analyse, analyze, review, check, "
    "how do you say, please translate, please rewrite, can you translate, could you translate",
    reports="said, says, wrote, writes, asked, asks, replied, replies, answered, answers, told me, "
    "told us, texted, texts, goes",
    claims="say, says, tell, claim, state, insist, assert, recommend, assure, confirm, deny, "
    "advise, pretend, believe, treat, is, are, isn't, aren't, was, were, safe, harmless, healthy, "
    "dangerous, cures, cure",
    frames="likes, loves, prefers, enjoys, hates, dislikes, works, lives, speaks, owns, has, "
    "named, called, years, year, old, user, user's, wants, uses, always, never, yes, no, "
    "not, allergic",
    homes="live, lives, living, based, home, house, flat, apartment, moved, move, moving, "
    "settled, reside",
    jobs="work, works, working, worked, job, jobs, employed, employer, company, hired, office, "
    "boss, career, profession, freelance",
    points="the speaker, the author, the poet, the narrator, the last line, the first line, the last verse, the poem, the passage, this poem, this text, apply for that, apply for it, this, these, here, they, what does he, what does she, is he, is she, below, following, "
    "attached, above, here's what, here is what, got this, got that, from this text, this "
    "mail, verse, lyrics, his message, "
    "her message, their message, thoughts on, what do you make of, is it a scam, is that a "
    "scam, phishing, spam",
    writes="write, compose, draft, complete, check, fix my, improve my",
    label_ends="about me, about us, about myself, i am, i'm, me",
    claims_text="my cover letter, my application, my dating profile, my linkedin profile, my speech, my motivation letter, about-me, my cv, my résumé, my resume, my profile, my bio, my biography, my own text, my letter, "
    "my mail, my email, i wrote this, i wrote, about me, about myself, my intro, my "
    "introduction, my situation, my background, my details",
    corrections="who am i kidding, who am i fooling, uh no, um no, er no, erm, autocorrect, typo, what am i saying, i misspoke, wait, no wait, wait no, no sorry, scratch that, i mean, i meant, correction, rather, "
    "sorry, make that, or rather, no actually, actually no, actually, oops, pardon, strike "
    "that, my mistake, no",
    emphatic="if you must know, if you want to know, if you're wondering, if you are wondering, if you're curious, if anyone asks, if it helps, if that helps, if it matters, if that matters, if i'm honest, if i am honest, if it's of any use, remember if, recall if, sure if, know if, remember whether, couldn't be more, could not be more, can't live without, cannot live without, can't do "
    "without, couldn't live without, can't get enough, can't imagine life without, never "
    "without, nothing beats, no better, nothing better than, don't mind, not a day without, "
    "hardly a day, nothing if not, can't start the day without, never say no to, can't say "
    "no to",
    remembers="keep in mind, bear in mind, keep that in mind, your notes, your memory, your records, your files, you store, remember, save, store, "
    "note, note down, keep this, keep that, keep it, memorise, memorize, record, write this "
    "down, write that down, write it down, jot, log, put this in, put that in, add this to, "
    "add that to, commit this to, hold on to this, be remembered, be saved, be stored, on "
    "file",
    subjects="me, us, i, i'll, i'd, i'm, we, you, he, she, it, they, people, to, doesn't, does not, didn't, "
    "did not, can't, cannot, couldn't, won't, haven't, hasn't",
    forgets="delete what i, remove what i, delete everything, delete all you, delete anything, remove everything, remove what you, remove all you, scratch that from, strike that from, forget, unlearn, erase, delete what you, delete "
    "that i, delete the fact, delete my, wipe, remove from your memory, remove from memory, "
    "remove that from, delete from your memory, delete from memory, erase from your memory",
    unwanted="for this chat only, only for this chat, just for this chat, for this conversation only, not to be noted, not to be saved, not to be stored, not to be remembered, not to be recorded, off the record, between us, between you and me, just between us, not for your notes, "
    "not for your memory, not for the record, keep this out of, keep that out of, leave "
    "this out of your, out of your memory, out of your notes, not to end up in your, stays between, this stays here, nobody needs to know, "
    "confidentially, in confidence",
    past="we worked, we played, we owned, i hated, i liked, i danced, i shared, i stayed, i "
    "collected, we had, i wore, i was, my * was, back in the day, for years i, before the, "
    "i ran, i kept, i went, i studied, i smoked, i ate, i loved, i rented, i taught, i "
    "lived, we lived, i was living, i worked, i was working, i used to, we used to, i was "
    "a, i was an, i was in, i had a, i had an, i had two, i drove, i owned, i played, as a "
    "child, as a kid, as a teenager, as a student, when i was, back then, in my twenties, "
    "in my teens, my former, my ex, my old, my previous, my late, i grew up, grew up in, "
    "years ago i",
    passing="for today, for the day, for tonight, next year, next month, next week, next summer, tomorrow, until monday, until tuesday, "
    "until wednesday, until thursday, until friday, until saturday, until sunday, until next, "
    "until tomorrow, until the end of, till friday, till monday, till sunday, till tomorrow, "
    "for a week, for two weeks, for a few days, for the weekend, for a month, this week, this "
    "weekend, tonight, temporarily, for now, i'll be, i will be, i'm going to, "
    "i am going to, we're going to, i'm moving to, i am moving to, i start as, starting in, "
    "some day, someday, one day, soon, on holiday, on vacation, on a trip, visiting, for a "
    "conference, passing through",
    mocks="it's not that, not that i, "
    "thinks i'm, thinks i am, thinks that i'm, anything but, reckons i'm, reckon i'm, swears i'm, insists i'm, claims i'm, says i'm, "
    "said i'm, far from being, far from, hardly, barely, scarcely, for the sake of "
    "argument, for argument's sake, say i, people think, they think, everyone thinks, "
    "everybody thinks, others think, friends think, believes i'm, believe i'm, assume i'm, "
    "assumes i'm, mistake me for, take me for, took me for, call me a, calls me a, i'd be "
    "lying, as if, yeah right, yeah sure, sure sure, oh sure, not exactly, not really, kind "
    "of a joke, the opposite of, supposed to be, pretend to be, pretends, in my dreams, in "
    "another life, by all accounts but",
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
