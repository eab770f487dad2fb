"""Accounts and their rights: logins, passwords, tokens and their scopes, bans."""
