// Name a position for the addresses of the server that describe positions.

/** @typedef {import("../../types/api.js").GameAnswer} GameAnswer */

/**
 * Return the parameters that name a position for /api/positions and /api/features.
 *
 * @param {GameAnswer} game
 * @param {number[]} moves
 */
export function positionQuery(game, moves) {
  return { game: game.game, size: game.size, opening: game.opening, moves };
}
