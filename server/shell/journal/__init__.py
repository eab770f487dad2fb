"""The journal: commits events in groups, restores rooms from it, deletes what no room needs."""
