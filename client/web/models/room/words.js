// Describe matches, players and endings in words, as the window does.

import { decimal, plural, tr } from "../../texts.js";

/** @import { PlayerInfo, TimeControl } from "../../types/wire.js" */

/** The endings of matches that count for nobody. */
export const NO_RESULT = ["aborted", "void"];
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How matches end; the second text speaks to the loser. @type {Readonly<Record<string, string[]>>} */
const ENDINGS = {
  completed: [tr("played to the end")],
  adjudicated: [tr("decided by best play from there on")],
  resigned: [tr("{name} resigned"), tr("You resigned")],
  timeout: [tr("{name} ran out of time"), tr("You ran out of time")],
  disconnect: [tr("{name} stayed away"), tr("You stayed away")],
  illegal: [tr("{name} made an illegal move"), tr("You made an illegal move")],
  crash: [tr("{name}'s program failed"), tr("Your program failed")],
  aborted: [tr("The match was called off")],
  void: [tr("The server could not keep the match")],
};

/**
 * Return why a match ended. `loser` is a name, or empty to speak to the loser. `reason` is the
 * server's text, which some endings include.
 *
 * @param {string} termination
 * @param {string | null} loser
 * @param {string} reason
 */
export function endedWhy(termination, loser, reason) {
  const [known, own = known] = ENDINGS[termination] ?? [termination];
  const text = tr(loser === "" ? own : known, { name: loser ?? tr("A player") });
  const adds = ["crash", "illegal", "void"].includes(termination);
  return reason && adds ? `${text}: ${reason}` : text;
}

/**
 * Return a score as the player in `seat` says it, such as `16 : 9`; without one, in the order of the seats.
 *
 * @param {readonly number[]} scores
 * @param {number | null | undefined} seat
 */
export function scoreLine([first, second], seat) {
  return seat === 1 ? `${second} : ${first}` : `${first} : ${second}`;
}

/**
 * Return a time control: `5 min + 3 s`, `10 s a move`, `3 days a move`, `no clock`.
 *
 * @param {TimeControl} time
 */
export function timeLine(time) {
  const parts = [];
  if (time.base_ms != null) {
    const base = span(time.base_ms);
    parts.push(time.increment_ms ? `${base} + ${span(time.increment_ms)}` : base);
  }
  if (time.move_ms != null) parts.push(tr("{time} a move", { time: span(time.move_ms) }));
  return parts.join(", ") || tr("no clock");
}

/**
 * Whether a game waits for days while nobody is there: by days, or a casual one without a clock against a bot.
 *
 * @param {{settings: import("../../types/wire.js").MatchSettings, players: readonly (PlayerInfo | null)[], tag?: unknown}} game
 */
export function waitsForDays({ settings: { time, rated }, players, tag = null }) {
  const kinds = players.map((player) => player?.kind);
  const alone = kinds.includes("bot") && kinds.includes("human");
  return byDays(time) || (time.base_ms == null && time.move_ms == null && alone && !rated && tag === null);
}

/**
 * Whether a game with this time control goes on while nobody is connected.
 *
 * @param {TimeControl} time
 */
export function byDays({ base_ms: base, move_ms: move }) {
  return base == null && (move ?? 0) >= DAY_MS;
}

/**
 * Return a long time with its two largest units: `2 days 4 h`, `5 h 12 min`; empty below an hour.
 *
 * @param {number} ms
 */
export function longSpan(ms) {
  if (ms < HOUR_MS) return "";
  const [whole, part] = ms >= DAY_MS ? [DAY_MS, HOUR_MS] : [HOUR_MS, MINUTE_MS];
  const rest = (ms % whole) - (ms % part);
  return `${span(ms - (ms % whole))}${rest ? ` ${span(rest)}` : ""}`;
}

/**
 * Return the marks of both seats: initials, or the signs of the pieces that a game draws.
 *
 * @param {{pieces: string, seat_names: [string, string]}} geometry
 * @param {string} first
 * @param {string} second
 * @returns {[string, string]}
 */
export function marksOf({ pieces, seat_names }, first, second) {
  return pieces === "fill" || pieces === "object" ? initials(first, second) : seat_names;
}

/**
 * Return a description of a bot and its engine; empty for a person.
 *
 * @param {PlayerInfo} player
 */
export function ofPlayer(player) {
  if (player.kind !== "bot") return "";
  if (player.engine == null) return tr("bot");
  const { name, version } = player.engine;
  return name.toLowerCase() === player.name.toLowerCase() ? tr("bot") : tr("bot · {name} {version}", { name, version });
}

/**
 * Return one or two characters for each of two names, so that the names differ.
 *
 * @param {string} first
 * @param {string} second
 * @returns {[string, string]}
 */
export function initials(first, second) {
  const one = [...first];
  const other = [...second];
  const short = [(one[0] ?? "").toUpperCase(), (other[0] ?? "").toUpperCase()];
  if (short[0] !== short[1]) return [short[0], short[1]];
  const letter = /^[\p{L}\p{N}]$/u;
  for (let at = 1; at < Math.max(one.length, other.length); at++) {
    const [a, b] = [(one[at] ?? "").toLowerCase(), (other[at] ?? "").toLowerCase()];
    if (a === b) continue;
    if (letter.test(a) && letter.test(b)) return [`${short[0]}${a}`, `${short[1]}${b}`];
    break;
  }
  return [`${short[0]}1`, `${short[1]}2`];
}

/**
 * Describe the number of spectators. `myself` says that this person is one. Empty for none.
 *
 * @param {number} count
 * @param {boolean} myself
 */
export function watching(count, myself) {
  if (myself) {
    const others = Math.max(0, count - 1);
    if (!others) return tr("you are watching");
    return plural("you and 1 other are watching", "you and {n} others are watching", others);
  }
  return count ? plural("1 person watching", "{n} people watching", count) : "";
}

/**
 * Return a net score: `+3`, `-2.5`, `0`.
 *
 * @param {number} number
 */
export function signed(number) {
  const rounded = Math.round(number * 10) / 10;
  return rounded === 0 ? "0" : `${rounded > 0 ? "+" : ""}${decimal(rounded)}`;
}

/** Results: whether they are those of somebody else, whether of the winner, whether with boxes. */
const SURE = [
  tr("You lose."),
  tr("You lose by {boxes}."),
  tr("You win."),
  tr("You win by {boxes}."),
  tr("{name} loses."),
  tr("{name} loses by {boxes}."),
  tr("{name} wins."),
  tr("{name} wins by {boxes}."),
];
const LIKELY = [
  tr("You should lose."),
  tr("You should lose by about {boxes}."),
  tr("You should win."),
  tr("You should win by about {boxes}."),
  tr("{name} should lose."),
  tr("{name} should lose by about {boxes}."),
  tr("{name} should win."),
  tr("{name} should win by about {boxes}."),
];

/**
 * Describe the best move and the result to expect.
 *
 * `reason` is a sentence about the move, or empty. `net` is the expected net score. `unit` names what
 * the scores count; it is empty for games that are only won or lost. `mover` is the name of the player
 * to move; an empty one speaks to that player.
 *
 * @param {{name: string, reason: string, net: number, exact: boolean, unit: string, mover?: string}} advice
 */
export function adviceLine({ name, reason, net, exact, unit, mover = "" }) {
  const boxes = Math.round(Math.abs(net));
  let result = exact ? tr("It ends in a draw.") : tr("The game is about even.");
  if (boxes) {
    const text = (exact ? SURE : LIKELY)[(mover ? 4 : 0) + (net > 0 ? 2 : 0) + (unit ? 1 : 0)];
    result = tr(text, { name: mover, boxes });
  }
  return `${reason || tr("Best: {edge}.", { edge: name })} ${result}`;
}

/** @param {number} ms */
function span(ms) {
  if (ms >= DAY_MS && ms % DAY_MS === 0) return plural("1 day", "{n} days", ms / DAY_MS);
  if (ms >= HOUR_MS && ms % HOUR_MS === 0) return tr("{n} h", { n: ms / HOUR_MS });
  if (ms >= MINUTE_MS && ms % MINUTE_MS === 0) return tr("{n} min", { n: ms / MINUTE_MS });
  return tr("{n} s", { n: decimal(ms / 1000, 3) });
}
