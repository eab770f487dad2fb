"""Reports of tournaments: what `stats.summary` found, shown as tables, JSON, CSV and a page.

`words` writes numbers and names for people, `notes` the sentences that all outputs have, `terminal`
prints tables, `data` writes JSON and CSV, `page` builds the HTML page with `crosstable`, `games`,
`markup`, `style` and `plots`; `packages` says what must be installed for that.
"""
