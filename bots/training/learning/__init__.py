"""Train the network with samples, and write it as ONNX."""
