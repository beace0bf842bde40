"""Commands of other packages, on the site that `find_settings` finds."""

from __future__ import annotations

import click

from migrations.__main__ import main as migrations
from throughline.site import find_settings
from web.accounts.__main__ import main as web_accounts


def _at_site(command: click.Command) -> click.Command:
    """The command, with the addresses of the site in the environment before it begins."""
    begin = command.callback

    def callback(*args: object, **options: object) -> object:
        find_settings()
        return begin(*args, **options) if begin else None

    command.callback = callback
    return command


migrate = _at_site(migrations)
accounts = _at_site(web_accounts)
