"""The browser page: its files and documents, answered from memory."""
