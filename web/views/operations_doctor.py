"""The checks of `throughline doctor`, for operators. The answer may be pasted into a bug report."""

from __future__ import annotations

from dataclasses import asdict

from flask import Blueprint
from pydantic import Field

from shared.maintenance.doctor import Status
from shared.settings.setting_sources import Source, list_sources, read_variables
from web.api.answers import Answer
from web.api.operation import operation
from web.process.context import web_context
from web.requests.callers import needs
from web.views.operations import refuse_others

blueprint = Blueprint("operations_doctor", __name__, url_prefix="/operations/doctor")
blueprint.before_request(refuse_others)


class CheckAnswer(Answer):
    check: str
    status: Status
    says: str
    advice: str = Field(description="What to do. Empty: nothing is wrong.")


class SettingAnswer(Answer):
    """A setting of this process."""

    name: str
    value: str = Field(description="`(set)` for a text, which may be a secret.")
    source: Source


class DoctorAnswer(Answer):
    """It holds no secret, no text and no name."""

    healthy: bool
    checks: list[CheckAnswer]
    settings: list[SettingAnswer]


@blueprint.post("")
@needs("operate")
@operation()
def run_checks() -> DoctorAnswer:
    """Check the site from within this process. Each model is asked one tiny question.

    A run takes 75 seconds at most. Who asks meanwhile or in the ten seconds after gets its result;
    503 while a check hangs for longer.
    """
    context = web_context()
    variables = read_variables()
    reports = context.doctor_runs.run(variables)
    return DoctorAnswer(
        healthy=all(entry.status != "problem" for entry in reports),
        checks=[CheckAnswer(**asdict(entry)) for entry in reports],
        settings=[
            SettingAnswer(**asdict(entry))
            for entry in list_sources(context.services.settings, variables)
        ],
    )
