from __future__ import annotations

import subprocess
import sys

HEAVY = {"torch", "transformers", "sentence_transformers", "onnxruntime", "onnx", "numpy"}


def test_importing_the_package_and_naming_the_model_loads_nothing_heavy() -> None:
    code = (
        "import sys; from shared.embeddings.model_properties import check_model; "
        "import shared.embeddings.bulk_encoder, shared.embeddings.onnx_graph; "
        "from shared.settings import Settings; check_model(Settings()); "
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())
