// Describe this player's games in play.

import { clockFace } from "./clock-face.js";
import { byDays, waitsForDays } from "./room/words.js";
import { tr } from "../texts.js";

/** @import { OpenGame } from "../core/messages.js" */

/**
 * Whether a game by days waits for this player.
 * @param {OpenGame} game
 */
export function waitsByDays(game) {
  return byDays(game.settings.time) && game.to_move === game.seat;
}

/**
 * Return the room of the game that the lobby shows large: the most urgent one that does not wait for days; null without one.
 * @param {readonly OpenGame[]} games
 * @param {{has: (room: string) => boolean}} rooms those of the page
 */
export function liveRoom(games, rooms) {
  return games.find((game) => !waitsForDays(game) || (!byDays(game.settings.time) && rooms.has(game.room)))?.room ?? null;
}

/**
 * Whether a game waits for this player at a place that the page does not show: by days, or left without a clock.
 * @param {OpenGame} game
 * @param {{has: (room: string) => boolean}} rooms those of the page
 */
export function waitsElsewhere(game, rooms) {
  return waitsByDays(game) || (waitsForDays(game) && game.to_move === game.seat && !rooms.has(game.room));
}

/**
 * Return the position of a game whose board is known, for a small picture of it.
 * @param {{board: NonNullable<OpenGame["board"]>, drawers: string, to_move: number | null}} game
 * @returns {import("../board/types.js").Position}
 */
export function positionOf({ board, drawers, to_move: toMove }) {
  // What nobody may play any more was played, or stood there before the first move.
  const played = [...board.legal].flatMap((may, action) => (may === "0" ? [action] : []));
  const seats = played.map((action) => (drawers[action] === "0" ? 0 : drawers[action] === "1" ? 1 : null));
  return { ...board, played, drawers: seats, last: null, toMove: /** @type {0 | 1 | null} */ (toMove) };
}

/**
 * Return the position of a game in play as the server tells it over HTTP.
 * @param {import("../types/api.js").GameInPlay} game
 * @returns {import("../board/types.js").Position}
 */
export function livePosition({ board, opening, moves, movers, to_move: toMove }) {
  const drawers = [...opening.map(() => null), ...[...movers].map(Number)];
  return /** @type {any} */ ({ ...board, played: [...opening, ...moves], drawers, last: null, toMove });
}

/**
 * Return whose turn it is and how long, in a line.
 * @param {OpenGame} game
 * @param {number} passedMs since the list came
 */
export function turnLine({ to_move: mover, seat, players, left_ms: left }, passedMs) {
  if (mover === null) return "";
  const who = mover === seat ? tr("Your turn") : tr("{name} to move", { name: players[mover === 0 ? 0 : 1].name });
  return left === null ? who : waitLine(who, left - passedMs);
}

/**
 * Return how long a move may take still, after the words that say whose it is.
 * @param {string} who
 * @param {number} leftMs
 */
export function waitLine(who, leftMs) {
  return `${who} · ${tr("{time} left", { time: clockFace(leftMs).text })}`;
}
