// Describe matches, players and endings in words, as the window does.

/** @typedef {import("../../types/wire.js").TimeControl} TimeControl */
/** @typedef {import("../../types/wire.js").PlayerInfo} PlayerInfo */

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * @param {string} termination
 * @param {string} loser
 */
function knownEnding(termination, loser) {
  switch (termination) {
    case "completed":
      return "played to the end";
    case "resigned":
      return `${loser} resigned`;
    case "timeout":
      return `${loser} ran out of time`;
    case "disconnect":
      return `${loser} stayed away`;
    case "illegal":
      return `${loser} made an illegal move`;
    case "crash":
      return `${loser}'s program failed`;
    case "aborted":
      return "The match was called off";
    case "void":
      return "The server could not keep the match";
    default:
      return termination;
  }
}

/**
 * Return why a match ended. `reason` is the server's text, which some endings include.
 *
 * @param {string} termination
 * @param {string | null} loser
 * @param {string} reason
 */
export function endedWhy(termination, loser, reason) {
  const text = knownEnding(termination, loser ?? "A player");
  const adds = ["crash", "illegal", "void"].includes(termination);
  return reason && adds ? `${text}: ${reason}` : text;
}

/**
 * Return a time control: `5 min + 3 s`, `10 s a move`, `no clock`.
 *
 * @param {TimeControl} time
 */
export function timeLine(time) {
  const parts = [];
  if (time.base_ms != null) {
    const base = span(time.base_ms);
    parts.push(time.increment_ms ? `${base} + ${span(time.increment_ms)}` : base);
  }
  if (time.move_ms != null) parts.push(`${span(time.move_ms)} a move`);
  return parts.join(", ") || "no clock";
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
  if (player.engine == null) return "bot";
  const { name, version } = player.engine;
  return name.toLowerCase() === player.name.toLowerCase() ? "bot" : `bot · ${name} ${version}`;
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
    if (!others) return "you are watching";
    return `you and ${others} other${others > 1 ? "s" : ""} are watching`;
  }
  return count ? `${count} ${count === 1 ? "person" : "people"} watching` : "";
}

/**
 * Return a net score: `+3`, `-2.5`, `0`.
 *
 * @param {number} number
 */
export function signed(number) {
  const rounded = Math.round(number * 10) / 10;
  return rounded === 0 ? "0" : rounded > 0 ? `+${rounded}` : `${rounded}`;
}

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
  const by = Math.round(Math.abs(net));
  const word = net > 0 ? "win" : "lose";
  let result = exact ? "It ends in a draw" : "The game is about even";
  if (by) {
    const verb = exact ? word + (mover && "s") : `should ${word}`;
    result = `${mover || "You"} ${verb}${unit && ` by ${exact ? by : `about ${by}`}`}`;
  }
  return `${reason || `Best: ${name}.`} ${result}.`;
}

/** @param {number} ms */
function span(ms) {
  if (ms >= 2 * HOUR_MS && ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  if (ms >= MINUTE_MS && ms % MINUTE_MS === 0) return `${ms / MINUTE_MS} min`;
  return `${Number((ms / 1000).toFixed(3))} s`;
}
