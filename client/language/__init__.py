"""The language of the texts that people see.

Texts are written in English in the code, inside of `tr` or `plural`. `said` translates sentences
that come from elsewhere with their templates, such as those of the server. The catalogues
(`client/web/language/de.json`, in i18next's format) have the translations. `use` chooses the
language of the process. Modules may translate when they are imported, so call it before importing
what has texts. `day_text`, `moment_text` and `number` write dates and numbers as they are written
in that language.
"""

from doublecross.client.language.forms import day_text, longest_day, moment_text
from doublecross.client.language.texts import (
    LANGUAGES,
    SOURCE,
    best,
    current,
    number,
    plural,
    said,
    tr,
    use,
)

__all__ = [
    "LANGUAGES",
    "SOURCE",
    "best",
    "current",
    "day_text",
    "longest_day",
    "moment_text",
    "number",
    "plural",
    "said",
    "tr",
    "use",
]
