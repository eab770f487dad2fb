"""Take a picture of every screen of the page; `python -m tests.client.web.screens FOLDER`."""
