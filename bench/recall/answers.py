"""Answers on LoCoMo: `python -m bench.recall.answers FOLDER --questions 100`.

The model in use (LLM_MODEL; the stand-in by default) answers from what recall gives it. Answers are
scored by LoCoMo's token F1 for each category, and with `--judge MODEL` by another model's yes or
no. These are figures of a model and its prompt; for retrieval alone see `bench.recall`. A provider
charges for the answers: mind `--questions`.
"""

from __future__ import annotations

import logging
import random
import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

import click

from bench.harness.prompts import make_prompt, open_question, remember
from bench.harness.services import open_services
from bench.recall.chats import Asked, Chat
from bench.recall.data import read_chats
from bench.recall.locomo import ADVERSARIAL, KINDS
from bench.recall.memory import user_of
from shared.db import fetch_rows
from shared.llm import ChatMessage, Completion, ModelRequest, complete
from shared.llm.providers.litellm_setup import load_litellm
from shared.services import Services
from tests.embedding import embed_pending

NOW = datetime(2024, 6, 1, tzinfo=UTC)  # later than all of LoCoMo
ANSWER = (
    "Answer the question in a short phrase, with the exact words of what is remembered wherever "
    "possible. Give dates as dates. If it was not said, answer: No information available."
)
JUDGE = (
    "A question was asked about two people's conversations. Say whether the answer given means "
    "the same as the right answer; more words, or a date in another form, do no harm. "
    "Say only yes or no.\n\nQuestion: {question}\nRight answer: {gold}\nAnswer given: {answer}"
)

ARTICLES = re.compile(r"\b(a|an|the|and)\b")
REFUSALS = ("no information available", "not mentioned")
NO_PUNCTUATION = str.maketrans("", "", string.punctuation)

Messages = Sequence[tuple[str, str]]
Stem = Callable[[Sequence[str]], list[str]]
#: 0 to 1 for each answer, by column of the table and kind of question.
Marks = dict[tuple[str, str], list[float]]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--questions", default=100, show_default=True, help="Of all chats together.")
@click.option("--judge", default="", help="A model that says whether an answer is right.")
def main(*, folder: Path, questions: int, judge: str) -> None:
    marks: Marks = defaultdict(list)
    calls: list[Completion] = []
    with remembered(folder) as (services, chats):
        if judge:
            print(f"judged by {judge}; prompt: {JUDGE}")
        for chat, question in choose(chats, questions):
            calls.append(ask_model(services, services.settings.llm_model,
                                   ask_with_memory(services, chat, question)))  # fmt: skip
            text = calls[-1].text
            marks["F1", question.kind].append(mark(services, question, text))
            if judge and question.kind != ADVERSARIAL:
                prompt = JUDGE.format(question=question.text, gold=question.answer, answer=text)
                calls.append(ask_model(services, judge, [("user", prompt)]))
                is_right = calls[-1].text.strip().lower().startswith("yes")
                marks["judge", question.kind].append(float(is_right))
    print_marks(marks, ("F1", "judge"))
    print_cost(calls)


@contextmanager
def remembered(folder: Path, **settings: object) -> Iterator[tuple[Services, list[Chat]]]:
    """Services with all chats of the folder in their memory."""
    logging.disable(logging.WARNING)
    chats = read_chats(folder)
    with open_services(**settings) as services:  # type: ignore[arg-type]
        print(f"answers by {services.settings.llm_model}; prompt: {ANSWER}")
        for chat in chats:
            remember(services, user_of(chat), chat.sessions)
        embed_pending(services)
        yield services, chats


def choose(chats: Sequence[Chat], count: int) -> list[tuple[Chat, Asked]]:
    """The same sample each time, from all chats and categories."""
    questions = [(chat, question) for chat in chats for question in chat.questions]
    return random.Random(1).sample(questions, min(count, len(questions)))


def ask_with_memory(services: Services, chat: Chat, question: Asked) -> Messages:
    with open_question(services, user_of(chat), question.text) as chat_round:
        return make_prompt(services, chat_round, agent_prompt=ANSWER, now=NOW).messages


def ask_model(services: Services, model: str, messages: Messages) -> Completion:
    request = ModelRequest(
        model=model,
        messages=tuple(ChatMessage(role=role, content=text) for role, text in messages),  # type: ignore[arg-type]
        purpose="reply",
        temperature=0.0,
        max_tokens=services.settings.llm_max_tokens or 1024,
    )
    return complete(request, services.settings)


def mark(services: Services, question: Asked, text: str) -> float:
    """Token F1 as LoCoMo's evaluation has it. Stems are Postgres's (Porter 2), not NLTK's."""
    return score(question.kind, text, question.answer, lambda words: stem(services, words))


def score(kind: str, answer: str, gold: str, stem: Stem) -> float:
    """0..1. Of several wanted answers (multi-hop) each counts by the best part that was given."""
    if kind == ADVERSARIAL:
        return float(any(words in answer.lower() for words in REFUSALS))
    if kind == "multi-hop":
        parts = [stem(tokens_of(part)) for part in answer.split(",")]
        gold_parts = [stem(tokens_of(part)) for part in gold.split(",")]
        return fmean(max(f1(part, gold_part) for part in parts) for gold_part in gold_parts)
    if kind == "open-domain":
        gold = gold.split(";", maxsplit=1)[0]
    return f1(stem(tokens_of(answer)), stem(tokens_of(gold)))


def tokens_of(text: str) -> list[str]:
    return ARTICLES.sub(" ", text.lower().translate(NO_PUNCTUATION)).split()


def f1(answer: Sequence[str], gold: Sequence[str]) -> float:
    common = (Counter(answer) & Counter(gold)).total()
    if common == 0:
        return 0.0
    precision, recall = common / len(answer), common / len(gold)
    return 2 * precision * recall / (precision + recall)


def stem(services: Services, words: Sequence[str]) -> list[str]:
    """Stems by Postgres; a stop word stays as it is."""
    with services.database.transaction() as connection:
        rows = fetch_rows(
            connection,
            """
            SELECT coalesce((ts_lexize('english_stem', word))[1], word) AS stem
            FROM unnest(%(words)s::text[]) WITH ORDINALITY AS given (word, place) ORDER BY place
            """,
            words=list(words),
        )
    return [row["stem"] for row in rows]


def print_marks(marks: Marks, columns: Sequence[str]) -> None:
    """In percent."""
    print(f"{'token F1':20}" + "".join(f"{column:>16}" for column in columns) + f"{'n':>6}")
    for kind in KINDS.values():
        _print_row(kind, [marks[column, kind] for column in columns])
    kinds = [kind for kind in KINDS.values() if kind != ADVERSARIAL]
    sums = [[mark for kind in kinds for mark in marks[column, kind]] for column in columns]
    _print_row("all but adversarial", sums)
    print(flush=True)


def _print_row(name: str, columns: Sequence[Sequence[float]]) -> None:
    cells = "".join(f"{100 * fmean(marks):16.1f}" if marks else f"{'-':>16}" for marks in columns)
    print(f"{name:20}{cells}{len(columns[0]):6}")


def print_cost(calls: Sequence[Completion]) -> None:
    """By litellm's price list, which has no prices for local models and the stand-in."""
    for model in sorted({call.model for call in calls}):
        model_calls = [call for call in calls if call.model == model]
        tokens_in = sum(call.tokens_in for call in model_calls)
        tokens_out = sum(call.tokens_out for call in model_calls)
        price = load_litellm().model_cost.get(model, {})
        cost = tokens_in * price.get("input_cost_per_token", 0.0)
        cost += tokens_out * price.get("output_cost_per_token", 0.0)
        cost_text = f"{cost:.4f} USD" if price else "no price known"
        print(
            f"{model}: {len(model_calls)} calls, {tokens_in} tokens in, {tokens_out} out, "
            f"{cost_text}"
        )


if __name__ == "__main__":
    main()
