"""Who may do what: logins, passwords, tokens and their scopes, bans."""
