// Keep a person's results against the levels in the browser, by game and size.

import { ladderAdvice, withResult } from "../models/lobby/ladder.js";
import { LEVELS, levelOf } from "../models/lobby/levels.js";
import { NO_RESULT } from "../models/room/words.js";

/**
 * @import { RoomMirror } from "../core/room.js"
 * @import { Storage } from "./storage.js"
 */

const KEPT = "ladder";
/** How many results are kept, and how many games are known to count already: the newest ones. */
const MOST = 200;

/**
 * Count each match against a level that ends from now on, or that has ended while nobody looked.
 * @param {import("./app.js").App} app
 */
export function followLadder(app) {
  app.listen((updates) => {
    for (const update of updates) {
      const room = update.kind === "room" && app.session.rooms.get(update.room);
      if (room) countMatch(app.storage, room);
    }
  });
}

/**
 * Return the results against a level and what to try next, in a sentence; empty for nothing to say.
 * @param {Storage} storage
 * @param {string} game - its key
 * @param {string} size - such as `5x5`
 * @param {string} level
 */
export function adviceFor(storage, game, size, level) {
  const { results } = keptResults(storage);
  return ladderAdvice(level, (each) => results[`${game} ${size} ${each}`]);
}

/**
 * Return the game, size and level of a match that counts; null for others. Matches against a level
 * from the empty board count.
 * @param {RoomMirror} room
 */
export function rungOf({ seat, players, settings }) {
  const other = seat === null ? null : players[seat === 0 ? 1 : 0];
  const level = other ? levelOf(other) : null;
  if (level === null || settings.opening.length || settings.start.length) return null;
  const size = Object.values(settings.params).join("x");
  return { game: settings.game, size, level: LEVELS[level - 1] ?? "" };
}

/**
 * @param {Storage} storage
 * @param {RoomMirror} room
 */
function countMatch(storage, room) {
  const { result, seat } = room;
  const rung = rungOf(room);
  if (room.status !== "finished" || rung === null || result === null) return;
  if (NO_RESULT.includes(result.termination)) return;
  const { results, counted } = keptResults(storage);
  // Another tab, or this one before it was loaded again, may have counted it.
  if (counted.includes(result.game_id)) return;
  const key = `${rung.game} ${rung.size} ${rung.level}`;
  const { [key]: before, ...others } = results;
  const won = result.winner === null ? 0 : result.winner === seat ? 1 : -1;
  const all = [...Object.entries(others), [key, withResult(before, won)]];
  storage.set(KEPT, {
    results: Object.fromEntries(all.slice(-MOST)),
    counted: [...counted, result.game_id].slice(-MOST),
  });
}

/**
 * Return the results by game, size and level as texts, and the games that count already.
 * @param {Storage} storage
 * @returns {{results: Record<string, unknown>, counted: unknown[]}}
 */
export function keptResults(storage) {
  const found = /** @type {any} */ (storage.get(KEPT));
  const { results, counted } = typeof found === "object" && found !== null ? found : {};
  return {
    results: typeof results === "object" && results !== null ? results : {},
    counted: Array.isArray(counted) ? counted : [],
  };
}
