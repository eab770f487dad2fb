"""The screens, a folder each; `client.tk.navigator` changes between them."""
