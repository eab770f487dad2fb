// Play on from a position of a review against a bot: the settings of the match, and its sides.

import { plural, tr } from "../../texts.js";

/** @typedef {import("./review.js").Review} Review */

/**
 * @typedef {object} Start
 * @property {import("../../types/wire.js").MatchSettings} settings of a casual match without a clock
 * @property {number} seat the seat of the person in this game, or else the one to move
 * @property {string} opponent the player of the other seat
 * @property {string} about the position in a sentence
 * @property {[string, string]} sides their names
 */

/**
 * Return how to play on from the position shown; null: the game is over there.
 *
 * @param {Review} review
 * @param {string} me the name of the person
 * @returns {Start | null}
 */
export function startOf(review, me) {
  const { toMove: mover, game, geometry, moves } = review;
  if (mover === null) return null;
  const { players, params, opening } = game;
  const [first, second] = [0, 1].map((seat) => review.player(seat).score);
  const count = moves.length;
  let begun = plural("After 1 move", "After {n} moves", count);
  if (!count) begun = opening.length ? tr("After the opening") : tr("From the beginning");
  const values = { begun, first, second, name: players[mover] };
  const side = (/** @type {number} */ seat) => {
    const name = players[seat];
    const own = name.endsWith("s") ? tr("{name}' side", { name }) : tr("{name}'s side", { name });
    return seat === mover ? tr("{side} (to move)", { side: own }) : own;
  };
  const own = players.indexOf(me);
  const seat = own < 0 ? mover : own;
  const time = { base_ms: null, increment_ms: 0, move_ms: null };
  return {
    settings: { game: game.game, params, opening, start: moves, time, rated: false, evaluation: false },
    seat,
    opponent: players[1 - seat],
    about:
      geometry.unit && count
        ? tr("{begun} the score is {first} : {second}, and {name} is to move.", values)
        : tr("{begun}, {name} is to move.", values),
    sides: [side(0), side(1)],
  };
}
