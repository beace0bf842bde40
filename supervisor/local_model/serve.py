"""`python -m supervisor.local_model.serve FILE NAME PORT WINDOW THREADS`: llama.cpp's own server.

On 127.0.0.1. It prints faults alone: no text of prompts.
"""

from __future__ import annotations

import os
import signal
import sys

import xllamacpp

from supervisor.local_model import KEY_VARIABLE

#: Beginnings of prompts that were read before, of other chats and of memory.
KEPT_PROMPTS_MIB = 512
FAULTS_ALONE = 1


def main() -> None:
    path, name, port, window, threads = sys.argv[1:]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.model_alias = {name}
    parameters.hostnames, parameters.port = ["127.0.0.1"], int(port)
    parameters.api_keys = [os.environ[KEY_VARIABLE]]
    parameters.n_ctx, parameters.n_parallel = int(window), 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = int(threads)
    parameters.cache_ram_mib = KEPT_PROMPTS_MIB
    parameters.endpoint_slots = False
    parameters.verbosity = FAULTS_ALONE
    server = xllamacpp.Server(parameters)
    address = server.listening_address
    print(f"{name} at {address}: a window of {window} tokens, {threads} threads", flush=True)
    while True:  # the server has threads of its own
        signal.pause()


if __name__ == "__main__":
    main()
