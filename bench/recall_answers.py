"""Answers on LoCoMo: `python -m bench.recall_answers FOLDER --questions 100`.

The model in use (LLM_MODEL; the stand-in by default) answers from what recall gives it. Answers are
scored by LoCoMo's token F1 for each category, and with `--judge MODEL` by another model's yes or
no. These are figures of a model and its prompt; for retrieval alone see `bench.recall`. A provider
charges for the answers: mind `--questions`.
"""

from __future__ import annotations

import logging
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

import click

from bench.asking import asked, make_prompt, remember
from bench.recall_chats import Asked, Chat
from bench.recall_data import read_chats
from bench.recall_f1 import score
from bench.recall_locomo import ADVERSARIAL
from bench.recall_site import open_services, user_of
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
    "Say only yes or no.\n\nQuestion: {question}\nRight answer: {gold}\nAnswer given: {given}"
)


@dataclass(frozen=True, kw_only=True)
class Marked:
    """How an answer was marked. `is_right` is the judge's verdict, None without a judge."""

    asked: Asked
    f1: float
    is_right: bool | None
    spent: tuple[Completion, ...]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--questions", default=100, show_default=True, help="Of all chats together.")
@click.option("--judge", default="", help="A model that says whether an answer is right.")
def main(*, folder: Path, questions: int, judge: str) -> None:
    logging.disable(logging.WARNING)
    chats = read_chats(folder)
    chosen = choose(chats, questions)
    with open_services("", "") as services:
        print(f"answers by {services.settings.llm_model}; prompt: {ANSWER}")
        if judge:
            print(f"judged by {judge}; prompt: {JUDGE}")
        for chat in chats:
            remember(services, user_of(chat), chat.sessions)
        embed_pending(services)
        marked = [mark(services, chat, question, judge) for chat, question in chosen]
    print_marks(marked)
    print_cost([call for answer in marked for call in answer.spent])


def choose(chats: Sequence[Chat], count: int) -> list[tuple[Chat, Asked]]:
    """The same sample each time, from all chats and categories."""
    all_asked = [(chat, question) for chat in chats for question in chat.questions]
    return random.Random(1).sample(all_asked, min(count, len(all_asked)))


def mark(services: Services, chat: Chat, question: Asked, judge: str) -> Marked:
    with asked(services, user_of(chat), question.text) as chat_round:
        prompt = make_prompt(services, chat_round, agent_prompt=ANSWER, now=NOW)
    completion = ask_model(services, services.settings.llm_model, prompt.messages)
    verdict = None
    if judge and question.kind != ADVERSARIAL:
        text = JUDGE.format(question=question.text, gold=question.answer, given=completion.text)
        verdict = ask_model(services, judge, [("user", text)])
    return Marked(
        asked=question,
        f1=score(
            question.kind, completion.text, question.answer, lambda words: stem(services, words)
        ),
        is_right=verdict.text.strip().lower().startswith("yes") if verdict else None,
        spent=(completion, verdict) if verdict else (completion,),
    )


def ask_model(services: Services, model: str, messages: Sequence[tuple[str, str]]) -> Completion:
    request = ModelRequest(
        model=model,
        messages=tuple(ChatMessage(role=role, content=text) for role, text in messages),  # type: ignore[arg-type]
        purpose="reply",
        temperature=0.0,
        max_tokens=services.settings.llm_max_tokens or 1024,
    )
    return complete(request, services.settings)


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


def print_marks(marked: Sequence[Marked]) -> None:
    groups: dict[str, list[Marked]] = defaultdict(list)
    for answer in marked:
        groups[answer.asked.kind].append(answer)
    print(f"{'':16}{'F1':>8}{'judge':>8}{'n':>6}")
    for kind in sorted(groups):
        print_row(kind, groups[kind])
    print_row(
        "all but adversarial", [answer for answer in marked if answer.asked.kind != ADVERSARIAL]
    )


def print_row(name: str, marked: Sequence[Marked]) -> None:
    """In percent."""
    judged = [answer.is_right for answer in marked if answer.is_right is not None]
    right = f"{100 * fmean(judged):.1f}" if judged else "-"
    f1 = f"{100 * fmean(answer.f1 for answer in marked):.1f}" if marked else "-"
    print(f"{name:16}{f1:>8}{right:>8}{len(marked):>6}")


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
