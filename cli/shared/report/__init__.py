"""Report on tournaments: print what `doublecross.stats.summary` found, in several forms.

`formatting` writes names and numbers for people. `notes` holds sentences that all outputs share.
`terminal` prints tables, `data` writes JSON and CSV. `page` builds the HTML page with `templates`,
`style` and `plots`. `packages` checks which libraries are installed.
"""
