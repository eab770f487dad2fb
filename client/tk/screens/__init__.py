"""The screens, one file each; `client.tk.app` changes between them."""
