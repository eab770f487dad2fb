// Play on from a position of a review against a bot: the settings of the match, and its sides.

/** @typedef {import("./review.js").Review} Review */

/**
 * @typedef {object} Start
 * @property {import("../../types/wire.js").MatchSettings} settings of a casual match without a clock
 * @property {number} mover the seat to move
 * @property {string} about the position in a sentence
 * @property {[string, string]} sides their names
 */

/**
 * Return how to play on from the position shown; null: the game is over there.
 *
 * @param {Review} review
 * @returns {Start | null}
 */
export function startOf(review) {
  const { toMove: mover, game, geometry, moves } = review;
  if (mover === null) return null;
  const { players, params, opening } = game;
  const [first, second] = [0, 1].map((seat) => review.player(seat).score);
  const count = moves.length;
  let begun = count === 1 ? "After 1 move" : `After ${count} moves`;
  if (!count) begun = opening.length ? "After the opening" : "From the beginning";
  const score = geometry.unit && count ? ` the score is ${first} : ${second}` : "";
  const side = (/** @type {number} */ seat) => {
    const name = `${players[seat]}${players[seat].endsWith("s") ? "'" : "'s"} side`;
    return seat === mover ? `${name} (to move)` : name;
  };
  const time = { base_ms: null, increment_ms: 0, move_ms: null };
  return {
    settings: { game: game.game, params, opening, start: moves, time, rated: false },
    mover,
    about: `${begun}${score},${score && " and"} ${players[mover]} is to move.`,
    sides: [side(0), side(1)],
  };
}
