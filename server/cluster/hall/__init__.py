"""The one authority of a cluster: lobby, names, accounts, offers, tournaments, HTTP."""
