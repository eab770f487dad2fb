"""The screens, a folder each; `doublecross.client.tk.navigator` changes between them."""
