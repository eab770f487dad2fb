"""The lobby as players see it: its listing and changes, offers, ratings and announcements."""
