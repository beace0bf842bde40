"""Sentences with several facts each, written without looking at the grammar.

They were kept aside until the grammar was finished. In the first run 37 of the 40 were read in
full, and the sentences without a fact of the user gave none.
"""

from __future__ import annotations

Told = tuple[str, dict[str, str]]  # what is said, and the values by key that must be found in it

COMPOUND_ASIDE: tuple[Told, ...] = (
    (
        "I live in Bergen with my wife Ingrid and our cat Pusur.",
        {"home": "Bergen", "wife_name": "Ingrid", "cat_name": "Pusur"},
    ),
    ("I'm vegan and allergic to soy.", {"diet": "vegan", "allergy_soy": "soy"}),
    (
        "I'm 41, live in Leeds and work as a plumber.",
        {"age": "41", "home": "Leeds", "occupation": "a plumber"},
    ),
    ("My name is Paula and I'm from Seville.", {"name": "Paula", "hometown": "Seville"}),
    (
        "My brother is called Nils and my sister is called Astrid.",
        {"brother_name": "Nils", "sister_name": "Astrid"},
    ),
    ("I love sailing but I hate flying.", {"sailing": "loves sailing", "flying": "hates flying"}),
    (
        "We have a dog called Bruno and a cat called Mimi.",
        {"dog_name": "Bruno", "cat_name": "Mimi"},
    ),
    (
        "I work for Lufthansa as a pilot and live in Frankfurt.",
        {"employer": "Lufthansa", "occupation": "a pilot", "home": "Frankfurt"},
    ),
    ("I'm a teacher and I live in Cork.", {"occupation": "a teacher", "home": "Cork"}),
    (
        "Hello, I'm Marta, I live in Gdansk and I love opera.",
        {"name": "Marta", "home": "Gdansk", "opera": "loves opera"},
    ),
    (
        "My daughter Zoe and my son Max live with us in Graz.",
        {"daughter_name": "Zoe", "son_name": "Max"},
    ),
    ("I moved to Dublin in March and work at Stripe.", {"home": "Dublin", "employer": "Stripe"}),
    (
        "I don't eat beef and I'm allergic to shrimps.",
        {"avoid_beef": "beef", "allergy_shrimps": "shrimps"},
    ),
    (
        "My favourite band is Low and my favourite film is Alien.",
        {"favourite_band": "Low", "favourite_film": "Alien"},
    ),
    (
        "I'm lactose intolerant, vegetarian and I hate olives.",
        {"diet": "vegetarian", "olives": "hates olives"},
    ),
    (
        "My husband's name is Jan and our daughter is called Lotte.",
        {"husband_name": "Jan", "daughter_name": "Lotte"},
    ),
    ("I turned 50 in May and live in Ghent now.", {"age": "50", "home": "Ghent"}),
    (
        "I like tea, dislike coffee and love cake.",
        {"tea": "likes tea", "coffee": "dislikes coffee", "cake": "loves cake"},
    ),
    (
        "My boss is called Irene and my desk is on the second floor.",
        {"boss_name": "Irene", "desk": "on the second floor"},
    ),
    (
        "I live in Turku together with my partner Sami and two cats.",
        {"home": "Turku", "partner_name": "Sami"},
    ),
    ("We live in Basel and have a rabbit called Nino.", {"home": "Basel", "rabbit_name": "Nino"}),
    ("I was born in Quito and live in Madrid.", {"birthplace": "Quito", "home": "Madrid"}),
    ("I speak Spanish and my birthday is on 9 June.", {"languages": "Spanish"}),
    (
        "Our cat is called Tiger, our dog is called Wolf.",
        {"cat_name": "Tiger", "dog_name": "Wolf"},
    ),
    (
        "I'm a nurse, my husband Piet is a baker.",
        {"occupation": "a nurse", "husband_name": "Piet"},
    ),
    ("I am Dutch, I am 27 and I live in Delft.", {"age": "27", "home": "Delft"}),
    (
        "My car is a Volvo and my bike is a Gazelle.",
        {"car": "a Volvo", "bike": "a Gazelle"},
    ),
    (
        "I’m allergic to penicillin and my doctor is Dr. Weber.",
        {"allergy_penicillin": "penicillin", "doctor": "Dr. Weber"},
    ),
    ("I study law and work as a waiter.", {"field_of_study": "law", "occupation": "a waiter"}),
    (
        "I've been living in Oslo since 2019 with my girlfriend Kari.",
        {"home": "Oslo", "girlfriend_name": "Kari"},
    ),
    (
        "I grew up in Perth but I'm based in London.",
        {"hometown": "Perth", "home": "London"},
    ),
    (
        "My parents are called Ruth and Karl, and I have a sister called Ida.",
        {"sister_name": "Ida"},
    ),
    (
        "I enjoy chess, climbing and jazz.",
        {"chess": "likes chess", "climbing": "likes climbing", "jazz": "likes jazz"},
    ),
    (
        "We moved from Kiel to Bonn with our son Ole.",
        {"home": "Bonn", "son_name": "Ole"},
    ),
    (
        "I have diabetes and I am allergic to bees.",
        {"health_diabetes": "diabetes", "allergy_bees": "bees"},
    ),
    ("Never use emojis, I hate them.", {"emojis": "never use emojis"}),
    (
        "I work as an architect in Milan and have twins, Leo and Gaia.",
        {"occupation": "an architect"},
    ),
    (
        "My wife, Carmen, and I live in Cadiz.",
        {"wife_name": "Carmen", "home": "Cadiz"},
    ),
    ("I am married to Lars and work at IKEA.", {"partner_name": "Lars", "employer": "IKEA"}),
    (
        "My mum is called Rosa, and I live in Bari with her.",
        {"mum_name": "Rosa", "home": "Bari"},
    ),
)

NOTHING_TOLD_ASIDE = (
    "My sister lives in Rome with her husband Paul and their dog Otto.",
    "She is vegetarian and allergic to nuts.",
    "My neighbour works as a nurse and lives in Oslo.",
    "If I lived in Paris and worked as a painter, I would be poor.",
    "Tom and Anna live in Rome and love opera.",
    "Are you vegetarian and allergic to peanuts?",
    "They moved to Madrid and have a dog called Bo.",
    "Would you live in Lisbon with a cat called Tom?",
    "He said he is 34, lives in Oslo and works as a nurse.",
    "Write a story about a man who lives in Rome with his dog Rex.",
    "Salt and pepper, oil and vinegar.",
    "The film is about a teacher from Leeds and her cat called Mog.",
)
