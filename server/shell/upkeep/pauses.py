"""Keep short the pauses in which the interpreter serves nobody, or does something else.

The garbage collector matters only for circles of references; everything else is freed by its
reference count. Connections leave no circles (`Wire.connection_lost`), and the others are
few.
"""

from __future__ import annotations

import gc
import sys
from typing import Final

YOUNG: Final = 1_000
MIDDLE: Final = 5
OLD: Final = 4_000
"""The thresholds of `gc.set_threshold`.

A collection looks at all objects that are younger than the last one, and nobody is served
meanwhile. So its pause grows with the thresholds, while all pauses together stay the same. With
the thresholds 20,000, 20 and 50, one collection took 556 ms of processor time while 8,000 players
logged in on a busy machine. With these ones the longest took 20 ms, for 4,000 players. A collection
of all objects takes 0.2 to 1 s with so many players. `OLD` makes it as rare as it was: it comes
after 20 million objects that were not freed.
"""

SWITCH_S: Final = 0.000005
"""How long a busy thread keeps the interpreter while another waits for it, in seconds.

A commit runs in a thread and needs the interpreter several times. The event loop gives it away
for a moment at every message that it sends, which is too short for the thread to take it, and each
time the thread begins to wait anew. If this interval is shorter than the handling of a message, the
wait ends in between, and the thread gets the interpreter. While 20 clients kept the loop busy,
commits took up to 176 ms at 0.1 ms, and the slowest 1% of moves took 15 to 36 ms. At 5 us
these moves took 12 to 15 ms. A move costs 2% more CPU, which is within the noise.
"""


def keep_short() -> None:
    """Exempt all objects of now from collections, make later ones short, and switch threads often.

    Call it when the server has started: what exists then mostly stays until the end.
    """
    # Free what can be freed now, because frozen objects are never looked at again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    sys.setswitchinterval(SWITCH_S)
