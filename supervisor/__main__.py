"""`python -m supervisor [--logs]`, to be run in the project's folder."""

from __future__ import annotations

import argparse
import errno
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode

from shared.local_secrets import OFF
from shared.settings import Settings, load_env_file, read_settings
from supervisor.account import choose_account, compile_project
from supervisor.child import Child
from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.owner import Owner
from supervisor.errors import StartError
from supervisor.flower_password import password_hint
from supervisor.launch_plan import (
    Addresses,
    choose_addresses,
    find_owner_url,
    make_data_dir,
    make_environment,
    make_migration,
    make_programs,
    make_services,
    read_commands,
)
from supervisor.local_model.program import make_local_models, write_variables
from supervisor.lock import hold_lock
from supervisor.orphans import end_orphans
from supervisor.output import OWN_NAME, Output
from supervisor.page import Probe, StartGate, open_page
from supervisor.pid_files import PidFiles
from supervisor.ports import page_url
from supervisor.process_manager import ProcessManager, stop_all
from supervisor.stop_requests import StopRequested, StopRequests

#: A full disk, a quota of the file system, one that is read-only.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
LOGS = "logs"  #: a folder in DATA_DIR
SHOW = "--logs"


@dataclass(frozen=True, kw_only=True)
class Launch:
    """What is to be started, where, and as which account."""

    settings: Settings
    data_dir: Path
    #: Of the Procfile, by name.
    commands: dict[str, str]
    account: Owner


def main(*, is_quiet: bool) -> None:
    """`is_quiet`: what the processes print goes to their logs alone."""
    requests = StopRequests()
    load_env_file(Path(".env"))
    settings = read_settings()
    commands = read_commands(Path("Procfile"), settings)
    try:
        account = choose_account(settings, Output(is_quiet=is_quiet).say)
        if account.is_other:
            compile_project(Path.cwd())
        data_dir = make_data_dir(settings, account)
        with hold_lock(data_dir, page_url(settings.bind, settings.port)):
            launch = Launch(
                settings=settings, data_dir=data_dir, commands=commands, account=account
            )
            width = max(map(len, [OWN_NAME, *commands]))
            output = Output(width, logs=data_dir / LOGS, is_quiet=is_quiet)
            run(launch, output, requests)
    except EmbeddedServiceError as exc:
        raise StartError(str(exc)) from exc
    except OSError as exc:
        if exc.errno not in NO_ROOM:
            raise
        raise StartError(f"Nothing can be written: {exc}. Make room, and start again.") from exc
    except StopRequested:
        return


def run(launch: Launch, output: Output, requests: StopRequests) -> None:
    """Run until StopRequested, which it raises after the stop. Raises StartError if it cannot."""
    settings, data_dir, commands = launch.settings, launch.data_dir, launch.commands
    pid_files = PidFiles(data_dir / "pids")
    end_orphans(pid_files, output.say, requests.check)
    addresses = choose_addresses(settings, commands, launch.account)
    services = make_services(settings, data_dir)
    environment = make_environment(settings, data_dir, services, addresses, launch.account)
    models = make_local_models(settings, launch.account)
    for model in models:
        environment |= model.site_variables(settings)
        write_variables(data_dir, model.site_variables(settings))
    gate = StartGate(data_dir)
    programs = make_programs(
        commands, environment | gate.environment, addresses.metrics, launch.account
    )
    has_page = "web" in commands
    manager = ProcessManager(
        services=[Child(service, output, pid_files) for service in services],
        models=[Child(model, output, pid_files) for model in models],
        processes=[Child(program, output, pid_files) for program in programs],
        output=output,
        requests=requests,
    )
    try:
        announce_start(output, launch, [child.name for child in manager.children])
        if has_page:
            gate.close()
            manager.start_page()  # it loads while the services start
        manager.start_services()
        from shared.store.upkeep.schema import is_migrated  # as above

        manager.wait_for_services()
        # As the owner: a new database does not know the application yet.
        if is_migrated(find_owner_url(settings, services) or environment["DATABASE_URL"]):
            gate.open()  # the migrations will find nothing that the page waits for
        manager.migrate(make_migration(environment, launch.account))
        gate.open()
        probe = Probe(addresses.page)
        if has_page:
            manager.wait_for_page(probe.has_answer)
        page = with_token(addresses.page, environment["LOCAL_TOKEN"])
        addresses_with_token = replace(addresses, page=page)
        announce_page(output, addresses_with_token, commands, password_hint(settings, data_dir))
        if has_page:
            open_page(page)
        manager.start_others(lambda: not has_page or probe.is_warm())
        manager.watch()
    finally:
        stop_all(manager.children, output, requests)


def with_token(page: str, token: str) -> str:
    """The page's address with the sign-in token, as Jupyter prints it."""
    return page if token == OFF else f"{page}/?{urlencode({'token': token})}"


def announce_start(output: Output, launch: Launch, names: Sequence[str]) -> None:
    output.say(f"Starting {', '.join(names)}.")
    output.say(f"What they print is in {launch.data_dir / LOGS}; `make run ARGS={SHOW}` shows it.")
    if launch.settings.auth_mode == "password":
        output.say("A link for the first account: bin/throughline accounts setup-link")


def announce_page(
    output: Output, addresses: Addresses, names: Collection[str], password: str
) -> None:
    """`password` says where Flower's password is. Logs keep this output, so it is not printed."""
    if "flower" in names:
        output.say(f"Jobs (Flower): {addresses.flower}  user and password: {password}")
    if "web" in names:
        output.say(f"Throughline:   {addresses.page}")
    output.say("Ctrl-C stops everything in order.")


def read_arguments() -> bool:
    """Whether the console is quiet."""
    parser = argparse.ArgumentParser(prog="python -m supervisor")
    parser.add_argument(SHOW, action="store_true", help="show what the processes print")
    return not parser.parse_args().logs


if __name__ == "__main__":
    main(is_quiet=read_arguments())
