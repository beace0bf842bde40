"""The Flask application. gunicorn creates one in each process. Creating it opens no connection."""

from __future__ import annotations

import threading

from flask import Flask, Response, current_app, g, request

from shared.embeddings.query_encoder import QueryEncoder
from shared.events.feed import EventFeed
from shared.garbage import keep_loaded_objects
from shared.llm import warm_up
from shared.local_secrets import find_local_token
from shared.rounds.mirrors import ReplyMirrors
from shared.rounds.runner import RoundRunner
from shared.services import Services
from shared.settings import Settings, current_settings
from shared.settings.start_gate import find_start_gate
from web.accounts import DOORS
from web.api import problems
from web.api.operation import operation_of
from web.api.v1 import make_v1
from web.errors import register_errors
from web.identity.identification import identify
from web.identity.request_audit import note_answer, set_actor
from web.mcp import view as mcp
from web.openai import chat as openai_chat
from web.openai import embeddings as openai_embeddings
from web.openai import errors as openai_errors
from web.openai import legacy as openai_legacy
from web.openai import models as openai_models
from web.openai.cors import add_cors_headers, check_page, is_allowed_origin
from web.openai.responses import views as openai_responses
from web.operations.backlog import Backlog
from web.operations.doctor_runs import DoctorRuns
from web.operations.readiness import ReadinessCheck
from web.pages import assets, plain_pages
from web.pages.appearance import page_values
from web.pages.compression import compress_responses
from web.process.concurrency_limits import ConcurrencyLimits
from web.process.context import WebContext, web_context
from web.requests.callers import Caller, check_scopes
from web.requests.checked_request import CheckedRequest, StrictJson
from web.requests.forms import MAX_MESSAGE_CHARS
from web.requests.guards import (
    FILE_TYPE,
    JSON_TYPE,
    add_headers,
    check_body_type,
    check_expectation,
    check_host,
    check_same_origin,
)
from web.requests.request_ids import RequestIds, log_conversation
from web.requests.request_spans import trace_requests
from web.requests.routing import prepare_routing
from web.server.turns import USER
from web.streaming.attempt_names import AttemptNames
from web.streaming.open_streams import OpenStreams
from web.views import (
    attachments,
    audit,
    chat,
    chat_files,
    conversations,
    diagrams,
    episodes,
    events,
    facts,
    flower,
    imports,
    install,
    jobs,
    lessons,
    me,
    memory_lists,
    messages,
    model_providers,
    model_trials,
    moves,
    operations,
    operations_doctor,
    operations_page,
    operations_status,
    page,
    personas,
    print_page,
    project_files,
    projects,
    prompts,
    quotas,
    reference,
    replies,
    search,
    shared_page,
    shares,
    site,
    site_models,
    status,
    suggestions,
    summaries,
    temporary,
    tidying,
    tokens,
    traces,
    webhooks,
)

# The API, under /api/v1.
VIEWS = (
    attachments, audit, chat, chat_files, conversations, episodes, events, facts, imports, jobs,
    lessons, me, memory_lists, messages, model_providers, model_trials, moves, operations,
    operations_doctor, operations_status, personas, project_files, projects, prompts, quotas,
    replies, search, shares, site, site_models, suggestions, summaries, temporary, tidying,
    tokens, traces, webhooks,
)  # fmt: skip
PAGES = (
    assets, diagrams, flower, install, mcp, openai_chat, openai_embeddings, openai_legacy,
    openai_models, openai_responses, operations_page, page, print_page, reference, shared_page,
    status,
)  # fmt: skip
# For machines and for the browser itself: no user is named.
OPEN_ENDPOINTS = frozenset({
    "status.healthz", "status.readyz", "status.metrics", "assets.show",
    "diagrams.frame", "install.manifest", "install.offline", "install.worker",
    "reference.document", "reference.list_problems", "reference.show", "shared_page.show", *DOORS,
    "oauth.describe_resource", "oauth.describe_mcp", "oauth.describe_server", "oauth.register",
    "oauth.authorize", "oauth.issue", "oauth.revoke",
})  # fmt: skip
# Asked by an address that nobody knows before, as of a pod. They tell nothing of anybody.
PROBES = frozenset({"status.healthz", "status.readyz"})
# Their forms are no JSON. Those of people show a token instead; those of programs need no cookie.
# Flower's show its own.
FORMS = frozenset({"accounts", "flower", "oauth"})
ESCAPED_BYTES = 12  # a character as two \u escapes, its longest form in JSON
OTHER_FIELDS_BYTES = 65_536
# The warm-up begins so long after the process answers: the first page shares Python's lock with it.
HEAD_START_S = 0.5


def create_app(settings: Settings | None = None) -> Flask:
    settings = settings or current_settings()
    app = Flask(__name__, static_folder=None)
    app.request_class = CheckedRequest
    app.json = StrictJson(app)
    app.config["MAX_CONTENT_LENGTH"] = MAX_MESSAGE_CHARS * ESCAPED_BYTES + OTHER_FIELDS_BYTES
    services = Services(settings)
    encoder = QueryEncoder(settings)
    runner = RoundRunner(services, encoder)
    app.extensions["throughline"] = WebContext(
        services=services,
        runner=runner,
        encoder=encoder,
        limits=ConcurrencyLimits(services),
        open_streams=OpenStreams(services),
        mirrors=ReplyMirrors(services),
        feed=EventFeed(services),
        backlog=Backlog(services),
        attempt_names=AttemptNames(services),
        readiness=ReadinessCheck(services),
        doctor_runs=DoctorRuns(services, encoder),
        local_token=find_local_token(settings),
    )
    prepare_routing(app)
    # The first that is for an address counts.
    register_errors(app, (problems.FORM, openai_errors.FORM, plain_pages.ERROR_FORM))
    app.register_error_handler(openai_errors.BadParameterError, openai_errors.answer_bad_parameter)
    for module in (*PAGES, chat, temporary):
        app.register_blueprint(module.blueprint)
    app.register_blueprint(make_v1([module.blueprint for module in VIEWS]))
    app.add_template_global(assets.asset_url)
    app.context_processor(page_values)
    if settings.has_accounts:
        from web.accounts.registration import register_accounts
        from web.mcp.oauth.views import blueprint as oauth  # adds a page to the accounts' own

        register_accounts(app, services)
        app.register_blueprint(oauth)
    compress_responses(app)
    app.before_request(log_conversation)
    if settings.traces_address:
        trace_requests(app)
    app.wsgi_app = RequestIds(app.wsgi_app)  # type: ignore[method-assign]
    app.before_request(_check_request)
    app.after_request(add_headers)
    if settings.cors_origins:
        app.after_request(lambda response: add_cors_headers(request, settings, response))
    app.after_request(note_answer)
    return app


def warm_up_in_background(app: Flask) -> None:
    """Import slow libraries once the process answers requests."""
    context: WebContext = app.extensions["throughline"]
    threading.Thread(target=_warm_up, args=(context,), name="warm-up", daemon=True).start()


def _warm_up(context: WebContext) -> None:
    """The model's library comes first: recall works by words while the encoder loads."""
    settings = context.services.settings
    if not find_start_gate():  # the supervisor has it answer when it is ready
        watch = context.readiness.watch
        threading.Thread(target=watch, args=(context.leaving,), daemon=True).start()
    if settings.has_accounts:
        from web.accounts.links import announce_setup

        threading.Thread(target=announce_setup, args=(context,), daemon=True).start()
    context.leaving.wait(HEAD_START_S)
    try:
        warm_up(settings)
    finally:
        keep_loaded_objects()
        context.warm.set()
    context.encoder.start()


def _check_request() -> Response | None:
    set_actor(None)
    settings = web_context().services.settings
    if settings.auth_mode == "local" or request.endpoint not in PROBES:
        check_host(request, settings.effective_trusted_hosts)
    check_expectation(request)
    if settings.cors_origins and is_allowed_origin(request, settings):
        if answer := check_page(request):
            return answer
    else:
        check_same_origin(request)
    view = current_app.view_functions.get(request.endpoint or "")
    if view is not None and request.blueprint not in FORMS:
        operation = operation_of(view)
        takes_file = operation is not None and operation.takes_file
        is_import = str(request.endpoint).endswith("imports.import_conversations")
        other_types = imports.TYPES if is_import else ()
        check_body_type(request, FILE_TYPE if takes_file else JSON_TYPE, other_types)
    if request.endpoint in OPEN_ENDPOINTS:
        return None
    caller = identify(request, web_context(), _session_caller)
    if isinstance(caller, Response):
        return caller
    g.caller, g.user_id = caller, caller.user_id
    request.environ[USER] = caller.user_id
    set_actor(caller)
    if view is not None:  # else it is answered with 404
        check_scopes(caller, view)
    return None


def _session_caller() -> Caller:
    """Find who is signed in, at a site with accounts: these modules are loaded nowhere else."""
    from web.accounts.signed_in import session_caller

    return session_caller()
