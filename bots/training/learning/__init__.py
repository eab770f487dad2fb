"""Trains the network with samples, and writes it as ONNX."""
