"""Numbers in paths: none that Python or Postgres could not hold. What is larger is not found."""

from __future__ import annotations

from werkzeug.routing import IntegerConverter, Map

from web.forms import MAX_NUMBER


class BoundedNumber(IntegerConverter):
    """`<int:sequence>`; `<int(max=…):fact_id>` for what is wider."""

    regex = r"[0-9]{1,19}"

    def __init__(self, url_map: Map, max: int = MAX_NUMBER) -> None:
        super().__init__(url_map, max=max)
