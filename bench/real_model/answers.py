"""Answers to a hundred LoCoMo questions, as token F1: `python -m bench.real_model answers`.

Each question is asked with the product's prompt, without memory, and with only the messages that
contain the answer. Memory has to beat the second and cannot beat the third, which shows how well
the model reads. The stand-in makes the memory, so that only the answers are the model's.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from bench.asking import asked, make_prompt, remember
from bench.real_model.model import locomo_folder, real_model_settings
from bench.recall_answers import ANSWER, NOW, ask_model, choose, stem
from bench.recall_chats import Asked, Chat
from bench.recall_data import read_chats
from bench.recall_f1 import score
from bench.recall_locomo import ADVERSARIAL, KINDS
from bench.recall_site import open_services, user_of
from shared.services import Services
from shared.settings import STAND_IN_MODEL
from tests.embedding import embed_pending

QUESTIONS = 100
SHOWN_EVERY = 20  # a run of hours that is cut off has said something
WAYS = ("our prompt", "no memory", "gold messages")
Messages = Sequence[tuple[str, str]]


def main() -> None:
    folder = locomo_folder()
    if folder is None or real_model_settings() is None:
        return
    logging.disable(logging.WARNING)
    chats = read_chats(folder)
    with open_services("", "", memory_model=STAND_IN_MODEL, llm_max_tokens=60) as services:
        for chat in chats:
            remember(services, user_of(chat), chat.sessions)
        embed_pending(services)
        marks: dict[tuple[str, str], list[float]] = defaultdict(list)
        print(f"answers by {services.settings.llm_model}, prompt: {ANSWER}")
        for number, (chat, question) in enumerate(choose(chats, QUESTIONS), start=1):
            for way, messages in _ways(services, chat, question).items():
                marks[way, question.kind].append(_mark(services, question, messages))
            if number % SHOWN_EVERY == 0:
                print_marks(marks)


def print_marks(marks: dict[tuple[str, str], list[float]]) -> None:
    print(f"{'token F1':16}" + "".join(f"{way:>16}" for way in WAYS) + f"{'n':>6}")
    for kind in KINDS.values():
        _print_row(kind, [marks[way, kind] for way in WAYS])
    rest = [kind for kind in KINDS.values() if kind != ADVERSARIAL]
    _print_row("all but the last", [[m for kind in rest for m in marks[way, kind]] for way in WAYS])
    print(flush=True)


def _print_row(name: str, columns: Sequence[Sequence[float]]) -> None:
    cells = "".join(f"{100 * fmean(marks):16.1f}" if marks else f"{'-':>16}" for marks in columns)
    print(f"{name:16}{cells}{len(columns[0]):6}")


def _ways(services: Services, chat: Chat, question: Asked) -> dict[str, Messages]:
    with asked(services, user_of(chat), question.text) as chat_round:
        ours = make_prompt(services, chat_round, agent_prompt=ANSWER, now=NOW).messages
    gold = "\n".join(_gold_lines(chat, question))
    return {
        "our prompt": ours,
        "no memory": [("system", ANSWER), ("user", question.text)],
        "gold messages": [
            ("system", f"{ANSWER}\n\nWhat was said:\n{gold}"),
            ("user", question.text),
        ],
    }


def _gold_lines(chat: Chat, question: Asked) -> list[str]:
    """The messages that contain the answer, in order of time, with day and speaker."""
    sessions = {session["title"]: session for session in chat.sessions}
    lines = []
    for title, sequence in sorted(question.evidence, key=lambda spot: _moment(sessions, spot)):
        message = _merged(sessions[title])[sequence]
        lines.append(f"- {sessions[title]['created_at'][:10]}, {message}")
    return lines


def _moment(sessions: dict[str, dict[str, object]], spot: tuple[str, int]) -> tuple[str, int]:
    return str(sessions[spot[0]]["created_at"]), spot[1]


def _merged(session: dict[str, object]) -> dict[int, str]:
    """By sequence number. As in the import, consecutive messages of one speaker are joined."""
    merged: dict[int, str] = {}
    sequence, speaker = -1, None
    messages: Sequence[dict[str, str]] = session["messages"]  # type: ignore[assignment]
    for message in messages:
        if message["role"] != speaker:
            sequence += 2 if sequence < 0 and message["role"] == "assistant" else 1
            speaker = message["role"]
            merged[sequence] = f"{message['name']}:"
        merged[sequence] += f" {message['content']}"
    return merged


def _mark(services: Services, question: Asked, messages: Messages) -> float:
    completion = ask_model(services, services.settings.llm_model, messages)
    return score(
        question.kind, completion.text, question.answer, lambda words: stem(services, words)
    )
