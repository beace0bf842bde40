"""The nouns, as frozen values. Rows become these at the store's edge."""

from shared.models.conversations import Conversation, Message, OpenRound, Outcome, Span, Turn
from shared.models.ids import (
    Category,
    ConversationId,
    FinishReason,
    JobState,
    JobStatus,
    Kind,
    MessageStatus,
    Mode,
    Role,
    Urgency,
    UserId,
)
from shared.models.jobs import Claim, Due, Job
from shared.models.memory import (
    Candidate,
    Episode,
    Fact,
    Forgotten,
    Heard,
    Point,
    Suggestion,
    Summary,
)
from shared.models.recall import FoundEpisode, Passage, Place, Quote, Speaker

__all__ = [
    "Candidate",
    "Category",
    "Claim",
    "Conversation",
    "ConversationId",
    "Due",
    "Episode",
    "Fact",
    "FinishReason",
    "Forgotten",
    "FoundEpisode",
    "Heard",
    "Job",
    "JobState",
    "JobStatus",
    "Kind",
    "Message",
    "MessageStatus",
    "Mode",
    "OpenRound",
    "Outcome",
    "Passage",
    "Place",
    "Point",
    "Quote",
    "Role",
    "Span",
    "Speaker",
    "Suggestion",
    "Summary",
    "Turn",
    "Urgency",
    "UserId",
]
