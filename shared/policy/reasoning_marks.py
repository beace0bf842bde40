"""The marks by which models set their reasoning apart within the text of an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Block:
    """A part of an answer between two marks, in lower case."""

    begin: str
    ends: tuple[str, ...]
    is_reasoning: bool = True


#: Names of tags, as in `<think>` … `</think>`.
TAGS = (
    "think", "thinking", "thought", "thoughts", "reasoning", "reason", "seed:think", "antthinking",
    "thinking_process", "thought_process", "reasoning_process", "chain_of_thought", "scratchpad",
    "inner_monologue", "inner_thoughts",
)  # fmt: skip
#: Marks of other forms, with their ends.
_PAIRS = {
    "[think]": "[/think]",  # Magistral
    "◁think▷": "◁/think▷",  # Kimi
    "<|think|>": "<|/think|>",
    "<|thinking|>": "<|/thinking|>",
    "<|begin_of_thought|>": "<|end_of_thought|>",  # Sky-T1, OpenThinker
    "<|start_thinking|>": "<|end_thinking|>",  # Command A
    "<|inner_prefix|>": "<|inner_suffix|>",  # Apertus
    "<|channel>thought\n": "<channel|>",  # Gemma 4
    "<unused94>thought\n": "<unused95>",  # MedGemma
}
#: What stands around the answer itself.
_ANSWERS = {
    "<|begin_of_solution|>": "<|end_of_solution|>",
    "<|start_response|>": "<|end_response|>",
}
#: Harmony's channels (gpt-oss), and whether what is said there is reasoning.
_CHANNELS = {
    "analysis<|message|>": True,
    "commentary<|message|>": True,
    "commentary to=": True,
    "final<|message|>": False,
    "final <|constrain|>json<|message|>": False,
}
_SPEAKERS = ("<|start|>assistant<|channel|>", "assistant<|channel|>", "<|channel|>")
_TURN_ENDS = ("<|end|>", "<|return|>", "<|call|>")

BLOCKS = (
    *(Block(begin=f"<{tag}>", ends=(f"</{tag}>",)) for tag in TAGS),
    *(Block(begin=begin, ends=(end,)) for begin, end in _PAIRS.items()),
    *(Block(begin=begin, ends=(end,), is_reasoning=False) for begin, end in _ANSWERS.items()),
    *(
        Block(begin=speaker + channel, ends=_TURN_ENDS, is_reasoning=is_reasoning)
        for channel, is_reasoning in _CHANNELS.items()
        for speaker in _SPEAKERS
    ),
)
#: The end of a block that the model's template may have opened, so that no other mark comes. By
#: the mark that would have begun it.
LONE_ENDS = {
    block.ends[0]: block.begin
    for block in BLOCKS
    if block.is_reasoning and block.ends != _TURN_ENDS
}
