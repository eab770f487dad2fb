"""The language of the texts that people see.

Texts are written in English in the code, inside of `tr` or `plural`. Sentences that arrive from the
server are translated by `known`. The catalogues beside this
file (gettext, `de.po`) have the translations. `use` chooses the language of the process. Modules
may translate when they are imported, so call it before importing what has texts.
"""

from client.language.texts import LANGUAGES, SOURCE, best, current, known, plural, tr, use

__all__ = ["LANGUAGES", "SOURCE", "best", "current", "known", "plural", "tr", "use"]
