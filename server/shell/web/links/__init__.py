"""What a link says before it is opened: to the page, to messengers, and as a picture."""
