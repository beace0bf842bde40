"""Text embeddings: in bulk for the workers, one query at a time on ONNX for the web.

Importing this loads neither torch nor onnxruntime. Each is imported at its first use.
"""
