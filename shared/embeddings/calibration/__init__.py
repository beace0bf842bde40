"""Measure what a model's similarities mean, on questions and answers in a dozen languages.

`texts.json` has, for each language, pairs of a question and of a message that answers it. Each
question is compared with its own answer, and with the answers of the others in its language.
"""
