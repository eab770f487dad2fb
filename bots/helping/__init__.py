"""Run servers, bots, advice and reviews for a window, in processes that end with it."""
