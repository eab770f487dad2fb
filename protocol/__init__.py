"""The wire contract between server and clients: messages, codecs, error codes, version."""
