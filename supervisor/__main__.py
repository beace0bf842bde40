"""`python -m supervisor`, to be run in the project's folder."""

from __future__ import annotations

import errno
from collections.abc import Collection
from dataclasses import replace
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


def main() -> None:
    requests = StopRequests()
    load_env_file(Path(".env"))
    settings = read_settings()
    commands = read_commands(Path("Procfile"), settings)
    try:
        account = choose_account(settings, Output().say)
        if account.is_other:
            compile_project(Path.cwd())
        data_dir = make_data_dir(settings, account)
        with hold_lock(data_dir, page_url(settings.bind, settings.port)):
            run(settings, data_dir, commands, requests, account)
    except EmbeddedServiceError as exc:
        raise StartError(str(exc)) from exc
    except OSError as exc:
        if exc.errno not in NO_ROOM:
            raise
        raise StartError(f"Nothing can be written: {exc}. Make room, and start again.") from exc
    except StopRequested:
        return


def run(
    settings: Settings,
    data_dir: Path,
    commands: dict[str, str],
    requests: StopRequests,
    account: Owner,
) -> None:
    """Run until StopRequested, which it raises after the stop. Raises StartError if it cannot."""
    output = Output(width=max(map(len, [OWN_NAME, *commands])))
    pid_files = PidFiles(data_dir / "pids")
    end_orphans(pid_files, output.say, requests.check)
    addresses = choose_addresses(settings, commands, account)
    services = make_services(settings, data_dir)
    environment = make_environment(settings, data_dir, services, addresses, account)
    gate = StartGate(data_dir)
    programs = make_programs(commands, environment | gate.environment, addresses.metrics, account)
    has_page = "web" in commands
    manager = ProcessManager(
        services=[Child(service, output, pid_files) for service in services],
        processes=[Child(program, output, pid_files) for program in programs],
        output=output,
        requests=requests,
    )
    try:
        if has_page:
            gate.close()
            manager.start_page()  # it loads while the services start
        manager.start_services()
        from shared.store.upkeep.schema import is_migrated  # as above

        manager.wait_for_services()
        # As the owner: a new database does not know the application yet.
        if is_migrated(find_owner_url(settings, services) or environment["DATABASE_URL"]):
            gate.open()  # the migrations will find nothing that the page waits for
        manager.migrate(make_migration(environment, account))
        gate.open()
        probe = Probe(addresses.page)
        if has_page:
            manager.wait_for_page(probe.has_answer)
        page = with_token(addresses.page, environment["LOCAL_TOKEN"])
        addresses_with_token = replace(addresses, page=page)
        announce(output, addresses_with_token, commands, password_hint(settings, data_dir))
        if has_page:
            open_page(page)
        manager.start_others(lambda: not has_page or probe.is_warm())
        manager.watch()
    finally:
        stop_all(manager.children, output, requests)


def with_token(page: str, token: str) -> str:
    """The page's address with the sign-in token, as Jupyter prints it."""
    return page if token == OFF else f"{page}/?{urlencode({'token': token})}"


def announce(output: Output, addresses: Addresses, names: Collection[str], password: str) -> None:
    """`password` says where Flower's password is. Logs keep this output, so it is not printed."""
    if "flower" in names:
        output.say(f"Jobs (Flower): {addresses.flower}  user and password: {password}")
    if "web" in names:
        output.say(f"Throughline:   {addresses.page}")
    output.say("Ctrl-C stops everything in order.")


if __name__ == "__main__":
    main()
