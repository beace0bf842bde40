"""llama.cpp's package as a script: a server that is well, and knows its key.

It loads its model as long as nobody writes to the pipe `may-load`, where there is one. A model
called `broken` cannot be loaded.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace


class CommonParams(SimpleNamespace):
    def __init__(self) -> None:
        super().__init__(
            model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace()
        )


class Server:
    def __init__(self, parameters: CommonParams) -> None:
        if "broken" in parameters.model.path:
            raise RuntimeError("the tensors are not within the file")
        if Path("may-load").exists():
            Path("may-load").read_text()
        keys = {f"Bearer {key}" for key in parameters.api_keys}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                may_ask = self.path == "/health" or self.headers["Authorization"] in keys
                self.send_response(200 if may_ask else 401)
                self.end_headers()

        server = ThreadingHTTPServer((parameters.hostnames[0], parameters.port), Handler)
        self.listening_address = f"http://{parameters.hostnames[0]}:{parameters.port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
