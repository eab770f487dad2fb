"""The journal: commit events in groups, restore rooms from them, delete entries nobody needs."""
