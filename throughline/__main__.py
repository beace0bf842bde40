"""`python -m throughline`, or `bin/throughline`: one command for whoever runs a site."""

from __future__ import annotations

import importlib
import logging

import click

# Loaded when they are asked for: some import models and servers.
COMMANDS = {
    "accounts": ("throughline.commands.others", "accounts"),
    "backup": ("throughline.commands.backup", "backup"),
    "doctor": ("throughline.commands.doctor", "doctor"),
    "jobs": ("throughline.commands.jobs", "jobs"),
    "load": ("throughline.commands.load", "load"),
    "migrate": ("throughline.commands.others", "migrate"),
    "reembed": ("throughline.commands.reembed", "reembed"),
    "requeue": ("throughline.commands.jobs", "requeue"),
    "retention": ("throughline.commands.retention", "retention"),
    "restore": ("throughline.commands.restore", "restore"),
    "run": ("throughline.commands.run", "run"),
    "take-over": ("throughline.commands.take_over", "take_over"),
    "token": ("throughline.commands.token", "token"),
    "user": ("throughline.commands.user", "user"),
    "verify": ("throughline.commands.verify", "verify"),
}
HELP = {
    "accounts": "Links for whoever cannot sign in any more.",
    "backup": "Write the whole site into a folder, while it runs.",
    "doctor": "Say what is wrong with the site, and what to do.",
    "jobs": "Count the jobs of memory, and list stuck ones.",
    "load": "Have imitated users talk to a site, and measure.",
    "migrate": "Bring the database up (or down) to a revision.",
    "reembed": "Replace the vectors of other embedding models.",
    "requeue": "Do now what the sweep does: send waiting jobs, free those of dead workers.",
    "retention": "Delete what has grown old, now.",
    "restore": "Put a backup in the place of what a site holds.",
    "run": "Start everything on this machine, as `make run` does.",
    "take-over": "Let this site have the Redis of a site whose place it takes.",
    "token": "API tokens of a user.",
    "user": "Export or erase everything about a user.",
    "verify": "Check the invariants of the database.",
}


class LazyGroup(click.Group):
    """Imports a command when it is called. Its own list needs no import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, HELP[name]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup)
def main() -> None:
    """Operate a site of Throughline.

    DATABASE_URL and REDIS_URL name its services, in the environment or in .env. Without them it is
    the site that `make run` runs in this folder.
    """
    # It logs a traceback of what the command says in a sentence.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)


if __name__ == "__main__":
    main(prog_name="throughline")
