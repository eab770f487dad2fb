"""Reports of tournaments: print what `stats.summary` found as tables, JSON, CSV and a web page.

`formatting` writes names and numbers for people. `notes` holds sentences that all outputs share.
`terminal` prints tables, `data` writes JSON and CSV. `page` builds the HTML page with `crosstable`,
`games`, `markup`, `style` and `plots`. `packages` checks which libraries are installed.
"""
