"""A second writer of records, as simple as possible, which the fast one is compared with."""

from __future__ import annotations

from doublecross.games.record import Record


def plain_text(record: Record) -> str:
    """Return the text of a record with legal moves."""
    game, lines = record.game, []
    opening = " ".join(map(game.action_name, record.opening))
    headers = [
        ("Game", game.key),
        ("Size", "x".join(str(game.params[p.name]) for p in game.parameters)),
        ("Seat0", record.players[0]),
        ("Seat1", record.players[1]),
        ("Date", record.date),
        ("TimeControl", record.time_control),
        ("Result", record.result),
        ("Termination", record.termination),
        ("Opening", opening),
    ]
    required = ("Game", "Size", "Seat0", "Seat1", "Result")
    headers = [(name, value) for name, value in headers if value or name in required]
    for name, value in [*headers, *record.tags]:
        lines.append(f'[{name} "{"".join(map(_quoted, value))}"]')
    lines += ["", ""]
    state, turn, before = game.initial_state(record.opening), 0, None
    words = []
    for move in record.moves:
        word, mover = game.action_name(move.action), state.current_player()
        if move.clock_ms is not None:
            word += f" {{{move.clock_ms // 1000}.{move.clock_ms % 1000:03}}}"
        if mover != before:
            turn, before = turn + 1, mover
            word = f"{turn}. {word}"
        words.append(word)
        state.apply(move.action)
    for word in [*words, record.result]:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > 90:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines) + "\n"


def _quoted(character: str) -> str:
    if character in '"\\\n':
        return {'"': '\\"', "\\": "\\\\", "\n": "\\n"}[character]
    point = ord(character)
    if character.isprintable():
        return character
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
